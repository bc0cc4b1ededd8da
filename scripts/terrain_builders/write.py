"""Write a finished piece: ``<name>.glb`` with a mesh per part and decor material, ``<name>.yaml`` beside it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from trimesh import Scene, Trimesh

from ktsim.content.atomic import write_atomically
from ktsim.geometry.closed import is_closed, triangles_of

from .draft import Draft
from .materials import GLOWS, MATERIALS
from .stray import Ruling, stray

DECIMALS = 4
"""Positions are rounded to this many decimals of an inch: the same bytes everywhere, and files compress well."""


class NotClosed(ValueError):
    """A ruling part that is not a closed, outward surface."""


class StrayDecor(ValueError):
    """Decor that stands where bases can go."""


def _colour(material: str, tint: float) -> NDArray[np.uint8]:
    albedo, surface = MATERIALS[material]
    return np.array([*np.clip(np.round(np.array(albedo) * tint), 0, 255), surface * 16], np.uint8)


def _indexed(triangles: NDArray[np.float64], colours: NDArray[np.uint8] | None) -> Trimesh:
    """Shared corners: those of the same place and colour. *colours* is one per triangle."""
    corners = np.round(triangles.reshape(-1, 3), DECIMALS) + 0.0
    rows = corners if colours is None else np.column_stack([corners, np.repeat(colours, 3, axis=0)])
    unique, index = np.unique(rows, axis=0, return_inverse=True)
    faces = index.reshape(-1, 3)
    whole = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    paint = None if colours is None else unique[:, 3:].astype(np.uint8)
    # rounded as the file will have it, or what is checked here is not what will be read
    return Trimesh(unique[:, :3].astype(np.float32), faces[whole], vertex_colors=paint, process=False)


def meshes_of(draft: Draft) -> dict[str, Trimesh]:
    """The GLB's meshes; raises :class:`NotClosed` for a part that does not rule properly."""
    out = {}
    for part in draft.parts:
        triangles = np.asarray(part.mesh.triangles, float)
        paint = np.tile(_colour(part.material, 1.0), (len(triangles), 1)) if part.visible else None
        mesh = out[part.name] = _indexed(triangles, paint)
        if not is_closed(triangles_of(mesh)) or mesh.volume <= 0:
            raise NotClosed(f"{draft.name}: the part '{part.name}' is not closed and outward")
    by_material: dict[str, list[tuple[Trimesh, float]]] = {}
    for decor in draft.decor:
        by_material.setdefault(decor.material, []).append((decor.mesh, decor.tint))
    for material, items in sorted(by_material.items()):
        triangles = np.concatenate([np.asarray(mesh.triangles, float) for mesh, _ in items])
        paint = np.concatenate([np.tile(_colour(material, tint), (len(mesh.faces), 1)) for mesh, tint in items])
        out[f"decor-{material}"] = _indexed(triangles, paint)
    return out


def sidecar(draft: Draft) -> str:
    """The YAML beside the meshes: what each part is in the rules, and the lights of the piece."""
    lines = ["ktsim: terrain/1", f"name: {draft.name}", f"kind: {draft.kind}"]
    lines.append("parts:" if draft.parts else "parts: []")
    for part in draft.parts:
        hidden = "" if part.visible else ", visible: false"
        lines.append(f"  - {{name: {part.name}, kind: {part.kind}, traits: [{', '.join(part.traits)}]{hidden}}}")
    lights = draft.lights()
    if lights:
        lines.append("lights:")
    for place, material in lights:
        glow = GLOWS[material]
        at = ", ".join(f"{value:g}" for value in place)
        colour = ", ".join(f"{value * glow.strength:.3g}" for value in glow.colour)
        lines.append(f"  - {{at: [{at}], colour: [{colour}], reach: {glow.reach:g}}}")
    return "\n".join(lines) + "\n"


def check_decor(draft: Draft) -> None:
    """Raise :class:`StrayDecor` for a piece with ruling parts whose decor leaves them."""
    parts = [Ruling(np.asarray(part.mesh.triangles, float), "vantage" in part.traits) for part in draft.parts]
    if parts and draft.decor:
        decor = np.concatenate([np.asarray(item.mesh.triangles, float) for item in draft.decor])
        found = stray(parts, decor)
        if len(found):
            raise StrayDecor(f"{draft.name}: decor stands in the way, first at {found[0].tolist()}")


def write(folder: Path, draft: Draft) -> int:
    """Write both files; returns the number of triangles."""
    check_decor(draft)
    meshes = meshes_of(draft)
    write_atomically(folder / f"{draft.name}.glb", Scene(meshes).export(file_type="glb"))
    (folder / f"{draft.name}.yaml").write_text(sidecar(draft), encoding="utf-8", newline="\n")
    return sum(len(mesh.faces) for mesh in meshes.values())
