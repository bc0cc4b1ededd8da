"""What can be agreed on before a game: whatever the engine's registers list, with names and words for people."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ktsim.app.play.saves import HUMAN
from ktsim.app.ui.titles import EMPTY, board_title, killzone_title
from ktsim.errors import UserError
from ktsim.game.boards import OPEN, board_names, find_board
from ktsim.game.bots import BOTS, LEVELS
from ktsim.game.named_files import own_team_files
from ktsim.killzones.own_sizes import pieces_resized
from ktsim.rules.editions import EDITIONS, MISSIONS
from ktsim.rules.kt21.conversion import fielded
from ktsim.rules.kt24.joint.mission import DIFFICULTIES, joint_data
from ktsim.rules.kt24.ops.register import CRIT_OPS
from ktsim.rules.teams.team_file import all_team_files, find_team
from ktsim.sight.dates import CORRECTIONS
from ktsim.sight.part_names import spaced, titled_words
from ktsim.sight.scene import RULES_DATES


@dataclass(frozen=True)
class SetupOffer:
    """One thing that can be chosen; with a *refusal* it cannot at present, for that reason."""

    key: str
    title: str
    note: str = ""
    refusal: str = ""


def plain_name(key: str) -> str:
    words = key.replace("-", " ").replace("_", " ").strip()
    return words.upper() if len(words) <= 3 else words.capitalize()


NON_PLAYER = "npo"
"""The bot that plays operatives by their behaviour lists."""

OWN_SIZES = "own"
_MISSION_WORDS = {
    "approved-ops-2024": "A full battle: crit op, tac op, kill op, equipment. Scouting decides the first initiative.",
    "approved-ops-2025": "A full battle: crit op, tac op, kill op, equipment. Initiative is rolled for, with cards.",
    "skirmish": "Short, to practise: hold objective markers and carry the beacon.",
    "equipped-skirmish": "The short mission, with up to four pieces of equipment each.",
    "lite-skirmish": "Hold more objective markers than the opponent.",
    **{key: str(mission["text"]) for key, mission in joint_data().items()},
}
_TITLES = {NON_PLAYER: "Non-player operatives"}


def boards() -> list[SetupOffer]:
    """The killzones by their titles, what is special about one as its note; the bare board last."""
    found = []
    for name in board_names():
        if name != OPEN:
            words = killzone_title(name).partition(": ")[2]
            found.append(SetupOffer(name, board_title(name), words))
    return [*found, SetupOffer(OPEN, EMPTY, "Nothing stands on it: to learn moving and shooting")]


def sizes(board: str) -> list[SetupOffer]:
    """Whose sizes the terrain of a board has; none to choose from where the player has given no piece of it any."""
    pieces = pieces_resized(board) if board != OPEN else ()
    if not pieces:
        return []
    named = ", ".join(titled_words(piece) for piece in pieces)
    return [
        SetupOffer(OWN_SIZES, "Yours", f"As you have corrected them: {named}."),
        SetupOffer("ours", "Ours", "As they come with the program."),
    ]


@lru_cache(maxsize=16)
def _all_teams(edition: str, files: tuple[tuple[str, int], ...]) -> tuple[tuple[SetupOffer, bool], ...]:
    """Every team that can be played in an edition, its own before those of others, and whether nobody plays it: all
    of its operatives have behaviour lists. One whose file is wrong is left out. *files* are the player's own, by path
    and when they were changed."""
    rules = EDITIONS[edition]
    own: list[tuple[SetupOffer, bool]] = []
    others: list[tuple[SetupOffer, bool]] = []
    for key in (*all_team_files(), *(path for path, _ in files)):
        try:
            team = find_team(key, rules.weapon_rules)
            fielded(team, rules)
        except UserError:
            continue
        whose = f" · your file {Path(key).name}" if key not in all_team_files() else ""
        title = f"{team.name}: {team.roster_name}" if team.roster_name else team.name
        offer = SetupOffer(key, title, f"{len(team.roster)} operatives{whose}")
        is_unplayed = all(card.behaviour for card in team.cards)
        (own if team.edition == rules.id else others).append((offer, is_unplayed))
    return (*own, *others)


def teams(edition: str, seat: str = HUMAN) -> list[SetupOffer]:
    """The teams *seat* can play: non-player operatives only for the bot that follows their behaviour lists."""
    found = _all_teams(edition, own_team_files())
    return [offer for offer, is_unplayed in found if is_unplayed == (seat == NON_PLAYER)]


_board = lru_cache(maxsize=2)(find_board)


def _refuses(mission: str, board: str) -> str:
    """Why a mission cannot be played on a board; empty when it can."""
    reason = MISSIONS[mission]().refuses_board(_board(board))
    return f"{board_title(board)} {reason}." if reason is not None else ""


def missions(edition: str, board: str, *, is_joint: bool = False) -> list[SetupOffer]:
    """The missions and mission packs of an edition between two opponents; or the joint ones against operatives nobody
    plays."""
    found = []
    for key, mission in MISSIONS.items():
        if mission.edition not in ("", edition) or bool(mission.machine_team) != is_joint:
            continue
        found.append(SetupOffer(key, mission.name, spaced(_MISSION_WORDS.get(key, "")), _refuses(key, board)))
    return found


def crit_ops(mission: str) -> list[SetupOffer]:
    """The crit ops a mission can be played with; none when it has no ops."""
    if mission not in MISSIONS or not MISSIONS[mission].has_ops:
        return []
    return [
        SetupOffer("", "Drawn in the game"),
        *(SetupOffer(key, op.name, spaced(op.text)) for key, op in CRIT_OPS.items()),
    ]


def editions() -> list[SetupOffer]:
    return [SetupOffer(key, edition.name) for key, edition in EDITIONS.items()]


def rules_dates(edition: str) -> list[SetupOffer]:
    """The dates as of which the rules of an edition can be played (KT24-DATED); none when it has one state only."""
    if edition != "kt24":
        return []
    found = []
    for date in RULES_DATES:
        changes = " ".join(spaced(correction.said(date)) for correction in CORRECTIONS)
        found.append(SetupOffer(date, date, changes))
    return found


def bots() -> list[SetupOffer]:
    """The bots to play against, the best first."""
    return [SetupOffer(key, _TITLES.get(key) or plain_name(key), bot.text) for key, bot in reversed(list(BOTS.items()))]


def has_levels(bot: str) -> bool:
    """Whether the difficulty of a bot can be chosen."""
    return bot in BOTS and bool(BOTS[bot].levels)


def levels() -> list[SetupOffer]:
    """How hard a bot tries."""
    return [SetupOffer(key, plain_name(key), level.text) for key, level in LEVELS.items()]


def difficulties(mission: str) -> list[SetupOffer]:
    """How strong the enemy of a joint mission is, in numbers."""
    found = []
    for level, force in joint_data()[mission]["force"].items():
        guards, waves = (sum(len(kinds) for kinds in force[part].values()) for part in ("guards", "waves"))
        alarm = " once anybody is alerted" if joint_data()[mission]["waves_need_alarm"] else ""
        first = f"{guards} guards, " if guards else ""
        found.append(SetupOffer(level, level.capitalize(), f"{first}{waves} more during the battle{alarm}."))
    return sorted(found, key=lambda offer: DIFFICULTIES.index(offer.key))


def handicaps() -> list[SetupOffer]:
    """What evens out unequal players."""
    more = [SetupOffer(f"+{n}CP", f"{n} CP more", "More CP to begin with.") for n in (1, 2, 3)]
    fewer = [SetupOffer(f"-{n}", f"{n} operative{'s' if n > 1 else ''} fewer") for n in (1, 2)]
    return [SetupOffer("", "No handicap"), *more, *fewer]
