"""Abstract stand-in miniatures, 1.3" tall, facing +x, without their bases.

Each is a heap of closed shells above the top of a 3.5 mm base. Shells that show the team's colour go into the mesh
``team`` (their vertex colours are shades of grey to multiply with it), all others into ``body``.
The head's sphere (centre 1.1" up, radius 0.1") lies inside the drawn head.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
from trimesh import Scene, Trimesh

from builders.shells import Shell, ball, block, lathe, limb
from ktsim.content.files import write_atomically
from ktsim.geometry.solids import is_closed, welded

FOOT = 3.5 / 25.4
HEIGHT = 1.3
TRIANGLE_LIMIT = 2500
CREASE = math.cos(math.radians(42))

SUIT, METAL, LEATHER, GOLD, BLADE, CLOTH = (
    (62, 60, 60),
    (50, 53, 58),
    (104, 74, 50),
    (196, 152, 70),
    (186, 194, 204),
    (120, 112, 98),
)
VISOR = (250, 206, 112)
PLATE, PALE, DEEP = 230, 255, 165
"""Shades of the team's colour."""


class Figure:
    """Shells with their colours: a grey number means a shade of the team's colour."""

    def __init__(self) -> None:
        self.shells: list[tuple[Shell, tuple[int, int, int] | int]] = []

    def add(self, shell: Shell, colour: tuple[int, int, int] | int, *at: float) -> None:
        self.shells.append((shell.moved(*at) if at else shell, colour))

    def both(self, make: Callable[[int], Shell], colour: tuple[int, int, int] | int) -> None:
        """The same shell on either side: *make* gets 1 for the left and -1 for the right."""
        for side in (1, -1):
            self.add(make(side), colour)


def legs(f: Figure, stride: float = 0.09, apart: float = 0.13, thick: float = 1.0) -> None:
    for side in (1, -1):
        foot, hip = np.array([side * stride, side * apart, FOOT]), np.array([0, side * apart * 0.6, 0.60])
        knee = (foot + hip) / 2 + (0.045, side * 0.02, 0.07)
        f.add(block(0.25 * thick, 0.13 * thick, 0.1, 0.025), METAL, foot[0] + 0.035, foot[1], FOOT)
        f.add(limb(foot + np.array((0, 0, 0.08)), knee, 0.062 * thick, 0.075 * thick), PLATE)
        f.add(limb(knee, hip, 0.078 * thick, 0.092 * thick), SUIT)
        f.add(ball(0.05, 0.062 * thick, 0.065, 6, 3), PALE, knee[0] + 0.055 * thick, knee[1], knee[2])
        f.add(block(0.1, 0.035, 0.15, 0.012), LEATHER, hip[0] - 0.02, hip[1] + side * 0.115 * thick, 0.44)


def torso(f: Figure, broad: float = 1.0) -> None:
    belt = [(0, 0), (0.15, 0), (0.165, 0.05), (0.15, 0.11), (0, 0.11)]
    f.add(lathe(belt, 12).scaled(0.8, broad, 1), SUIT, 0, 0, 0.55)
    f.add(block(0.05, 0.09, 0.06, 0.012), GOLD, 0.115, 0, 0.575)
    chest = [(0, 0), (0.14, 0), (0.17, 0.09), (0.225, 0.24), (0.21, 0.33), (0.12, 0.385), (0, 0.39)]
    f.add(lathe(chest, 12).scaled(0.72, broad, 1), PLATE, 0, 0, 0.62)
    f.add(block(0.09, 0.27 * broad, 0.17, 0.035, 0.8), PALE, 0.115, 0, 0.76)
    f.add(lathe([(0, 0), (0.1, 0), (0.11, 0.04), (0.085, 0.075), (0, 0.075)], 12), SUIT, 0, 0, 0.965)


def head(f: Figure, crest: float, colour: int = PLATE) -> None:
    """A helmet about the head's sphere; *crest* is how high a fin on it reaches above its crown."""
    crown = HEIGHT - crest
    profile = [(0, 0.975), (0.085, 0.975), (0.125, 1.03), (0.138, 1.1), (0.13, crown - 0.12)]
    profile += [(0.1, crown - 0.045), (0.05, crown - 0.008), (0, crown)]
    f.add(lathe(profile, 12).scaled(1.04, 0.95, 1), colour)
    f.add(block(0.06, 0.2, 0.05, 0.014), VISOR, 0.118, 0, 1.085)
    f.add(block(0.08, 0.12, 0.075, 0.02), METAL, 0.115, 0, 0.985)
    f.both(lambda s: ball(0.045, 0.022, 0.05, 6, 3).moved(-0.005, s * 0.132, 1.1), METAL)
    if crest:
        f.add(block(0.24, 0.04, crest + 0.08, 0.012, 0.7), GOLD, -0.01, 0, HEIGHT - crest - 0.08)


def shoulders(f: Figure, reach: float, size: float, colour: int = PALE) -> None:
    def pad(side: int) -> Shell:
        profile = [(0, -0.04), (0.8, -0.06), (1.0, 0.0), (0.95, 0.35), (0.7, 0.72), (0.35, 0.93), (0, 1.0)]
        shell = lathe(profile, 12).scaled(size, size * 0.85, size * 0.95)
        return shell.turned("x", -side * 24).moved(0, side * reach, 0.885)

    f.both(pad, colour)


def arm(f: Figure, side: int, elbow: tuple[float, ...], hand: tuple[float, ...], thick: float = 1) -> None:
    shoulder = (0.0, side * 0.235 * max(1, thick * 0.95), 0.9)
    f.add(limb(shoulder, elbow, 0.066 * thick, 0.058 * thick), SUIT)
    f.add(limb(elbow, hand, 0.06 * thick, 0.052 * thick), PLATE)
    f.add(ball(0.055 * thick, 0.05 * thick, 0.05 * thick, 6, 3), LEATHER, *hand)


def pack(f: Figure, x: float = -0.22, tall: float = 0.3) -> None:
    f.add(block(0.15, 0.3, tall, 0.035), DEEP, x, 0, 0.68)
    f.both(lambda s: limb((x - 0.01, s * 0.1, 0.7), (x - 0.01, s * 0.1, 0.7 + tall + 0.07), 0.045, 0.035), METAL)
    f.add(block(0.05, 0.12, 0.12, 0.015), SUIT, x - 0.085, 0, 0.75)


def trooper() -> Figure:
    f = Figure()
    legs(f)
    torso(f)
    head(f, 0.0)
    shoulders(f, 0.265, 0.135)
    pack(f)
    arm(f, -1, (0.08, -0.33, 0.69), (0.22, -0.17, 0.72))
    arm(f, 1, (0.17, 0.27, 0.68), (0.38, 0.02, 0.76))

    def rifle(x: float, z: float, shell: Shell) -> Shell:
        return shell.moved(x, 0, z).turned("z", 22).moved(0.12, -0.18, 0.0)

    f.add(rifle(0.14, 0.71, block(0.44, 0.065, 0.1, 0.015)), METAL)
    f.add(rifle(0.42, 0.745, block(0.2, 0.035, 0.035, 0.008)), METAL)
    f.add(rifle(0.17, 0.6, block(0.07, 0.05, 0.14, 0.01)), LEATHER)
    f.add(rifle(0.1, 0.8, block(0.15, 0.035, 0.05, 0.01)), SUIT)
    f.add(rifle(-0.1, 0.7, block(0.1, 0.05, 0.08, 0.012)), LEATHER)
    return f


def gunner() -> Figure:
    f = Figure()
    legs(f, 0.12, 0.15)
    torso(f, 1.06)
    head(f, 0.0, DEEP)
    shoulders(f, 0.28, 0.15)
    pack(f, -0.25, 0.36)
    arm(f, -1, (0.02, -0.37, 0.66), (0.16, -0.23, 0.6))
    arm(f, 1, (0.2, 0.24, 0.68), (0.34, -0.1, 0.66))
    f.add(limb((-0.08, -0.2, 0.58), (0.24, -0.2, 0.58), 0.085, 0.085, 8), METAL)
    f.add(limb((0.24, -0.2, 0.58), (0.55, -0.2, 0.58), 0.05, 0.05), SUIT)
    for x in (0.32, 0.44):
        f.add(lathe([(0, 0), (0.068, 0), (0.068, 0.03), (0, 0.03)], 10).turned("y", 90), METAL, x, -0.2, 0.58)
    f.add(lathe([(0, 0), (0.06, 0), (0.07, 0.05), (0, 0.05)], 10).turned("y", 90), BLADE, 0.55, -0.2, 0.58)
    f.add(block(0.16, 0.11, 0.14, 0.02), LEATHER, 0.06, -0.29, 0.45)
    f.add(limb((-0.22, -0.13, 0.74), (-0.02, -0.27, 0.55), 0.03, 0.03), GOLD)
    f.add(block(0.22, 0.04, 0.05, 0.01), METAL, 0.14, -0.2, 0.65)
    return f


def leader() -> Figure:
    f = Figure()
    legs(f, 0.1, 0.12)
    torso(f)
    head(f, 0.06, PALE)
    shoulders(f, 0.27, 0.14, PALE)
    for i, (z, wide) in enumerate(((0.3, 0.44), (0.55, 0.42))):
        f.add(block(0.05, wide, 0.25, 0.018, 0.9).turned("y", 8), DEEP, -0.235 + i * 0.035, 0, z - 0.02)
    f.both(lambda s: ball(0.05, 0.05, 0.05, 6, 3).moved(-0.02, s * 0.14, 0.985), GOLD)
    arm(f, -1, (0.1, -0.37, 0.74), (0.3, -0.3, 0.68))
    arm(f, 1, (0.12, 0.35, 0.68), (0.3, 0.26, 0.78))

    def sword(shell: Shell, x: float) -> Shell:
        return shell.moved(x, 0, 0).turned("y", -58).moved(0.3, -0.3, 0.68)

    f.add(sword(block(0.5, 0.055, 0.026, 0.008).moved(0, 0, -0.013), 0.33), BLADE)
    f.add(sword(block(0.035, 0.15, 0.05, 0.01).moved(0, 0, -0.025), 0.075), GOLD)
    f.add(sword(limb((-0.09, 0, 0), (0.06, 0, 0), 0.02, 0.02, 6), 0), LEATHER)
    f.add(block(0.2, 0.05, 0.07, 0.014), METAL, 0.39, 0.25, 0.79)
    f.add(block(0.05, 0.045, 0.12, 0.012), LEATHER, 0.31, 0.25, 0.7)
    f.add(block(0.02, 0.13, 0.26, 0.008, 0.8), CLOTH, 0.165, 0, 0.33)
    return f


def brute() -> Figure:
    f = Figure()
    legs(f, 0.1, 0.19, 1.45)
    torso(f, 1.3)
    f.add(ball(0.17, 0.21, 0.16, 8, 4), SUIT, 0.04, 0, 0.68)
    f.add(ball(0.2, 0.32, 0.14, 9, 4), DEEP, -0.09, 0, 0.93)
    head(f, 0.0, PLATE)
    shoulders(f, 0.33, 0.19)
    pack(f, -0.27, 0.26)
    arm(f, -1, (0.12, -0.45, 0.66), (0.3, -0.36, 0.52), 1.4)
    arm(f, 1, (0.1, 0.46, 0.64), (0.3, 0.38, 0.58), 1.4)
    for y in (-0.055, 0.0, 0.055):
        f.add(limb((0.34, 0.38 + y, 0.58), (0.5, 0.38 + y, 0.5), 0.03, 0.008, 5), BLADE)
    f.add(limb((0.12, -0.36, 0.4), (0.44, -0.36, 0.62), 0.028, 0.028, 6), LEATHER)
    f.add(block(0.2, 0.17, 0.24, 0.035).turned("y", 55).moved(0.36, -0.36, 0.56), METAL)
    f.add(block(0.02, 0.2, 0.24, 0.008, 0.8), CLOTH, 0.19, 0, 0.34)
    return f


FIGURES: dict[str, Callable[[], Figure]] = {"trooper": trooper, "gunner": gunner, "leader": leader, "brute": brute}


def mesh(shells: list[tuple[Shell, tuple[int, int, int]]]) -> Trimesh:
    """One mesh of many shells: smooth where a surface bends gently, an edge where it bends more."""
    rows: dict[tuple[float, ...], int] = {}
    faces: list[list[int]] = []
    for shell, colour in shells:
        corners = shell.vertices[shell.faces]
        flat = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        unit = flat / np.maximum(np.linalg.norm(flat, axis=1), 1e-12)[:, None]
        around: dict[int, list[int]] = {}
        for number, face in enumerate(shell.faces):
            for vertex in face:
                around.setdefault(int(vertex), []).append(number)
        for number, face in enumerate(shell.faces):
            ids = []
            for vertex in face:
                near = [other for other in around[int(vertex)] if unit[other] @ unit[number] > CREASE]
                normal = flat[near or [number]].sum(axis=0)
                normal = normal / np.linalg.norm(normal)
                position = shell.vertices[vertex].astype(np.float32)
                row = (*position.tolist(), *np.round(normal, 4).tolist(), *colour)
                ids.append(rows.setdefault(row, len(rows)))
            faces.append(ids)
    table = np.array(list(rows))
    colours = np.column_stack([table[:, 6:9], np.full(len(table), 255)]).astype(np.uint8)
    return Trimesh(table[:, 0:3], faces, vertex_normals=table[:, 3:6], vertex_colors=colours, process=False)


def checked(name: str, f: Figure) -> Figure:
    """The same figure, if its shells are closed and outward, its height and its number of triangles right."""
    for number, (shell, _) in enumerate(f.shells):
        triangles = shell.vertices[shell.faces]
        if not is_closed(triangles) or welded(triangles).volume <= 0:
            raise SystemExit(f"shell {number} of the figure {name} is open or inside out")
    low = min(float(shell.vertices[:, 2].min()) for shell, _ in f.shells)
    high = max(float(shell.vertices[:, 2].max()) for shell, _ in f.shells)
    if low < FOOT - 1e-9 or abs(high - HEIGHT) > 1e-9:
        raise SystemExit(f"{name} reaches from {low:.4f} to {high:.4f}, not from {FOOT:.4f} to {HEIGHT}")
    if sum(len(shell.faces) for shell, _ in f.shells) > TRIANGLE_LIMIT:
        raise SystemExit(f"the figure {name} has more than {TRIANGLE_LIMIT} triangles")
    return f


def build(folder: Path) -> None:
    """Write every figure to *folder*."""
    for name, make in FIGURES.items():
        shells = checked(name, make()).shells
        body = [(shell, colour) for shell, colour in shells if not isinstance(colour, int)]
        team = [(shell, (colour, colour, colour)) for shell, colour in shells if isinstance(colour, int)]
        figure = Scene({"body": mesh(body), "team": mesh(team)})
        write_atomically(folder / f"{name}.glb", figure.export(file_type="glb", include_normals=True))
        count = sum(len(shell.faces) for shell, _ in shells)
        print(f"{name}: {count} triangles, {(folder / f'{name}.glb').stat().st_size // 1024} kB")
