"""How much the picture may cost."""

from __future__ import annotations

from dataclasses import dataclass

from ktsim.app.stage.meshes import CREASE
from ktsim.app.ui.settings import Level


@dataclass(frozen=True)
class Quality:
    """One level. *detailed*: materials are computed per pixel; otherwise they come from tiles baked once.

    *linear*: the scene is drawn in linear light and a composite pass maps tones, with *occlusion* samples.
    *smallest* is the size in inches below which loose bits of terrain are left out, *coarse* the size of detail
    that is merged, *crease* the angle from which edges are drawn (fewer edges are fewer corners to light).
    *sharp_mipmaps* does not blend between sizes of a texture. *supersample* is the side of the square of pixels
    averaged into one pixel of a still. *moving* is the part of the picture's sides that is drawn while something moves
    and whole pictures would come too slowly.
    """

    detailed: bool
    linear: bool
    occlusion: int
    bloom: bool
    shadow_size: int
    shadow_taps: int
    supersample: int
    ground_size: int = 2048
    smallest: float = 0.0
    coarse: float = 0.0
    sharp_mipmaps: bool = False
    crease: float = CREASE
    moving: float = 1.0


QUALITIES: dict[Level, Quality] = {
    "low": Quality(False, False, 0, False, 1024, 1, 1, 1536, 0.3, 0.06, True, 62.0, 0.6),
    "medium": Quality(False, True, 8, True, 2048, 4, 2),
    "high": Quality(True, True, 14, True, 4096, 12, 2),
}
