"""``ktsim killzone check FILE``, ``ktsim killzone render FILE`` and ``ktsim killzone export FILE``."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from ktsim.content.files import check_output, is_bare_name, write_atomically
from ktsim.content.printable import printable
from ktsim.errors import Problem, UserError
from ktsim.game.named_files import remember_files
from ktsim.killzones.catalogue import names, no_such_killzone, shipped_file
from ktsim.killzones.check import check_file, triangle_count
from ktsim.killzones.killzone_file import load_killzone

EXPORTS = ("glb", "obj", "ply", "stl")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="action")
    check = actions.add_parser("check", help="report every problem of killzone files")
    check.add_argument("files", nargs="+", metavar="FILE", help="a killzone file, or the name of a shipped killzone")
    render = actions.add_parser("render", help="draw a killzone without a window")
    render.add_argument("file", metavar="FILE", help="a killzone file, or the name of a shipped killzone")
    render.add_argument("--png", required=True, metavar="FILE", help="the picture to write")
    render.add_argument("--top", action="store_true", help="straight from above")
    render.add_argument("--size", default="1600x900", metavar="WxH", help="in pixels; default 1600x900")
    render.add_argument("--quality", choices=("low", "medium", "high"), default="high")
    export = actions.add_parser("export", help="write the terrain that rules as meshes, in inches")
    export.add_argument("file", metavar="FILE", help="a killzone file, or the name of a shipped killzone")
    export.add_argument("--to", required=True, metavar="FILE", help=f"the mesh file to write: {', '.join(EXPORTS)}")


def run(args: argparse.Namespace) -> int:
    actions = {"check": _check, "render": _render, "export": _export}
    return actions[args.action](args)


def file_of(name_or_path: str) -> Path:
    """A killzone file by its path, or that of a shipped killzone by its name."""
    if not is_bare_name(name_or_path):
        return Path(name_or_path)
    if name_or_path not in names():
        raise no_such_killzone(name_or_path)
    return shipped_file(name_or_path)


def _check(args: argparse.Namespace) -> int:
    problems: list[Problem] = []
    for name in args.files:
        try:
            killzone, found = check_file(file_of(name))
        except UserError as error:
            problems += error.problems
            continue
        problems += found
        remember_files([str(killzone.path)])
        for warning in killzone.warnings:
            print(warning, file=sys.stderr)
        if not found:
            terrain = killzone.terrain
            parts = sum(len(feature.parts_in(None)) for feature in terrain.features)
            print(
                f"{killzone.name}: no problems; {len(terrain.features)} features with {parts} parts, "
                f"{triangle_count(killzone):,} triangles, {len(killzone.drop_zones)} drop zones, "
                f"{len(killzone.objectives)} objectives"
            )
    if problems:
        raise UserError(problems)
    return 0


def _render(args: argparse.Namespace) -> int:
    try:
        width, height = (int(word) for word in args.size.lower().split("x"))
    except ValueError:
        raise UserError(f"--size is '{printable(args.size)}'; it is two numbers such as 1600x900") from None
    if not (64 <= width <= 8192 and 64 <= height <= 8192):
        raise UserError(f"--size is {width}x{height}; each side is from 64 to 8192")
    picture = check_output(args.png, "PNG picture")
    killzone = load_killzone(file_of(args.file))
    # Drawing needs OpenGL, so it is imported only here.
    card = import_module("ktsim.app.card.pictures")
    card.render_killzone(killzone, picture, top=args.top, size=(width, height), quality=args.quality)
    print(printable(args.png, 200))
    return 0


def _export(args: argparse.Namespace) -> int:
    path = Path(args.to)
    kind = path.suffix.lower()[1:]
    if kind not in EXPORTS:
        raise UserError(f"--to is '{printable(args.to, 200)}'; it is a file whose name ends in {', '.join(EXPORTS)}")
    meshes: Any = load_killzone(file_of(args.file)).meshes()
    data = (meshes if kind in ("glb", "obj") else meshes.to_mesh()).export(file_type=kind)
    write_atomically(path, data.encode() if isinstance(data, str) else data)
    print(printable(args.to, 200))
    return 0
