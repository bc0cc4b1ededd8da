"""Threats on the table: who could shoot whom, and how dangerous the places in reach are. Names over heads."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ktsim.app.play.marks import words_over
from ktsim.app.play.threats import Danger, DangerMap, Threats
from ktsim.app.stage.cameras import head_of
from ktsim.app.stage.overlays import ORANGE, RGBA, TEAL, Label, Overlay, Ring, State, Tint, faded, ring
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.state import State as GameState
from ktsim.rules.killzone.guard import is_on_guard
from ktsim.sight.scene import Operative, Scene

LOW = 0.03
MOST = 3
"""As many as this, and more, look the same."""


def threat_marks(scene: Scene, threats: Threats) -> list[Overlay]:
    """Over whoever could shoot, with dashes around, its chance to take out whoever it is about; over whoever could be
    shot from there that chance."""
    present = {one.id: one for one in scene.operatives}
    against = {each.shooter: each for each in threats.against}
    by = {each.target: each for each in threats.by}
    items: list[Overlay] = []
    for id in dict.fromkeys([*against, *by]):
        if (one := present.get(id)) is None:
            continue
        words = []
        if id in against:
            kept = "in cover" if against[id].ruling.in_cover else ""
            kept = kept or ("obscured" if against[id].ruling.is_obscured else "")
            words.append(f"shoots it {against[id].chance.kill:.0%}{f' ({kept})' if kept else ''}")
        if id in by:
            words.append(f"shot by it {by[id].chance.kill:.0%}")
        x, y, z = head_of(one)
        state: State = "blocked" if id in against else "target"
        icon = "warning" if id in against else "target"
        items += [_around(one, id in against), Label((x, y, z + 0.36), " · ".join(words), state, icon)]
    return items


def _around(one: Operative, is_threat: bool) -> Ring:
    colour, dash = (ORANGE, 0.16) if is_threat else (TEAL, 0.4)
    return ring(one, 0.2, colour=colour, width=0.06, dash=dash)


def danger_marks(danger: DangerMap) -> list[Overlay]:
    """A square for each place: teal where nobody could shoot; else orange, and the larger the more could. Hollow where
    all of them would have cover in their way."""
    lots: dict[tuple[int, bool], list[NDArray[np.float64]]] = {}
    for x, y, level, found in danger.squares:
        is_open = found.count == 0 or found.in_open > 0
        lots.setdefault((min(found.count, MOST), is_open), []).append(_square(x, y, level, danger.side, found))
    return [
        Tint(np.concatenate(squares), _colour(count, is_open)) for (count, is_open), squares in sorted(lots.items())
    ]


def _colour(count: int, is_open: bool) -> RGBA:
    if count == 0:
        return faded(TEAL, 92)
    return faded(ORANGE, (80, 120, 165)[count - 1] if is_open else 60)


def _square(x: float, y: float, level: float, side: float, found: Danger) -> NDArray[np.float64]:
    """Two triangles, smaller where fewer could shoot."""
    share = (0.94, 0.5, 0.72, 0.94)[min(found.count, MOST)]
    far, z = side / 2 * share, level + LOW
    a, b, c, d = (x - far, y - far, z), (x + far, y - far, z), (x + far, y + far, z), (x - far, y + far, z)
    return np.array([[a, b, c], [a, c, d]])


def name_marks(battle: Battle, scene: Scene) -> list[Overlay]:
    """Everybody's name, where there is room for it, and who is on guard."""
    found = guard_marks(battle, scene)
    for one in scene.operatives:
        label = words_over(one, battle.name(one.id))
        found.append(Label(label.at, label.text, team=label.team, may_hide=True))
    return found


def guard_marks(battle: Battle, scene: Scene) -> list[Overlay]:
    """Whoever is on guard, by name."""
    on_guard = [who.id for who in battle.state.operatives.values() if is_on_guard(who)]
    return [words_over(one, battle.name(one.id), "guard") for one in scene.operatives if one.id in on_guard]


def hit_marks(state: GameState, scene: Scene, hits: Mapping[str, int]) -> list[Overlay]:
    """What somebody has lost since the player's last answer, over it or where it stood."""
    present = {one.id: head_of(one)[2] for one in scene.operatives}
    items: list[Overlay] = []
    for id, amount in hits.items():
        who = state.operatives.get(id)
        if who is None or not amount:
            continue
        words = f"-{amount}, out" if who.is_incapacitated else f"-{amount}, {who.wounds} left"
        at = (who.x / 1000, who.y / 1000, present.get(id, who.level / 1000 + 0.6) + 0.37)
        items.append(Label(at, words, "blocked", "injured"))
    return items
