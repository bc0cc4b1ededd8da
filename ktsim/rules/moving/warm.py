"""Compiling what moving needs, once, as ``ktsim.sight.warm`` does for rulings."""

from __future__ import annotations

from ktsim.geometry.solids import box, cylinder
from ktsim.sight import warm
from ktsim.sight.scene import Area, Base, Feature, Figure, Operative, Part, Scene, Terrain


def _scene() -> Scene:
    """A platform to climb, another to jump to, a door, wire, something to traverse, a pool; two people."""

    def part(name: str, low: tuple[float, float, float], high: tuple[float, float, float], *traits: str) -> Feature:
        kind = "wire" if name == "wire" else "door" if name == "door" else ""
        return Feature(name, (Part(name, name, frozenset(traits), box(low, high), kind),))

    features = (
        part("block", (4, 4, 0), (9, 9, 2), "vantage", "heavy"),
        part("other block", (11, 4, 0), (14, 9, 2), "vantage", "heavy"),
        part("wall", (10, 10, 0), (10.3, 14, 3), "heavy"),
        part("door", (10, 14, 0), (10.3, 15.3, 2), "accessible", "heavy"),
        part("bar", (14, 12, 0), (14.3, 15, 0.8), "light", "traversable"),
        part("wire", (16, 12, 0), (16.5, 15, 1), "exposed"),
    )
    figure = Figure("stand-in", cylinder((0, 0, 0.14), 0.3, 1.2), (0.0, 0.0, 1.1), 0.1)
    people = (
        Operative("one", "a", 12.0, 11.0, 0.0, Base.of_mm(32), figure),
        Operative("two", "b", 17.0, 11.0, 0.0, Base.of_mm(60, 35), figure, 30.0),
    )
    pool = Area("pool", "hazardous", ((20.0, 3.0), (24.0, 3.0), (24.0, 6.0), (20.0, 6.0)))
    return Scene(Terrain((30.0, 22.0), features, areas=(pool,)), people)


def _stand() -> None:
    """Everything that is asked before somebody is put down on the table."""
    from ktsim.rules.moving.ground import ground_of
    from ktsim.rules.moving.standing import can_stand
    from ktsim.rules.moving.walk import Walker

    scene = _scene()
    ground_of(scene).solid_at(6.0, 6.0, 1.0)
    for one in scene.operatives:
        for x, y, level in ((12.0, 15.0, 0.0), (6.0, 6.0, 2.0), (9.0, 9.0, 0.0), (21.0, 4.0, 0.0), (14.0, 11.0, 0.0)):
            can_stand(ground_of(scene), Walker(one, scene), x, y, level)


def _move() -> None:
    """Maps and routes of every kind of move, in both editions."""
    from ktsim.rules.moving.ground import ground_of
    from ktsim.rules.moving.reach import reach
    from ktsim.rules.moving.walk import CHARGE, CHARGE_21, DASH, FALL_BACK, NORMAL_MOVE_21, REPOSITION, Walker, Waypoint

    scene = _scene()
    ground = ground_of(scene)
    for one in scene.operatives:
        for action in (REPOSITION, DASH, FALL_BACK, CHARGE, NORMAL_MOVE_21, CHARGE_21):
            found = reach(ground, Walker(one, scene), 7, action)
            found.places()
            for x, y, level in (
                (12.0, 16.0, 0.0),
                (9.0, 14.5, 0.0),
                (12.0, 8.0, 2.0),
                (15.2, 13.5, 0.0),
                (18.0, 13.5, 0.0),
            ):
                found.route(x, y, level)
            found.check((Waypoint(12.0, 9.7, 0.0), Waypoint(12.0, 9.7, 2.0), Waypoint(12.0, 8.0, 2.0)))


STANDING, MOVES = warm.Stage("standing", _stand), warm.Stage("moves", _move)
STAGES = (STANDING, MOVES)
"""What playing needs besides rulings."""
