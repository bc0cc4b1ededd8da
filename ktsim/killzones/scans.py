"""A terrain piece of one's own out of a scan: its mesh turned upright, cut into parts by boxes, checked and saved.

What a box cuts off is a part by itself; where the scan was cut it stays open, and parts that are open are ruled by
their surface.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ktsim.content.files import write_atomically
from ktsim.content.mesh_file import Unit
from ktsim.content.printable import NAME_LIMIT
from ktsim.content.yaml_tree import to_yaml
from ktsim.errors import UserError
from ktsim.geometry.solids import is_closed, welded
from ktsim.geometry.splitting import split
from ktsim.killzones.pieces import MEASURED, SIZES, VERSION, Piece, load_piece, own_folder, shipped
from ktsim.sight.scene import TRAITS

Up: TypeAlias = Literal["z", "y", "x", "-z", "-y", "-x"]
UPS: tuple[Up, ...] = ("z", "y", "x", "-z", "-y", "-x")
Box: TypeAlias = tuple[tuple[float, float, float], tuple[float, float, float]]
Soup: TypeAlias = NDArray[np.float64]
"""Triangles (n, 3, 3) in inches."""

LARGEST, SMALLEST = 20.0, 0.25
"""What a piece of terrain measures at its longest, in inches."""
MOST_PARTS = 12


@dataclass(frozen=True)
class ScanPart:
    """A part of a scan: what of it lies in a *box* and in none of the boxes before, or all that is left."""

    name: str
    traits: frozenset[str] = frozenset({"heavy"})
    box: Box | None = None


@dataclass(frozen=True, eq=False)
class ScanDraft:
    """A scan on its way to a piece: its mesh in the file's own numbers, and what somebody says about it."""

    mesh: Soup
    name: str
    unit: Unit = "mm"
    up: Up = "z"
    parts: tuple[ScanPart, ...] = (ScanPart("body"),)
    source: str = MEASURED

    def upright(self) -> Soup:
        """The mesh in inches, upright, its foot on the floor and its middle at the origin."""
        turned = self.mesh @ _turn(self.up).T / (25.4 if self.unit == "mm" else 1.0)
        low, high = turned.min(axis=(0, 1)), turned.max(axis=(0, 1))
        return np.asarray(turned - np.array([*((low + high) / 2)[:2], low[2]]))

    @property
    def size(self) -> tuple[float, float, float]:
        """How long, wide and high it is, in inches."""
        x, y, z = (float(value) for value in np.ptp(self.upright().reshape(-1, 3), axis=0))
        return x, y, z

    def with_part(self, number: int, part: ScanPart) -> ScanDraft:
        return replace(self, parts=tuple(part if i == number else one for i, one in enumerate(self.parts)))


def _turn(up: Up) -> NDArray[np.float64]:
    """The rotation that brings an axis of the file upwards; nothing is mirrored."""
    axis, sign = "xyz".index(up[-1]), -1.0 if up.startswith("-") else 1.0
    rows = np.zeros((3, 3))
    rows[2, axis] = sign
    rows[0, (axis + 1) % 3] = 1.0
    rows[1, (axis + 2) % 3] = sign
    return rows


def cut(draft: ScanDraft) -> dict[str, Soup]:
    """The triangles of each part, by its name; what no part takes is left out."""
    left, found = draft.upright(), {}
    for part in sorted(draft.parts, key=lambda one: one.box is None):
        if part.box is None:
            found[part.name], left = left, left[:0]
            continue
        low, high = (np.array(corner) for corner in part.box)
        for axis in range(3):
            for at in (float(low[axis]), float(high[axis])):
                left, _ = split(left, axis, at)
        middles = left.mean(axis=1)
        is_in = ((middles >= low) & (middles <= high)).all(axis=1)
        found[part.name], left = left[is_in], left[~is_in]
    return found


def problems(draft: ScanDraft, parts: Mapping[str, Soup]) -> list[str]:
    """Why it cannot be saved as it is, each a sentence."""
    found = [name_problem(draft.name)] if name_problem(draft.name) else []
    longest = max(draft.size)
    if not SMALLEST <= longest <= LARGEST:
        other = "mm" if draft.unit == "inch" else "inch"
        text = (
            f'It is {longest:.3g}" at its longest; terrain is from {SMALLEST:g}" to {LARGEST:g}". Is its unit {other}?'
        )
        found.append(text)
    names = [part.name for part in draft.parts]
    for part in draft.parts:
        if not part.name.strip() or len(part.name) > NAME_LIMIT or not part.name.isprintable():
            found.append(f"A part's name has 1 to {NAME_LIMIT} characters that can be printed.")
        elif names.count(part.name) > 1:
            found.append(f"Two parts are called '{part.name}'; change one.")
        elif not len(parts.get(part.name, ())):
            found.append(f"Nothing of the scan is in the part '{part.name}'; move its box or remove it.")
        if not part.traits:
            found.append(f"The part '{part.name}' has no traits; choose what it is in the rules.")
        if part.box is not None and any(a >= b for a, b in zip(*part.box, strict=True)):
            found.append(f"The box of '{part.name}' goes from a smaller to a larger number each way.")
    if sum(part.box is None for part in draft.parts) > 1:
        found.append("Two parts take all that is left; give one of them a box.")
    return list(dict.fromkeys(found))


def doubts(draft: ScanDraft, parts: Mapping[str, Soup]) -> list[str]:
    """What to know about it, each a sentence: parts that are open, and what is left out."""
    found = [
        f"The part '{part.name}' is open (it has holes or was cut), so it is ruled by its surface."
        for part in draft.parts
        if len(triangles := parts.get(part.name, draft.mesh[:0])) and not is_closed(triangles)
    ]
    if all(part.box is not None for part in draft.parts):
        found.append("What lies in none of the boxes is left out.")
    return found


def name_problem(name: str) -> str:
    """Why a piece cannot be called so; empty when it can."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,40}", name):
        return "Its name has small letters, digits and '-', such as my-hut."
    if name in shipped() or name == SIZES:
        return f"There is a piece called {name} already that comes with the program; choose another name."
    return ""


def named_after(path: Path) -> str:
    """A name for the piece in a file."""
    words = re.sub(r"[^a-z0-9]+", "-", path.stem.lower()).strip("-")[:40].strip("-")
    return words if words and not name_problem(words) else f"my-{words}".strip("-") if words else "my-piece"


def save_piece(draft: ScanDraft) -> Piece:
    """Write the piece into the user's folder and read it back. Raises UserError with what speaks against it."""
    parts = cut(draft)
    against = problems(draft, parts)
    if against:
        raise UserError(against[0])
    folder = own_folder()
    folder.mkdir(parents=True, exist_ok=True)
    entries = []
    for number, part in enumerate(draft.parts, 1):
        file = f"{draft.name}-{number}.stl"
        written = welded(parts[part.name]).export(file_type="stl")
        assert isinstance(written, bytes)
        write_atomically(folder / file, written)
        entries.append({"name": part.name, "traits": sorted(part.traits), "mesh": file, "unit": "inch"})
    document = {"ktsim": VERSION, "name": draft.name, "kind": "own piece", "source": draft.source, "parts": entries}
    # The description last: until it is there, there is no such piece.
    write_atomically(folder / f"{draft.name}.yaml", to_yaml(document).encode("utf-8"))
    return load_piece(draft.name)


def trait_names() -> Sequence[str]:
    """The traits a part may have, in the order they are offered."""
    first = ("heavy", "light", "blocking", "vantage", "ceiling", "accessible", "barred", "insignificant", "exposed")
    return (*first, *sorted(TRAITS - {*first, "wall"}))
