"""The stage: a scene's terrain and operatives, lit, with any number of views that are drawn when asked.

What is shown is exactly the scene given; nothing here decides a rule or a line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from panda3d.core import (
    BitMask32,
    CullBinManager,
    GeomNode,
    LVecBase2f,
    LVecBase3f,
    LVecBase4f,
    NodePath,
    PTA_LVecBase3f,
    PTA_LVecBase4f,
    Shader,
    Texture,
    Vec3,
)

from ktsim.app.stage import baking, board, shaders
from ktsim.app.stage.cameras import Pose
from ktsim.app.stage.engine import Engine, image_texture, no_pause
from ktsim.app.stage.looks import Lamp, PlacedShape, Scenery, plain_scenery, smoke_cloud
from ktsim.app.stage.meshes import PaintedShape, geom_node, simplified, without_crumbs
from ktsim.app.stage.miniatures import base_shape, figure_colours, order_token
from ktsim.app.stage.quality import QUALITIES, Detail
from ktsim.app.stage.shadows import SHADOW_MASK, ShadowMap
from ktsim.app.stage.underlay import Underlay
from ktsim.app.stage.viewport import Viewport, ghosting
from ktsim.app.ui.palettes import STANDARD, Palette
from ktsim.app.ui.settings import Level
from ktsim.errors import UserError
from ktsim.sight.scene import Base, Feature, Figure, Operative, Order, Scene, Terrain

TABLE_MASK, MOVING_MASK, EYE_MASK = BitMask32.bit(0), BitMask32.bit(1), BitMask32.bit(4)
MAX_LAMPS = 32
MOST_PIXELS = 36_000_000
"""Pixels of one picture before it is averaged down: beyond, memory costs more than smoothness is worth."""
STANDING = 0.85
"""Of laying a table, what is done when everything stands there and was never drawn."""
SMALL = (48, 30)
"""The pixels of a rehearsal."""
NEAR_FIRST = "near first"
CullBinManager.get_global_ptr().add_bin(NEAR_FIRST, CullBinManager.BT_front_to_back, 15)


@dataclass(eq=False)
class _Mini:
    """An operative's node, what it was made from, and where it stands: x, y, level and turn."""

    node: NodePath
    made_from: tuple[Figure, Base, str, Order]
    stand: tuple[float, float, float, float] | None = None
    lamps: tuple[Lamp, ...] | None = None
    """Those that reach it there."""


class TableStage:
    """A table to take pictures of. *scenery* gives features their painted meshes and the table its mood."""

    def __init__(
        self,
        engine: Engine,
        terrain: Terrain,
        scenery: Scenery | None = None,
        level: Level = "high",
        palette: Palette = STANDARD,
    ) -> None:
        engine.tidy()  # after the stage that was closed before
        self.engine, self.terrain, self.palette = engine, terrain, palette
        self.scenery = scenery or plain_scenery(terrain)
        self.mood = self.scenery.mood
        self.level: Level = level
        self.quality = QUALITIES[level]
        self.scene: Scene | None = None
        self.root = NodePath("stage")
        self.overlays = NodePath("overlays")
        self.photo = Underlay(self.overlays, terrain.board)
        self.views: list[Viewport] = []
        self._looks = {feature.id: self.scenery.look(feature) for feature in terrain.features}
        self._features: dict[str, tuple[str | None, NodePath]] = {}
        self._minis: dict[str, _Mini] = {}
        self._uploaded: dict[PaintedShape, NodePath] = {}
        self._figures: dict[tuple[Figure, str], PaintedShape] = {}
        self._bases: dict[tuple[Base, str], PaintedShape] = {}
        self._tokens: dict[tuple[Order, Base], PaintedShape] = {}
        self._textures: list[Texture] = []
        """Those it has, to be let go with it."""
        self._sheets: list[NodePath] = []
        """The board and what it lies on."""
        self._smoke = self.root.attach_new_node("smoke")
        self._viewer: str | None = None
        """Whose model eye views do not show."""
        self._clouds: tuple[tuple[float, float, float], ...] = ()
        self.root.set_bin(NEAR_FIRST, 0)
        self._lights()
        self._shadows()
        self._ground()
        engine.pause(baking.BAKED)
        for placed in self.scenery.standing:
            self._put(placed, self.root)

    # ---- building -----------------------------------------------------------------------------------------
    def _lights(self) -> None:
        mood = self.mood
        sun, rim = Vec3(*mood.sun), Vec3(*mood.rim)
        sun.normalize()
        rim.normalize()
        self._sun = sun
        shore = image_texture("shore", board.shore_image(self.terrain))
        self._textures.append(shore)
        self.root.set_shader_inputs(
            sun_direction=sun, sun_colour=Vec3(*mood.sun_colour), sky_colour=Vec3(*mood.sky),
            ground_colour=Vec3(*mood.below), rim_direction=rim, rim_colour=Vec3(*mood.rim_colour),
            fog_colour=Vec3(*mood.fog), grime_colour=Vec3(*mood.grime), grime=1.0, exposure=mood.exposure,
            shadow_softness=mood.shadow_softness, cell=LVecBase2f(*mood.cell),
            board_size=LVecBase2f(*self.terrain.board), shore=shore, kept=ghosting(),
        )  # fmt: skip
        self._set_lamps(self.root, self.scenery.lamps)

    def _set_lamps(self, node: NodePath, lamps: Sequence[Lamp]) -> None:
        """Light *node* by these lamps alone: each node gets the few that reach it."""
        places, colours = PTA_LVecBase4f.empty_array(MAX_LAMPS), PTA_LVecBase3f.empty_array(MAX_LAMPS)
        brightest = sorted(lamps, key=lambda lamp: -max(lamp.colour))[:MAX_LAMPS]
        for i, lamp in enumerate(brightest):
            places[i] = LVecBase4f(*lamp.at, lamp.reach)
            colours[i] = LVecBase3f(*lamp.colour)
        node.set_shader_inputs(lamp_places=places, lamp_colours=colours, lamp_count=len(brightest))

    def _shadows(self) -> None:
        self.shadows = ShadowMap(self.engine, self.root, self._sun, self.terrain.board, self.quality.shadow_size)
        self.root.set_shader_inputs(shadow_map=self.shadows.texture, shadow_matrix=self.shadows.matrix)

    def _ground(self) -> None:
        """The board and what it lies on. What is hidden comes last: its pixels are then never computed."""
        terrain, mood = self.terrain, self.mood
        wet = bool(board.water_areas(terrain))
        if not self.quality.detailed:
            tiles = baking.baked_tiles(self.engine, self.root, mood, self.quality.sharp_mipmaps)
            self._textures.append(tiles)
            self.root.set_shader_input("tiles", tiles)
        self.root.set_shader(self._program())
        self._sheet("frame", board.frame(terrain.board, mood), 0)
        self._sheet("ground", board.ground(terrain, mood), 1, "FLOOR", *(["WATER"] if wet else []))
        if wet:
            self._sheet("shores", board.shores(terrain), 2)
            self._sheet("sea", board.sea(terrain), 3, "FLOOR")
        self._sheet("table", board.table(terrain.board, mood), 4, "TABLE")

    def _sheet(self, name: str, shape: PaintedShape, order: int, *defines: str) -> None:
        node = self.root.attach_new_node(geom_node(shape, name))
        self._sheets.append(node)
        node.set_bin("fixed", order)
        if defines:
            node.set_shader(self._program(*defines))
        if "FLOOR" in defines and not self.quality.detailed:
            width, sharp = self.quality.ground_size, self.quality.sharp_mipmaps
            tile = baking.baked_ground(self.engine, self.root, shape, self.terrain, self.mood, width, sharp)
            self._textures.append(tile)
            node.set_shader_input("ground_tile", tile)
        if name != "frame":
            node.hide(SHADOW_MASK)

    def _program(self, *defines: str) -> Shader:
        quality = self.quality
        if quality.detailed:
            # Only what changes the detailed program: each variant takes seconds to compile in software.
            return shaders.detailed(*(word for word in defines if word in ("WATER", "VEIL")))
        return shaders.baked(quality.shadow_taps, quality.linear, *defines)

    def _instance(self, shape: PaintedShape, parent: NodePath, detail: Detail, rough: Detail | None = None) -> NodePath:
        """A node that shows *shape* in so much detail, in motions in that of *rough*; the same shape is uploaded
        once."""
        if shape not in self._uploaded:
            made = NodePath(_node_of(shape, detail))
            if rough is not None:
                made.hide(MOVING_MASK)
                fine, made = made, NodePath("shape")
                fine.reparent_to(made)
                made.attach_new_node(_node_of(shape, rough)).hide(BitMask32.all_on() & ~MOVING_MASK)
            self._uploaded[shape] = made
        return self._uploaded[shape].copy_to(parent)

    def _put(self, placed: PlacedShape, parent: NodePath) -> None:
        node = self._instance(placed.shape, parent, self.quality.detail, self.quality.rough)
        node.set_pos(*placed.at)
        node.set_h(placed.turn)
        node.set_sx(placed.stretch)
        if placed.veil:
            node.set_shader(self._program("VEIL"))
            node.hide(SHADOW_MASK)
        low, high = node.get_tight_bounds(self.root) or (Vec3(0), Vec3(0))
        lamps = [lamp for lamp in self.scenery.lamps if _reaches(lamp, np.array(low), np.array(high))]
        self._set_lamps(node, lamps)

    # ---- what stands on the table ---------------------------------------------------------------------------
    def show(self, scene: Scene) -> None:
        """Make the table look like *scene*, touching only what differs from what is shown."""
        before = self.scene
        self.scene = scene
        if before is scene:
            return
        self._show_features(scene)
        self._show_operatives(scene)

    def relay(self, terrain: Terrain, scenery: Scenery) -> bool:
        """Take over terrain that differs in its features only: what is the same stays as it is drawn. Returns False,
        and does nothing, when more than that differs."""
        before, now = self.terrain, terrain
        if (before.board, before.areas, self.mood) != (now.board, now.areas, scenery.mood):
            return False
        if self.scenery.standing != scenery.standing:
            return False
        same = {feature.id for feature in before.features} & {feature.id for feature in now.features}
        same -= {feature.id for feature in now.features if feature is not _named(before, feature.id)}
        for gone in [id for id in self._features if id not in same]:
            self._take_off(self._features.pop(gone)[1])
        self.terrain, self.scenery = terrain, scenery
        self._looks = {
            feature.id: self._looks[feature.id] if feature.id in same else scenery.look(feature)
            for feature in terrain.features
        }
        return True

    def _show_features(self, scene: Scene) -> None:
        for feature in self.terrain.features:
            state = scene.states.get(feature.id) or feature.initial
            known = self._features.get(feature.id)
            if known is not None and known[0] == state:
                continue
            if known is not None:
                self._take_off(known[1])
            node = self.root.attach_new_node(feature.id)
            for placed in self._looks[feature.id].in_state(state):
                self._put(placed, node)
            self._features[feature.id] = (state, node)
            self._spoil(node)
            done = len(self._features) / len(self.terrain.features)
            self.engine.pause(baking.BAKED + (STANDING - baking.BAKED) * done)
        if scene.smoke != self._clouds:
            self._clouds = scene.smoke
            self._smoke.get_children().detach()
            self._spoil()
            for centre in scene.smoke:
                self._put(smoke_cloud(centre), self._smoke)

    def tops(self) -> NDArray[np.float64]:
        """Corners of everything that stands on the table, for cameras that must show it all: shape (n, 3)."""
        points = []
        for node in [node for _, node in self._features.values()] + [mini.node for mini in self._minis.values()]:
            bounds = node.get_tight_bounds(self.root)
            if bounds:
                (x0, y0, _), (x1, y1, z) = bounds
                points += [(x, y, z) for x in (x0, x1) for y in (y0, y1)]
        return np.array(points, float).reshape(-1, 3)

    def _show_operatives(self, scene: Scene) -> None:
        wanted = {operative.id for operative in scene.operatives}
        for gone in [id for id in self._minis if id not in wanted]:
            self._take_off(self._minis.pop(gone).node)
        for operative in scene.operatives:
            self._show_operative(operative)

    def _show_operative(self, operative: Operative) -> None:
        made_from = (operative.figure, operative.base, operative.team, operative.order)
        mini = self._minis.get(operative.id)
        if mini is None or mini.made_from != made_from:
            if mini is not None:
                self._take_off(mini.node)
            node = self.root.attach_new_node(f"operative {operative.id}")
            detail, rough = self.quality.detail, self.quality.rough
            fine = replace(detail, smallest=0.0, coarse=detail.coarse * 1.35)
            rough = replace(rough, smallest=0.0) if rough is not None else None
            self._instance(self._figure(operative.figure, operative.team), node, fine, rough)
            # Bases and tokens are read by their outline, so they keep it.
            outlined = replace(detail, smallest=0.0, coarse=0.0)
            self._instance(self._base(operative.base, operative.team), node, outlined)
            self._instance(self._token(operative.order, operative.base), node, outlined)
            mini = self._minis[operative.id] = _Mini(node, made_from)
        stand = (operative.x, operative.y, operative.level, operative.turn)
        if mini.stand != stand:
            if mini.stand is not None:
                self._spoil(mini.node)
            mini.stand = stand
            mini.node.set_pos(*stand[:3])
            mini.node.set_h(operative.turn)
            self._spoil(mini.node)
            self._light(mini, operative)

    def _light(self, mini: _Mini, operative: Operative) -> None:
        """Have it lit by the lamps that reach it: all the others would be asked for every corner of it."""
        reach = np.linalg.norm(np.abs(operative.figure.box).max(axis=0))
        place = np.array([operative.x, operative.y, operative.level])
        lamps = tuple(lamp for lamp in self.scenery.lamps if _reaches(lamp, place - reach, place + reach))
        if lamps != mini.lamps:
            mini.lamps = lamps
            self._set_lamps(mini.node, lamps)

    def _take_off(self, node: NodePath) -> None:
        """It is gone, and so is its shadow."""
        self._spoil(node)
        node.remove_node()

    def _spoil(self, node: NodePath | None = None) -> None:
        """Where *node* stands now, and where its shadow falls, everything looks different; or everywhere."""
        if node is None:
            touched = None
        else:
            self.shadows.spoil(node)
            touched = self.shadows.reached_by(node, board.lowest(self.mood), self.mood.shadow_softness)
        for view in self.views:
            view.spoil(touched)

    def _figure(self, figure: Figure, team: str) -> PaintedShape:
        if (figure, team) not in self._figures:
            self._figures[figure, team] = PaintedShape(figure.triangles, figure_colours(figure, team, self.palette))
        return self._figures[figure, team]

    def _base(self, base: Base, team: str) -> PaintedShape:
        if (base, team) not in self._bases:
            self._bases[base, team] = base_shape(base, team, self.palette)
        return self._bases[base, team]

    def _token(self, order: Order, base: Base) -> PaintedShape:
        if (order, base) not in self._tokens:
            self._tokens[order, base] = order_token(order, base)
        return self._tokens[order, base]

    def hide_from_eye(self, viewer: str | None) -> None:
        """Hide one operative's model from eye views, and show all the others there."""
        if viewer == self._viewer:
            return
        self._viewer = viewer
        self._spoil()
        for id, mini in self._minis.items():
            if id == viewer:
                mini.node.hide(EYE_MASK)
            else:
                mini.node.show(EYE_MASK)

    # ---- pictures -----------------------------------------------------------------------------------------
    def rehearse(self, pose: Pose) -> None:
        """Draw it once in steps, as small as can be, where somebody waits: what the driver makes of shaders, textures
        and meshes takes longer than a picture, and all at once the window would stand still."""
        if self.engine.pause is no_pause:
            return
        self.shadows.prepare()
        self.engine.render()
        view = self.view(SMALL, name="rehearsal")
        view.look(pose)
        for sheet in self._sheets:
            sheet.stash()
        for number, sheet in enumerate((None, *self._sheets)):
            if sheet is not None:
                sheet.unstash()
            self.engine.pause(STANDING + (1 - STANDING) * number / (1 + len(self._sheets)))
            view.spoil()
            self.draw(view)
        self.drop(view)

    def view(
        self,
        size: tuple[int, int],
        *,
        eye: bool = False,
        name: str = "view",
        is_dense: bool = False,
        is_rough: bool = False,
    ) -> Viewport:
        """A new picture of the table; an *eye* view has no overlays and leaves out the viewer's model. Several pixels
        of one that *is_dense* become one; one that *is_rough* is of motions."""
        mask, over = (EYE_MASK, None) if eye else (MOVING_MASK if is_rough else TABLE_MASK, self.overlays)
        view = Viewport(self.engine, self.root, size, self.quality, self.mood, mask, over, name, is_dense)
        self.views.append(view)
        return view

    def prepare(self, *views: Viewport) -> None:
        """Draw these views, and the shadows if anything moved, in the engine's next frame."""
        self.shadows.prepare()
        for view in views:
            view.request()

    def draw(self, *views: Viewport) -> None:
        """Draw these views now."""
        self.prepare(*views)
        self.engine.render()

    def still(
        self, pose: Pose, size: tuple[int, int], *, eye: bool = False, supersample: int | None = None
    ) -> NDArray[np.uint8]:
        """A finished picture, shape (height, width, 3), averaged over *supersample* squared pixels."""
        k = supersample or self.quality.supersample
        if max(size) > self.engine.largest():
            raise UserError(
                f"a picture of {size[0]}x{size[1]} is too large here; at most {self.engine.largest()} a side"
            )
        while k > 1 and (max(size) * k > self.engine.largest() or size[0] * size[1] * k * k > MOST_PIXELS):
            k -= 1
        view = self.view((size[0] * k, size[1] * k), eye=eye, name="still", is_dense=k > 1)
        view.look(pose)
        self.draw(view)
        pixels = self.engine.pixels(view.picture)
        self.drop(view)
        if k == 1:
            return pixels
        squares = pixels.reshape(size[1], k, size[0], k, 3)
        return np.asarray(np.round(squares.mean(axis=(1, 3), dtype=np.float32)), np.uint8)

    def drop(self, view: Viewport) -> None:
        self.views.remove(view)
        view.close()

    def close(self) -> None:
        for view in list(self.views):
            self.drop(view)
        self.shadows.close()
        for texture in self._textures:  # states that nothing uses any more would hold them for a while
            baking.let_go(texture)


def _node_of(shape: PaintedShape, detail: Detail) -> GeomNode:
    drawn = without_crumbs(shape, detail.smallest) if detail.smallest else shape
    drawn = simplified(drawn, detail.coarse) if detail.coarse else drawn
    return geom_node(drawn, "shape", detail.crease)


def _reaches(lamp: Lamp, low: NDArray[np.float64], high: NDArray[np.float64]) -> bool:
    """Whether a lamp lights anything in a box."""
    return bool(np.linalg.norm(np.array(lamp.at) - np.clip(lamp.at, low, high)) < lamp.reach)


def _named(terrain: Terrain, id: str) -> Feature | None:
    return next((feature for feature in terrain.features if feature.id == id), None)
