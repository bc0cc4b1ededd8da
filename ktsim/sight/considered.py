"""Every part that might have given cover or obscured, and why it does or does not: measured from the origin chosen.

Asked only where somebody reads it: a ruling that is dragged about or played by bots does without.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.forest import Forest, Grove, Tree, rows
from ktsim.geometry.kernels import nearest, planar, queries
from ktsim.geometry.shelf import PREPARED
from ktsim.geometry.solids import prism
from ktsim.sight import kt21, kt24, sources
from ktsim.sight.distances import figure_row
from ktsim.sight.junctions import WallEnd, hatch_leaves, wall_ends
from ktsim.sight.lines import Fan, Reach, Source
from ktsim.sight.obstacles import can_intervene, prepared_terrain
from ktsim.sight.scene import EPS, Operative, Part, Scene
from ktsim.sight.visibility import RADIUS
from ktsim.sight.words import beside, inches, listed

if TYPE_CHECKING:
    from ktsim.sight.lines import Crossing
    from ktsim.sight.ruling import Ruling

NEARBY = 3.0
"""Parts this near (inches) to the target or to a line are worth a word."""
ENDS = 180
"""Ends of lines that are looked along to find how near they come to a part."""
FEW = 12
"""One in so many of them is looked along first."""
ROUNDS = 18
"""Halvings of a distance until it is known to a ten-thousandth of an inch."""

Array = NDArray[np.float64]
About = Literal["cover", "obscured"]


@dataclass(frozen=True)
class Considered:
    """A part, what it was considered for, whether it counts, and the rule and words that say why."""

    part: str
    about: About
    counts: bool
    rule: str
    text: str
    apart: float = 0.0
    """How far the nearest line passes it, in inches; 0 when one crosses it."""
    is_below: bool = False
    """It is below all lines, such as the floor somebody stands on."""

    def as_json(self) -> dict[str, object]:
        return {"part": self.part, "for": self.about, "counts": self.counts, "rule": self.rule, "text": self.text}


@dataclass(frozen=True, eq=False)
class _Candidate:
    """Something lines may meet: as they meet it, with its mesh, and what of a wall it is."""

    source: Source
    triangles: Array
    what: Literal["part", "corner", "end", "leaf", "wall", "base"]
    place: str = ""
    apart: float = 0.0
    is_crossed: bool = False

    @property
    def key(self) -> str:
        return self.source.key

    @property
    def part(self) -> Part | None:
        """The part that it is all of."""
        part = self.source.part
        return part if isinstance(part, Part) and part.triangles is self.triangles else None

    @cached_property
    def forest(self) -> Forest:
        """Its mesh, to measure from lines: a part's is kept, for it is asked about again and again."""
        if self.part is None:
            return _forest(self.triangles)
        return PREPARED.keep((self.part, "as a forest"), lambda: _forest(self.triangles))

    @property
    def name(self) -> str:
        return f"{self.key}, its {self.what} at {self.place}" if self.place else self.key


def _forest(triangles: Array) -> Forest:
    return Grove.of([Tree.over(triangles)]).forest([(0, 0.0, 0.0, 0.0, 0.0)])


def considered(ruling: Ruling) -> tuple[Considered, ...]:
    """What was considered for cover and for obscured: what counts first, then by how near lines pass it."""
    survey = _Survey(ruling)
    found = [*survey.terrain(), *survey.smoke()]
    found.sort(key=lambda each: (not each.counts, each.apart, each.part, each.about))
    return tuple(found)


class _Survey:
    """The parts about the lines of one ruling."""

    def __init__(self, ruling: Ruling) -> None:
        self.ruling = ruling
        self.scene: Scene = ruling.scene
        self.judge = ruling.judge
        self.fan: Fan = self.judge.fan
        self.shooter, self.target = self.judge.shooter, self.judge.target
        self.origin = ruling.origin[:2]
        self.turns = self._turns()
        self.is_2024 = isinstance(self.judge, kt24.Judge24)
        self.cover_rule, self.obscured_rule = (
            ("KT24-COVER", "KT24-OBSCURED") if self.is_2024 else ("KT21-COVER", "KT21-OBSCURED")
        )

    # ---- terrain ----

    def terrain(self) -> Iterator[Considered]:
        candidates = self._crossed([each for each in map(self._near, self._candidates()) if each is not None])
        by_key: dict[str, list[_Candidate]] = {}
        for each in candidates:
            by_key.setdefault(each.key, []).append(each)
        for key, group in by_key.items():
            yield self._cover(key, group)
            obscured = self._obscured(key, group)
            if obscured is not None:
                yield obscured

    def _candidates(self) -> Iterator[_Candidate]:
        """Everything that stands there; of walls the corners and ends, and the rest of them."""
        lines = {line.id for line in self.scene.terrain.walls}
        for part in self.scene.parts():
            yield _Candidate(self._source(part), part.triangles, "wall" if part.feature in lines else "part")
        ends: Sequence[WallEnd] = wall_ends(self.scene)
        leaves = () if self.is_2024 else hatch_leaves(self.scene)
        whole = {leaf.part.key for leaf in leaves}
        flat = self.fan.is_planar
        for end in (*(end for end in ends if end.part.key not in whole), *leaves):
            is_leaf = end.part.key in whole
            source = sources.wall_source(end, self.target, flat, gated=not is_leaf)
            place = f"({end.at[0]:.2f}, {end.at[1]:.2f})"
            solid = prism(end.corners, 0.0, end.height)
            yield _Candidate(source, solid, "leaf" if is_leaf else end.kind, "" if is_leaf else place)
        for other in self.scene.others(self.shooter.id, self.target.id):
            source = sources.base_source(self.scene, other, self.shooter, self.target)
            yield _Candidate(source, sources.base_solid(other), "base")

    def _source(self, part: Part) -> Source:
        found = sources.part_source(self.scene, part, self.fan.shooter_z)
        if isinstance(self.judge, kt21.Judge21):
            return next(iter(self.judge.not_below_target(found)), found)
        return found

    def _turns(self) -> Array:
        """The normals of ends all along the facing rim."""
        found, low, high = planar.tangents(self.fan.ends, *self.origin, 0.0)
        if self.fan.whole or not found:
            low, high = 0.0, 2 * math.pi
        return np.linspace(low, high, ENDS)

    def _passing(self, each: _Candidate) -> float:
        """How near lines come to a candidate, at most a little more than what is near."""
        ends = np.array([planar.rim(self.fan.ends, math.cos(turn), math.sin(turn)) for turn in self.turns])
        # a few first: how near they come spares the others most of what is farther away
        far = NEARBY + RADIUS
        found = float(self._clearances(each, ends[::FEW], far).min())
        apart = self._clearances(each, ends, min(far, math.nextafter(found, math.inf)))
        best, found = int(apart.argmin()), float(apart.min())
        if found > 0.0:  # about the best end
            last = len(self.turns) - 1
            turns = np.linspace(self.turns[max(0, best - 1)], self.turns[min(last, best + 1)], 41)
            ends = np.array([planar.rim(self.fan.ends, math.cos(turn), math.sin(turn)) for turn in turns])
            found = float(self._clearances(each, ends, found).min())
        return max(0.0, found - RADIUS)

    def _clearances(self, each: _Candidate, ends: Array, most: float) -> Array:
        """How near lines to *ends* come to a candidate, at most *most*."""
        start = np.array([*self.origin, self.fan.shooter_z])
        ways = np.column_stack([ends, np.full(len(ends), self.fan.target_z)]) - start
        starts = np.broadcast_to(start, ways.shape).copy()
        return np.asarray(queries.lines_clearance(each.forest, np.zeros(1, np.int32), starts, ways, most))

    def _near(self, each: _Candidate) -> _Candidate | None:
        """The candidate with how far lines pass it, if it is near them or near the target."""
        low, high = _way_between(self.shooter, self.target, NEARBY)
        box = self._box(each)
        if (box[:3] > high).any() or (box[3:] < low).any():
            return None
        apart = self._passing(each)
        if apart >= NEARBY - EPS:
            close = _close_to(each.triangles, self.shooter, self.target, NEARBY)
            if not len(close) or self._from_target(close) > NEARBY:
                return None
        return replace(each, apart=apart)

    def _box(self, each: _Candidate) -> Array:
        """Low, then high corner of a candidate."""
        if each.part is None:
            return np.concatenate([each.triangles.min(axis=(0, 1)), each.triangles.max(axis=(0, 1))])
        ready = prepared_terrain(self.scene.terrain)
        return np.array(ready.boxes[ready.label_of[id(each.part)]])

    def _from_target(self, triangles: Array) -> float:
        return float(nearest.figure_from_triangles(figure_row(self.target), self.target.level, rows(triangles)))

    def _crossed(self, candidates: list[_Candidate]) -> list[_Candidate]:
        """The candidates with whether a line crosses them, gates or not."""
        hit = self._met([(replace(each.source, gate=None), ANY) for each in candidates])
        return [replace(each, is_crossed=met) for each, met in zip(candidates, hit, strict=True)]

    def _met(self, wanted: list[tuple[Source, Reach]]) -> list[bool]:
        """Which of the sources lines from the origin cross in their reach."""
        fan = Fan(
            self.scene, self.shooter, self.target, wanted, whole=self.fan.whole, convention=self.ruling.convention
        )
        hits = fan.at(np.array([self.origin]))[0]
        crossed = {id(piece.source) for piece, hit in zip(fan.pieces, hits, strict=True) if hit}
        return [id(source) in crossed for source, _ in wanted]

    # ---- cover ----

    def _cover(self, key: str, group: list[_Candidate]) -> Considered:
        counted = next((crossing for crossing in self.ruling.cover if crossing.key == key), None)
        if counted is not None:
            text = f"{key}: on a line, {inches(counted.to_target)} from {self.target.id}."
            return Considered(key, "cover", True, self.cover_rule, text)
        best = _best(group, self.origin)
        why = self._set_aside(best) or self._underneath(best) or self._uncrossed(best)
        if why is None:
            why = self._not_covering(best)
        return self._dismissed("cover", best, *why)

    def _dismissed(self, about: About, each: _Candidate, rule: str, why: str) -> Considered:
        is_below = float(each.triangles[..., 2].max()) < min(self.fan.shooter_z, self.fan.target_z)
        return Considered(each.key, about, False, rule, f"{each.name}: {why}", each.apart, is_below)

    def _not_covering(self, each: _Candidate) -> tuple[str, str]:
        who = self.target.id
        apart = self._nearest(each)
        there = f"on a line, {inches(apart)} from {who}"
        distance = self.ruling.distance
        if apart > kt24.COVER_REACH + EPS:
            return self.cover_rule, f'on a line, {beside(apart, 1.0)} from {who}, and cover needs 1" or less.'
        if distance <= kt24.NO_COVER_WITHIN + EPS:
            return self.cover_rule, f'{there}, but within 2" nothing covers and they are {inches(distance)} apart.'
        if each.what == "base":
            return self.cover_rule, f"{there}, but {each.source.feature} is not in {self.shooter.id}'s line of sight."
        return self.cover_rule, f"{there}, but {who} does not see it there."

    def _underneath(self, each: _Candidate) -> tuple[str, str] | None:
        """A rampart that lines pass underneath too far from the target (KT21-RAMPART)."""
        rampart = self._rampart(each)
        if rampart is None:
            return None
        apart = self._threshold(rampart, lambda limit: Reach("cover", near=limit, from_above=True), rising=True)
        if apart <= kt21.COVER_REACH + EPS:
            return None
        there = f"lines pass underneath it, {beside(apart, 1.0)} from {self.target.id}"
        return "KT21-RAMPART", f'{there}, and that counts as crossing within 1" only.'

    def _rampart(self, each: _Candidate) -> Source | None:
        """What of the candidate lines pass underneath without crossing it, if it is a rampart of the target's."""
        if each.is_crossed or not isinstance(self.judge, kt21.Judge21):
            return None
        found = (rampart for rampart in self.judge.ramparts() if rampart.key == each.key)
        return next((one for one in found if self._met([(one, replace(ANY, from_above=True))])[0]), None)

    def _nearest(self, each: _Candidate) -> float:
        """How near the target lines from the origin cross it."""
        return self._threshold(each.source, lambda limit: Reach("cover", near=limit), rising=True)

    # ---- obscured ----

    def _obscured(self, key: str, group: list[_Candidate]) -> Considered | None:
        counted = next((crossing for crossing in self.ruling.obscuring if crossing.key == key), None)
        if counted is not None:
            text = f"{key}: on a line, {self._both(counted)}."
            return Considered(key, "obscured", True, self.obscured_rule, text)
        best = _best(group, self.origin)
        heavy = best.source.heavy or (isinstance(self.judge, kt21.Judge21) and self.judge.obscures(best.source))
        if not heavy and (best.what == "base" or not best.is_crossed):
            return None  # it would not obscure wherever it stood
        if self._rampart(best) is not None:
            return None  # lines that pass underneath it count for cover only
        why = self._set_aside(best)
        if why is None and not heavy:
            what = "Light" if best.source.light else "without a trait that obscures"
            why = (self.obscured_rule, f"on a line, but {what}: only Heavy terrain obscures.")
        why = why or self._uncrossed(best) or self._not_obscuring(best)
        return self._dismissed("obscured", best, *why)

    def _both(self, crossing: Crossing) -> str:
        near, far = (1.0, 1.0) if self.is_2024 else (kt21.SHOOTER_REACH, kt21.OBSCURED_BEYOND)
        one, two = beside(crossing.to_shooter, near), beside(crossing.to_target, far)
        return f"{one} from {self.shooter.id} and {two} from {self.target.id}"

    def _not_obscuring(self, each: _Candidate) -> tuple[str, str]:
        far = (1.0, 1.0) if self.is_2024 else (kt21.OBSCURED_BEYOND, kt21.SHOOTER_REACH)
        if isinstance(self.judge, kt24.Judge24) and each.source.feature in self.judge.not_obscuring:
            stands = [
                one.id
                for one, parts in (
                    (self.shooter, self.judge.shooter_vantage),
                    (self.target, self.judge.target_vantage),
                )
                if any(part.feature == each.source.feature for part in parts)
            ]
            verb = "stand" if len(stands) > 1 else "stands"
            return "KT24-VANTAGE-3", f"Heavy and on a line, but {listed(stands)} {verb} on the Vantage of its feature."
        from_target = self._farthest(each, target=True)
        if from_target <= far[0] + EPS:
            who, apart, limit = self.target.id, from_target, far[0]
        else:
            who, apart, limit = self.shooter.id, self._farthest(each, target=False), far[1]
        if apart <= limit + EPS:
            needs = f'and obscuring needs more than {limit:g}".'
            return self.obscured_rule, f"on a line, but nowhere farther than {inches(apart)} from {who}, {needs}"
        one, two = (f'{limit:g}" from {who}' for limit, who in zip(far, (self.target.id, self.shooter.id), strict=True))
        return self.obscured_rule, f"on a line, but nowhere more than {one} and more than {two} at once."

    def _farthest(self, each: _Candidate, target: bool) -> float:
        """How far from the target, or from the shooter, lines from the origin cross it."""

        def reach(limit: float) -> Reach:
            return Reach("obscured", far_target=limit) if target else Reach("obscured", far_shooter=limit)

        return self._threshold(each.source, reach, rising=False)

    # ---- what both ask ----

    def _set_aside(self, each: _Candidate) -> tuple[str, str] | None:
        """Why it does not matter where it stands."""
        part = each.source.part
        if isinstance(part, Part):
            if not can_intervene(part):
                return "SIGHT-12", "Exposed, so it never intervenes."
            if part.feature in self.scene.terrain.portable and not sources.covers(self.scene, part, self.target):
                return "KT24-E-PORTABLE-BARRICADE", f"it covers only who touches it, and {self.target.id} does not."
            if isinstance(self.judge, kt21.Judge21) and self.judge.is_below_target(part):
                return "KT21-VANTAGE", f"below {self.target.id}, who stands on its feature."
        elif self.is_2024 and each.is_crossed:
            return "SIGHT-12", "on a line, but other operatives never intervene."
        if each.what == "wall" and each.is_crossed:
            return "KZ-WALL-ENDS", "on a line, but between its ends: only corners and ends of walls intervene."
        gate = each.source.gate
        if each.is_crossed and gate is not None and gate[0] * self.origin[0] + gate[1] * self.origin[1] >= gate[2]:
            return "KZ-WALL-ENDS", f"on a line, but {self.shooter.id} has passed it."
        return None

    def _uncrossed(self, each: _Candidate) -> tuple[str, str] | None:
        if each.is_crossed:
            return None
        if each.apart >= NEARBY - EPS:
            return "SIGHT-12", f'no line crosses it; all pass more than {NEARBY:g}" away.'
        away = inches(each.apart) if each.apart >= 0.005 else 'less than 0.01"'
        return "SIGHT-12", f"no line crosses it; the nearest passes {away} away."

    def _threshold(self, source: Source, reach: Callable[[float], Reach], rising: bool) -> float:
        """The distance at which it begins (or ceases) to be crossed, by halving."""
        low, high = 0.0, math.hypot(*self.scene.terrain.board) + 10.0
        source = replace(source, gate=None)
        if rising and self._met([(source, reach(EPS))])[0]:
            return 0.0
        for _ in range(ROUNDS):
            middle = (low + high) / 2
            if self._met([(source, reach(middle))])[0] == rising:
                high = middle
            else:
                low = middle
        return high if rising else low

    # ---- smoke ----

    def smoke(self) -> Iterator[Considered]:
        if not isinstance(self.judge, kt24.Judge24):
            return
        for number, marker in enumerate(self.scene.smoke, 1):
            key = f"smoke/{number}"
            both = (self.shooter, self.target)
            outside = {one.id: kt24.outside_smoke(one, marker) for one in both}
            within = [id for id, far in outside.items() if far <= EPS]
            distance, verb = inches(self.ruling.distance), "are" if len(within) > 1 else "is"
            if key in self.ruling.smoke:
                text = f"{key}: {listed(within)} {verb} wholly within it, and they are {distance} apart."
            elif within:
                text = f'{key}: {listed(within)} {verb} within it, but {distance} apart, and it obscures beyond 2".'
            else:
                who, far = min(outside.items(), key=lambda each: each[1])
                if far > NEARBY:
                    continue
                how = "below it" if math.isinf(far) else f"{inches(far)} outside"
                text = f"{key}: nobody is wholly within it; of {who}'s base some is {how}."
            yield Considered(key, "obscured", key in self.ruling.smoke, "KT24-SMOKE", text)


ANY = Reach("cover")


def _best(group: list[_Candidate], origin: tuple[float, float]) -> _Candidate:
    """Of the corners, ends and other stretches of one part the one there is most to say about."""

    def order(each: _Candidate) -> tuple[bool, bool, bool, float]:
        gate = each.source.gate
        passed = gate is not None and gate[0] * origin[0] + gate[1] * origin[1] >= gate[2]
        return (not each.is_crossed, each.what == "wall", passed, each.apart)

    return min(group, key=order)


def _wide(one: Operative, two: Operative, reach: float) -> float:
    return reach + max(one.base.along, one.base.across, two.base.along, two.base.across) + RADIUS


def _way_between(one: Operative, two: Operative, reach: float) -> tuple[Array, Array]:
    """Low and high corner of a box around all that may come within *reach* of the way between two bases."""
    ends, wide = np.array([[one.x, one.y, one.level], [two.x, two.y, two.level]]), _wide(one, two, reach)
    return ends.min(axis=0) - wide, ends.max(axis=0) + wide


def _close_to(triangles: Array, one: Operative, two: Operative, reach: float) -> Array:
    """The triangles (m, 3, 3) that may come within *reach* of the way between two bases."""
    wide = _wide(one, two, reach)
    low, high = _way_between(one, two, reach)
    near = (triangles.max(axis=1) >= low).all(axis=1) & (triangles.min(axis=1) <= high).all(axis=1)
    found: Array = triangles[near]
    if not len(found):
        return found
    middle = found.mean(axis=1)
    radius = np.linalg.norm(found - middle[:, None], axis=2).max(axis=1)
    start = np.array([one.x, one.y, one.level])
    way = np.array([two.x, two.y, two.level]) - start
    t = np.clip((middle - start) @ way / max(float(way @ way), EPS), 0, 1)
    return np.asarray(found[np.linalg.norm(middle - start - t[:, None] * way, axis=1) <= wide + radius])
