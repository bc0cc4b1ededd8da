"""Every piece that is shipped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import yaml

from . import bheta, equipment, gallowdark, grounds, markers, ruins, stronghold, tomb
from .draft import Draft
from .write import write

KILLZONES = Path(__file__).resolve().parents[2] / "killzones"


def _renamed(draft: Draft, name: str) -> Draft:
    draft.name = name
    return draft


def drafts() -> Iterator[Draft]:
    """All pieces, one after the other."""
    yield stronghold.stronghold_a()
    yield stronghold.stronghold_b()
    for number in (1, 2):
        yield _renamed(ruins.large_ruin(2 + number), f"large-ruin-{number}")
        yield _renamed(ruins.small_ruin(4 + number), f"small-ruin-{number}")
        yield _renamed(ruins.heavy_rubble(6 + number), f"heavy-rubble-{number}")
    for number in (1, 2, 3):
        yield _renamed(ruins.light_rubble(8 + number), f"light-rubble-{number}")
        yield gallowdark.wall(f"gallowdark-short-wall-{number}", 1, number)
        yield gallowdark.wall(f"gallowdark-long-wall-{number}", 2, 10 + number)
    for state in ("closed", "open"):
        yield gallowdark.hatchway(f"gallowdark-hatchway-{state}", state)
    yield gallowdark.hatch()
    yield gallowdark.pillar()
    yield from tomb_world()
    for word, length in (("short", 4.0), ("medium", 6.0), ("long", 9.0)):
        yield bheta.gantry(f"gantry-{word}", length)
    yield bheta.condenser()
    yield from (make() for make in (equipment.light_barricade, equipment.heavy_barricade, equipment.barricade))
    yield from (make() for make in (equipment.portable_barricade, equipment.razor_wire, equipment.ladder))
    yield from (make() for make in (markers.objective, markers.ammo_cache, markers.comms_device))
    yield from (make() for make in (markers.mine, markers.smoke, markers.mission))
    yield grounds.street("ground-street", 11)
    yield grounds.deck("ground-deck", 21)
    yield grounds.hall("ground-hall", 51)
    yield grounds.practice("ground-practice", 41)
    yield from platform_grounds()


def tomb_world() -> Iterator[Draft]:
    """The halls: walls, access points in both states, pads and what lies about."""
    for number in (1, 2, 3):
        yield tomb.wall(f"tomb-world-short-wall-{number}", 1, number)
        yield tomb.wall(f"tomb-world-long-wall-{number}", 2, 10 + number)
    for state in ("closed", "open"):
        yield tomb.hatchway(state)
        yield tomb.breach_point(state)
    yield from (make() for make in (tomb.hatch, tomb.pillar, tomb.pad, tomb.sarcophagus))
    yield from (tomb.debris(number) for number in (1, 2))


def platform_grounds() -> Iterator[Draft]:
    """A ground for each killzone file that asks for one of its own: it follows the file's hazardous areas."""
    for number, path in enumerate(sorted(KILLZONES.glob("*/killzone.yaml"))):
        killzone = yaml.safe_load(path.read_text(encoding="utf-8"))
        if killzone.get("ground") == f"ground-{path.parent.name}":
            hazards = [area["outline"] for area in killzone["hazardous areas"]]
            yield grounds.platforms(killzone["ground"], 31 + number, tuple(killzone["board"]), hazards)


def build(folder: Path) -> None:
    """Write every piece into *folder* and remove files of pieces that are no more."""
    written = set()
    total = 0
    for draft in drafts():
        total += write(folder, draft)
        written.add(draft.name)
    for path in folder.iterdir():
        if path.suffix in (".glb", ".yaml") and path.stem not in written:
            path.unlink()
    print(f"{len(written)} pieces, {total} triangles, {sum(p.stat().st_size for p in folder.iterdir()) / 1e6:.1f} MB")
