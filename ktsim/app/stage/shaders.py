"""GLSL 150 programs, read from ``glsl/`` with ``#include`` lines filled in and constants defined."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from panda3d.core import NodePath, Shader

_FOLDER = Path(__file__).parent / "glsl"

TILE_INCHES = 6.0
"""Side of the square of material one baked tile shows; tiles are mirrored beyond it."""

BAKE_SCALE = {"tile": 2.0, "ground": 0.7}
"""Brightest value a baked texel can hold."""

BAKE_PAINT = {"tile": 0.22, "ground": 1.0}
"""Albedo that a texel of 1 stands for: tiles multiply a face's own paint, the ground has its colour in it."""


def source(name: str, defines: tuple[str, ...] = ()) -> str:
    """The text of one shader file, complete."""
    lines: list[str] = []
    for line in (_FOLDER / name).read_text(encoding="utf-8").splitlines():
        word, _, rest = line.partition(" ")
        if word == "#include":
            lines += (_FOLDER / rest).read_text(encoding="utf-8").splitlines()
        else:
            lines.append(line)
        if word == "#version":
            lines += [f"#define {definition}" for definition in defines]
    return "\n".join(lines)


@cache
def program(vertex: str, fragment: str, *defines: str) -> Shader:
    """A compiled-on-use program; the same arguments give the same object, so states can be shared."""
    return Shader.make(Shader.SL_GLSL, source(vertex, defines), source(fragment, defines))


def detailed(*defines: str) -> Shader:
    return program("detail.vert", "detail.frag", *defines)


def set_baking(node: NodePath, kind: str) -> None:
    """Draw *node* in the detailed materials as a texture of a kind (``tile`` or ``ground``), without light."""
    node.set_shader(detailed("BAKE"))
    node.set_shader_input("brightest", BAKE_PAINT[kind] * BAKE_SCALE[kind])


def baked(shadow_taps: int, linear: bool, *defines: str) -> Shader:
    scale = BAKE_SCALE["ground" if "FLOOR" in defines else "tile"]
    constants = [f"SHADOW_TAPS {shadow_taps}", f"TILE_INCHES {TILE_INCHES}", f"BAKE_SCALE {scale}"]
    return program("baked.vert", "baked.frag", *constants, *(["LINEAR"] if linear else []), *defines)


def post(fragment: str, *defines: str) -> Shader:
    return program("post.vert", fragment, *defines)
