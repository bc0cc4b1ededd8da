"""Trees kept on disk, so that a large terrain is made ready once and not at every start.

Each file is named for what it was made from: the triangles, their labels and the state of the program. It holds plain
arrays and never objects. What cannot be read, or does not fit the triangles, is built again; what cannot be written is
not kept. Deleting the folder costs nothing but the time to build.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import zipfile
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ktsim import paths
from ktsim.geometry import kernel_store
from ktsim.geometry.forest import LEAF, Tree, rows

SMALLEST = 2_000
"""Triangles below which building is as quick as reading."""
MOST_BYTES = 256 * 2**20
"""What the folder may hold; the files used longest ago go first."""


def folder() -> Path:
    return paths.cache() / "trees"


def kept_tree(triangles: NDArray[np.float64], labels: NDArray[np.int32], hollow: Collection[int] = ()) -> Tree:
    """``Tree.over``, from disk when it was made before."""
    if len(triangles) < SMALLEST:
        return Tree.over(triangles, labels, hollow)
    flat = rows(triangles)
    path = folder() / f"{_name(flat, labels)}.npz"
    tree = _read(path, flat, labels)
    if tree is None:
        tree = Tree.over(triangles, labels)
        _write(path, tree)
    return replace(tree, hollow=hollow)


def _name(flat: NDArray[np.float64], labels: NDArray[np.int32]) -> str:
    found = hashlib.sha256(f"{kernel_store.fingerprint()} {LEAF} {len(flat)} ".encode())
    found.update(flat.tobytes())
    found.update(np.ascontiguousarray(labels, dtype=np.int32).tobytes())
    return found.hexdigest()[:40]


def _read(path: Path, flat: NDArray[np.float64], labels: NDArray[np.int32]) -> Tree | None:
    """The tree in a file, if there is one that fits the triangles."""
    try:
        with np.load(path, allow_pickle=False) as held:
            nodes, links, order = held["nodes"], held["links"], held["order"]
            beside, cones = held["beside"], held["cones"]
        os.utime(path)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    count, inner = len(flat), len(nodes)
    shapes = (nodes.shape, links.shape, order.shape, beside.shape, cones.shape)
    kinds = (nodes.dtype, links.dtype, order.dtype, beside.dtype, cones.dtype)
    if shapes != ((inner, 6), (inner, 2), (count,), (count, 3), (inner, 5)):
        return None
    if kinds != (np.float64, np.int32, np.int64, np.int32, np.float64):
        return None
    if not (np.bincount(order.clip(0, count - 1), minlength=count) == 1).all() or not _sound(links, beside, count):
        return None
    return Tree.laid(nodes, links, flat[order], labels.astype(np.int32)[order], beside, cones, order)


def _sound(links: NDArray[np.int32], beside: NDArray[np.int32], count: int) -> bool:
    """Do all links lead to nodes farther on, and to triangles there are?"""
    first, held = links[:, 0], links[:, 1]
    leaf = held > 0
    inner = ~leaf
    return bool(
        (held >= 0).all()
        and (first[leaf] >= 0).all()
        and (first[leaf] + held[leaf] <= count).all()
        and (first[inner] > np.flatnonzero(inner)).all()
        and (first[inner] + 1 < len(links)).all()
        and (beside < count).all()
        and (beside >= -2).all()
    )


def _write(path: Path, tree: Tree) -> None:
    """Keep a tree: the file appears whole or not at all."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(suffix=".part", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                np.savez(
                    file, nodes=tree.nodes, links=tree.links, order=tree.order, beside=tree.beside, cones=tree.cones
                )
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        _make_room(path.parent)
    except OSError:
        pass  # a full or read-only disk: the next start builds again


def _make_room(where: Path) -> None:
    files = sorted((path.stat().st_mtime, path.stat().st_size, path) for path in where.iterdir() if path.is_file())
    total = sum(size for _, size, _ in files)
    for _, size, path in files:
        if total <= MOST_BYTES:
            break
        path.unlink(missing_ok=True)
        total -= size
