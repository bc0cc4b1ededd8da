"""Tac ops of Seek and Destroy: Sweep & Clear, Rout, Dominate."""

from __future__ import annotations

from collections.abc import Sequence

from ktsim.rules.engine.action import Action
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, Steps, pick
from ktsim.rules.engine.operative_events import MarkerTokenSet, TokenChanged
from ktsim.rules.engine.state import OperativeState, Side
from ktsim.rules.engine.table import contests
from ktsim.rules.kt24.ops.op import KEEP, TacOp, TokenAction, is_near_enemy_drop_zone, objectives, with_token

ROUT_DISTANCE = 6.0
HEAVY_WOUNDS = 12


def killer(battle: Battle, side: Side, by: str) -> OperativeState | None:
    """The operative of *side* that incapacitated, if one of it did."""
    who = battle.state.operatives.get(by)
    return who if who is not None and who.side == side else None


class ClearAction(TokenAction):
    name, id, is_of_tac_op = "Clear", "KT24-OP-SWEEP-AND-CLEAR", True
    token, has, told = "cleared", "is cleared already", "clears"


class SweepAndClear(TacOp):
    """A marker is Swept whoever or whatever incapacitated the enemy there. It may be cleared before it is."""

    key, name, id, archetype = "sweep-and-clear", "Sweep & Clear", ClearAction.id, "seek-and-destroy"
    text = "Objectives where a contesting enemy fell are Swept. 1VP for controlling any, 2VP if one is cleared as well."
    usual_vp = 1.0

    def own_actions(self) -> Sequence[Action]:
        return (ClearAction(),)

    def incapacitated(self, battle: Battle, who: OperativeState, by: str) -> Steps[None]:
        if who.side != self.enemy:
            return
        for marker in objectives(battle):
            is_new = not marker.tokens.get(f"swept:{self.side}")
            if is_new and contests(battle.table, battle.state, who, marker):
                yield from self.reveal(battle)
                yield MarkerTokenSet(marker.id, f"swept:{self.side}", 1, "{0} is Swept.")

    def ready_step(self, battle: Battle) -> Steps[None]:
        for token in (f"swept:{self.side}", f"cleared:{self.side}"):
            for marker in with_token(battle, token):
                yield MarkerTokenSet(marker.id, token, 0)

    def score_turning_point(self, battle: Battle) -> Steps[None]:
        mine = [m for m in with_token(battle, f"swept:{self.side}") if m.controller == self.side]
        if not mine:
            return
        cleared = [marker for marker in mine if marker.tokens.get(f"cleared:{self.side}")]
        names = ", ".join(battle.name(marker.id) for marker in cleared or mine)
        reason = f"{names} swept and {'cleared' if cleared else 'controlled'}"
        yield from self.score(battle, self.side, 2 if cleared else 1, reason)


class Rout(TacOp):
    """Scored at once."""

    key, name, id, archetype = "rout", "Rout", "KT24-OP-ROUT", "seek-and-destroy"
    text = 'Incapacitate enemies from within 6" of their drop zone: 1VP, 2VP if the enemy had 12 or more Wounds.'
    usual_vp = 0.7

    def incapacitated(self, battle: Battle, who: OperativeState, by: str) -> Steps[None]:
        friend = killer(battle, self.side, by)
        if who.side != self.enemy or friend is None:
            return
        if is_near_enemy_drop_zone(battle, friend, ROUT_DISTANCE):
            is_heavy = battle.card(who).wounds >= HEAVY_WOUNDS
            yield from self.score(battle, self.side, 2 if is_heavy else 1, f"{friend.name} routs {who.name}")


class Dominate(TacOp):
    """Tokens from every turning point count. Whose are removed, and how many, is the player's choice; those that would
    score nothing, because of the limits, stay."""

    key, name, id, archetype = "dominate", "Dominate", "KT24-OP-DOMINATE", "seek-and-destroy"
    text = "Friends that incapacitate enemies gain tokens, worth 1VP each in turning points 3 and 4 while they live."
    usual_vp = 1.5
    most_per_turn = 3
    first_scored = 3
    token = "dominate"

    def promise(self, battle: Battle, side: Side) -> float:
        """Tokens pay in the third turning point and after it, if those who have them live."""
        if side != self.side or self.is_scored(battle):
            return 0.0
        return 0.6 * sum(who.tokens.get(self.token, 0) for who in battle.state.side(side))

    def incapacitated(self, battle: Battle, who: OperativeState, by: str) -> Steps[None]:
        friend = killer(battle, self.side, by)
        if who.side == self.enemy and friend is not None:
            yield from self.reveal(battle)
            yield TokenChanged(friend.id, self.token, 1, "{0} gains a Dominate token.")

    def score_turning_point(self, battle: Battle) -> Steps[None]:
        while self.room(battle, self.side):
            found = {who.id: who for who in battle.state.side(self.side) if who.tokens.get(self.token)}
            if not found:
                return
            options = [Option(id, f"{who.name} ({who.tokens[self.token]} left)") for id, who in found.items()]
            options.append(KEEP)
            values: dict[str, OperativeState | None] = {**found, KEEP.key: None}
            prompt = "Dominate: whose token is removed for 1VP?"
            chosen = yield from pick(self.side, "dominate token", prompt, options, values, default=next(iter(found)))
            if chosen is None:
                return
            yield TokenChanged(chosen.id, self.token, -1, "")
            yield from self.score(battle, self.side, 1, f"a token of {chosen.name}")
