"""What can be agreed on before a game: whatever the engine's registers list, with names and words for people."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ktsim.errors import UserError
from ktsim.game.boards import OPEN, board_names
from ktsim.game.bots import BOTS, LEVELS
from ktsim.rules.editions import EDITIONS
from ktsim.rules.kt21.conversion import fielded
from ktsim.rules.ops.register import CRIT_OPS
from ktsim.rules.packs.register import MISSIONS
from ktsim.rules.team_file import all_team_files, find_team

from .saves import HUMAN


@dataclass(frozen=True)
class Offer:
    """One thing that can be chosen."""

    key: str
    title: str
    note: str = ""


def plain_name(key: str) -> str:
    words = key.replace("-", " ").replace("_", " ").strip()
    return words.upper() if len(words) <= 3 else words.capitalize()


def boards() -> list[Offer]:
    notes = {OPEN: "A bare board, to learn moving and shooting"}
    titles = {OPEN: "Bare board"}
    names = sorted(board_names(), key=lambda name: name == OPEN)
    return [Offer(name, titles.get(name, name.replace("-", " ").title()), notes.get(name, "")) for name in names]


@lru_cache(maxsize=4)
def teams(edition: str) -> tuple[Offer, ...]:
    """The teams that can be played in an edition, its own before those of others; one whose file is wrong is left
    out."""
    rules = EDITIONS[edition]
    own: list[Offer] = []
    others: list[Offer] = []
    for key in all_team_files():
        try:
            team = find_team(key, rules.weapon_rules)
            fielded(team, rules)
        except UserError:
            continue
        offer = Offer(key, team.name, f"{len(team.roster)} operatives")
        (own if team.edition == rules.id else others).append(offer)
    return (*own, *others)


def missions(edition: str) -> list[Offer]:
    """The missions and mission packs of an edition."""
    found = []
    for key, mission in MISSIONS.items():
        if mission.edition not in ("", edition):
            continue
        doc = (getattr(mission, "__doc__", None) or "").strip().partition("\n\n")
        words = " ".join(doc[2].split()) or " ".join(doc[0].split())
        found.append(Offer(key, getattr(mission, "name", "") or plain_name(key), words))
    return found


def crit_ops(mission: str) -> list[Offer]:
    """The crit ops a mission can be played with; none when it has no ops."""
    if mission not in MISSIONS or not MISSIONS[mission].has_ops:
        return []
    return [Offer("", "Drawn in the game"), *(Offer(key, op.name, op.text) for key, op in CRIT_OPS.items())]


def editions() -> list[Offer]:
    return [Offer(key, f"Rules of {edition.name}") for key, edition in EDITIONS.items()]


def seats() -> list[Offer]:
    """A person, or any of the bots."""
    found = [Offer(HUMAN, "A person", "Plays at this computer")]
    return found + [Offer(key, f"Bot: {plain_name(key)}", bot.text) for key, bot in BOTS.items()]


def levels() -> list[Offer]:
    """How hard a bot tries."""
    return [Offer(key, plain_name(key), level.text) for key, level in LEVELS.items()]


def handicaps() -> list[Offer]:
    """What evens out unequal players."""
    more = [Offer(f"+{n}CP", f"{n} CP more", "More CP to begin with.") for n in (1, 2, 3)]
    fewer = [Offer(f"-{n}", f"{n} operative{'s' if n > 1 else ''} fewer") for n in (1, 2)]
    return [Offer("", "No handicap"), *more, *fewer]
