"""Actions that team rules let operatives perform for free, and activations they bring forward."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from ktsim.rules.engine.action import Action, refuses_free
from ktsim.rules.engine.activation import activation, free_action
from ktsim.rules.engine.attack import Rules
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.decisions import CANCEL, Option, PickSome, Steps, ask, pick
from ktsim.rules.engine.events import EffectBegan, Noted
from ktsim.rules.engine.moves import Move
from ktsim.rules.engine.operative_events import OrderChanged
from ktsim.rules.engine.state import Effect, OperativeState, Path
from ktsim.rules.engine.table import MoveRequest
from ktsim.rules.teams.language.values import Term, Whom
from ktsim.rules.teams.playing.bound_rule import BoundRule
from ktsim.rules.teams.playing.conditions import is_weapon
from ktsim.rules.teams.playing.sequences import TEAM


def act_freely(scene: BoundRule, term: Term, those: Sequence[OperativeState]) -> Steps[None]:
    """Each of *those* may perform one of the actions for free; of several their player says the order."""
    left = [one for one in those if not one.is_incapacitated or term.get("before-removed")]
    if len(left) > 1:
        left = yield from _in_order(scene, term, left)
    for one in left:
        if (order := term.get("order")) in ("engage", "conceal") and one.order != order:
            yield OrderChanged(one.id, order, scene.clause.title)  # type: ignore[arg-type]
        actions = possible(scene, term, one)
        if not actions:
            continue
        options = [Option(name, name) for name in actions] + [Option("none", "None")]
        values: dict[str, Action | None] = {**actions, "none": None}
        prompt = f"{scene.clause.title}: {one.name} may perform a free action."
        chosen = yield from pick(
            one.side, "free action", prompt, options, values, default=next(iter(actions)), about=one.id
        )
        if chosen is None:
            continue
        yield from free_action(scene.battle, one, chosen)
        for name in _names(term, "then-forbid"):
            yield EffectBegan(Effect(scene.clause.title, TEAM, "turning-point", one.id, stat=f"no {name}"))


def _in_order(scene: BoundRule, term: Term, those: Sequence[OperativeState]) -> Steps[list[OperativeState]]:
    able = {one.id: one for one in those if possible(scene, term, one)}
    if len(able) < 2:
        return list(able.values())
    keys = yield from ask(
        PickSome(
            seat=scene.side,
            topic="dashing",
            prompt=f"{scene.clause.title}: which of them act, in which order?",
            options=tuple(Option(id, one.name) for id, one in able.items()),
            least=0,
            most=len(able),
            default=tuple(able),
        )
    )
    return [able[id] for id in keys]


def possible(scene: BoundRule, term: Term, one: OperativeState) -> dict[str, Action]:
    """The actions the operative could perform for free now, as the effect restricts them."""
    battle, found = scene.battle, {}
    for action in battle.actions(one):
        if not action.is_act or not any(_is_offered(battle, one, action, name) for name in _names(term)):
            continue
        if term.get("no-move") and action.is_move:
            continue
        own = restricted(scene, term, action)
        if refuses_free(battle, one, own) is None:
            found[action.name] = own
    return found


def _is_offered(battle: Battle, one: OperativeState, action: Action, name: str) -> bool:
    if name == "1AP":
        return action.can_counteract and battle.ap_cost(one, action) == 1
    return action.name == name or (name == "mission" and action.is_mission)


def restricted(scene: BoundRule, term: Term, action: Action) -> Action:
    """The action with less of a move, an end of it near somebody, or with some weapons only."""
    most, near = term.get("most"), term.get("end-within")
    if isinstance(action, Move) and (most is not None or near is not None):
        ends = scene.members(near) if isinstance(near, Whom) else None
        return _shorter(type(action), None if most is None else int(float(str(most))), ends)()
    if (weapons := _names(term, "weapons")) and action.name == "Shoot":
        return _with_weapons(type(action), weapons)()
    return action


def _shorter(kind: type[Move], most: int | None, near: Sequence[OperativeState] | None) -> Callable[[], Action]:
    class ShorterMove(kind):  # type: ignore[misc, valid-type]
        """At most so far, and ending in control range of one of *near*."""

        def limited(self, battle: Battle, who: OperativeState) -> MoveRequest:
            request: MoveRequest = super().limited(battle, who)
            return request if most is None else replace(request, allowance=min(request.allowance, most))

        def refuses_path(self, battle: Battle, who: OperativeState, request: MoveRequest, path: Path) -> str | None:
            why: str | None = super().refuses_path(battle, who, request, path)
            if why is not None or near is None or path == CANCEL:
                return why
            ends = any(battle.table.in_control_range(battle.state, who.id, each.id, path[-1]) for each in near)
            return None if ends else f"It must end within {near[0].name}'s control range." if near else None

        def suggest(self, battle: Battle, who: OperativeState, request: MoveRequest, rng: Random) -> Path:
            for _ in range(6):
                path: Path = super().suggest(battle, who, request, rng)
                if self.refuses_path(battle, who, request, path) is None:
                    return path
            return CANCEL

    return ShorterMove


def _with_weapons(kind: type[Action], weapons: tuple[str, ...]) -> Callable[[], Action]:
    class WithWeapons(kind):  # type: ignore[misc, valid-type]
        """With one of these weapons only."""

        def forbids(self, weapon: Profile, rules: Rules) -> str | None:
            return None if any(is_weapon(weapon, each) for each in weapons) else f"{weapon.name}: not for this."

    return WithWeapons


def activate_next(scene: BoundRule, found: Sequence[OperativeState], is_free: bool) -> Steps[None]:
    """One of *found* is activated before the opponent is; it does not bring another one with it."""
    chain = f"{scene.side}:activates-next"
    if not found or scene.state.notes.get(chain):
        return
    options = [Option(one.id, f"{one.name} ({one.wounds} wounds)") for one in found]
    values: dict[str, OperativeState | None] = {one.id: one for one in found}
    if is_free:
        options.append(Option("none", "Nobody"))
        values["none"] = None
    chosen = yield from pick(scene.side, "operative", f"{scene.clause.title}: who is activated?", options, values)
    if chosen is None:
        return
    yield Noted(chain, 1)
    yield from activation(scene.battle, chosen)
    yield Noted(chain, 0)


def _names(term: Term, name: str = "") -> tuple[str, ...]:
    value = term.get(name)
    return tuple(map(str, value)) if isinstance(value, tuple) else () if value is None else (str(value),)
