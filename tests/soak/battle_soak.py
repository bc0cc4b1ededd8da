"""Whole battles by number: which edition, layout, mission, teams and ops, who answers; and playing many of them.

A number alone says everything about a battle, whichever process plays it. Each of its traits is dealt from a deck of
its own, shuffled anew whenever it is used up: after so many battles everything has had its turn, and over time
everything meets everything.
"""

from __future__ import annotations

import json
import signal
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import combinations_with_replacement
from multiprocessing import get_context
from pathlib import Path as FilePath
from random import Random
from typing import Any, Literal, NamedTuple, TypeVar

from ktsim.game.boards import find_board
from ktsim.game.game import Game
from ktsim.game.players import Player, Sampler
from ktsim.game.setup import MOST_HANDICAP, Setup
from ktsim.geometry.plane import length
from ktsim.killzones import catalogue
from ktsim.rules.editions import EDITIONS, MISSIONS
from ktsim.rules.engine.decisions import CANCEL, Decision, Pick, PickSome, Walk
from ktsim.rules.engine.edition import EditionRules
from ktsim.rules.engine.state import SIDES, Path
from ktsim.rules.engine.table import MoveRequest
from ktsim.rules.killzone.breach import QuickBreach, is_quick
from ktsim.rules.kt24.ops.op import tac_key
from ktsim.rules.kt24.ops.register import CRIT_OPS, TAC_OPS
from ktsim.rules.kt24.ops.tac_infiltration import TrackEnemy
from ktsim.rules.moving.openings import access_opening, breach_points, is_open
from ktsim.rules.teams.team_file import find_team, team_files
from ktsim.sight.pads import pads_of
from ktsim.sight.scene import RULES_DATES
from soak.meeting import AT_MARKERS, Meeting
from soak.soak import watched_game
from soak.stalker import stalking_path
from soak.tally import Counts, missions_of, pair_name, supporting_actions, teams_of
from soak.tinkerer import Brawler, Curious, Errand, Tinkerer, crowd
from soak.ways import beside, openings_of, pad_places, way_to

T = TypeVar("T")

ALL = 99
STRENGTHS = (ALL, 6, 4, 3)
"""How many operatives of each team take part at most: small battles are quick, and see teams all but gone."""
WHOLE = (ALL, ALL, 6, 4)
"""The same where they are not selected: fewer are always the first of the roster, and each should have its turn."""
BEGUN = {"kt24": "equipped-skirmish", "kt21-lite": "lite-skirmish"}
"""The missions of battles that begin crowded: those that can do without their set-up."""
UNEVEN = ((0, 0), (0, 0), (1, 0), (0, 1))
"""How many operatives fewer red and blue have: whoever has nobody ready while the enemy has may counteract."""
STYLES: tuple[type[Sampler], ...] = (*[Errand] * 3, *[Tinkerer] * 2, *[Meeting] * 3, Sampler)
"""Who plays: for the ops, for what lies about, for a place to meet at, quite at random."""
SOCIABLE: tuple[type[Sampler], ...] = (Meeting, Tinkerer, Brawler)
"""Whose battles are about more than one of a side in the same place."""
CROWDED: tuple[type[Sampler], ...] = (Tinkerer, Brawler)
"""Who plays where a battle begins with everybody at openings already."""
AT_OPENINGS: tuple[type[Sampler], ...] = (Errand, *[Tinkerer] * 2, *[Meeting] * 4, Sampler)
"""Who plays on boards with hatchways or doors, which are about meeting there."""


def dealt(deck: str, number: int, cards: Sequence[T]) -> T:
    """The card that *number* is dealt from a deck that is shuffled anew each time it is used up."""
    round, place = divmod(number, len(cards))
    return cards[_shuffled(deck, round, len(cards))[place]]


@lru_cache(maxsize=256)
def _shuffled(deck: str, round: int, size: int) -> tuple[int, ...]:
    order = list(range(size))
    Random(f"{deck} {round}").shuffle(order)
    return tuple(order)


def battle_setup(number: int, sight: float = 0.0, most: int = ALL) -> Setup:
    """The setup of battle *number*; a share *sight* of all battles is played on the real table.

    Never more than *most* operatives a side take part in a course that selects them, or twice as many where they meet.
    """
    edition, mission = course_of(number)
    teams = list(combinations_with_replacement(teams_of(edition), 2))
    ordinal = among_its_edition(number)
    pair = dealt(f"teams {edition.id}", ordinal, teams)
    red, blue = pair if (ordinal // len(teams)) % 2 else pair[::-1]
    is_by_pack = MISSIONS[mission].selects_operatives
    strength = dealt("strength", number, STRENGTHS if is_by_pack else WHOLE)
    if is_by_pack:
        strength = min(most if style_of(number) not in SOCIABLE else 2 * most, strength)
    fewer = dealt("uneven", number, UNEVEN) if is_by_pack else (0, 0)
    if begins_crowded(number):
        mission = BEGUN[edition.id]
    has_ops = MISSIONS[mission].has_ops
    return Setup(
        edition=edition.id,
        board=board_of(number),
        red=red,
        blue=blue,
        mission=mission,
        table=table_of(number, sight),
        crit_op=dealt("crit op", number, list(CRIT_OPS)) if has_ops else "",
        handicap_red=_without(red, strength, fewer[0]),
        handicap_blue=_without(blue, strength, fewer[1]),
        rules=dealt("date", number, RULES_DATES) if edition.id == "kt24" else RULES_DATES[0],
    )


@lru_cache(maxsize=64)
def _without(team: str, strength: int, uneven: int) -> str:
    """The handicap that leaves so many of a shipped team, or some fewer; one at least."""
    edition = next(each for each in EDITIONS.values() if team in team_files(each.id))
    size = find_team(team, edition.weapon_rules).size
    fewer = min(MOST_HANDICAP, size - max(1, min(size, strength) - uneven))
    return f"-{fewer}" if fewer else ""


def table_of(number: int, sight: float) -> Literal["sight", "plain"]:
    """Spread evenly: of any hundred battles in a row the share is as good as exact."""
    return "sight" if int((number + 1) * sight) > int(number * sight) else "plain"


COURSES = [(each, name) for each in EDITIONS.values() for name in missions_of(each)]


def course_of(number: int) -> tuple[EditionRules, str]:
    """The edition and mission of battle *number*."""
    return dealt("course", number, COURSES)


def among_its_edition(number: int) -> int:
    """How many battles before *number* are of the same edition: whatever is dealt by it comes round in that edition."""
    edition, _ = course_of(number)
    round, place = divmod(number, len(COURSES))
    earlier = sum(course_of(round * len(COURSES) + before)[0] is edition for before in range(place))
    return round * sum(each is edition for each, _ in COURSES) + earlier


def board_of(number: int) -> str:
    return dealt(f"board {course_of(number)[1]}", number, catalogue.names())


def style_of(number: int) -> type[Sampler]:
    if begins_crowded(number):
        return dealt("crowded", number, CROWDED)
    return dealt("style", number, AT_OPENINGS if has_openings(board_of(number)) else STYLES)


def begins_crowded(number: int) -> bool:
    """Whether it begins with both sides about hatchways and doors, its set-up left out: one in four where any are."""
    return has_openings(board_of(number)) and dealt("start", number, (True, False, False, False))


@lru_cache(maxsize=64)
def has_openings(board: str) -> bool:
    return bool(openings_of(find_board(board).terrain))


class Seat(Sampler):
    """Both players of battle *number*: what is dealt to it where that is on offer, then whatever its style does."""

    STALKING, TELEPORTING = 0.8, 0.5

    def __init__(self, number: int, sight: float = 0.0) -> None:
        seed = f"battle {number}"
        super().__init__(seed)
        self._number, self._sight = number, sight
        style = style_of(number)
        often = 0.05 if style is Meeting else 0.15
        self._player: Player = style(seed) if style is Sampler else Curious(seed, style(seed), often)

    def answer(self, decision: Decision[Any], game: Game) -> Any:
        if isinstance(decision, Pick) and decision.veiled and len(decision.open_keys) == 1:
            return decision.open_keys[0]  # asked so that nobody can tell; nothing is drawn for it
        turn = 2 * self._number + (decision.seat == "blue")
        if isinstance(decision, Pick) and decision.topic == "tac op":
            ops = [key for key in TAC_OPS if key in decision.open_keys]
            if style_of(self._number) is Meeting:
                ops += 2 * [key for key in ops if key in AT_MARKERS]
            return dealt(f"tac op {' '.join(ops)}", turn, ops)
        if isinstance(decision, PickSome) and decision.topic == "equipment":
            keys = [option.key for option in decision.options]
            return tuple(dict.fromkeys(dealt(f"equipment {i}", turn, keys) for i in range(decision.most)))
        if isinstance(decision, Pick) and decision.topic == "action" and (rare := self._rare(decision, game)):
            return rare
        is_order = isinstance(decision, Pick) and {"engage", "conceal"} <= {*decision.open_keys}
        if is_order and self._rng.random() < self.STALKING:
            for side in SIDES:
                if game.state.choices.get(tac_key(side)) == TrackEnemy.key:
                    return "conceal" if decision.seat == side else "engage"  # who tracks is hidden, who is tracked not
        if isinstance(decision, Walk) and (path := self._to_pad(decision, game)):
            return path
        if isinstance(decision, Walk) and self._is_stalking(decision, game):
            return stalking_path(decision, game, self._rng) or self._player.answer(decision, game)
        return self._player.answer(decision, game)

    def _rare(self, decision: Pick, game: Game) -> str:
        """What few can do, for whoever can: breach quickly, support from farther away."""
        wanted = {QuickBreach.name}
        if isinstance(decision.about, str):
            battle, who = game.battle, game.state.operatives[decision.about]
            if any(rule.support_distance(battle, who, 0.0) for rule in battle.having("support_distance")):
                wanted |= supporting_actions()
        return next((key for key in decision.open_keys if key in wanted), "")

    def _to_pad(self, decision: Walk, game: Game) -> Path:
        """Now and then onto a teleport pad, or from one to the other; whoever breaches quickly to a breach point."""
        pads, request = pads_of(game.battle.board.terrain), decision.about
        if not pads or not isinstance(request, MoveRequest) or self._rng.random() >= self.TELEPORTING:
            return CANCEL
        if request.teleports:
            suggested: Path = decision.sample(self._rng)
            return suggested
        battle, who = game.battle, game.state.operatives[decision.operative]
        shut = [line for line in breach_points(battle) if not is_open(battle, line)] if is_quick(battle, who) else []
        ends = [spot for line in shut for spot in beside(access_opening(line), battle.table.radius(who) + 0.3)]
        goals = sorted(ends or pad_places(battle), key=lambda goal: length(goal[0] - who.x, goal[1] - who.y))
        route = battle.table.mover.route(battle.table, game.state, request, goals[0])
        for path in (route, way_to(battle, who, goals[0], decision.allowance, opens=True)):
            if path and decision.check(path) is None:
                return path
        return CANCEL

    def _is_stalking(self, decision: Walk, game: Game) -> bool:
        """Whether the side has to track enemies, on a table on which somebody can hide."""
        is_real = table_of(self._number, self._sight) == "sight"
        return (
            is_real
            and game.state.choices.get(tac_key(game.state.operatives[decision.operative].side)) == TrackEnemy.key
        )


def watched_battle(number: int, sight: float = 0.0, every: int = 1, most: int = ALL) -> Counts:
    """Battle *number* with every invariant checked; what it exercised."""
    setup = battle_setup(number, sight, most)
    start = crowd if begins_crowded(number) else None
    counts = watched_game(setup, f"battle {number}", Seat(number, sight), start, every)
    counts["battle on", f"{setup.board}, {setup.mission}"] += 1
    counts[f"teams, {setup.edition}", pair_name(setup.red, setup.blue)] += 1
    counts["table", setup.table] += 1
    return counts


class Outcome(NamedTuple):
    """What became of one battle: what it exercised, or how it failed."""

    number: int
    counts: Counts
    failure: str = ""


def play_out(number: int, sight: float, every: int) -> Outcome:
    """Play a battle and catch whatever goes wrong, so that the others are played all the same."""
    try:
        return Outcome(number, watched_battle(number, sight, every))
    except Exception:
        return Outcome(number, Counter(), f"battle {number}, {battle_setup(number, sight)}\n{traceback.format_exc()}")


def outcomes(numbers: Sequence[int], sight: float, every: int, jobs: int) -> Iterator[Outcome]:
    """The battles as they end. With several *jobs* in as many processes, which are stopped when nobody asks on."""
    play = partial(play_out, sight=sight, every=every)
    if jobs == 1:
        yield from map(play, numbers)
        return
    with get_context("spawn").Pool(jobs, _leave_interrupts_to_the_parent) as pool:
        yield from pool.imap_unordered(play, numbers)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


# -- counts in a file, so that a long soak can be played in slices -----------------------------------


def read_counts(path: FilePath) -> Counts:
    """The counts kept in a file; none when there is no such file."""
    if not path.exists():
        return Counter()
    sections = json.loads(path.read_text(encoding="utf-8"))
    return Counter({(section, name): count for section, names in sections.items() for name, count in names.items()})


def write_counts(path: FilePath, counts: Counts) -> None:
    sections: dict[str, dict[str, int]] = {}
    for (section, name), count in sorted(counts.items()):
        sections.setdefault(section, {})[name] = count
    path.write_text(json.dumps(sections, indent=1) + "\n", encoding="utf-8")
