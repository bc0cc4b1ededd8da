"""Being removed and set up again instead of moving (FLY and its like)."""

from __future__ import annotations

from math import ceil
from random import Random

from ktsim.geometry.plane import length
from ktsim.rules.engine.action import Action, Impossible
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, Place, Steps, ask, pick
from ktsim.rules.engine.events import Told
from ktsim.rules.engine.moves import Move
from ktsim.rules.engine.state import OperativeState, Point, milli
from ktsim.rules.engine.table_events import Displaced, SetAside
from ktsim.rules.teams.language.values import Term
from ktsim.rules.teams.playing.bound_rule import BoundRule
from ktsim.rules.teams.playing.in_sequences import is_one_of, numbers
from ktsim.rules.teams.playing.past import walked
from ktsim.rules.teams.playing.sequences import TEAM
from ktsim.rules.teams.playing.standing import StandingRules
from ktsim.sight.scene import EPS

TRIES = 60


class RelocatingRules(StandingRules):
    """Rules by which operatives need not walk."""

    def relocates(self, battle: Battle, who: OperativeState, action: Action) -> Steps[bool]:
        """Ask whether *who* is set up again instead of moving; what the action needs holds then, or it is cancelled."""
        assert isinstance(action, Move)
        for clause, term, scene in self.found(battle, "relocate", who):
            if not is_one_of(action, term, "actions") or not self.is_left(scene):
                continue
            far = self._reach(battle, who, action, term)
            options = [Option("move", "Move"), Option("set up", f'{clause.title}: be set up again within {far:g}"')]
            values = {"move": False, "set up": True}
            prompt = f"{who.name}: {action.name} by moving, or {clause.title}?"
            if not (yield from pick(who.side, "team option", prompt, options, values, default="move", about=who.id)):
                continue
            yield from self.used_events(scene)
            yield from self._set_up_again(battle, who, action, term, scene, far)
            return True
        return False

    def _reach(self, battle: Battle, who: OperativeState, action: Move, term: Term) -> float:
        """How far from where it was: as the rule says, less where the action itself is shortened."""
        name = action.counted
        far = float(battle.move(who).value) if term.get("own-move") else float(str(term.main))
        if term.get("dash") is not None and name == "Dash":
            far = float(str(term.get("dash")))
        found = [each for _, each, _ in self.found(battle, "move-extra", who) if is_one_of(action, each, "actions")]
        more = sum(map(numbers, found))
        shortened, full = action.limited(battle, who).allowance, action.request(battle, who).allowance
        return min(far + more, shortened) if shortened < full + more else far + more

    def _set_up_again(
        self, battle: Battle, who: OperativeState, action: Move, term: Term, scene: BoundRule, far: float
    ) -> Steps[None]:
        before, engages = who.point, action.request(battle, who).ends_in_control
        state = battle.state.copy()
        if not term.get("through-walls"):  # nor through an open hatchway
            state.terrain = {id: "closed" if now == "open" else now for id, now in state.terrain.items()}
        wide = battle.table.radius(who)

        def misplaced(at: Point) -> str | None:
            flat = length(at[0] - before[0], at[1] - before[1]) / 1000
            off = flat if term.get("horizontally") else length(flat, (at[2] - before[2]) / 1000)
            if off > far + EPS:
                return f'It would be {off:.2f}" from where it was; {far:g}" at most.'
            if not term.get("through-walls"):
                around = battle.table.distance_to(state, who.id, (at[0], at[1], before[2]), wide) + 2 * wide
                if max(around, flat) > max(far, 2 * wide) + EPS:
                    return "A wall or an access point is in between."
            return battle.table.mover.refuses_to_stand(battle.table, battle.state, who.id, at)

        def refuse(at: Point) -> str | None:
            if at != before and (why := misplaced(at)) is not None:
                return why
            enemies = battle.state.enemies(who.id)
            near = [each for each in enemies if battle.table.in_control_range(battle.state, who.id, each.id, at)]
            if near and not engages:
                return f"It would be within {near[0].name}'s control range."
            if engages and not near:
                return "It would be in nobody's control range."
            return next((why for end in getattr(action, "own_ends", ()) if (why := end(at)) is not None), None)

        def suggest(rng: Random) -> Point:
            for number in range(TRIES):
                reach = milli(far) * (1 - number / (2 * TRIES))
                x, y = before[0] + rng.uniform(-reach, reach), before[1] + rng.uniform(-reach, reach)
                if refuse(at := (round(x), round(y), before[2])) is None:
                    return at
            return before

        to = yield from ask(
            Place(
                seat=who.side,
                topic="relocate",
                prompt=f'{who.name}: where is it set up again, within {far:g}" of where it was?',
                default=before,
                about=who.id,
                refuse=lambda at: None if at == before else refuse(at),
                suggest=suggest,
            )
        )
        if (why := refuse(to)) is not None:
            raise Impossible(why.rstrip("."))
        yield SetAside((who.id,))
        yield Displaced(who.id, to, TEAM)
        yield Told(f"{{0}} is set up again ({scene.clause.title}).", TEAM, (who.id,))
        flat = length(to[0] - before[0], to[1] - before[1]) / 1000
        yield walked(self.side, who, ceil(flat - EPS), 0)
        for rule in battle.in_turn("set_up_again"):
            yield from rule.set_up_again(battle, who)
