"""How much the picture may cost."""

from __future__ import annotations

from dataclasses import dataclass

from ktsim.app.stage.meshes import CREASE
from ktsim.app.ui.settings import Level


@dataclass(frozen=True)
class Detail:
    """How much of a shape is drawn: loose bits below *smallest* inches are left out, detail up to *coarse* inches is
    merged, edges are drawn from *crease* degrees on (fewer edges are fewer corners to light)."""

    smallest: float = 0.0
    coarse: float = 0.0
    crease: float = CREASE


WHOLE_DETAIL = Detail()


@dataclass(frozen=True)
class Quality:
    """One level. *detailed*: materials are computed per pixel; otherwise they come from tiles baked once.

    *linear*: the scene is drawn in linear light and a composite pass maps tones, with *occlusion* samples.
    *sharp_mipmaps* does not blend between sizes of a texture. *supersample* is the side of the square of pixels
    averaged into one pixel of a still. *moving* is the part of the picture's sides that is drawn while something moves
    and whole pictures would come too slowly; then it shows shapes in *rough*, if there are any.
    """

    detailed: bool
    linear: bool
    occlusion: int
    bloom: bool
    shadow_size: int
    shadow_taps: int
    supersample: int
    ground_size: int = 2048
    sharp_mipmaps: bool = False
    detail: Detail = WHOLE_DETAIL
    moving: float = 1.0
    rough: Detail | None = None


QUALITIES: dict[Level, Quality] = {
    "low": Quality(
        False, False, 0, False, 1024, 1, 1, 1536, True, Detail(0.3, 0.06, 62.0), 0.5, Detail(0.5, 0.15, 75.0)
    ),
    "medium": Quality(False, True, 8, True, 2048, 4, 2),
    "high": Quality(True, True, 14, True, 4096, 12, 2),
}
