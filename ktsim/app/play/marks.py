"""What is drawn over the table during a game: markers, drop zones, whoever can be chosen, routes, reach, ghosts.

Everything is read off the state, the prompt and the engine's own routes and rulings; nothing here decides.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from ktsim.app.play.routes import Route
from ktsim.app.play.sequence import AttackPair
from ktsim.app.stage.cameras import head_of
from ktsim.app.stage.overlays import (
    ORANGE,
    RGBA,
    TEAL,
    WHITE,
    Ghost,
    GhostShape,
    Label,
    Overlay,
    Ring,
    faded,
    ring,
    selection,
)
from ktsim.app.stage.scenery import loose_look
from ktsim.app.stage.ways import LOW, disc, leg_marks, ribbon
from ktsim.app.ui import theme
from ktsim.game.scenes import piece_of
from ktsim.geometry.plane import Outline
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.events import capital
from ktsim.rules.engine.state import SIDES, MarkerState, PieceState, Point
from ktsim.rules.moving.openings import access_opening
from ktsim.sight.pads import Pad
from ktsim.sight.part_names import plain_words
from ktsim.sight.scene import Base, Operative, Scene, WallLine

NEUTRAL: RGBA = (228, 222, 200, 255)


def seat_colour(side: str | None) -> RGBA:
    """A side's colour in the palette in use; a pale one for nobody's."""
    return (*theme.channels(theme.seat_colour(side)), 255) if side in SIDES else NEUTRAL


def put(operative: Operative, point: Point) -> Operative:
    x, y, level = point
    return replace(operative, x=x / 1000, y=y / 1000, level=level / 1000)


def _point_of(operative: Operative) -> Point:
    return round(operative.x * 1000), round(operative.y * 1000), round(operative.level * 1000)


# -- flat things -------------------------------------------------------------------------------------


def marker_marks(battle: Battle, marker: MarkerState, *, is_named: bool = False) -> list[Overlay]:
    """A marker on the table: its disc in its controller's colour, and its name. A carried one is not there. An
    objective shows its number or whose it is where there is room, and its whole name when words beside the table name
    it."""
    if marker.carrier is not None:
        return []
    x, y, level, radius = marker.x / 1000, marker.y / 1000, marker.level / 1000, marker.radius / 1000
    colour = seat_colour(marker.controller)
    is_objective = marker.kind == "objective"
    items: list[Overlay] = [disc(x, y, level, radius, faded(colour, 110 if is_objective else 200))]
    items.append(Ring(x, y, level, Base(radius, radius), 0.0, 0.02, colour=colour, width=0.07))
    name, team = capital(battle.name(marker.id).removeprefix("the ")), marker.controller or ""
    tokens = token_words(marker)
    for number, (_, owner) in enumerate(tokens):
        turn = math.pi * (0.25 + 0.5 * number)
        at = x + 0.8 * radius * math.cos(turn), y + 0.8 * radius * math.sin(turn)
        items += [disc(*at, level + LOW, 0.2, faded(seat_colour(owner), 230)), _rim(*at, level)]
    said = "".join(f" · {words}" for words, _ in tokens)
    if not is_objective:
        icon = "flag" if marker.kind != "intelligence" else "book"
        items.append(Label((x, y, level + 0.2), f"{name}{said}", icon=icon, team=team, may_hide=True))
        return items
    over = (x, y, level + 0.1)  # below whatever else lies there
    if is_named:
        items.append(Label(over, f"{name}{said}", icon="flag", team=team))
    else:
        short = name.removeprefix("Objective ").removesuffix(" objective")
        items.append(Label(over, f"{short}{said}", team=team, may_hide=not said))
    return items


TOKENS = {"device": "{0}'s device", "claim": "{0}'s claim", "martyr": "{0}'s tokens"}
"""What lies on a marker, where it is not said as ``looted by red``."""
UNSEEN = ("claimed", "compiled")
"""What is noted on markers and matters to nobody who looks at them."""


def token_words(marker: MarkerState) -> list[tuple[str, str]]:
    """What lies on a marker or has been done to it, in words, and whose it is (nobody's: nothing)."""
    found = []
    for token, count in marker.tokens.items():
        name, _, owner = token.partition(":")
        if not count or name in UNSEEN:
            continue
        words = TOKENS.get(name, f"{plain_words(name)} by {{0}}" if owner else plain_words(name)).format(owner)
        found.append((f"{count} {words}" if count > 1 and name != "claim" else words, owner))
    return found


def _rim(x: float, y: float, level: float) -> Ring:
    return Ring(x, y, level, Base(0.2, 0.2), 0.0, 0.02, colour=WHITE, width=0.04)


def zone_marks(outline: Outline, side: str) -> list[Overlay]:
    """The edge of a drop zone."""
    points = [(round(x * 1000), round(y * 1000), 0) for x, y in outline]
    edges = zip(points, [*points[1:], points[0]], strict=True)
    return [ribbon(a, b, 0.12, faded(seat_colour(side), 200)) for a, b in edges]


def route_marks(route: Route, operative: Operative) -> list[Overlay]:
    """A planned route: a ribbon for each leg, uprights for climbs and drops, and what each leg costs."""
    items = leg_marks(route.legs)
    if route.path:
        items.append(Ghost(put(operative, route.path[-1]), not route.refusal))
        if route.refusal and not route.is_whole:
            last = route.legs[-1].end if route.legs else _point_of(operative)
            items.append(ribbon(last, route.path[-1], 0.1, ORANGE, 0.05))
    return items


def pad_mark(pad: Pad) -> Label:
    """A pad that can be gone to."""
    return Label((*pad.centre, pad.level + 0.3), "teleport", "target", "ring")


def opening_marks(line: WallLine, text: str) -> list[Overlay]:
    """An access point that something can be done to: a frame on the floor about it, and what that is."""
    opening = access_opening(line)
    u, v = opening.half_width, opening.half_depth + 0.25
    corners = [opening.world(*at) for at in ((-u, -v), (u, -v), (u, v), (-u, v))]
    points = [(round(x * 1000), round(y * 1000), 0) for x, y in corners]
    frame = [ribbon(a, b, 0.08, TEAL) for a, b in pairwise([*points, points[0]])]
    return [*frame, Label((*opening.centre, line.height + 0.2), text, "target", "door")]


def ghost_marks(
    what: Operative | PieceState | None, point: Point, is_allowed: bool | None, radius: float = 0.4
) -> list[Overlay]:
    """Where something would stand: the ghost of an operative or of a piece, or a ring where it is something else."""
    if isinstance(what, Operative):
        return [Ghost(put(what, point), is_allowed)]
    colour, dash = (TEAL, 0.0) if is_allowed else (ORANGE, 0.16)
    x, y, level = (value / 1000 for value in point)
    if what is not None:
        piece = piece_of(what)
        mesh = loose_look(piece).shape.triangles
        # A ladder is hardly seen from afar: the ring about its foot is.
        along, across = (float(np.abs(mesh[..., axis]).max()) for axis in (0, 1))
        return [
            GhostShape(piece.placement().applied(mesh), bool(is_allowed)),
            Ring(x, y, level, Base(along, across), piece.turn, 0.12, dash, 0.08, colour),
        ]
    return [
        disc(x, y, level, radius, faded(colour, 150)),
        Ring(x, y, level, Base(radius, radius), 0.0, 0.03, dash, 0.08, colour),
    ]


def offered_marks(operative: Operative | None, point: Point) -> list[Overlay]:
    """A place that Enter would take while the pointer shows another."""
    x, y, level = (value / 1000 for value in point)
    base = operative.base if operative is not None else Base(0.5, 0.5)
    return [
        Ring(x, y, level, base, 0.0, 0.06, 0.3, 0.06, WHITE),
        Label((x, y, level + 0.3), "Enter", "seen"),
    ]


# -- operatives --------------------------------------------------------------------------------------


def words_over(one: Operative, text: str, icon: str = "", *, is_marked: bool = False) -> Label:
    """Words over an operative's head."""
    x, y, z = head_of(one)
    return Label((x, y, z + 0.35), text, icon=icon, team=one.team, is_marked=is_marked)


def candidate(one: Operative) -> Ring:
    """Whoever can be chosen."""
    return ring(one, 0.13, colour=TEAL, width=0.07, dash=0.4)


def refused(one: Operative) -> Ring:
    """Whoever is on offer but refused."""
    return ring(one, 0.13, colour=ORANGE, width=0.05, dash=0.16)


def attack_marks(battle: Battle, scene: Scene, attack: AttackPair, lines: Sequence[Overlay] = ()) -> list[Overlay]:
    """Who attacks and who is attacked: the one ringed like whoever acts, the other like a target that was chosen, both
    by name. *lines* are the engine's own, where a ruling is known."""
    present = {one.id: one for one in scene.operatives}
    attacker, target = present.get(attack.attacker), present.get(attack.target)
    items: list[Overlay] = list(lines)
    if target is not None and attack.is_shot:
        items.append(ring(target, 1.0, dash=0.28, width=0.07, fill=34))
    for one, icon in ((attacker, "target" if attack.is_shot else "swords"), (target, "shield")):
        if one is not None:
            items += [*selection(one), words_over(one, battle.name(one.id), icon)]
    return items


def once(items: Iterable[Overlay]) -> tuple[Overlay, ...]:
    """Every mark once, and one label in one place: the first."""
    found: list[Overlay] = []
    places = set()
    for item in dict.fromkeys(items):
        if isinstance(item, Label):
            if item.at in places:
                continue
            places.add(item.at)
        found.append(item)
    return tuple(found)


def shown_subjects(battle: Battle, scene: Scene, subjects: Sequence[str], path: Sequence[Point]) -> list[Overlay]:
    """What a line of the log is about."""
    items: list[Overlay] = []
    present = {one.id: one for one in scene.operatives}
    for id in subjects:
        if (one := present.get(id)) is not None:
            items += [*selection(one), words_over(one, battle.name(id))]
        elif (marker := battle.state.markers.get(id)) is not None:
            items += marker_marks(battle, marker)
    return [*items, *way_marks(path)]


def way_marks(path: Sequence[Point]) -> list[Overlay]:
    """The way somebody took: a ribbon along each level, and a ring where it ended."""
    items: list[Overlay] = [ribbon(a, b, 0.16, WHITE, 0.05) for a, b in pairwise(path) if a[:2] != b[:2]]
    if path:
        x, y, level = (value / 1000 for value in path[-1])
        items.append(Ring(x, y, level, Base(0.5, 0.5), 0.0, 0.05, colour=WHITE, width=0.08, dash=0.3))
    return items
