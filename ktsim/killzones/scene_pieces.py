"""Terrain pieces of a scene file, changed one at a time: those put on its table by hand, and those of its killzone.

A killzone's piece that is moved or removed is named under ``without`` in the scene file; where it stands instead is a
feature of the scene with the same id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from ktsim.killzones.catalogue import load_named
from ktsim.killzones.loose_pieces import LoosePiece
from ktsim.killzones.pieces import shipped
from ktsim.killzones.scene_file import SceneFile
from ktsim.killzones.sizes import written_sizes
from ktsim.sight.scene import Feature


def pieces_of(file: SceneFile) -> tuple[LoosePiece, ...]:
    """The pieces that the file puts on its table besides its killzone's."""
    found = []
    for entry in file.document.get("features") or []:
        if "piece" in entry:
            x, y, *z = entry.get("at") or (0.0, 0.0)
            place, sizes = (x, y, z[0] if z else 0.0), written_sizes(entry.get("sizes"))
            found.append(LoosePiece(entry["id"], entry["piece"], place, entry.get("turn") or 0.0, sizes))
    return tuple(found)


def own_pieces(file: SceneFile) -> tuple[LoosePiece, ...]:
    """The pieces of its killzone that still stand where the killzone has them and can be moved by hand: shipped ones
    that are a feature by themselves and not mirrored."""
    if file.killzone is None:
        return ()
    absent, known = absent_of(file), shipped()
    return tuple(
        LoosePiece(id, place.piece, place.at, place.turn)
        for id, place in load_named(file.killzone, file.path.parent).pieces.items()
        if id not in absent and place.piece in known and not place.mirror
        if any(feature.id == id for feature in file.scene.terrain.features)
    )


def absent_of(file: SceneFile) -> frozenset[str]:
    """The ids of the killzone's pieces that do not stand where the killzone has them."""
    return frozenset(file.document.get("without") or ())


def every_piece(file: SceneFile) -> tuple[LoosePiece, ...]:
    """The scene's pieces and its killzone's that can be moved by hand."""
    return (*pieces_of(file), *own_pieces(file))


def piece_of(file: SceneFile, id: str | None) -> LoosePiece | None:
    """The piece of that id, the scene's or its killzone's."""
    return next((one for one in every_piece(file) if one.id == id), None)


def with_piece(file: SceneFile, piece: LoosePiece) -> SceneFile:
    """The file with this piece on its table, in place of one of the same id."""
    entry, entries = _entry(piece), list(file.document.get("features") or [])
    at = next((i for i, one in enumerate(entries) if one["id"] == piece.id), None)
    if at is None:
        entries.append(entry)
    else:
        entries[at] = entry
    return _changed(file, piece.id, piece.feature(), entries)


def without_piece(file: SceneFile, id: str) -> SceneFile:
    """The file without this piece, which may be its killzone's."""
    return _changed(file, id, None, [one for one in file.document.get("features") or [] if one["id"] != id])


def free_id(file: SceneFile, piece: str) -> str:
    """An id for another such piece."""
    taken = {feature.id for feature in file.scene.terrain.features}
    return next(name for n in range(1, 10_000) if (name := f"{piece}-{n}" if n > 1 else piece) not in taken)


def _entry(piece: LoosePiece) -> dict[str, Any]:
    x, y, z = (round(value, 4) for value in piece.at)
    at = [x, y, z] if z else [x, y]
    entry = {"id": piece.id, "piece": piece.piece, "at": at, **({"turn": piece.turn} if piece.turn else {})}
    return entry | ({"sizes": piece.sizes.as_entry()} if piece.sizes is not None else {})


def _changed(file: SceneFile, id: str, feature: Feature | None, entries: list[Mapping[str, Any]]) -> SceneFile:
    """The file with *feature* as the one called *id*. Features stand in the order in which the file is read: the
    killzone's, the scene's, walls."""
    before = file.document.get("features") or []
    found = {one.id: one for one in file.scene.terrain.features if one.id != id}
    absent = list(file.document.get("without") or [])
    if len(found) < len(file.scene.terrain.features) and all(one["id"] != id for one in before):
        absent.append(id)
    if feature is not None:
        found[id] = feature
    last = {entry["id"]: number for number, entry in enumerate(entries, 1)}
    order = sorted(found.values(), key=lambda one: (one.kind == "wall", last.get(one.id, 0)))
    terrain = replace(file.scene.terrain, features=tuple(order))
    changed = {**file.document, "features": entries, **({"without": absent} if absent else {})}
    return replace(file, scene=replace(file.scene, terrain=terrain), document=MappingProxyType(changed))
