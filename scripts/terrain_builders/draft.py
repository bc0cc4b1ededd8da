"""A piece while it is being built: ruling parts and decor."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from trimesh import Trimesh

from .materials import GLOWS

Matrix: TypeAlias = NDArray[np.float64]
"""Shape (4, 4)."""


@dataclass(frozen=True)
class DraftPart:
    """One closed mesh that rules. Parts that are not *visible* are volumes only: gaps, barred openings."""

    name: str
    mesh: Trimesh
    traits: tuple[str, ...]
    kind: str
    material: str
    visible: bool


@dataclass(frozen=True)
class Decor:
    """A mesh that is only drawn. *tint* darkens or lightens its material."""

    mesh: Trimesh
    material: str
    tint: float


@dataclass
class Draft:
    """A piece under construction. *kind* is the word killzone rules look for, such as ``stronghold``."""

    name: str
    kind: str
    parts: list[DraftPart] = field(default_factory=list)
    decor: list[Decor] = field(default_factory=list)

    def part(
        self,
        name: str,
        mesh: Trimesh,
        traits: Iterable[str],
        material: str = "ashlar",
        kind: str | None = None,
        visible: bool = True,
    ) -> None:
        """Add a ruling part; its kind is its name without a number unless given."""
        word = kind if kind is not None else name.rstrip("0123456789 ")
        self.parts.append(DraftPart(name, mesh, tuple(traits), word, material, visible))

    def add(self, mesh: Trimesh | None, material: str, tint: float = 1.0, at: Matrix | None = None) -> None:
        """Add decor, moved by *at*."""
        if mesh is None:
            return
        if at is not None:
            mesh = mesh.copy().apply_transform(at)
        self.decor.append(Decor(mesh, material, tint))

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
