"""A terrain piece of one's own out of a scan: its mesh turned upright, cut into parts by boxes, checked and saved.

What a box cuts off is a part by itself; where the scan was cut it stays open, and parts that are open are ruled by
their surface.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ktsim.content.files import write_atomically
from ktsim.content.mesh_checks import TRIANGLE_LIMIT
from ktsim.content.mesh_file import Unit, read_mesh
from ktsim.content.printable import NAME_LIMIT
from ktsim.content.yaml_tree import to_yaml
from ktsim.errors import UserError
from ktsim.geometry.solids import is_closed, welded
from ktsim.geometry.splitting import split
from ktsim.killzones.pieces import MEASURED, SIZES, VERSION, Piece, load_piece, own_folder, shipped
from ktsim.sight.scene import TRAITS

Up: TypeAlias = Literal["z", "y", "x", "-z", "-y", "-x"]
UPS: tuple[Up, ...] = ("z", "y", "x", "-z", "-y", "-x")
Corner: TypeAlias = tuple[float, float, float]
Box: TypeAlias = tuple[Corner, Corner]
Soup: TypeAlias = NDArray[np.float64]
"""Triangles (n, 3, 3) in inches."""

LARGEST, SMALLEST = 20.0, 0.25
"""What a piece of terrain measures at its longest, in inches."""
MOST_PARTS = 12
MOST_CUT = 2 * TRIANGLE_LIMIT
"""Triangles that boxes may cut a scan into."""
EASY = 60_000
"""Triangles of a piece that still follows the pointer."""


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
    _turned: dict[tuple[Unit, Up], tuple[Soup, Corner]] = field(default_factory=dict, repr=False)
    """The mesh as it was last turned upright, and its size: shared by all drafts of a scan."""

    def upright(self) -> Soup:
        """The mesh in inches, upright, its foot on the floor and its middle at the origin."""
        return self._turn()[0]

    @property
    def size(self) -> Corner:
        """How long, wide and high it is, in inches."""
        return self._turn()[1]

    def _turn(self) -> tuple[Soup, Corner]:
        key = (self.unit, self.up)
        if key not in self._turned:
            turned = self.mesh @ _turn(self.up).T / (25.4 if self.unit == "mm" else 1.0)
            low, high = turned.min(axis=(0, 1)), turned.max(axis=(0, 1))
            long, wide, tall = (high - low).tolist()
            self._turned.clear()
            self._turned[key] = (turned - np.array([*((low + high) / 2)[:2], low[2]]), (long, wide, tall))
        return self._turned[key]

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


@dataclass(frozen=True, eq=False)
class ScanCut:
    """A scan as its boxes cut it: the triangles of each part in the draft's order, and which parts are closed. With
    *is_too_fine* there are more than can be used, and the parts are empty."""

    parts: tuple[Soup, ...]
    closed: tuple[bool, ...]
    is_too_fine: bool = False


def cutting(draft: ScanDraft) -> Iterator[float | ScanCut]:
    """Cut a scan in steps of a moment: how much is done, at last what came of it."""
    left = draft.upright()
    found = [left[:0]] * len(draft.parts)
    numbers = sorted(range(len(draft.parts)), key=lambda number: draft.parts[number].box is None)
    for step, number in enumerate(numbers):
        done = step / len(numbers) * 0.8
        yield done
        box = draft.parts[number].box
        if box is None:
            found[number], left = left, left[:0]
            continue
        for axis in range(3):
            for at in sorted({corner[axis] for corner in box}):
                left, _ = split(left, axis, at)
                if sum(map(len, found)) + len(left) > MOST_CUT:
                    yield ScanCut((left[:0],) * len(numbers), (False,) * len(numbers), is_too_fine=True)
                    return
                yield done
        low, high = (np.array(corner) for corner in box)
        middles = left.mean(axis=1)
        is_in = ((middles >= low) & (middles <= high)).all(axis=1)
        found[number], left = left[is_in], left[~is_in]
    closed = []
    for number, part in enumerate(found):
        yield 0.8 + number / len(found) * 0.2
        closed.append(bool(len(part)) and is_closed(part))
    yield ScanCut(tuple(found), tuple(closed))


def problems(draft: ScanDraft, made: ScanCut) -> list[str]:
    """Why it cannot be saved as it is, each a sentence."""
    found = [name_problem(draft.name)] if name_problem(draft.name) else []
    longest = max(draft.size)
    if not SMALLEST <= longest <= LARGEST:
        other = "mm" if draft.unit == "inch" else "inch"
        text = (
            f'It is {longest:.3g}" at its longest; terrain is from {SMALLEST:g}" to {LARGEST:g}". Is its unit {other}?'
        )
        found.append(text)
    if made.is_too_fine:
        found.append(f"The boxes cut it into more than {MOST_CUT:,} triangles: use fewer, or simplify the scan.")
    names = [part.name for part in draft.parts]
    for part, triangles in zip(draft.parts, made.parts, strict=True):
        if not part.name.strip() or len(part.name) > NAME_LIMIT or not part.name.isprintable():
            found.append(f"A part's name has 1 to {NAME_LIMIT} characters that can be printed.")
        elif names.count(part.name) > 1:
            found.append(f"Two parts are called '{part.name}'; change one.")
        elif len(triangles) > TRIANGLE_LIMIT:
            found.append(f"The part '{part.name}' has more than {TRIANGLE_LIMIT:,} triangles: simplify the scan.")
        elif not len(triangles) and not made.is_too_fine:
            found.append(f"Nothing of the scan is in the part '{part.name}'; move its box or remove it.")
        if not part.traits:
            found.append(f"The part '{part.name}' has no traits; choose what it is in the rules.")
        if part.box is not None and any(a >= b for a, b in zip(*part.box, strict=True)):
            found.append(f"The box of '{part.name}' goes from a smaller to a larger number each way.")
    if sum(part.box is None for part in draft.parts) > 1:
        found.append("Two parts take all that is left; give one of them a box.")
    return list(dict.fromkeys(found))


def doubts(draft: ScanDraft, made: ScanCut) -> list[str]:
    """What to know about it, each a sentence: parts that are open, and what is left out."""
    found = [
        f"The part '{part.name}' is open (it has holes or was cut), so it is ruled by its surface."
        for part, triangles, closed in zip(draft.parts, made.parts, made.closed, strict=True)
        if len(triangles) and not closed
    ]
    count = sum(map(len, made.parts))
    if count > EASY:
        text = f"It has {count:,} triangles: beyond {EASY:,} it is slow to move on the table; simplify it if you can."
        found.append(text)
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


def saving(draft: ScanDraft, made: ScanCut) -> Iterator[float | Piece]:
    """Write the piece as it was cut into the user's folder, in steps: how much is done, at last the piece, read back.
    Whoever goes no further leaves nothing that could be used. Raises UserError with what speaks against it."""
    against = problems(draft, made)
    if against:
        raise UserError(against[0])
    folder = own_folder()
    folder.mkdir(parents=True, exist_ok=True)
    entries = []
    count = len(draft.parts)
    for number, (part, triangles) in enumerate(zip(draft.parts, made.parts, strict=True)):
        yield number / count * 0.5
        written = welded(triangles).export(file_type="stl")
        assert isinstance(written, bytes)
        # Named after what is in it, so that a piece of that name stays whole until this one is.
        file = f"{draft.name}-{number + 1}-{hashlib.sha256(written).hexdigest()[:8]}.stl"
        write_atomically(folder / file, written)
        entries.append({"name": part.name, "traits": sorted(part.traits), "mesh": file, "unit": "inch"})
    for number, entry in enumerate(entries):
        yield 0.5 + number / count * 0.5
        read_mesh(folder / str(entry["mesh"]), "inch")  # kept: the piece is there at once when it is loaded
    document = {"ktsim": VERSION, "name": draft.name, "kind": "own piece", "source": draft.source, "parts": entries}
    # The description last: until it is there, there is no such piece.
    write_atomically(folder / f"{draft.name}.yaml", to_yaml(document).encode("utf-8"))
    kept = {entry["mesh"] for entry in entries}
    for path in folder.glob(f"{draft.name}-*.stl"):
        if path.name not in kept and re.fullmatch(rf"{draft.name}-\d+-[0-9a-f]{{8}}\.stl", path.name):
            path.unlink(missing_ok=True)
    yield load_piece(draft.name)


def trait_names() -> Sequence[str]:
    """The traits a part may have, in the order they are offered."""
    first = ("heavy", "light", "blocking", "vantage", "ceiling", "accessible", "barred", "insignificant", "exposed")
    return (*first, *sorted(TRAITS - {*first, "wall"}))
