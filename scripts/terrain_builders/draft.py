"""A piece while it is being built: the parts that rule, and what is drawn of it.

What is drawn stays inside what rules. Relief is engraved: a part rules by a plain solid, and its drawing is that solid
with dents cut into its faces and trim standing in the dents, flush at most. A straight line crosses a flat face only
once, so a dent in it shows nothing that the plain solid would hide, as long as the edges of the face stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from trimesh import Trimesh

from .materials import GLOWS

Matrix: TypeAlias = NDArray[np.float64]
"""Shape (4, 4)."""

RODS = "rods"
"""The kind of parts that are full of small gaps by nature."""


@dataclass(frozen=True)
class Decor:
    """A mesh that is drawn. *tint* darkens or lightens its material."""

    mesh: Trimesh
    material: str
    tint: float = 1.0


@dataclass(frozen=True)
class DraftPart:
    """One closed mesh that rules. *paint* is its material when it is drawn just as it rules; a part without is drawn by
    decor, or not at all if it is not *visible*: gaps, barred openings."""

    name: str
    mesh: Trimesh
    traits: tuple[str, ...]
    kind: str
    paint: str | None
    visible: bool


@dataclass
class Draft:
    """A piece under construction. *kind* is the word killzone rules look for, such as ``stronghold``.

    *ruled* are solids that rule where the piece stands although they are no parts of it: wall lines.
    """

    name: str
    kind: str
    parts: list[DraftPart] = field(default_factory=list)
    decor: list[Decor] = field(default_factory=list)
    ruled: list[Trimesh] = field(default_factory=list)
    source: str = "estimated"
    """Where its sizes come from: nobody has measured these pieces."""

    def part(
        self,
        name: str,
        mesh: Trimesh,
        traits: Iterable[str],
        material: str = "ashlar",
        kind: str | None = None,
        visible: bool = True,
        drawn: Sequence[Decor] = (),
    ) -> None:
        """Add a ruling part; its kind is its name without a number unless given, and it is drawn as it rules unless
        *drawn* says what is drawn inside it."""
        word = kind if kind is not None else name.rstrip("0123456789 ")
        paint = material if visible and not drawn else None
        self.parts.append(DraftPart(name, mesh, tuple(traits), word, paint, visible))
        self.decor += drawn

    def add(self, mesh: Trimesh | None, material: str, tint: float = 1.0, at: Matrix | None = None) -> None:
        """Add decor, moved by *at*."""
        if mesh is None:
            return
        if at is not None:
            mesh = mesh.copy().apply_transform(at)
        self.decor.append(Decor(mesh, material, tint))

    def solids(self) -> list[Trimesh]:
        """Everything that rules where the piece stands."""
        return [*(part.mesh for part in self.parts), *self.ruled]

    def lights(self, apart: float = 1.5, most: int = 6) -> list[tuple[tuple[float, float, float], str]]:
        """Where its glowing decor lights what is around: at most *most* places, *apart* inches from each other."""
        found: list[tuple[tuple[float, float, float], str]] = []
        for decor in self.decor:
            if decor.material in GLOWS and len(found) < most:
                middle = decor.mesh.bounds.mean(axis=0)
                if all(np.linalg.norm(middle - np.array(place)) > apart for place, _ in found):
                    x, y, z = (round(float(value), 3) for value in middle)
                    found.append(((x, y, z), decor.material))
        return found
