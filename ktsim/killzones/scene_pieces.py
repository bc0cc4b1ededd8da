"""Terrain pieces of a scene file: those put on its table by hand, changed one at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from ktsim.killzones.loose_pieces import LoosePiece
from ktsim.killzones.scene_file import SceneFile


def pieces_of(file: SceneFile) -> tuple[LoosePiece, ...]:
    """The pieces that the file puts on its table besides its killzone's."""
    found = []
    for entry in file.document.get("features") or []:
        if "piece" in entry:
            x, y, *z = entry.get("at") or (0.0, 0.0)
            found.append(LoosePiece(entry["id"], entry["piece"], (x, y, z[0] if z else 0.0), entry.get("turn") or 0.0))
    return tuple(found)


def piece_of(file: SceneFile, id: str | None) -> LoosePiece | None:
    return next((one for one in pieces_of(file) if one.id == id), None)


def with_piece(file: SceneFile, piece: LoosePiece) -> SceneFile:
    """The file with this piece on its table, in place of one of the same id."""
    feature, entry = piece.feature(), _entry(piece)
    features = list(file.scene.terrain.features)
    entries = list(file.document.get("features") or [])
    at = next((i for i, one in enumerate(features) if one.id == piece.id), None)
    if at is None:
        features.append(feature)
        entries.append(entry)
    else:
        features[at] = feature
        entries = [entry if one["id"] == piece.id else one for one in entries]
    return _changed(file, tuple(features), entries)


def without_piece(file: SceneFile, id: str) -> SceneFile:
    features = tuple(one for one in file.scene.terrain.features if one.id != id)
    return _changed(file, features, [one for one in file.document.get("features") or [] if one["id"] != id])


def free_id(file: SceneFile, piece: str) -> str:
    """An id for another such piece."""
    taken = {feature.id for feature in file.scene.terrain.features}
    return next(name for n in range(1, 10_000) if (name := f"{piece}-{n}" if n > 1 else piece) not in taken)


def _entry(piece: LoosePiece) -> dict[str, Any]:
    x, y, z = (round(value, 4) for value in piece.at)
    at = [x, y, z] if z else [x, y]
    return {"id": piece.id, "piece": piece.piece, "at": at, **({"turn": piece.turn} if piece.turn else {})}


def _changed(file: SceneFile, features: tuple[Any, ...], entries: list[Mapping[str, Any]]) -> SceneFile:
    terrain = replace(file.scene.terrain, features=features)
    document = MappingProxyType({**file.document, "features": entries})
    return replace(file, scene=replace(file.scene, terrain=terrain), document=document)
