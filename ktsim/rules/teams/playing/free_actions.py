"""Actions that team rules let operatives perform for free, and activations they bring forward."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

from ktsim.geometry.plane import Outline
from ktsim.rules.engine.action import Action, refuses, refuses_free
from ktsim.rules.engine.activation import activation, free_action, suspected_actions
from ktsim.rules.engine.attack import Rules
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.decisions import CANCEL, Option, PickSome, Steps, ask, pick
from ktsim.rules.engine.events import EffectBegan, Noted
from ktsim.rules.engine.fight.combat import Combat
from ktsim.rules.engine.moves import Move
from ktsim.rules.engine.operative_events import OrderChanged
from ktsim.rules.engine.state import Effect, OperativeState, OrderName, Path, Point, Side, inches, other
from ktsim.rules.engine.table import MoveRequest
from ktsim.rules.teams.language.values import Term, Whom
from ktsim.rules.teams.playing.bound_rule import BoundRule
from ktsim.rules.teams.playing.past import was
from ktsim.rules.teams.playing.sequences import TEAM
from ktsim.rules.teams.playing.weapon_names import is_weapon
from ktsim.sight.scene import EPS

FREE_ARGUMENTS = (
    *("most", "most-for", "end-within", "end-near", "near", "closer-to", "not-further", "any-order", "weapons"),
    *("fresh", "only-once", "weapons-each", "times", "then-forbid", "no-move", "order", "before-removed"),
    *("regardless", "in-spite-of", "except", "leaves", "each", "against"),
)
CLOSER = ("the first", "closest enemy", "closest objective", "their drop zone", "own drop zone", "their edge")
"""What a move can be told to end closer to."""


def act_freely(
    scene: BoundRule, term: Term, those: Sequence[OperativeState], is_ordered: bool = False
) -> Steps[list[bool]]:
    """Each of *those* may perform one of the actions for free; of several their player says the order, unless it has
    (*is_ordered*). Returns of each action that was begun whether it was completed."""
    found: list[bool] = []
    left = [one for one in those if not one.is_incapacitated or term.get("before-removed")]
    if len(left) > 1 and not is_ordered:
        left = yield from _in_order(scene, term, left)
    for one in left:
        weapons = list(_names(term, "weapons-each"))
        left_over = term
        for _ in range(int(str(term.get("times") or 1))):
            used = yield from _act(scene, left_over, one, tuple(weapons))
            if used is None:
                break
            found.append(used.is_completed)
            if not used.is_completed:
                continue
            weapons = [name for name in weapons if name != used.weapon]
            if term.get("each"):
                rest = tuple(name for name in _names(left_over) if name != used.action)
                left_over = Term(term.word, (("", rest), *(pair for pair in term.args if pair[0])))
    return found


class _Begun(NamedTuple):
    """A free action that was begun, with which of the weapons it may be with, and whether it was completed."""

    action: str
    weapon: str
    is_completed: bool


def _act(scene: BoundRule, term: Term, one: OperativeState, weapons: tuple[str, ...]) -> Steps[_Begun | None]:
    """One free action, if its player wants; nothing when there was none. What was not completed was not performed, so
    nothing follows from it."""
    yield from _maybe_turn(scene, term, one)
    actions: dict[str, tuple[Action, str]] = {}
    for weapon in weapons or ("",):
        found = possible(scene, term, one, (weapon,) if weapon else ())
        actions |= {f"{name} with {weapon}" if weapon else name: (each, weapon) for name, each in found.items()}
    suspected = [
        each for each in suspected_actions(scene.battle, one) if _is_any_offered(scene.battle, one, each, term)
    ]

    def could_be() -> bool:
        return bool(possible(scene, term, one, weapons, suspected))

    options = [
        Option(name, name, None, each.id, each.is_secret(scene.battle, one)) for name, (each, _) in actions.items()
    ]
    options.append(Option("none", "None"))
    values: dict[str, tuple[Action, str] | None] = {**actions, "none": None}
    prompt = f"{scene.clause.title}: {one.name} may perform a free action."
    first = next(option.key for option in options if not option.secret)
    veiled = could_be if suspected else None
    chosen = yield from pick(
        one.side, "free action", prompt, options, values, default=first, veiled=veiled, about=one.id
    )
    if chosen is None:
        return None
    now, counted = scene.state.activation, chosen[0].counted
    done = [] if now is None else [Action.counted_as(name) for name in now.actions]
    if not (yield from free_action(scene.battle, one, chosen[0])):
        return _Begun(chosen[0].name, chosen[1], False)
    if counted not in done:
        for name in _names(term, "leaves"):
            yield EffectBegan(Effect(scene.clause.title, TEAM, "activation", one.id, stat=f"may {name}"))
    barred = (counted,) if term.get("only-once") else ()
    marks = [f"no {name}" for name in barred] + [f"no {name} activated" for name in _names(term, "then-forbid")]
    for mark in marks:
        yield EffectBegan(Effect(scene.clause.title, TEAM, "turning-point", one.id, stat=mark))
    return _Begun(chosen[0].name, chosen[1], True)


def _maybe_turn(scene: BoundRule, term: Term, one: OperativeState) -> Steps[None]:
    """Its player may change its order to perform the action, where that lets it."""
    changed: OrderName = "conceal" if one.order == "engage" else "engage"
    if term.get("order") not in ("any", changed) or not _with_order(scene, term, one, changed):
        return
    options = [Option("no", f"Stay on {one.order.title()}"), Option("yes", f"Change to {changed.title()}")]
    prompt = f"{scene.clause.title}: change the order of {one.name}?"
    default = "no" if possible(scene, term, one) else "yes"
    if (yield from pick(one.side, "team option", prompt, options, {"no": False, "yes": True}, default=default)):
        yield OrderChanged(one.id, changed, scene.clause.title)


def _with_order(scene: BoundRule, term: Term, one: OperativeState, order: OrderName) -> bool:
    """Whether there may be something it could do on the other order."""
    had = one.order
    try:
        one.order = order
        with scene.battle.while_nothing_happens():
            return _may_do_something(scene, term, one)
    finally:
        one.order = had


def _in_order(scene: BoundRule, term: Term, those: Sequence[OperativeState]) -> Steps[list[OperativeState]]:
    able = {one.id: one for one in those if could_act(scene, term, one)}
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


def could_act(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    """Whether there is something it could do, on another order where the effect lets it have one."""
    if _may_do_something(scene, term, one):
        return True
    changed: OrderName = "conceal" if one.order == "engage" else "engage"
    order = term.get("order")
    return order in ("any", changed) and _with_order(scene, term, one, changed)


def _may_do_something(scene: BoundRule, term: Term, one: OperativeState) -> bool:
    """Whether there is something it could do for all that the opponent knows, who is not to see by what is offered
    which tac op was chosen in secret (KT24-SELECT)."""
    suspected = suspected_actions(scene.battle, one)
    return bool(possible(scene, term, one)) or bool(possible(scene, term, one, (), suspected))


def possible(
    scene: BoundRule,
    term: Term,
    one: OperativeState,
    weapons: tuple[str, ...] = (),
    among: Sequence[Action] | None = None,
) -> dict[str, Action]:
    """The actions (*among* some) the operative could perform for free now, as the effect restricts them."""
    battle, found = scene.battle, {}
    barred = _names(term, "except")
    for action in battle.actions(one) if among is None else among:
        if not action.is_act or not _is_any_offered(battle, one, action, term):
            continue
        if (term.get("no-move") and action.is_move) or action.name in barred:
            continue
        if term.get("fresh") and was(scene, one, f"did {action.counted}"):
            continue
        own = restricted(scene, term, action, one, weapons)
        is_repeatable = term.get("regardless") or action.name in _names(term, "in-spite-of")
        why = refuses(battle, one, own) if is_repeatable else refuses_free(battle, one, own)
        if why is None:
            found[action.name] = own
    return found


def _is_any_offered(battle: Battle, one: OperativeState, action: Action, term: Term) -> bool:
    return any(_is_offered(battle, one, action, name) for name in _names(term))


def _is_offered(battle: Battle, one: OperativeState, action: Action, name: str) -> bool:
    if name == "1AP":
        return battle.ap_cost(one, action) == 1
    if name == "any":
        return True
    return action.name == name or (name == "mission" and action.is_mission)


def restricted(
    scene: BoundRule, term: Term, action: Action, one: OperativeState, weapons: tuple[str, ...] = ()
) -> Action:
    """The action with less of a move, an end of it near somebody, or with some weapons only."""
    if isinstance(action, Move):
        most = term.get("most") if _is_shortened(term, action.name) else None
        ends = _ends(scene, term, one)
        spared = action.barred_after if term.get("regardless") else _names(term, "in-spite-of")
        if most is None and not ends and not spared:
            return action
        far = None if most is None else int(float(str(most)))
        return _shorter(type(action), far, ends, spared)()
    if (wanted := weapons or _names(term, "weapons")) and action.name == "Shoot":
        action = _with_weapons(type(action), wanted)()
    if isinstance(whom := term.get("against"), Whom) and action.name in ("Shoot", "Fight"):
        action = _against(type(action), frozenset(each.id for each in scene.members(whom)))()
    return action


def _is_shortened(term: Term, name: str) -> bool:
    """Whether the most inches are said of this action: of the first or the last named, or of all."""
    which, named = term.get("most-for"), _names(term)
    return which is None or name == (named[0] if which == "first" else named[-1])


def _ends(scene: BoundRule, term: Term, one: OperativeState) -> list[Callable[[Point], str | None]]:
    """What refuses a place to end the move at."""
    battle = scene.battle
    found: list[Callable[[Point], str | None]] = []
    if isinstance(whom := term.get("end-within"), Whom):
        near = scene.members(whom)

        def engages(at: Point) -> str | None:
            ends = any(battle.table.in_control_range(battle.state, one.id, each.id, at) for each in near)
            return None if ends else "It does not end within the control range it must end in."

        found.append(engages)
    if isinstance(whom := term.get("end-near"), Whom):
        close, reach = scene.members(whom), float(str(term.get("near") or 0)) + EPS

        def stays_near(at: Point) -> str | None:
            ends = any(battle.table.distance(battle.state, one.id, each.id, at) <= reach for each in close)
            return None if ends else f'It does not end within {reach:.0f}" of whom it must.'

        found.append(stays_near)
    if isinstance(whom := term.get("not-further"), Whom):
        them = scene.members(whom)

        def keeps_on(at: Point) -> str | None:
            table, state = battle.table, battle.state
            further = [
                e for e in them if table.distance(state, one.id, e.id, at) > table.distance(state, one.id, e.id) + EPS
            ]
            return f"It ends further from {further[0].name}." if further else None

        found.append(keeps_on)
    if goals := _names(term, "closer-to"):

        def comes_closer(at: Point) -> str | None:
            is_closer = any(far(at) < far(one.point) - EPS for goal in goals if (far := _far(scene, one, goal)))
            return None if is_closer else f"It does not end closer to {' or '.join(goals)}."

        found.append(comes_closer)
    return found


def _far(scene: BoundRule, one: OperativeState, goal: str) -> Callable[[Point], float] | None:
    """How far a place is from what a move has to end closer to; nothing when there is no such thing."""
    battle, table, state = scene.battle, scene.battle.table, scene.state
    if goal in ("their drop zone", "own drop zone"):
        zone = battle.drop_zone(scene.side if goal == "own drop zone" else other(scene.side))
        return lambda at: battle.footprint(one, at).gap(zone)
    if goal == "their edge":
        return lambda at: _from_edge(battle, scene.side, at)
    if goal == "closest objective":
        found = [marker for marker in state.markers.values() if marker.kind == "objective"]
        if not found:
            return None
        marker = min(found, key=lambda each: table.distance_to(state, one.id, each.point, inches(each.radius)))
        return lambda at: table.distance_to(state, one.id, marker.point, inches(marker.radius), at)
    if goal == "closest enemy":
        near = [each for each in state.enemies(one.id) if not each.is_incapacitated]
    else:
        near = [] if scene.first is None else [scene.first]
    if not near:
        return None
    who = min(near, key=lambda each: table.distance(state, one.id, each.id))
    return lambda at: table.distance(state, one.id, who.id, at)


def _from_edge(battle: Battle, side: Side, at: Point) -> float:
    """How far a place is from the killzone edge of the opponent of *side*: the one their territory lies at."""
    mine, theirs = (_middle(battle.territory(each)) for each in (side, other(side)))
    axis = 0 if abs(theirs[0] - mine[0]) >= abs(theirs[1] - mine[1]) else 1
    along = inches(at[axis])
    return battle.board.terrain.board[axis] - along if theirs[axis] > mine[axis] else along


def _middle(outline: Outline) -> tuple[float, float]:
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def _shorter(
    kind: type[Move], most: int | None, ends: Sequence[Callable[[Point], str | None]], spared: tuple[str, ...]
) -> Callable[[], Action]:
    class ShorterMove(kind):  # type: ignore[misc, valid-type]
        """At most so far, ending where nothing of *ends* refuses; the moves *spared* do not prevent it."""

        barred_after = tuple(name for name in kind.barred_after if name not in spared)
        own_ends = tuple(ends)

        def limited(self, battle: Battle, who: OperativeState) -> MoveRequest:
            request: MoveRequest = super().limited(battle, who)
            return request if most is None else replace(request, allowance=min(request.allowance, most))

        def refuses_path(self, battle: Battle, who: OperativeState, request: MoveRequest, path: Path) -> str | None:
            why: str | None = super().refuses_path(battle, who, request, path)
            if why is not None or path == CANCEL:
                return why
            return next((why for refuse in ends if (why := refuse(path[-1])) is not None), None)

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


def _against(kind: type[Action], ids: frozenset[str]) -> Callable[[], Action]:
    class Against(kind):  # type: ignore[misc, valid-type]
        """Against one of these only."""

        def refusal(self, battle: Battle, who: OperativeState) -> str | None:
            why: str | None = super().refusal(battle, who)
            if why is not None or not isinstance(self, Combat):
                return why
            near = any(each.id in ids for each in self.enemies(battle, who))
            return None if near else f"{self.name}: only against whom the rule is about."

        def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
            before, battle.only = battle.only, ids
            try:
                yield from super().perform(battle, who)
            finally:
                battle.only = before

    return Against


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
