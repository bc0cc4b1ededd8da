"""Tac ops of Recon: Flank, Scout Enemy Movement, Retrieval."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ktsim.rules.engine.action import Action
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, Steps, pick
from ktsim.rules.engine.events import Noted
from ktsim.rules.engine.mission import MARKER_RADIUS
from ktsim.rules.engine.operative_events import MarkerAppeared, MarkerTokenSet, TokenChanged
from ktsim.rules.engine.rule import Draw, Gambit
from ktsim.rules.engine.state import SIDES, MarkerState, OperativeState, Side
from ktsim.rules.kt24.ops.op import (
    FLANKS,
    Flank,
    ObjectiveAction,
    OpAction,
    TacOp,
    is_wholly_in_enemy_territory,
    is_wholly_in_flank,
    marker_draw,
    objectives,
    territory_draw,
)
from ktsim.sight.dates import FLANK_AT_LAST
from ktsim.sight.scene import EPS

SCOUTING_DISTANCE = 6.0


class FlankOp(TacOp):
    """Revealed by a gambit, in any turning point; without it the op scores nothing.

    A flank is the left or right half of the killzone, contested by those wholly in it who are wholly within their own
    opponent's territory: whoever stands at home contests nothing. Control at the end of each turning point after the
    first is remembered whether or not the op is revealed; a flank controlled then too pays 2VP, as of 2026-01 in the
    last turning point only (KT24-DATED).
    """

    key, name, id, archetype = "flank", "Flank", "KT24-OP-FLANK", "recon"
    text = "Reveal it as a gambit. 1VP per flank you control by operatives in the enemy territory."
    usual_vp = 2.5

    def about(self, battle: Battle) -> str:
        return f"{self.text} {FLANK_AT_LAST.said(battle.rules_as_of)}"

    def gambits(self, battle: Battle, side: Side) -> Sequence[Gambit]:
        if side != self.side or self.is_revealed(battle):
            return ()
        text = f"Reveal the tac op {self.name}"
        return (Gambit(self.key, text, partial(self.reveal, battle), rule=self.id, secret=True),)

    def draws(self, battle: Battle, who: OperativeState) -> Sequence[Draw]:
        return (territory_draw(battle, who, 0.6),) if who.side == self.side else ()

    def controls(self, battle: Battle, flank: Flank) -> bool:
        """Whether the side controls the flank: by the APL of those who contest it."""
        totals = dict.fromkeys(SIDES, 0)
        for side in SIDES:
            for who in battle.state.side(side):
                base = battle.footprint(who)
                is_away = is_wholly_in_enemy_territory(battle, side, base)
                if is_away and is_wholly_in_flank(battle, self.side, flank, base):
                    totals[side] += battle.apl(who).value
        return totals[self.side] > totals[self.enemy]

    def score_turning_point(self, battle: Battle) -> Steps[None]:
        turn = battle.state.turning_point
        pays_more = turn == battle.edition.turning_points or not battle.is_corrected(FLANK_AT_LAST)
        for flank in FLANKS:
            if not self.controls(battle, flank):
                continue
            is_again = battle.state.notes.get(self.note(flank), 0) == turn - 1
            yield Noted(self.note(flank), turn)
            if self.is_revealed(battle):
                reason = f"{flank} flank controlled" + (" again" if is_again else "")
                yield from self.score(battle, self.side, 2 if is_again and pays_more else 1, reason)

    def note(self, flank: Flank) -> str:
        """Under which key the turning point is kept at whose end the flank was controlled last."""
        return f"{self.side}:flank:{flank}"


class Scout(OpAction):
    name, id, is_of_tac_op = "Scout", "KT24-OP-SCOUT-ENEMY-MOVEMENT", True

    def own_refusal(self, battle: Battle, who: OperativeState) -> str | None:
        if who.order != "conceal":
            return "Scout: only on a Conceal order."
        return None if self.enemies(battle, who) else 'Scout: no ready enemy visible more than 6" away.'

    def enemies(self, battle: Battle, who: OperativeState) -> list[OperativeState]:
        table, state = battle.table, battle.state
        return [
            enemy
            for enemy in state.enemies(who.id)
            if enemy.is_ready
            and not enemy.tokens.get(monitored(who.side))
            and not table.is_within(state, who.id, enemy.id, SCOUTING_DISTANCE + EPS)
            and table.is_visible(state, who.id, enemy.id)
        ]

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        found = {enemy.id: enemy for enemy in self.enemies(battle, who)}
        options = [Option(enemy.id, enemy.name) for enemy in found.values()]
        enemy = yield from pick(who.side, "monitor", f"Which enemy does {who.name} monitor?", options, found)
        yield TokenChanged(enemy.id, monitored(who.side), 1, f"{who.name} monitors {{0}}.")


def monitored(side: Side) -> str:
    """The token of an enemy *side* monitors."""
    return f"monitored:{side}"


class ScoutEnemyMovement(TacOp):
    key, name, id, archetype = "scout-enemy-movement", "Scout Enemy Movement", Scout.id, "recon"
    text = "On Conceal monitor ready enemies from afar; 1VP for each that friends see at the end of the turning point."
    usual_vp = 1.4

    def own_actions(self) -> Sequence[Action]:
        return (Scout(),)

    def ready_step(self, battle: Battle) -> Steps[None]:
        for who in battle.state.operatives.values():
            if count := who.tokens.get(monitored(self.side)):
                yield TokenChanged(who.id, monitored(self.side), -count, "")

    def score_turning_point(self, battle: Battle) -> Steps[None]:
        friends = battle.state.side(self.side)
        for enemy in battle.state.side(self.enemy):
            if enemy.tokens.get(monitored(self.side)) and any(
                battle.table.is_visible(battle.state, friend.id, enemy.id) for friend in friends
            ):
                yield from self.score(battle, self.side, 1, f"{enemy.name} monitored and visible")


class Retrieve(ObjectiveAction):
    name, id, is_of_tac_op = "Retrieve", "KT24-OP-RETRIEVAL", True

    def own_refusal(self, battle: Battle, who: OperativeState) -> str | None:
        if battle.state.carried_by(who.id):
            return "Retrieve: already carrying a marker."
        return super().own_refusal(battle, who)

    def refuses(self, battle: Battle, side: Side, marker: MarkerState) -> str | None:
        return f"{battle.name(marker.id)} was searched before." if marker.tokens.get(f"searched:{side}") else None

    def upon(self, battle: Battle, who: OperativeState, marker: MarkerState) -> Steps[None]:
        yield MarkerTokenSet(marker.id, f"searched:{who.side}", 1, f"{who.name} searches {{0}}.")
        id = f"retrieval-{who.side}-{marker.id}"
        told = "{1} carries a Retrieval marker."
        yield MarkerAppeared(id, "retrieval", who.point, MARKER_RADIUS, True, who.id, who.side, told)
        yield from Retrieval(who.side).score(battle, who.side, 1, f"{battle.name(marker.id)} searched")


class Retrieval(TacOp):
    """Each objective marker once; the Retrieval markers are the side's own to pick up again."""

    key, name, id, archetype = "retrieval", "Retrieval", Retrieve.id, "recon"
    text = "Search objective markers you control: 1VP each, and 1VP for each Retrieval marker carried at the end."
    usual_vp = 3.3

    def own_actions(self) -> Sequence[Action]:
        return (Retrieve(),)

    def draws(self, battle: Battle, who: OperativeState) -> Sequence[Draw]:
        if who.side != self.side or battle.state.carried_by(who.id):
            return ()
        left = [m for m in objectives(battle) if not m.tokens.get(f"searched:{self.side}") and m.carrier is None]
        return [marker_draw(battle, who, marker, 1.0) for marker in left]

    def battle_ends(self, battle: Battle) -> Steps[None]:
        for marker in battle.state.markers.values():
            if marker.kind == "retrieval" and marker.owner == self.side and marker.carrier is not None:
                yield from self.score(battle, self.side, 1, "a Retrieval marker carried", at_end=True)
