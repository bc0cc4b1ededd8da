"""Write a finished piece: ``<name>.glb`` with a mesh per part and decor material, ``<name>.yaml`` beside it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from trimesh import Scene, Trimesh

from ktsim.content.files import write_atomically
from ktsim.geometry.solids import is_closed, triangles_of
from ktsim.killzones.pieces import DECOR

from .draft import RODS, Decor, Draft
from .materials import GLOWS, MATERIALS
from .outside import LOW, TOLERANCE, Ruled
from .pinholes import pinholes
from .shapes import clipped, solid

DECIMALS = 4
"""Positions are rounded to this many decimals of an inch: the same bytes everywhere, and files compress well."""


class NotClosed(ValueError):
    """A ruling part that is not a closed, outward surface."""


class DrawnOutside(ValueError):
    """Drawing that leaves the ruling parts."""


class Pinhole(ValueError):
    """A small hole through a wall."""


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
        paint = np.tile(_colour(part.paint, 1.0), (len(triangles), 1)) if part.paint else None
        mesh = out[part.name] = _indexed(triangles, paint)
        if not is_closed(triangles_of(mesh)) or mesh.volume <= 0:
            raise NotClosed(f"{draft.name}: the part '{part.name}' is not closed and outward")
    by_material: dict[str, list[tuple[Trimesh, float]]] = {}
    for decor in fitted(draft):
        by_material.setdefault(decor.material, []).append((decor.mesh, decor.tint))
    for material, items in sorted(by_material.items()):
        triangles = np.concatenate([np.asarray(mesh.triangles, float) for mesh, _ in items])
        paint = np.concatenate([np.tile(_colour(material, tint), (len(mesh.faces), 1)) for mesh, tint in items])
        out[f"{DECOR}{material}"] = _indexed(triangles, paint)
    return out


def sidecar(draft: Draft) -> str:
    """The YAML beside the meshes: what each part is in the rules, and the lights of the piece."""
    lines = ["ktsim: terrain/1", f"name: {draft.name}", f"kind: {draft.kind}", f"source: {draft.source}"]
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


def _triangles(meshes: Iterable[Trimesh]) -> NDArray[np.float64]:
    return np.concatenate([np.asarray(mesh.triangles, float) for mesh in meshes])


def fitted(draft: Draft) -> list[Decor]:
    """The decor of a piece with ruling parts, cut off where it leaves them; what lies low on the floor stays."""
    solids = draft.solids()
    if not solids:
        return draft.decor
    limit, ruled = solid(solids), Ruled(_triangles(solids))
    found = []
    for decor in draft.decor:
        mesh: Trimesh | None = decor.mesh
        if mesh is not None and len(ruled.outside(np.asarray(mesh.triangles, float), TOLERANCE / 2)):
            mesh = clipped(mesh, limit)
        if mesh is not None:
            found.append(Decor(mesh, decor.material, decor.tint))
    return found


def check(draft: Draft, meshes: dict[str, Trimesh]) -> None:
    """Raise :class:`DrawnOutside` or :class:`Pinhole` for a piece that is not drawn as it rules."""
    solids = draft.solids()
    drawn = np.concatenate(
        [triangles_of(mesh) for name, mesh in meshes.items() if name.startswith(DECOR)] or [np.zeros((0, 3, 3))]
    )
    if not solids:
        if draft.kind == "ground" and drawn[..., 2].max() > LOW:
            raise DrawnOutside(f'{draft.name}: a ground is at most {LOW:.3f}" high, not {drawn[..., 2].max():.3f}"')
        return
    found = Ruled(_triangles(solids)).outside(drawn)
    if len(found):
        raise DrawnOutside(f"{draft.name}: it is drawn outside of what rules, first at {found[0].tolist()}")
    tight = [part.mesh for part in draft.parts if part.kind != RODS]
    holes = pinholes(_triangles(tight)) if tight else []
    if len(holes):
        raise Pinhole(f"{draft.name}: there is a small hole through it at {holes[0].tolist()}")


def write(folder: Path, draft: Draft) -> int:
    """Write both files; returns the number of triangles."""
    meshes = meshes_of(draft)
    check(draft, meshes)
    write_atomically(folder / f"{draft.name}.glb", Scene(meshes).export(file_type="glb"))
    (folder / f"{draft.name}.yaml").write_text(sidecar(draft), encoding="utf-8", newline="\n")
    return sum(len(mesh.faces) for mesh in meshes.values())
