"""Straight along at one height: walking, through doors, over climbed terrain, off an edge, jumping."""

from __future__ import annotations

import math
from dataclasses import replace

from ktsim.geometry.kernels import bands
from ktsim.rules.moving.contact import Contacts, between
from ktsim.rules.moving.form import Array, Form
from ktsim.rules.moving.ground import STAIRS, Ground
from ktsim.rules.moving.paces import Paces, whole
from ktsim.rules.moving.shadow import Shadow
from ktsim.rules.moving.standing import judge_clear, judge_edge, judge_hazard
from ktsim.rules.moving.surcharges import Surcharge
from ktsim.rules.moving.upright import SIDEWAYS
from ktsim.rules.moving.walk import Footing, Increment, Kind, MoveAction, Refused, Stance, Waypoint
from ktsim.sight.scene import EPS

XY = tuple[float, float]

TOUCHING = 0.05
"""How near to each other parts are that touch (inches)."""


def judge_along(
    ground: Ground, contacts: Contacts, action: MoveAction, paces: Paces, stance: Stance, a: Waypoint, b: Waypoint
) -> tuple[Increment, Stance]:
    """Judge an increment at the height of *a*. The base keeps the turn it has; a turn wanted at *b* is taken there."""
    form = Form.of(contacts.mover.operative.base, contacts.turn_at(a))
    judge_edge(ground, form, a, b)
    judge_hazard(ground, form, a, b)
    kind, after = _hold(ground, form, action, paces, stance, a, b)
    height = contacts.mover.height
    stops = ground.obstacles(form, height, a.level)
    there = between(a, b, 1.0)
    try:
        surcharges = judge_terrain(ground, form, height, stops, paces, a, b)
        judge_clear(ground, contacts, there)
    except Refused:
        if not (after.can_land or kind == "jump"):
            raise
        over = without_landing(ground, stops, a.level, after, paces)
        surcharges = judge_terrain(ground, form, height, over, paces, a, b)
        if after.can_land:
            after = replace(after, must_land=True)
        else:
            judge_clear(ground, contacts, there)
    if contacts.turn_at(a) != contacts.turn_at(b):
        judge_clear(ground, contacts, b)
    length = math.hypot(b.x - a.x, b.y - a.y)
    cost = whole(length) + sum(extra for extra, _ in surcharges)
    rule = paces.jump_rule if kind == "jump" else "KT24-MOVE-6" if surcharges else "KT24-MOVE-1"
    return Increment(kind, a, b, length, cost, rule, tuple(note for _, note in surcharges)), after


# -- what holds the base --------------------------------------------------------------------------------------


def _hold(
    ground: Ground, form: Form, action: MoveAction, paces: Paces, stance: Stance, a: Waypoint, b: Waypoint
) -> tuple[Kind, Stance]:
    if stance.footing == "air":
        raise Refused(paces.jump_rule, "a jump is one increment, and then a drop or a climb.")
    if stance.footing == "ground" and abs(a.level) < EPS:
        return "move", stance
    if stance.footing == "ground":
        return _hold_on_level(ground, form, action, paces, stance, a, b)
    if stance.footing == "over":
        return _hold_over(ground, form, action, paces, stance, a, b)
    pieces = departed(ground, stance)
    if not bands.all_near(pieces, form.inner + SIDEWAYS + EPS, a.x, a.y, b.x, b.y):
        raise Refused("KT24-MOVE-6a", 'off the edge the base stays within 1" of what it left.')
    return "move", replace(stance, can_land=False)


def _hold_on_level(
    ground: Ground, form: Form, action: MoveAction, paces: Paces, stance: Stance, a: Waypoint, b: Waypoint
) -> tuple[Kind, Stance]:
    support = ground.support(a.level)
    if support is None:
        raise Refused("KT24-MOVE-2", f'there is no level at {a.level:.2f}".')
    surface = support.shadow.pieces
    stairs = ground.of_kind(STAIRS).pieces
    walked = surface if not len(stairs) else _joined(surface, stairs)
    if bands.all_near(walked, form.inner - EPS, a.x, a.y, b.x, b.y):  # KT24-MOVE-7
        return "move", stance
    floor = support.floor_of[_nearest_part(support.shadow, a)]
    left = replace(stance, origin=a.level, floor=floor)
    return _leave(ground, form, action, paces, left, a, b, support.floors[floor])


def _hold_over(
    ground: Ground, form: Form, action: MoveAction, paces: Paces, stance: Stance, a: Waypoint, b: Waypoint
) -> tuple[Kind, Stance]:
    """After a climb: within an inch of terrain that reaches up to an inch below."""
    holds = ground.holds(a.level - SIDEWAYS, a.level)
    on_level = ground.is_level(a.level) and ground.stands_on(b.x, b.y, a.level) is not None
    footing: Footing = "ground" if on_level else "over"
    if bands.all_near(holds.pieces, form.inner + SIDEWAYS + EPS, a.x, a.y, b.x, b.y):
        return "move", replace(stance, footing=footing)
    if stance.floor < 0:
        raise Refused("KT24-MOVE-6a", 'the base would be more than 1" from the terrain it climbed.')
    return _leave(ground, form, action, paces, stance, a, b, departed(ground, stance))


def _leave(
    ground: Ground,
    form: Form,
    action: MoveAction,
    paces: Paces,
    stance: Stance,
    a: Waypoint,
    b: Waypoint,
    pieces: Array,
) -> tuple[Kind, Stance]:
    """Off the edge of a Vantage: near it, to drop; or a jump."""
    spans = bands.near_spans(pieces, 0.0, a.x, a.y, b.x, b.y)
    edge = float(spans[-1, 1]) if len(spans) else 0.0
    past = (1 - edge) * math.hypot(b.x - a.x, b.y - a.y)
    is_above = paces.jumps_from_vantage and a.level > stance.origin + EPS
    is_high = stance.origin > paces.jump_from + EPS
    can_jump = action.can_jump and is_high and past <= paces.jump_reach + EPS and not is_above
    is_landed = ground.stands_on(b.x, b.y, a.level) is not None
    if can_jump and is_landed:
        return "jump", replace(stance, footing="ground", can_land=False)
    stays_near = bands.all_near(pieces, form.inner + SIDEWAYS + EPS, a.x, a.y, b.x, b.y)
    if stays_near and action.can_drop:
        return "move", replace(stance, footing="off", can_land=can_jump)
    if can_jump:
        return "jump", replace(stance, footing="air", can_land=True)
    if not action.can_jump and not action.can_drop:
        raise Refused(action.rule, f"{action.name} may not drop or jump, so it cannot leave the Vantage.")
    if action.can_jump and is_high and is_above:
        text = f'over what it climbed a jump goes on at the level of the Vantage, {stance.origin:.2f}".'
        raise Refused(paces.jump_rule, text)
    if not action.can_jump or not is_high:
        text = f'it would leave the edge by more than 1", and a jump starts from higher than {paces.jump_from:g}".'
        raise Refused(paces.jump_rule, text)
    raise Refused(paces.jump_rule, f'a jump of {past:.2f}" from the edge is more than {paces.jump_reach:g}".')


def departed(ground: Ground, stance: Stance) -> Array:
    support = ground.support(stance.origin)
    assert support is not None
    return support.floors[stance.floor]


def _joined(one: Array, two: Array) -> Array:
    return Shadow.of([(0, one), (1, two)]).pieces


def _nearest_part(shadow: Shadow, at: Waypoint) -> int:
    """The part of a level that a base leaving it was on."""
    under = shadow.under(at.x, at.y)
    if under >= 0:
        return under
    for reach in (0.1, 0.25, 0.5, 1.0, 2.0):
        near = shadow.near(reach, at.x, at.y)
        if near:
            return near[0]
    raise Refused("KT24-MOVE-2", "it does not stand on the Vantage.")


def without_landing(ground: Ground, stops: Shadow, altitude: float, stance: Stance, paces: Paces) -> Shadow:
    """A jump ignores what is up to an inch higher where it lands: all such parts that the floor it left is clear of."""
    key = ("jump", stops, altitude, paces.jump_rule, stance.floor, round(stance.origin, 4))

    def build() -> Shadow:
        if ground.base is None:
            return _without_landing(ground, stops, altitude, stance, paces)
        before, own = ground.split(stops)
        known = without_landing(ground.base, before, altitude, stance, paces)
        return known if own is None else known.and_more(_without_landing(ground, own, altitude, stance, paces))

    return ground.keep(key, build)


def _without_landing(ground: Ground, stops: Shadow, altitude: float, stance: Stance, paces: Paces) -> Shadow:
    low = [number for number, part in enumerate(ground.parts) if part.top <= altitude + paces.landing + EPS]
    if paces.traverse_cost is not None:  # paid for and not ignored
        low = [number for number in low if not _is_traversable(ground, number)]
    pieces = departed(ground, stance)
    return stops.without(n for n in low if n in stops.by_owner and not touches(stops.by_owner[n], pieces))


def touches(one: Array, two: Array) -> bool:
    """Whether any edge of planar triangles comes to others, or as good as."""
    if not len(two):
        return False
    places = two.reshape(-1, 2)
    low, high = places.min(axis=0) - TOUCHING, places.max(axis=0) + TOUCHING
    corners = one.reshape(-1, 3, 2)
    is_about = (corners.max(axis=1) >= low) & (corners.min(axis=1) <= high)
    return any(
        len(bands.near_spans(two, TOUCHING, *c[i], *c[(i + 1) % 3]))
        for c in corners[is_about.all(axis=1)]
        for i in range(3)
    )


# -- what stands in the way ------------------------------------------------------------------------------------


def judge_terrain(
    ground: Ground, form: Form, height: float, stops: Shadow, paces: Paces, a: Waypoint, b: Waypoint
) -> list[tuple[int, str]]:
    """Sweep the base along the leg. Returns what is paid on top: inches and the reason."""
    start, end = (a.x, a.y), (b.x, b.y)
    stops, paid = surcharged(ground, stops, paces, a.level)
    surcharges = [(surcharge.inches, surcharge.note) for surcharge in paid if surcharge.is_met(form, start, end)]
    passages = []
    for door in ground.doorways(a.level, height):
        if door.shadow.meets(form, start, end) < 0:
            continue
        surcharges.append((1, f'{ground.parts[door.part].name} is Accessible, +1"'))
        passage = door.passage(start, end, form.outer)
        if passage is not None:
            passages.append((*passage, door))
    passages.sort(key=lambda found: found[0])
    done = 0.0
    for low, high, door in passages:
        if low > done:
            _judge_sweep(ground, stops.meets(form, _on(a, b, done), _on(a, b, low)))
        _judge_sweep(ground, door.beyond_wall(stops, form).met(_on(a, b, low), _on(a, b, high)))
        done = max(done, high)
    if done < 1.0:
        _judge_sweep(ground, stops.meets(form, _on(a, b, done), end))
    return surcharges


def surcharged(ground: Ground, stops: Shadow, paces: Paces, level: float) -> tuple[Shadow, tuple[Surcharge, ...]]:
    """Of obstacles at a level those that stop a base, and everything there that it pays for."""
    wires = ground.wires if abs(level) < EPS else ()
    cost = paces.traverse_cost
    if cost is None:
        return stops, wires

    def build() -> tuple[Shadow, tuple[Surcharge, ...]]:
        low = [number for number in sorted(stops.present) if number >= 0 and _is_traversable(ground, number)]
        found = []
        for number in low:
            alone = Shadow.of([(number, stops.by_owner[number])])
            found.append(Surcharge(cost, f'traverses {ground.parts[number].name}, +{cost}"', alone, is_solid=True))
        return stops.without(low), tuple(found)

    rest, low_ones = ground.keep(("traverse", stops), build)
    return rest, (*low_ones, *wires)


def _is_traversable(ground: Ground, number: int) -> bool:
    return "traversable" in ground.parts[number].part.traits


def _judge_sweep(ground: Ground, part: int) -> None:
    if part >= 0:
        name = ground.parts[part].name
        rule = "KZ-WALL" if ground.parts[part].is_wall else "KT24-MOVE-2"
        raise Refused(rule, f"{name} is in the way.", name)


def _on(a: Waypoint, b: Waypoint, t: float) -> XY:
    return (b.x, b.y) if t >= 1.0 else (a.x + t * (b.x - a.x), a.y + t * (b.y - a.y))
