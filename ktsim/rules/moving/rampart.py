"""Jumping off a Vantage over what stands at its edge, as of 2026-01 (KT24-DATED): the rampart is climbed and paid for,
and the jump starts at the level of the Vantage. Its increment begins on top of the rampart and ends at that level."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ktsim.geometry.kernels import bands
from ktsim.rules.moving.along import departed, judge_terrain, touches, without_landing
from ktsim.rules.moving.contact import Contacts, between
from ktsim.rules.moving.form import Array, Form
from ktsim.rules.moving.ground import Ground
from ktsim.rules.moving.paces import Paces, whole
from ktsim.rules.moving.shadow import Shadow
from ktsim.rules.moving.standing import judge_clear, judge_edge
from ktsim.rules.moving.upright import SIDEWAYS
from ktsim.rules.moving.walk import Increment, MoveAction, Refused, Stance, Waypoint
from ktsim.sight.scene import EPS


def jumps_over_rampart(paces: Paces, stance: Stance, a: Waypoint, b: Waypoint) -> bool:
    """Whether a way from *a* to *b* is meant as such a jump."""
    has_climbed = stance.footing == "over" and stance.floor >= 0 and a.level > stance.origin + EPS
    return paces.jumps_from_vantage and has_climbed and abs(b.level - stance.origin) <= EPS


def judge_over_rampart(
    ground: Ground, contacts: Contacts, action: MoveAction, paces: Paces, stance: Stance, a: Waypoint, b: Waypoint
) -> tuple[Increment, Stance]:
    """Judge the jump: as far as the edge on top of what was climbed, from there at the level of the Vantage."""
    form, height = Form.of(contacts.mover.operative.base, contacts.turn_at(a)), contacts.mover.height
    judge_edge(ground, form, a, b)
    floor = departed(ground, stance)
    spans = bands.near_spans(floor, 0.0, a.x, a.y, b.x, b.y)
    edge = float(spans[-1, 1]) if len(spans) else 0.0
    length = math.hypot(b.x - a.x, b.y - a.y)
    _judge_reach(action, paces, stance, (1 - edge) * length)
    brink = between(a, b, edge)._replace(level=a.level)
    holds = ground.holds(a.level - SIDEWAYS, a.level)
    if not bands.all_near(holds.pieces, form.inner + SIDEWAYS + EPS, a.x, a.y, brink.x, brink.y):
        raise Refused("KT24-MOVE-6a", 'the base would be more than 1" from the terrain it climbed.')
    surcharges = []
    if edge > EPS:
        surcharges += judge_terrain(ground, form, height, ground.obstacles(form, height, a.level), paces, a, brink)
    low, there = brink._replace(level=stance.origin), between(a, b, 1.0)
    stops = _without_climbed(ground, ground.obstacles(form, height, low.level), a.level, floor)
    is_landed = ground.stands_on(b.x, b.y, b.level) is not None
    after = replace(stance, footing="ground" if is_landed else "air", can_land=not is_landed)
    try:
        beyond = judge_terrain(ground, form, height, stops, paces, low, b)
        judge_clear(ground, contacts, there)
    except Refused:
        over = without_landing(ground, stops, low.level, after, paces)
        beyond = judge_terrain(ground, form, height, over, paces, low, b)
        if is_landed:
            judge_clear(ground, contacts, there)
        else:
            after = replace(after, must_land=True)
    if contacts.turn_at(a) != contacts.turn_at(b):
        judge_clear(ground, contacts, b)
    surcharges += beyond
    cost = whole(length) + sum(extra for extra, _ in surcharges)
    notes = ("from the level of the Vantage", *(note for _, note in surcharges))
    return Increment("jump", a, b, length, cost, paces.jump_rule, notes), after


def _judge_reach(action: MoveAction, paces: Paces, stance: Stance, past: float) -> None:
    if not action.can_jump:
        raise Refused(action.rule, f"{action.name} may not jump.")
    if past <= EPS:
        raise Refused(paces.jump_rule, "a jump leaves the Vantage.")
    if stance.origin <= paces.jump_from + EPS:
        raise Refused(paces.jump_rule, f'a jump starts from higher than {paces.jump_from:g}".')
    if past > paces.jump_reach + EPS:
        raise Refused(paces.jump_rule, f'a jump of {past:.2f}" from the edge is more than {paces.jump_reach:g}".')


def _without_climbed(ground: Ground, stops: Shadow, reached: float, floor: Array) -> Shadow:
    """Obstacles at the level of the Vantage but for what stands on it and was climbed: no higher than *reached*."""
    climbed = [
        number
        for number in np.unique(stops.owners).tolist()
        if number >= 0 and ground.parts[number].top <= reached + EPS and touches(stops.by_owner[number], floor)
    ]
    return stops.without(climbed)
