"""One camera's picture: the scene, then (linear quality) occlusion, glow and tones, then the overlays on top.

Every pass is a one-shot output: it draws in the next frame after `request` and then rests. Passes are ordered by
their sort, shadows first, so a single frame completes the whole picture.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

from panda3d.core import (
    BitMask32,
    Camera,
    CardMaker,
    ColorBlendAttrib,
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

Sphere: TypeAlias = tuple[tuple[float, float, float], float]
"""A middle and a radius."""

SHADOW_SORT, SCENE_SORT, POST_SORT = -60, -50, -40
GHOST = 0.32
"""How much of an overlay is left where the scene hides it."""
IN_THE_OPEN = BitMask32.bit(5)
"""What the camera sees that draws overlays only where nothing hides them."""
MOST_KEPT = 2
"""As many can be kept in sight as the shaders have room for."""


def ghosting(kept: Sequence[Sphere] = (), pose: Pose | None = None, size: tuple[int, int] = (1, 1)) -> PTA_LVecBase4f:
    """For the shaders: where whatever is nearer than these *kept* in sight is see-through."""
    found = PTA_LVecBase4f.empty_array(MOST_KEPT)
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
        self.kept: tuple[Sphere, ...] = ()
        """Whatever stands in front of these is see-through, from the next look on."""
        self.outputs: list[GraphicsOutput] = []
        self.lens = PerspectiveLens()
        self.picture = colour_texture(f"{name} picture")
        self.depth = depth_texture(f"{name} depth")
        colour = colour_texture(f"{name} colour", True) if quality.linear else self.picture
        self._quads: list[NodePath] = []
        main = self._output(f"{name} scene", SCENE_SORT, colour, 1, depth=self.depth)
        main.disable_clears()  # only what is drawn is cleared
        self.camera = scene.attach_new_node(Camera(name, self.lens))
        self.camera.node().set_camera_mask(mask)
        region = main.make_display_region()
        region.set_camera(self.camera)
        region.set_clear_color_active(True)
        region.set_clear_color((*mood.fog, 0.25))
        region.set_clear_depth_active(True)
        self._regions = [region]
        """Of the scene and of what is laid over it, all the same part of the picture."""
        if quality.linear:
            final = self._tones(name, colour, mood)
        else:
            final = main
        self._overlay_cameras: list[NodePath] = []
        if overlays is not None:
            self._lay_over(final, overlays, mask, name)

    def _lay_over(self, final: GraphicsOutput, overlays: NodePath, mask: BitMask32, name: str) -> None:
        """Overlays over the finished picture, faint where something stands in front of them.

        The finished picture of linear quality has no depth of its own: there a shader compares with the scene's.
        Otherwise the overlays are drawn twice: faintly everywhere, then fully where the depth test lets them.
        """
        compares = self.quality.linear
        for sort, ghostly in ((10, True), (11, False)):
            if compares and ghostly:
                continue
            camera = overlays.attach_new_node(Camera(f"{name} overlays", self.lens))
            camera.node().set_camera_mask(mask if compares or ghostly else IN_THE_OPEN)
            state = NodePath("overlay state")
            defines = ["COMPARES"] if compares else []
            state.set_shader(shaders.program("overlay.vert", "overlay.frag", *defines), 10)
            texel = LVecBase2f(1 / self.size[0], 1 / self.size[1])
            state.set_shader_inputs(
                depth_texture=self.depth, texel=texel, ghost=GHOST, bias=2e-5, strength=GHOST if ghostly else 1.0
            )
            blend = ColorBlendAttrib.make(
                ColorBlendAttrib.M_add,
                ColorBlendAttrib.O_incoming_alpha,
                ColorBlendAttrib.O_one_minus_incoming_alpha,
            )
            state.set_attrib(blend, 10)
            state.set_depth_test(not compares and not ghostly, 10)
            state.set_depth_write(False, 10)
            state.set_two_sided(True, 10)
            camera.node().set_initial_state(state.get_state())
            region = final.make_display_region()
            region.set_sort(sort)
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
        that is finished in one pass can be drawn in part."""
        assert part == WHOLE or not self.quality.linear
        self.pose, self._part = pose, part
        w, h = self.size
        aspect = w / h
        # Whole pixels, so that what is drawn again fits what is kept.
        left, right = math.floor(part.left * w) / w, math.ceil(part.right * w) / w
        top, bottom = math.floor(part.top * h) / h, math.ceil(part.bottom * h) / h
        wide, high = 2 * pose.tangent * aspect, 2 * pose.tangent
        self.lens.set_film_size(wide * (right - left), high * (bottom - top))
        self.lens.set_focal_length(1.0)
        self.lens.set_near_far(pose.near, pose.far)
        across, down = (left + right - 1) / 2 - pose.shift[0], (top + bottom - 1) / 2 - pose.shift[1]
        self.lens.set_film_offset(across * wide, -down * high)
        for region in self._regions if not self.quality.linear else ():
            region.set_dimensions(left, right, 1 - bottom, 1 - top)
        eye = Point3(*pose.eye)
        for camera in (self.camera, *self._overlay_cameras):
            camera.set_pos(eye)
            camera.look_at(eye + Vec3(*pose.forward), Vec3(*pose.up))
        state = NodePath("ghosting")
        state.set_shader_input("kept", ghosting(self.kept, pose, self.size), priority=10)
        self.camera.node().set_initial_state(state.get_state())
        projection = LVecBase4f(pose.near, pose.far, pose.tangent * aspect, pose.tangent)
        for quad in self._quads:
            quad.set_shader_input("projection", projection)

    def request(self) -> None:
        """Draw this picture in the next frame."""
        self.frames += 1
        if self.engine.shown is self.picture:
            self.engine.redrawn = self._part if self.engine.redrawn is None else WHOLE
        for output in self.outputs:
            output.set_one_shot(True)
            output.set_active(True)

    def close(self) -> None:
        for output in self.outputs:
            self.engine.remove(output)
        self.outputs.clear()
        self.camera.remove_node()
        for camera in self._overlay_cameras:
            camera.remove_node()
