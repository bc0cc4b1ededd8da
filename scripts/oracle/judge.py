"""One ruling, held against the rules."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from plain_lines import clearance

from ktsim.sight.ruling import Ruling
from ktsim.sight.scene import Operative, Part
from oracle import plane_kernels as kernels
from oracle.ground import EPS, MM, RADIUS, TIE, Floats, Ground, body, head, row
from oracle.lines import Lines
from oracle.looks import AIMED, LINES, Looks

SPACE = 0.02 * MM
"""Between levels the engine searches lines this finely only: what hangs on less is a tie of its own name."""


@dataclass(frozen=True)
class Shot:
    """What of a weapon matters when a target is chosen: whose cover it ignores, and how far it reaches."""

    seek: bool = False
    seek_light: bool = False
    range: float = math.inf

    @property
    def rules(self) -> tuple[str, ...]:
        """As they are printed in 2024."""
        named = [(self.seek, "Seek"), (self.seek_light, "Seek Light")]
        found = [name for has, name in named if has]
        return (*found, *([f'Range {self.range:g}"'] if math.isfinite(self.range) else []))


@dataclass(eq=False)
class Judge:
    """One ruling, held against the rules."""

    ground: Ground
    found: Ruling
    seed: int
    shot: Shot = Shot()
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    hard: int = 1
    """How many times as hard hidden looks are attacked, and as many origins and lines are tried."""

    def __post_init__(self) -> None:
        found = self.found
        self.scene, self.is_2021 = found.scene, found.edition == "kt21-lite"
        self.shooter, self.target = self.scene.operative(found.shooter), self.scene.operative(found.target)
        self.rng = np.random.default_rng(self.seed)
        self.looks = Looks(self.ground, self.scene, self.seed)
        self.lines = Lines(self.ground, found.edition, self.shooter, self.target, found.distance)
        self._seen: dict[tuple[str, bool], float] = {}

    def tie(self, what: str) -> None:
        self.counts["ties"] += 1
        self.counts[f"tie: {what}"] += 1

    def say(self, text: str) -> None:
        self.wrong.append(text)

    def run(self) -> None:
        self.counts["rulings"] += 1
        self.check_look()
        self.check_distance()
        self.check_lines()
        self.check_control()
        if self.looks.is_close:  # whatever is said may hang on it
            self.wrong.clear()
            self.tie("beside bars")

    # ---- who is seen ----

    def check_look(self) -> None:
        found = self.found
        if found.witness is not None:
            self.counts["visible"] += 1
            start, end = (np.array(point) for point in found.witness)
            centre, radius = head(self.shooter)
            if np.linalg.norm(start - centre) > radius + 1e-9:
                self.say("the witness does not start in the head")
            if clearance(body(self.target), end, end, 1.0) > 1e-6:
                self.say("the witness does not end on the body")
            mesh, _ = self.looks.obstacles(self.shooter, self.target)
            clear = float(clearance(mesh, start, end, 1.0))
            if clear < RADIUS - TIE:
                self.say(f"the witness is clear by {clear / MM:.4f} mm only")
            elif clear < RADIUS - EPS - 1e-9:
                self.tie("witness")
            return
        self.counts["undecided" if found.undecided else "hidden"] += 1
        if found.visible:
            self.say("visible without a witness")
        clear, line = self.looks.best(self.shooter, self.target, self.hard)
        self.counts["lines"] += (LINES + AIMED) * self.hard
        if clear >= RADIUS + TIE and clear > RADIUS + found.resolution:
            if found.undecided:
                self.tie("not decided, and seen")
            else:
                self.say(f"not visible, but a line is clear by {clear / MM:.4f} mm: {line.tolist()}")
        elif clear >= RADIUS:
            self.tie("hidden")

    def check_control(self) -> None:
        """KT24-CONTROL: friends of the shooter about the target, enemies about the shooter."""
        others = [o for o in self.scene.operatives if o.id not in (self.shooter.id, self.target.id)]
        near = [(o, self.target, "friends", o.id in self.found.friends) for o in others if o.team == self.shooter.team]
        foes = [o for o in self.scene.operatives if o.team != self.shooter.team]
        near += [(o, self.shooter, "enemies", o.id in self.found.enemies) for o in foes]
        for one, two, name, said in near:
            apart = self.distance(one, two)
            if abs(apart - 1) < TIE:
                self.tie("control")
                continue
            if apart > 1:
                if said:
                    self.say(f"{one.id} is among the {name}, {apart:.4f} away")
                continue
            self.counts["control"] += 1
            best = 0.0
            for a, b in ((one, two), (two, one)):
                for times in (1, 16) if said else (1,):
                    if best < RADIUS:
                        best = max(best, self.looks.best(a, b, times)[0])
            if said and best < RADIUS - TIE:
                self.say(f"{one.id} is among the {name}, but neither sees the other")
            elif not said and best >= RADIUS + 2 * TIE - 1e-9:
                self.say(f"{one.id} is not among the {name}, {apart:.4f} away and seen")

    # ---- distances ----

    def distance(self, one: Operative, two: Operative) -> float:
        """SIGHT-15, SIGHT-17."""
        a, b = (row(o.base, o.x, o.y, o.turn) for o in (one, two))
        flat = float(kernels.apart(a, b))
        ground = self.ground
        if len(ground.walls) and flat > 0:
            ax, ay = kernels.towards(a, b[0], b[1])
            bx, by = kernels.towards(b, a[0], a[1])
            none = np.zeros(len(ground.walls), np.bool_)
            if kernels.stopped(ax, ay, bx, by, ground.walls, none):
                far_a = kernels.from_base(a, ground.corners, ground.walls)
                ends = [kernels.towards(b, x, y) for x, y in ground.corners]
                free = [
                    not kernels.stopped(x, y, *end, ground.walls, none)
                    for (x, y), end in zip(ground.corners, ends, strict=True)
                ]
                legs = [float(kernels.gap(b, x, y)) for x, y in ground.corners]
                lengths = [f + leg for f, leg, ok in zip(far_a, legs, free, strict=True) if ok]
                flat = min(lengths, default=math.inf)
        return math.hypot(flat, one.level - two.level)

    def check_distance(self) -> None:
        mine = self.distance(self.shooter, self.target)
        if not math.isclose(mine, self.found.distance, abs_tol=2e-5) and mine != self.found.distance:
            self.say(f"{self.found.distance:.6f} apart, measured {mine:.6f}")

    # ---- what lines cross ----

    def crossed(self, origins: Floats, count: int, ways: int, m: float) -> NDArray[np.bool_]:
        """(n, sources, 2): what lines from origins cross near the target, and far from both."""
        return self.lines.crossed(origins, count, float(self.rng.random()), ways, m)

    def seen(self, part: Part, is_thorough: bool = False) -> float:
        """How clear a line the oracle finds from the target to the part within an inch of its base. In 2021 it need
        not see it."""
        if self.is_2021:
            return 1.0
        key = (part.key, is_thorough)
        if key not in self._seen:
            self._seen[key] = self.looks.at_part(self.target, self.lines.zt, part, is_thorough)
        return self._seen[key]

    # ---- what follows ----

    def rank(self, cover: set[int], obscured: set[int]) -> tuple[bool, bool, bool, bool]:
        """What crossings give the shooter, as a tuple that is the smaller the better (SIGHT-14)."""
        valid, in_cover, is_obscured, choice, _ = self.outcome(cover, obscured)
        return (not valid, in_cover, is_obscured, in_cover and is_obscured and not choice)

    def outcome(self, cover: set[int], obscured: set[int]) -> tuple[bool, bool, bool, bool, bool]:
        """Valid target when in reach, in cover, obscured, the defender's choice, and valid only from Vantage."""
        sources, seen, engage = self.ground.sources, self.found.visible, self.target.order == "engage"
        lower = self.shooter.level - self.target.level
        is_above = bool(self.lines.vantages[0]) and lower >= 2 - EPS and not engage
        if self.is_2021:
            hidden = not engage and bool(cover) and not (is_above and all(sources[n].light for n in cover))
            return seen and not obscured and not hidden, bool(cover), bool(obscured), False, False
        covering = {sources[n].feature for n in cover}
        obscuring = {sources[n].feature for n in obscured} | set(self.smoke[0])
        choice = bool(covering) and bool(obscuring) and len(covering | obscuring) == 1
        left = {n for n in cover if not (self.shot.seek or (self.shot.seek_light and sources[n].light))}
        without_vantage = seen and (engage or not left)
        if is_above:
            left = {n for n in left if not sources[n].light}
        valid = seen and (engage or not left)
        return valid, bool(covering), bool(obscuring), choice, valid and not without_vantage

    @cached_property
    def smoke(self) -> tuple[list[str], bool]:
        """KT24-SMOKE: the areas that obscure, and whether this hangs on less than a tie. 2021 has none."""
        if self.is_2021:
            return [], False
        found, close = [], abs(self.found.distance - 2) < TIE and bool(self.scene.smoke)
        for number, (x, y, z) in enumerate(self.scene.smoke, 1):
            for one, base in ((self.shooter, self.lines.base_s), (self.target, self.lines.base_t)):
                if one.level < z - EPS or math.hypot(one.x - x, one.y - y) > 1.1:
                    continue
                spot, far = np.empty(2), 0.0
                turns = np.linspace(0, 2 * math.pi, 3 if one.base.is_round else 721)
                if one.base.is_round:
                    far = math.hypot(one.x - x, one.y - y) + one.base.along
                    turns = turns[:0]
                for turn in turns:
                    kernels.rim(base, turn, 0.0, spot)
                    far = max(far, math.hypot(spot[0] - x, spot[1] - y))
                over = far - 1.0 - 10 * MM
                close |= abs(over) < TIE
                if over <= EPS and self.found.distance > 2 + EPS:
                    found.append(f"smoke/{number}")
        return list(dict.fromkeys(found)), close

    def check_lines(self) -> None:
        found = self.found
        if abs(found.distance - 2) < TIE:
            self.tie("2 inches apart")
            return
        names, close = self.smoke
        if close:
            self.tie("smoke")
            return
        if list(found.smoke) != names:
            self.say(f"smoke {found.smoke}, not {names}")
        self._check_origin(np.array(found.origin[:2]), set(found.cover_from), set(found.obscured_by) - set(names), "")
        if len(found.regions) > 1:
            region = found.regions[int(self.rng.integers(1, len(found.regions)))]
            pieces = found.judge.fan.pieces
            cover, obscuring = (
                {pieces[code].source.key for code in codes}
                for codes in (region.outcome.cover, region.outcome.obscuring)
            )
            self._check_origin(np.array(region.origin), cover, obscuring, "elsewhere: ")
            self.counts["other regions"] += 1
        self._check_verdict()
        self._check_best()

    def _check_origin(self, origin: Floats, cover: set[str], obscuring: set[str], where: str) -> None:
        """Do lines from an origin cross exactly what is said?"""
        at = origin[None]
        out = kernels.outside(self.lines.base_s, origin[0], origin[1])
        if out > 1e-6:
            self.say(f"{where}the origin is off the base by {out:.6f}")
        sure, said = self.crossed(at, 144, 8, TIE)[0], (cover, obscuring)
        for zone, name in enumerate(("cover", "obscured")):
            keys = {self.ground.sources[n].key for n in np.flatnonzero(sure[:, zone])}
            for key in keys - said[zone]:
                numbers = [n for n, source in enumerate(self.ground.sources) if source.key == key]
                if not self.lines.planar and not self.crossed(at, 6000, 24, SPACE)[0][numbers, zone].any():
                    self.tie("finer than lines in space")
                    continue
                if zone == 1:
                    self.say(f"{where}not obscured by {key}, which a line crosses far from both")
                    continue
                clear = self.seen(self._part(key))
                if clear >= RADIUS + TIE:
                    self.say(f"{where}no cover from {key}, which is seen and crossed near the target")
                else:
                    self.counts["cover unseen"] += 1
            for key in said[zone] - keys:
                loose = self._loosely(at, key, zone)
                if not loose:
                    self.say(f"{where}{name} by {key}, but no line crosses it there")
                elif loose == 1:
                    self.tie(name)
            if zone == 0:
                for key in said[0]:
                    if max(self.seen(self._part(key)), -1.0) < RADIUS:
                        best = self.seen(self._part(key), True)
                        if best >= RADIUS - TIE:
                            self.tie("cover seen")
                        else:
                            self.say(f"{where}cover from {key}, which the target is not found to see")

    def _part(self, key: str) -> Part:
        return next(source.part for source in self.ground.sources if source.key == key)

    def _loosely(self, at: Floats, key: str, zone: int) -> int:
        """Is a part crossed after all? 2: when looked at finely; 1: only within a tie; 0: no."""
        numbers = [n for n, source in enumerate(self.ground.sources) if source.key == key]
        for m, answer in ((TIE, 2), (-TIE, 1), (-SPACE, 1)):
            if (m > -SPACE or not self.lines.planar) and self.crossed(at, 6000, 24, m)[0][numbers, zone].any():
                return answer
        return 0

    def _check_verdict(self) -> None:
        """Given what is crossed: is all the rest as the rules say?"""
        found, sources = self.found, self.ground.sources
        cover = {n for n, s in enumerate(sources) if s.key in found.cover_from}
        obscuring = {n for n, s in enumerate(sources) if s.key in found.obscured_by}
        valid, in_cover, obscured, choice, improved = self.outcome(cover, obscuring)
        if abs(found.distance - self.shot.range) < TIE:
            self.tie("range")
        elif found.distance > self.shot.range:
            valid = improved = False
        mine = (valid, in_cover, obscured, "defender" if choice else None, improved)
        theirs = (found.valid_target, found.in_cover, found.obscured, found.choice, found.improved_cover_save)
        if mine != theirs and abs(found.distance - self.shot.range) >= TIE:
            self.say(f"valid, in cover, obscured, choice, improved: {theirs}, not {mine}")
        lower = self.shooter.level - self.target.level
        accurate = 0
        if self.lines.vantages[0] and self.target.order == "engage" and not self.is_2021:
            accurate = int(lower >= 2 - EPS) + int(lower >= 4 - EPS)
        if accurate != found.accurate:
            self.say(f"Accurate {found.accurate}, not {accurate}")
        for name, said in (("valid", valid), ("cover", in_cover), ("obscured", obscured), ("choices", choice)):
            self.counts[name] += said
        self.counts["accurate"] += accurate > 0
        self.counts["improved"] += improved
        self.counts["conceal"] += self.target.order == "conceal"
        self.counts["hidden by cover"] += found.visible and not valid and found.distance <= self.shot.range
        self.counts["beyond range"] += found.distance > self.shot.range
        self.counts["sought"] += valid and in_cover and self.target.order == "conceal" and not improved
        self.counts["2021"] += self.is_2021
        self.counts["in space"] += not self.lines.planar
        self.counts["at walls"] += len(self.ground.walls) > 0

    def _check_best(self) -> None:
        """Does any origin give the shooter more than the engine says?"""
        best = {region.outcome.rank for region in self.found.regions}
        origins = kernels.spread(self.lines.base_s, 20 * self.hard, 6 * self.hard, self.seed)
        self.counts["origins"] += len(origins)
        hits = self.crossed(origins, 40 * self.hard, 2, TIE)
        tried: dict[bytes, bool] = {}
        for origin, hit in zip(origins, hits, strict=True):
            key = hit.tobytes()
            if tried.get(key):
                continue
            tried[key] = self._is_known(hit, best, False)
            if tried[key]:
                continue
            # fewer lines than there are may have missed something
            closer = self.crossed(origin[None], 360, 8, TIE)[0] | hit
            if self._is_known(closer, best, False):
                continue
            closer |= self.crossed(origin[None], 6000, 24, TIE)[0]
            if self._is_known(closer, best, True):
                continue
            if self._is_known(self.crossed(origin[None], 6000, 24, -TIE)[0], best, True):
                self.tie("best origin")
                continue
            if not self.lines.planar and self._is_known(self.crossed(origin[None], 6000, 24, -SPACE)[0], best, True):
                self.tie("finer than lines in space")
                continue
            names = [[self.ground.sources[n].key for n in np.flatnonzero(closer[:, zone])] for zone in (0, 1)]
            self.say(
                f"a better origin {origin.tolist()}: crossing {names[0]} near the target, {names[1]} far from both"
            )
            return

    def _is_known(self, hit: NDArray[np.bool_], best: set[tuple[bool, ...]], is_thorough: bool) -> bool:
        """Is there something among what the engine found that is as good for the shooter?"""
        sources, obscured = self.ground.sources, {int(n) for n in np.flatnonzero(hit[:, 1])}
        crossed = {int(n) for n in np.flatnonzero(hit[:, 0])}
        known = set(self.found.cover_from)
        for thorough in (False, True) if is_thorough else (False,):
            cover = {n for n in crossed if sources[n].key in known or self.seen(sources[n].part, thorough) >= RADIUS}
            rank = self.rank(cover, obscured)
            if any(all(a <= b for a, b in zip(each, rank, strict=True)) for each in best):
                return True
        return False
