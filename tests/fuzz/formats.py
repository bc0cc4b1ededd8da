"""Every kind of file that comes from outside: good ones to begin with, how it is read, what may be said of it."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import team_json
import yaml
from kept_saves import KINDS, SAVES, save_of_now

from fuzz.mutants import bytes_mutant, dumped, text_mutant, tree_mutant
from ktsim import paths
from ktsim.app.ui.settings import load_settings
from ktsim.content.files import read_json
from ktsim.content.mesh_checks import WrongMesh
from ktsim.content.mesh_worker import parse_mesh
from ktsim.content.png_text import SCENE, WrongPicture, text_of
from ktsim.errors import UserError
from ktsim.game import journal
from ktsim.game.record import load, read_snapshot, snapshot_path
from ktsim.killzones.catalogue import shipped_file
from ktsim.killzones.killzone_file import load_killzone
from ktsim.killzones.scene_file import load_scene
from ktsim.rules.kt24.edition import KT24
from ktsim.rules.teams.importing.team import import_team
from ktsim.rules.teams.roster.sources import from_battlescribe, from_ktdash, is_ktdash, read_battlescribe
from ktsim.rules.teams.team_file import find_team, load_team

CORPUS = Path(__file__).parent / "corpus"


@dataclass(frozen=True)
class Format:
    """*seeds* are good files by name; *refuses* what reading may raise: everything else is a fault."""

    name: str
    seeds: Callable[[], dict[str, bytes]]
    read: Callable[[Path], object]
    refuses: tuple[type[Exception], ...] = (UserError,)
    is_tree: bool = False

    def mutant(self, rng: Random) -> tuple[str, bytes]:
        """A good file made wrong, and the name it goes by."""
        seeds = self.seeds()
        name = rng.choice(sorted(seeds))
        data, suffix = seeds[name], Path(name).suffix
        kind = rng.randrange(3)
        if self.is_tree and kind == 0:
            return name, dumped(tree_mutant(yaml.safe_load(data), rng))
        if suffix == ".ktsim" and kind < 2:
            return name, _resealed(data, rng)
        is_text = suffix in (".yaml", ".json", ".obj", ".ros", ".ktsim", ".snapshot") or data[:5] == b"solid"
        return name, (text_mutant if is_text and kind == 1 else bytes_mutant)(data, rng)


def _resealed(data: bytes, rng: Random) -> bytes:
    """A saved game with one line changed and all checks made to fit again."""
    lines = data.splitlines()[: rng.choice([2, 5, 40])]
    number = rng.randrange(len(lines))
    crc, found = 0, []
    for place, line in enumerate(lines):
        body = line.split(b" ", 1)[1]
        if place == number:
            body = dumped(tree_mutant(json.loads(body), rng))
        crc = zlib.crc32(body, crc)
        found.append(f"{crc:08x} ".encode() + body + b"\n")
    return b"".join(found)


def _files(*found: Path) -> Callable[[], dict[str, bytes]]:
    kept: dict[str, bytes] = {}

    def seeds() -> dict[str, bytes]:
        if not kept:
            kept.update({path.name: path.read_bytes() for path in found})
        return kept

    return seeds


def _corpus(*suffixes: str) -> Callable[[], dict[str, bytes]]:
    return _files(*(path for path in sorted(CORPUS.iterdir()) if path.suffix in suffixes))


def _community(path: Path) -> None:
    import_team(read_json(path), path.name, KT24, {})


def _roster(path: Path) -> None:
    team = find_team("gravel-jackals", KT24.weapon_rules)
    if path.suffix == ".yaml":
        find_team(str(path), KT24.weapon_rules)
    elif path.suffix == ".json":
        data: Any = read_json(path)
        if is_ktdash(data):
            from_ktdash(data, team, "roster")
    else:
        from_battlescribe(read_battlescribe(path), path.name, team, "roster")


def _with_snapshot(save: Path) -> tuple[Path, Path]:
    return save, snapshot_path(save)


def _save(path: Path) -> None:
    if path.suffix == ".snapshot":
        game = path.with_suffix("")
        game.write_bytes((SAVES / game.name).read_bytes())
        read_snapshot(game, journal.read(game))
        game.unlink()
    else:
        load(path)


def _settings(path: Path) -> None:
    load_settings(path)


def _example(path: Path) -> bool:
    return b"killzone:" not in path.read_bytes()


EXAMPLES = [path for path in sorted((paths.killzones() / "examples").glob("*.yaml")) if _example(path)][:14]

SETTINGS = b'{"quality": "low", "text": 1.0, "motion": true}'

FORMATS = [
    Format("scene", _files(*EXAMPLES), load_scene, is_tree=True),
    Format("killzone", _files(shipped_file("training-ground")), load_killzone, is_tree=True),
    Format(
        "team",
        _files(*sorted((paths.assets() / "teams").glob("*.yaml"))),
        lambda path: load_team(path, KT24.weapon_rules),
        is_tree=True,
    ),
    Format("community", lambda: {"team.json": json.dumps(team_json.sample()).encode()}, _community, is_tree=True),
    Format("roster", _corpus(".yaml", ".ros"), _roster),
    Format("save", _files(*(path for kind in KINDS for path in _with_snapshot(save_of_now(kind)))), _save),
    Format(
        "mesh",
        _corpus(".stl", ".obj", ".ply", ".glb", ".3mf"),
        lambda path: parse_mesh(path.read_bytes(), path.suffix),
        (WrongMesh,),
    ),
    Format("picture", _corpus(".png"), lambda path: text_of(path.read_bytes(), SCENE), (WrongPicture,)),
    Format("settings", lambda: {"settings.json": SETTINGS}, _settings, (), True),
]
