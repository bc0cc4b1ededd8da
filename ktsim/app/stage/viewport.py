"""One camera's picture: the scene, then (linear quality) occlusion, glow and tones, then the overlays on top.

Every pass is a one-shot output: it draws in the next frame after `request` and then rests. Passes are ordered by
their sort, shadows first, so a single frame completes the whole picture. The scene is kept apart from what is laid over
it: while something is dragged before a camera that stands still, only the part of the scene that looks different is
drawn again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from panda3d.core import (
    BitMask32,
    Camera,
    CardMaker,
    ColorBlendAttrib,
    DisplayRegion,
    GraphicsOutput,
    LVecBase2f,
    LVecBase4f,
    NodePath,
    OrthographicLens,
    PerspectiveLens,
    Point3,
    PTA_LVecBase4f,
    Shader,
    Texture,
    Vec3,
)

from ktsim.app.stage import shaders
from ktsim.app.stage.cameras import WHOLE, Free, Pose
from ktsim.app.stage.engine import Engine, colour_texture, depth_texture
from ktsim.app.stage.materials import Mood
from ktsim.app.stage.quality import Quality
from ktsim.app.ui.patches import Box, area, around, overlap, scissor

Sphere: TypeAlias = tuple[tuple[float, float, float], float]
"""A middle and a radius."""

SHADOW_SORT, SCENE_SORT, POST_SORT = -60, -50, -40
GHOST = 0.32
"""How much of an overlay is left where the scene hides it."""
MOST_KEPT = 2
"""As many can be kept in sight as the shaders have room for."""


def ghosting(kept: Sequence[Sphere] = (), pose: Pose | None = None, size: tuple[int, int] = (1, 1)) -> PTA_LVecBase4f:
    """For the shaders: where whatever is nearer than these *kept* in sight is see-through."""
    found = PTA_LVecBase4f.empty_array(MOST_KEPT)
    for number in range(MOST_KEPT):
        found[number] = LVecBase4f(0, 0, 0, 0)  # new ones hold anything
    for number, (middle, radius) in enumerate(kept[:MOST_KEPT]):
        assert pose is not None
        x, y, depth = pose.project([middle], size)[0].tolist()
        front = depth - radius
        if front > pose.near:
            away = pose.far / (pose.far - pose.near) * (1 - pose.near / front)
            pixels = radius / (depth * pose.tangent) * size[1] / 2
            found[number] = LVecBase4f(x, size[1] - y, 1 / max(pixels, 1e-3) ** 2, away)
    return found


def screen_card(name: str, shader: Shader, **inputs: Any) -> tuple[NodePath, NodePath]:
    """A root with a quad that fills the picture, and the camera that looks at it."""
    card = CardMaker(name)
    card.set_frame_fullscreen_quad()
    root = NodePath(name)
    quad = root.attach_new_node(card.generate())
    quad.set_depth_test(False)
    quad.set_depth_write(False)
    quad.set_shader(shader)
    quad.set_shader_inputs(**inputs)
    lens = OrthographicLens()
    lens.set_film_size(2, 2)
    lens.set_near_far(-10, 10)
    return quad, root.attach_new_node(Camera(name, lens))


class Viewport:
    """A picture of *scene* taken by its own camera; *overlays*, if given, are drawn over it."""

    def __init__(
        self,
        engine: Engine,
        scene: NodePath,
        size: tuple[int, int],
        quality: Quality,
        mood: Mood,
        mask: BitMask32,
        overlays: NodePath | None = None,
        name: str = "view",
        is_dense: bool = False,
    ) -> None:
        """*is_dense*: several of its pixels become one of what is looked at."""
        self.engine, self.size, self.quality, self.is_dense = engine, size, quality, is_dense
        self.pose = Pose((0, -30, 20), (0, 30, -20))
        self.frames = 0
        self._part = WHOLE
        self._right: tuple[Pose, Box] | None = None
        """From where the scene was drawn last, and the pixels of it that showed it as it was then ..."""
        self._stale: list[NDArray[np.float64]] = []
        """... and around which points of the table it has changed since."""
        self.drawn: Box = (0, 0, 0, 0)
        """The pixels of the scene that were drawn last."""
        self._sifted: set[Sifted] = set()
        """What was see-through then."""
        self.kept: tuple[Sphere, ...] = ()
        """Whatever stands in front of these is see-through, from the next look on."""
        self.outputs: list[GraphicsOutput] = []
        self._lens = PerspectiveLens()
        self.picture = colour_texture(f"{name} picture")
        self.depth = depth_texture(f"{name} depth")
        is_final = overlays is None and not quality.linear
        colour = self.picture if is_final else colour_texture(f"{name} colour", quality.linear)
        self._quads: list[NodePath] = []
        main = self._output(f"{name} scene", SCENE_SORT, colour, 1, depth=self.depth)
        main.disable_clears()  # only what is drawn is cleared
        self.camera = scene.attach_new_node(Camera(name, self._lens))
        self.camera.node().set_camera_mask(mask)
        self._cleared = main.make_display_region()
        """What is drawn again of the scene."""
        self._cleared.set_sort(-1)
        self._cleared.set_clear_color_active(True)
        self._cleared.set_clear_color((*mood.fog, 0.25))
        self._cleared.set_clear_depth_active(True)
        self._regions = [main.make_display_region()]
        """Of the scene, of the finished picture and of what is laid over it, all the same part of the picture."""
        self._regions[0].set_camera(self.camera)
        if quality.linear:
            final = self._tones(name, colour, mood)
        elif is_final:
            final = main
        else:
            final = self._pass(f"{name} kept", "fetch.frag", 1, self.picture, picture=colour)
            final.disable_clears()
            self._regions.append(final.get_display_region(final.get_num_display_regions() - 1))
        self._overlay_cameras: list[NodePath] = []
        if overlays is not None:
            self._lay_over(final, overlays, mask, name)

    def _lay_over(self, final: GraphicsOutput, overlays: NodePath, mask: BitMask32, name: str) -> None:
        """Overlays over the finished picture, faint where something stands in front of them. That picture has no depth
        of its own: a shader compares with the scene's."""
        camera = overlays.attach_new_node(Camera(f"{name} overlays", self._lens))
        camera.node().set_camera_mask(mask)
        state = NodePath("overlay state")
        state.set_shader(shaders.program("overlay.vert", "overlay.frag"), 10)
        texel = LVecBase2f(1 / self.size[0], 1 / self.size[1])
        state.set_shader_inputs(depth_texture=self.depth, texel=texel, ghost=GHOST, bias=2e-5)
        blend = ColorBlendAttrib.O_incoming_alpha, ColorBlendAttrib.O_one_minus_incoming_alpha
        state.set_attrib(ColorBlendAttrib.make(ColorBlendAttrib.M_add, *blend), 10)
        state.set_depth_test(False, 10)
        state.set_depth_write(False, 10)
        state.set_two_sided(True, 10)
        camera.node().set_initial_state(state.get_state())
        region = final.make_display_region()
        region.set_sort(10)
        region.set_camera(camera)
        self._regions.append(region)
        self._overlay_cameras.append(camera)

    def _output(
        self,
        name: str,
        sort: int,
        colour: Texture,
        divide: int,
        linear: bool | None = None,
        depth: Texture | None = None,
    ) -> GraphicsOutput:
        size = (max(1, self.size[0] // divide), max(1, self.size[1] // divide))
        wide = self.quality.linear if linear is None else linear
        output = self.engine.buffer(name, size, sort, colour=colour, depth=depth, linear=wide)
        self.outputs.append(output)
        return output

    def _pass(self, name: str, fragment: str, divide: int, target: Texture, linear: bool = False, **inputs: Any) -> Any:
        output = self._output(name, POST_SORT + len(self.outputs), target, divide, linear)
        program = shaders.post(fragment, *(["DENSE"] if self.is_dense else []))
        quad, camera = screen_card(name, program, **inputs)
        output.make_display_region().set_camera(camera)
        self._quads.append(quad)
        return output

    def _tones(self, name: str, colour: Texture, mood: Mood) -> GraphicsOutput:
        """The passes from linear light to a finished picture."""
        w, h = self.size
        k = self.quality.supersample / 2
        texel = LVecBase2f(1 / w, 1 / h)
        occlusion = colour_texture(f"{name} occlusion")
        self._pass(
            f"{name} occlusion", "occlusion.frag", 2 if self.is_dense else 1, occlusion,
            depth_texture=self.depth, texel=texel, samples=self.quality.occlusion,
        )  # fmt: skip
        glow = [colour_texture(f"{name} glow {i}", True) for i in range(4)]
        steps = (
            (colour, glow[0], 4, LVecBase2f(3.2 * k / w, 0), 1.25),
            (glow[0], glow[1], 4, LVecBase2f(0, 3.2 * k / h), 0.0),
            (glow[1], glow[2], 8, LVecBase2f(12 * k / w, 0), 0.0),
            (glow[2], glow[3], 8, LVecBase2f(0, 12 * k / h), 0.0),
        )
        for source, target, divide, direction, threshold in steps:
            self._pass(
                f"{name} glow", "blur.frag", divide, target, True,
                source=source, direction=direction, threshold=threshold,
            )  # fmt: skip
        return self._pass(
            f"{name} tones", "composite.frag", 1, self.picture,
            colour_texture=colour, occlusion_texture=occlusion, depth_texture=self.depth, texel=texel,
            glow_near=glow[1], glow_far=glow[3], shadow_tint=Vec3(*mood.shadow_tint), gain=Vec3(*mood.gain),
            lift=Vec3(*mood.lift), exposure=mood.exposure, bloom=mood.bloom, saturation=mood.saturation,
            vignette=mood.vignette,
        )  # fmt: skip

    def look(self, pose: Pose, part: Free = WHOLE) -> None:
        """Take the next picture from *pose*. Of what lies outside of *part* the picture before is kept; only a picture
        that is not linear can be drawn in part."""
        assert part == WHOLE or not self.quality.linear
        self.pose, self._part = pose, part
        eye = Point3(*pose.eye)
        for camera in (self.camera, *self._overlay_cameras):
            camera.set_pos(eye)
            camera.look_at(eye + Vec3(*pose.forward), Vec3(*pose.up))
        aspect = self.size[0] / self.size[1]
        projection = LVecBase4f(pose.near, pose.far, pose.tangent * aspect, pose.tangent)
        for quad in self._quads:
            quad.set_shader_input("projection", projection)

    def spoil(self, points: NDArray[np.float64] | None = None) -> None:
        """The scene has changed within the hull of these *points* (n, 3), or anywhere."""
        if points is None:
            self._right = None
        elif len(points):
            self._stale.append(points)

    def _focus(self, lens: PerspectiveLens, box: Box) -> None:
        """Have a lens show these pixels of the picture."""
        pose, (w, h) = self.pose, self.size
        left, top, right, bottom = box[0] / w, box[1] / h, box[2] / w, box[3] / h
        wide, high = 2 * pose.tangent * w / h, 2 * pose.tangent
        lens.set_film_size(wide * (right - left), high * (bottom - top))
        lens.set_focal_length(1.0)
        lens.set_near_far(pose.near, pose.far)
        across, down = (left + right - 1) / 2 - pose.shift[0], (top + bottom - 1) / 2 - pose.shift[1]
        lens.set_film_offset(across * wide, -down * high)

    def _place(self, region: DisplayRegion, box: Box) -> None:
        (w, h), (left, top, right, bottom) = self.size, box
        region.set_dimensions(left / w, right / w, 1 - bottom / h, 1 - top / h)

    def _changed(self, part: Box, sifted: set[Sifted]) -> Box:
        """The pixels of a part of the scene that may look different from when it was last drawn."""
        stale, self._stale = self._stale, []
        before, self._sifted = self._sifted, sifted
        known, self._right = self._right, (self.pose, part)
        if known is None or known[0] != self.pose or overlap(known[1], part) != part:
            return part
        places = [self.pose.project(points, self.size)[:, :2] for points in stale]
        if not all(np.isfinite(found).all() for found in places):
            return part
        boxes = [_around(found.min(axis=0), found.max(axis=0)) for found in places]
        boxes += [one.box for one in before ^ sifted]
        changed = [box for box in (overlap(box, part) for box in boxes) if area(box)]
        return reduce(around, changed) if changed else (0, 0, 0, 0)

    def request(self) -> None:
        """Draw this picture in the next frame."""
        self.frames += 1
        if self.engine.shown is self.picture:
            self.engine.redrawn = self._part if self.engine.redrawn is None else WHOLE
        part, (w, h) = self._part, self.size
        box = (
            *(math.floor(part.left * w), math.floor(part.top * h)),
            *(math.ceil(part.right * w), math.ceil(part.bottom * h)),
        )
        ghosts = ghosting(self.kept, self.pose, self.size)
        changed = self.drawn = self._changed(box, _sifted(ghosts, h))
        self._focus(self._lens, box)
        for region in self._regions[: 1 if self.quality.linear else None]:
            self._place(region, box)
        if area(changed):
            self._draw_scene(changed, box, ghosts)
        for output in self.outputs if area(changed) else self.outputs[1:]:
            output.set_one_shot(True)
            output.set_active(True)

    def _draw_scene(self, changed: Box, part: Box, ghosts: PTA_LVecBase4f) -> None:
        """Of a part of the scene draw what has changed: through the same lens, so that every pixel is what it would be
        if all were drawn, and without what stands elsewhere."""
        self._place(self._cleared, changed)
        state = NodePath("scene")
        state.set_shader_input("kept", ghosts, priority=10)
        if changed != part:
            state.set_attrib(scissor(changed, part), 10)
        self.camera.node().set_initial_state(state.get_state())
        narrow = PerspectiveLens()
        self._focus(narrow, changed)
        self.camera.node().set_cull_bounds(narrow.make_bounds())

    def close(self) -> None:
        for output in self.outputs:
            self.engine.remove(output)
        self.outputs.clear()
        self.camera.remove_node()
        for camera in self._overlay_cameras:
            camera.remove_node()


def _around(low: NDArray[np.float64], high: NDArray[np.float64]) -> Box:
    """The pixels between two places of a picture, with those beside them."""
    return math.floor(low[0]) - 1, math.floor(low[1]) - 1, math.ceil(high[0]) + 1, math.ceil(high[1]) + 1


class Sifted(NamedTuple):
    """A circle of the picture in which the shaders may leave out what is nearer than a *depth*."""

    x: float
    y: float
    radius: float
    depth: float

    @property
    def box(self) -> Box:
        middle = np.array([self.x, self.y])
        return _around(middle - self.radius, middle + self.radius)


def _sifted(ghosts: PTA_LVecBase4f, height: int) -> set[Sifted]:
    """What `ghosting` tells the shaders."""
    return {Sifted(one[0], height - one[1], 1 / math.sqrt(one[2]), one[3]) for one in ghosts if one[3]}
