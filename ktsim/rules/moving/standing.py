"""Where an operative can stand (KT24-MOVE-2): for the end of a move, for set-up, for equipment."""

from __future__ import annotations

from ktsim.geometry.plane import is_inside
from ktsim.rules.moving.contact import Contacts
from ktsim.rules.moving.form import Form
from ktsim.rules.moving.ground import TOUCH, Ground
from ktsim.rules.moving.walk import Refused, Walker, Waypoint
from ktsim.sight.pads import Pad, PadVisitor
from ktsim.sight.scene import EPS

MOST_JUDGED = 10_000
"""Places on a ground of which it is kept whether the terrain lets somebody stand there."""

EDGE = "board edge"
"""What is in the way of whoever would leave the board."""


def can_stand(ground: Ground, mover: Walker, x: float, y: float, level: float, turn: float | None = None) -> str | None:
    """Why the operative cannot stand at a place, as a sentence; None when it can."""
    at = Waypoint(x, y, level, mover.operative.turn if turn is None else turn).as_floats
    refused = refused_to_stand(ground, mover, at)
    return None if refused is None else refused.text


def refused_to_stand(ground: Ground, mover: Walker, at: Waypoint) -> Refused | None:
    """The rule by which the operative cannot stand at a place, and what is in the way; None when it can."""
    try:
        judge_standing(ground, Contacts(mover), at)
    except Refused as refused:
        return refused
    return None


def judge_standing(ground: Ground, contacts: Contacts, at: Waypoint) -> None:
    """Raise :class:`Refused` unless the operative can stand there for good."""
    form = Form.of(contacts.mover.operative.base, contacts.turn_at(at))
    part = _judge_terrain(ground, contacts, form, at)
    other = contacts.base_under(at)
    if other is not None:
        raise Refused("KT24-MOVE-2", f"the base would overlap that of {other.id}.", other.id)
    _judge_top_floor(ground, contacts, form, at, part)
    if part in ground.pads:
        _judge_pad(ground.pads[part], contacts, form, at)


def _judge_terrain(ground: Ground, contacts: Contacts, form: Form, at: Waypoint) -> int:
    """The part it would stand on; raises where the terrain alone refuses that. Kept with the ground: the same places
    are asked for again and again while only others move."""
    key = form, contacts.mover.height, (at.x, at.y, at.level)
    known = ground.judged.get(key)
    if known is None:
        try:
            judge_edge(ground, form, at, at)
            judge_hazard(ground, form, at, at)
            part = ground.stands_on(at.x, at.y, at.level)
            if part is None:
                raise Refused("KT24-MOVE-2", "the base would not be supported there.")
            judge_clear(ground, contacts, at, for_good=True)
            known = part
        except Refused as refused:
            known = refused.rule, refused.text, refused.thing
        if len(ground.judged) >= MOST_JUDGED:
            ground.judged.clear()
        ground.judged[key] = known
    if isinstance(known, tuple):
        raise Refused(*known)
    return known


def judge_clear(ground: Ground, contacts: Contacts, at: Waypoint, *, for_good: bool = False) -> None:
    """Raise unless the base is clear of terrain: an increment ends nowhere else (KT24-MOVE-6a)."""
    form = Form.of(contacts.mover.operative.base, contacts.turn_at(at))
    shadow = ground.unfit(form, contacts.mover.height, at.level, for_good)
    part = shadow.meets(form, (at.x, at.y), (at.x, at.y))
    if part < 0:
        part = shadow.under(at.x, at.y)
    if part < 0 and for_good:
        part = ground.solid_at(at.x, at.y, at.level + TOUCH)
    if part >= 0:
        name = ground.parts[part].name
        rule = "KT24-MOVE-6a" if ground.parts[part].is_accessible else "KT24-MOVE-2"
        raise Refused(rule, f"the base would end in {name}.", name)


def judge_edge(ground: Ground, form: Form, a: Waypoint, b: Waypoint) -> None:
    width, depth = ground.board
    wide, deep = form.spread
    for at in (a, b):
        inside = wide - EPS <= at.x <= width - wide + EPS and deep - EPS <= at.y <= depth - deep + EPS
        if not inside:
            raise Refused("KT24-MOVE-2", "the base would leave the board.", EDGE)


def judge_hazard(ground: Ground, form: Form, a: Waypoint, b: Waypoint) -> None:
    """KZ-HAZARD-MOVE: on the floor no part of the base may touch a hazardous area."""
    if min(a.level, b.level) > EPS or not len(ground.hazards.pieces):
        return
    met = ground.hazards.meets(form, (a.x, a.y), (b.x, b.y))
    if met < 0:
        names = [n for n, area in enumerate(ground.hazardous) if is_inside(area.outline, b.x, b.y)]
        met = names[0] if names else -1
    if met >= 0:
        name = ground.hazardous[met].id
        raise Refused("KZ-HAZARD-MOVE", f"the base would touch the hazardous area {name}.", name)


def _judge_pad(pad: Pad, contacts: Contacts, form: Form, at: Waypoint) -> None:
    """KZ-TOMB-PAD: a pad holds one operative at a time, the whole of its base."""
    if not pad.holds(form.base, at.x, at.y, form.turn):
        raise Refused("KZ-TOMB-PAD", f"the base would be neither wholly on {pad.id} nor off it.", pad.id)
    for other in contacts.mover.others:
        if PadVisitor.of(other).is_on(pad):
            text = f"{pad.id} holds one operative at a time, and it is the place of {other.id}."
            raise Refused("KZ-TOMB-PAD", text, other.id)


def _judge_top_floor(ground: Ground, contacts: Contacts, form: Form, at: Waypoint, part: int) -> None:
    """KZ-VOLKUS-TOP: the highest level of a stronghold holds one friendly operative at a time, and the whole of its
    base is on one side or the other of the middle."""
    floor = ground.top_floors.get(part)
    if floor is None:
        return
    off_middle = (at.x - floor.middle[0]) * floor.along[0] + (at.y - floor.middle[1]) * floor.along[1]
    if abs(off_middle) < form.reach_along(*floor.along) - EPS:
        name = ground.parts[part].name
        raise Refused("KZ-VOLKUS-TOP", f"{name} is stood on on one side or the other, not in the middle.", name)
    for friend in contacts.mover.friends:
        if abs(friend.level - at.level) < EPS and ground.stands_on(friend.x, friend.y, friend.level) == part:
            text = f"{friend.id} is there already, and the top level holds one friendly operative at a time."
            raise Refused("KZ-VOLKUS-TOP", text, friend.id)
