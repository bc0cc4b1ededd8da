"""Photos of boards as a phone takes them: rendered in perspective, bent by a lens, with noise, as JPG."""

from __future__ import annotations

import io
import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PIL import Image

from ktsim.app.stage.cameras import Pose
from ktsim.app.stage.engine import Engine
from ktsim.app.stage.scenery import scene_scenery
from ktsim.app.stage.stage import TableStage
from ktsim.killzones.scene_file import SceneFile

WIDER = 1.25
"""How much more than the photo shows is rendered: a lens bends some of it into view."""


@dataclass(frozen=True)
class Lens:
    """A camera of *size* pixels that bends by so much: r is shown where r / (1 + bend r²) would be, in half
    diagonals. Written separately from what undoes it."""

    pose: Pose
    size: tuple[int, int] = (2048, 1536)
    bend: float = -0.06
    noise: float = 6.0

    def seen(self, points: ArrayLike) -> NDArray[np.float64]:
        """Pixels of points of the table (n, 3)."""
        points = np.asarray(points, float)
        w, h = self.size
        straight = self.pose.project(points, self.size)[:, :2] - [w / 2, h / 2]
        unit = math.hypot(w, h) / 2
        far = np.linalg.norm(straight, axis=1) / unit
        bent = far.copy()
        for _ in range(60):  # far = bent / (1 + bend * bent²), solved by going back and forth
            bent = far * (1 + self.bend * bent**2)
        return straight * np.where(far > 0, bent / np.maximum(far, 1e-12), 1.0)[:, None] + [w / 2, h / 2]

    def photo(self, engine: Engine, file: SceneFile, seed: int = 0) -> bytes:
        """The JPG it takes of a table."""
        w, h = self.size
        wide = (round(w * WIDER), round(h * WIDER))
        stage = TableStage(engine, file.scene.terrain, scene_scenery(file), "low")
        stage.show(file.scene)
        drawn = stage.still(replace(self.pose, tangent=self.pose.tangent * WIDER), wide, supersample=1)
        stage.close()
        y, x = np.mgrid[0:h, 0:w] + 0.5
        out = np.stack([x - w / 2, y - h / 2], axis=-1) / (math.hypot(w, h) / 2)
        straight = out / (1 + self.bend * (out**2).sum(axis=-1, keepdims=True)) * (math.hypot(w, h) / 2)
        # Near enough: half a pixel is 0.01".
        column = np.clip(np.round(straight[..., 0] + wide[0] / 2 - 0.5).astype(int), 0, wide[0] - 1)
        row = np.clip(np.round(straight[..., 1] + wide[1] / 2 - 0.5).astype(int), 0, wide[1] - 1)
        noise = np.random.default_rng(seed).normal(0, self.noise, (h, w, 3))
        pixels = np.clip(drawn[row, column] + noise, 0, 255).astype(np.uint8)
        made = io.BytesIO()
        Image.fromarray(pixels).save(made, "JPEG", quality=88)
        return made.getvalue()


def standing(eye: tuple[float, float, float], at: tuple[float, float, float], tangent: float = 0.5) -> Pose:
    """A phone held at *eye* towards a point."""
    forward = tuple(b - a for a, b in zip(eye, at, strict=True))
    return Pose(eye, (forward[0], forward[1], forward[2]), tangent=tangent, near=2.0, far=160.0)
