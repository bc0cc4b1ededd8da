"""What there is to score: each op as a viewer may see it, what it has paid, what it would pay if the turning point or
the battle ended now, and what is still possible. The numbers come from the rules' own scoring, run on a copy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ktsim.game.game import Game
from ktsim.game.rehearsal import Unfinished, rehearse
from ktsim.game.secrecy import Viewer
from ktsim.rules.engine.action import Impossible
from ktsim.rules.engine.activation import settle_control
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.state import SIDES, ScoreLine, Side
from ktsim.rules.kt24.joint.sides import PLAYERS
from ktsim.rules.kt24.ops.kill_and_primary import KINDS, primary_key
from ktsim.rules.kt24.ops.op import MOST_VP, Op, TacOp, tac_key

Payment = tuple[int, tuple[str, ...]]
"""VP, and for what."""
NOTHING: Payment = (0, ())


@dataclass(frozen=True)
class OpSheet:
    """One line of what is to be scored. *sides* are those it is for; VP by side."""

    kind: str
    title: str
    name: str
    text: str
    sides: tuple[Side, ...]
    scored: dict[Side, int] = field(default_factory=dict)
    now: dict[Side, Payment] = field(default_factory=dict)
    """What it would pay if the turning point ended now."""
    at_end: dict[Side, Payment] = field(default_factory=dict)
    """What it would pay, besides, if the battle ended now."""
    possible: dict[Side, int] = field(default_factory=dict)
    """The most it can still pay, by its limits alone; nothing for what has none."""
    note: str = ""


def mission_sheet(game: Game, viewer: Viewer) -> tuple[OpSheet, ...]:
    """What is to be scored in *game*, as *viewer* may know it."""
    battle = game.seen_by(viewer).battle.twin()
    ops = [rule for rule in battle.rules if isinstance(rule, Op)]
    turn, end = _payments(battle)
    found = [_op_sheet(battle, op, turn, end) for op in ops]
    found += _hidden(battle, [op for op in ops if isinstance(op, TacOp)])
    found += [_primary(battle, side, end) for side in SIDES if primary_key(side) in battle.state.choices]
    if not ops:
        found.append(_mission(battle, turn, end))
    return tuple(found)


def _payments(battle: Battle) -> tuple[list[ScoreLine], list[ScoreLine]]:
    """The lines that the end of the turning point, and then that of the battle, would add to the score sheet."""
    again = battle.twin()
    state = again.state
    _run(again, settle_control(again))
    before = len(state.sheet)
    for rule in again.in_turn("turning_point_ends"):
        _run(again, rule.turning_point_ends(again))
    between = len(state.sheet)
    for rule in again.in_turn("battle_ends"):
        _run(again, rule.battle_ends(again))
    return list(state.sheet[before:between]), list(state.sheet[between:])


def _run(battle: Battle, steps: Steps[None]) -> None:
    """To its end, or as far as it comes."""
    try:
        rehearse(battle.state, steps)
    except (Impossible, Unfinished):
        return


def _paid(lines: Iterable[ScoreLine], side: Side, kind: str) -> Payment:
    mine = [line for line in lines if line.side == side and line.op == kind]
    return sum(line.amount for line in mine), tuple(line.reason.partition(": ")[2] or line.reason for line in mine)


def _op_sheet(battle: Battle, op: Op, turn: list[ScoreLine], end: list[ScoreLine]) -> OpSheet:
    state, edition = battle.state, battle.edition
    sides: tuple[Side, ...] = (op.side,) if isinstance(op, TacOp) else SIDES
    left = range(max(state.turning_point, op.first_scored), edition.turning_points + 1)
    possible = {}
    for side in sides:
        scored = state.scored(side, op.kind)
        room = sum(op.most_per_turn - state.scored(side, op.kind, number) for number in left)
        if op.answers("battle_ends"):
            room = MOST_VP  # what is scored at the end has no other limit
        possible[side] = max(0, min(MOST_VP - scored, room))
    note = "" if op.is_scored(battle) else f"It pays from turning point {op.first_scored} on."
    if isinstance(op, TacOp) and not op.is_revealed(battle):
        note = f"Your opponent does not know it yet. {note}".strip()
    return OpSheet(
        op.kind,
        KINDS.get(op.kind, op.kind).capitalize(),
        op.name,
        op.about(battle),
        sides,
        {side: state.scored(side, op.kind) for side in sides},
        {side: _paid(turn, side, op.kind) for side in sides},
        {side: _paid(end, side, op.kind) for side in sides},
        possible,
        note,
    )


def _hidden(battle: Battle, known: list[TacOp]) -> list[OpSheet]:
    """A line for each tac op that is not to be seen, whether or not it was chosen yet."""
    if not battle.mission.has_ops:
        return []
    shown = {op.side for op in known}
    hidden = [side for side in SIDES if side not in shown and tac_key(side) not in battle.state.choices]
    words = "Secret until it is revealed."
    return [OpSheet("tac", "Tac op", "Secret", words, (side,), {side: 0}) for side in hidden]


def _primary(battle: Battle, side: Side, end: list[ScoreLine]) -> OpSheet:
    kind = battle.state.choices[primary_key(side)]
    text = "At the end of the battle it pays half of its VP again."
    paid = {side: _paid(end, side, "primary")}
    return OpSheet("primary", "Primary op", f"the {KINDS[kind]}", text, (side,), {side: 0}, {side: NOTHING}, paid)


def _mission(battle: Battle, turn: list[ScoreLine], end: list[ScoreLine]) -> OpSheet:
    """A mission without ops is one line."""
    state, mission = battle.state, battle.mission
    sides: tuple[Side, ...] = SIDES if not mission.machine_team else (PLAYERS,)
    return OpSheet(
        "mission",
        "Mission",
        mission.name,
        mission.about(battle),
        sides,
        {side: state.vp[side] for side in sides},
        {side: _all(turn, side) for side in sides},
        {side: _all(end, side) for side in sides},
        note=mission.note(battle),
    )


def _all(lines: Iterable[ScoreLine], side: Side) -> Payment:
    mine = [line for line in lines if line.side == side]
    return sum(line.amount for line in mine), tuple(line.reason for line in mine)
