"""The mission packs ``approved-ops-2024`` and ``approved-ops-2025``: ops, set-up and initiative of their own:
by scouting options first (2024), or by a roll-off and cards every time (2025)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, TypeAlias

from ktsim.geometry.plane import is_inside, length
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.board import Board
from ktsim.rules.engine.decisions import Option, Steps, pick, roll
from ktsim.rules.engine.events import InitiativeGiven, Noted, PhaseBegan, Told
from ktsim.rules.engine.mission import OBJECTIVE_RADIUS, Mission
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.state import SIDES, MarkerState, Side, milli, other
from ktsim.rules.engine.turn import give_initiative, roll_both
from ktsim.rules.kt24.equipment.register import equipment_of
from ktsim.rules.kt24.ops.kill_and_primary import KillOp, PrimaryOp
from ktsim.rules.kt24.ops.op import HALVES, marker_name, objective_owner, revealed_key, tac_key
from ktsim.rules.kt24.ops.register import CRIT_OPS, TAC_OPS, tac_ops_of
from ktsim.rules.kt24.packs.scouting import BEATS, ScoutedPloy, resolve_scouting, scouting_key
from ktsim.rules.kt24.packs.set_up import (
    CRIT_OP,
    choose_tac_ops,
    deploy,
    determine_crit_op,
    roll_for_drop_zones,
    select,
    set_up_equipment,
)
from ktsim.rules.kt24.turn import PHASES, initiative

RE_ROLL = "re-roll"
CARDS = (RE_ROLL, "1", "2", "3")


def initiative_by_scouting(battle: Battle) -> Steps[None]:
    """KT24-SCOUT for the first turning point: the better option has it; of equal ones, whoever had it not decides."""
    state = battle.state
    if state.turning_point >= 2:
        yield from initiative(battle)
        return
    assert state.initiative is not None
    options = {side: state.choices[scouting_key(side)] for side in SIDES}
    winner = next((side for side in SIDES if BEATS[options[side]] == options[other(side)]), None)
    if winner is None:
        yield from give_initiative(battle, other(state.initiative))
    else:
        yield Told(f"Scouting: {options[winner].title()} beats {options[other(winner)].title()}.", "KT24-SCOUT")
        yield InitiativeGiven(winner)
    yield PhaseBegan("ready", state.turning_point, None)


# -- initiative cards --------------------------------------------------------------------------------


def card_key(side: Side, card: str) -> str:
    """Under which key of ``State.notes`` stands whether the side has an initiative card."""
    return f"{side}:card:{card}"


def cards_of(battle: Battle, side: Side) -> list[str]:
    return [card for card in CARDS if battle.state.notes.get(card_key(side, card))]


def initiative_by_cards(battle: Battle) -> Steps[None]:
    """Roll-off without re-rolling ties, then cards, loser first, until both pass in a row or have none.

    The player without initiative wins ties. In the first turning point that is the player who did not pick the drop
    zones, who starts with the Re-roll card. The loser of what the cards made of the roll-off gains the card of the
    turning point.
    """
    state = battle.state
    had = state.initiative
    assert had is not None
    if state.turning_point == 1:
        yield Noted(card_key(other(had), RE_ROLL), 1)
        yield Told("{0} has the initiative card Re-roll.", "KT24-INIT", (other(had),))
    results = yield from roll_both(battle)
    turn, passes = other(leader(results, had)), 0
    while passes < 2:
        card = yield from _play(battle, turn, results)
        passes = passes + 1 if card is None else 0
        turn = other(turn)
    winner = leader(results, had)
    if state.turning_point < battle.edition.turning_points:
        loser, card = other(winner), str(state.turning_point)
        yield Noted(card_key(loser, card), 1)
        yield Told(f"{{0}} gains the initiative card +/-{card}.", "KT24-INIT", (loser,))
    yield from give_initiative(battle, winner)
    yield PhaseBegan("ready", state.turning_point, None)


def leader(results: Mapping[Side, int], had: Side) -> Side:
    """Who is ahead in the roll-off."""
    if results["red"] == results["blue"]:
        return other(had)
    return "red" if results["red"] > results["blue"] else "blue"


def _play(battle: Battle, side: Side, results: dict[Side, int]) -> Steps[str | None]:
    """*side* plays a card on its own result, or passes; *results* is changed accordingly."""
    options, values = [Option("pass", "No card")], {"pass": ("", 0)}
    for card in cards_of(battle, side):
        if card == RE_ROLL:
            options.append(Option(card, "Re-roll card: roll your die again"))
            values[card] = (card, 0)
            continue
        for sign in ("+", "-"):
            options.append(Option(f"{sign}{card}", f"Card {sign}{card}"))
            values[f"{sign}{card}"] = (card, int(f"{sign}{card}"))
    told = ", ".join(f"{battle.teams[each].name} {results[each]}" for each in ("blue", "red"))
    prompt = f"Play an initiative card? The roll-off stands at {told}."
    card, change = yield from pick(side, "card", prompt, options, values, default="pass")
    if not card:
        return None
    yield Noted(card_key(side, card), 0)
    if card == RE_ROLL:
        (results[side],) = yield from roll(1, "initiative re-roll", "Re-roll card", side)
        yield Told(f"{{0}} plays the initiative card Re-roll and rolls {results[side]}.", "KT24-INIT", (side,))
    else:
        results[side] += change
        yield Told(f"{{0}} plays the initiative card {change:+d}, which makes {results[side]}.", "KT24-INIT", (side,))
    return card


SetUpStep: TypeAlias = "Callable[[Battle], Steps[None] | None]"
"""Its procedure, one step of it at a time; ``None`` when the state says it is done."""


class ApprovedOps(Mission, ABC):
    """What the two packs share: three objective markers, a shared crit op, kill and tac op, the primary op."""

    edition = "kt24"
    has_ops = True
    selects_operatives = True
    steps: ClassVar[tuple[SetUpStep, ...]]

    def __init__(self, crit_op: str = "", difficulty: str = "", is_shared: bool = False) -> None:
        super().__init__(crit_op, difficulty, is_shared)
        self.phases = {**PHASES, "set-up": self.set_up, "initiative": self.initiative}

    def set_up(self, battle: Battle) -> Steps[None]:
        """One step of set-up (KT24-SETUP, KT24-SELECT, KT24-DEPLOY, KT24-SCOUT)."""
        for step in self.steps:
            if (todo := step(battle)) is not None:
                yield from todo
                return
        yield PhaseBegan("initiative", 1, None)

    @abstractmethod
    def initiative(self, battle: Battle) -> Steps[None]:
        """Who has the initiative in the turning point that begins (KT24-INIT)."""

    # -- what it brings ------------------------------------------------------------------------------

    def refuses_board(self, board: Board) -> str | None:
        if len(board.objectives) != 3:
            return f"has {len(board.objectives)} objective markers; this mission needs 3"
        try:
            arranged(board)
        except LookupError:
            return "needs one objective marker in each territory besides the one nearest the centre"
        return None

    def markers(self, board: Board) -> list[MarkerState]:
        """Where the board has them: on the floor, unless the killzone allows Vantage (KZ-BHETA-EQUIP)."""
        return [
            MarkerState(id, "objective", milli(x), milli(y), milli(level), OBJECTIVE_RADIUS)
            for id, (x, y, level) in arranged(board).items()
        ]

    def name_of(self, battle: Battle, marker: str) -> str:
        found = battle.state.markers.get(marker)
        if found is None or found.kind != "objective":
            return marker_name(battle, marker)
        owner = objective_owner(battle, marker)
        return "the centre objective" if owner is None else f"{owner}'s objective"

    def chosen(self, choices: Mapping[str, str]) -> Sequence[Rule]:
        found: list[Rule] = []
        if CRIT_OP in choices:
            found.append(CRIT_OPS[choices[CRIT_OP]]())
        found.append(KillOp())
        found += [TAC_OPS[choices[tac_key(side)]](side) for side in SIDES if tac_key(side) in choices]
        found.append(PrimaryOp())  # after the ops whose VP it counts
        found += [ScoutedPloy(side) for side in SIDES if choices.get(scouting_key(side)) == "ploy"]
        for side in SIDES:
            found += [option.rule(side) for option in equipment_of(choices, side)]
        return found

    def suspected(self, battle: Battle, side: Side) -> Sequence[Rule]:
        """Until it is revealed the tac op may be any of the team's archetypes (KT24-SELECT)."""
        choices = battle.state.choices
        if tac_key(side) not in choices or revealed_key(side) in choices:
            return ()
        return [op(side) for op in tac_ops_of(battle.teams[side])]


class ApprovedOps2024(ApprovedOps):
    """With a Scouting step, which also decides the first initiative."""

    name = "Approved Ops 2024"
    steps = (
        determine_crit_op,
        roll_for_drop_zones,
        select,
        choose_tac_ops,
        set_up_equipment,
        deploy,
        resolve_scouting,
    )

    def initiative(self, battle: Battle) -> Steps[None]:
        yield from initiative_by_scouting(battle)


class ApprovedOps2025(ApprovedOps):
    """Without scouting; initiative is rolled for in every turning point and changed by cards."""

    name = "Approved Ops 2025"
    steps = (determine_crit_op, roll_for_drop_zones, select, choose_tac_ops, set_up_equipment, deploy)

    def initiative(self, battle: Battle) -> Steps[None]:
        yield from initiative_by_cards(battle)


def arranged(board: Board) -> dict[str, tuple[float, float, float]]:
    """Where the objective markers lie by id: the centre first, then each half's. ``LookupError`` if one is missing."""
    width, depth = board.terrain.board
    places = sorted(board.objectives, key=lambda at: length(at[0] - width / 2, at[1] - depth / 2))
    found = {"objective-1": places[0]}
    for id, half in HALVES.items():
        inside = [at for at in places[1:] if is_inside(board.territories[half], at[0], at[1])]
        if not inside:
            raise LookupError(half)
        found[id] = inside[0]
    return found
