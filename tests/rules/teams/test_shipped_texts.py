"""Every text of the teams that come with the program acts: scenes as data, each with the text and without it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from engine_help import Answers, Field, at, melee, ranged
from team_help import action, in_force, objective, rule, shipped
from team_help import field as field_of

from ktsim.rules.engine.action import refuses, refuses_to_repeat
from ktsim.rules.engine.activation import activation, perform, remove_incapacitated
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import CANCEL, Steps
from ktsim.rules.engine.operative_events import ActivationBegan, Wounded
from ktsim.rules.engine.shoot.targets import rule_on
from ktsim.rules.engine.state import Side
from ktsim.rules.kt24.edition import KT24

GUN, BLADE = ranged(), melee()
PLACES = {"a": (5.0, 5.0), "b": (8.0, 5.0), "c": (14.0, 5.0)}
"""Two of red's, 2" between them, and one of blue's, 8" from A."""
MISS, BLANK = (1, 1, 1, 1), (1, 1, 1)


@dataclass(frozen=True)
class Scene:
    """What is done with a text in force, and what is so then; *otherwise* what is so without it.

    *steps*: ``Shoot a`` (any action, a text's own too), ``activate a``, ``counteract``, ``gambit``, ``wound b 10``,
    ``goes down b`` (it is 4" lower). The text is *side*'s; an operative's is on the datacards *on*. *rows* that share
    a scene name all their texts.
    """

    texts: str
    expect: dict[str, Any]
    otherwise: dict[str, Any]
    steps: tuple[str, ...] = ()
    dice: tuple[tuple[int, ...], ...] = ()
    choose: dict[str, Any] = field(default_factory=dict)
    side: Side = "red"
    on: str = "a"
    places: dict[str, tuple[float, float]] = field(default_factory=dict)
    wounds: dict[str, int] = field(default_factory=dict)
    orders: dict[str, Any] = field(default_factory=dict)
    marker: tuple[float, float] | None = None
    gun: Any = GUN
    rulings: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    cp: int = 1


NEAR = {"c": (6.5, 5.0), "b": (5.0, 9.0)}
"""C in A's control range, B in nobody's."""

IDLE = {"order": "engage", "action": "pass"}
"""An activation in which nothing is done."""

SCENES = [
    # -- weapon rules granted
    Scene("white-heat", {"a ranged c": ["Severe"]}, {"a ranged c": []}, places={"c": (9.0, 5.0)}),
    Scene(
        "dead-reckoning measure-twice ready-line ranging-shots",
        {"a ranged c": 1, "a melee c": 0},
        {"a ranged c": 0, "a melee c": 0},
    ),
    Scene("cut-once", {"b ranged c": ["Piercing Crits 1"], "c ranged b": []}, {"b ranged c": [], "c ranged b": []}),
    Scene("full-weight", {"b melee c": ["Brutal"], "b ranged c": []}, {"b melee c": [], "b ranged c": []}),
    Scene("undertow", {"b melee c": ["Ceaseless"], "b ranged c": []}, {"b melee c": [], "b ranged c": []}),
    Scene("breakers", {"b melee c": ["Punishing"], "b ranged c": []}, {"b melee c": [], "b ranged c": []}),
    Scene("barbed-lines", {"b melee c": ["Shock"], "b ranged c": []}, {"b melee c": [], "b ranged c": []}),
    Scene("sour-fruit", {"b melee c": ["Rending"], "b ranged c": []}, {"b melee c": [], "b ranged c": []}),
    Scene("trimmed-wicks", {"b ranged c": ["Severe"], "b melee c": []}, {"b ranged c": [], "b melee c": []}),
    Scene("burning-bright", {"b ranged c": ["Saturate"], "b melee c": []}, {"b ranged c": [], "b melee c": []}),
    Scene("pick-them-clean", {"b ranged c": ["Punishing"], "b melee c": []}, {"b ranged c": [], "b melee c": []}),
    Scene(
        "chalk-lines hold-fast hold-the-light",
        {"a ranged c": 1, "b ranged c": 0},
        {"a ranged c": 0, "b ranged c": 0},
        marker=(5, 6),
    ),
    Scene(
        "first-through",
        {"a melee c": ["Rending", "Shock"]},
        {"a melee c": []},
        ("Charge a",),
        choose={"move": (at(12.5, 5),)},
        places={"c": (14.0, 5.0)},
        gun=None,
        cp=0,
    ),
    Scene(
        "up-from-below",
        {"a melee c": ["Ceaseless"]},
        {"a melee c": []},
        ("Charge a",),
        choose={"move": (at(12.5, 5),)},
        gun=None,
        cp=0,
    ),
    Scene(
        "polished-lenses",
        {"a ranged c": ["Saturate"]},
        {"a ranged c": []},
        places={"c": (12.0, 5.0)},
        gun=ranged(key="lamp carbine"),
    ),
    Scene(
        "polished-lenses",
        {"a ranged c": []},
        {"a ranged c": []},
        places={"c": (12.1, 5.0)},
        gun=ranged(key="lamp carbine"),
    ),
    Scene(
        "oiled-slings",
        {"a ranged c": ["Saturate"]},
        {"a ranged c": []},
        places={"c": (12.0, 5.0)},
        gun=ranged(key="rig carbine"),
    ),
    Scene(
        "seed-pouches",
        {"a ranged c": ["Saturate"]},
        {"a ranged c": []},
        tokens={"c": "Blight"},
        gun=ranged(key="seed gun"),
    ),
    Scene("sickly-scent", {"a ranged c": ["Balanced"]}, {"a ranged c": []}, tokens={"c": "Blight"}),
    Scene(
        "creeping-blight",
        {"b melee c": ["Ceaseless"], "b ranged c": ["Ceaseless"]},
        {"b melee c": [], "b ranged c": []},
        tokens={"c": "Blight"},
    ),
    Scene("cover-the-lift", {"a ranged c": ["Balanced"]}, {"a ranged c": []}, places={"b": (9.0, 5.0)}),
    Scene("cover-the-lift", {"a ranged c": []}, {"a ranged c": []}, places={"b": (6.9, 5.0)}),
    Scene("haul-in whetted-gaffs", {"a melee c": 1}, {"a melee c": 0}, places={"c": (6.5, 5.0), "b": (8.0, 5.0)}),
    Scene("haul-in whetted-gaffs", {"a melee c": 0}, {"a melee c": 0}, places={"c": (6.5, 5.0), "b": (9.6, 5.0)}),
    Scene("high-ground", {"a ranged c": ["Lethal 5+"]}, {"a ranged c": []}, ("goes down c",)),
    Scene("high-ground", {"a ranged c": []}, {"a ranged c": []}),
    # -- stats and costs
    Scene("fair-wind", {"b.move": 7, "c.move": 6}, {"b.move": 6, "c.move": 6}),
    Scene(
        "choking-air", {"c.move": 5, "b.move": 6}, {"c.move": 6, "b.move": 6}, places={"c": (8.0, 5.0), "b": (5.0, 9.0)}
    ),
    Scene("weighted-hems", {"b.move": 6}, {"b.move": 4}, wounds={"b": 4}),
    Scene("cut-and-run", {"a ap Fall Back": 1}, {"a ap Fall Back": 2}, places=NEAR),
    Scene("drawn-to-it quick-knots", {"a ap Pick Up Marker": 0}, {"a ap Pick Up Marker": 1}, ("acts a",)),
    Scene(
        "out-of-the-dust",
        {"a Charge": None},
        {"a Charge": "Charge: not on a Conceal order."},
        orders={"a": "conceal"},
        places={"c": (9.0, 5.0)},
    ),
    Scene(
        "frenzy",
        {"c.wounds": 4},
        {"c.wounds": 7},
        ("Fight a", "again Fight a"),
        dice=((4, 1, 1, 1), MISS, (4, 1, 1, 1), MISS),
        places=NEAR,
        cp=0,
    ),
    Scene("finders-keepers", {"control": "red"}, {"control": None}, marker=(9.5, 5), places={"c": (11.5, 5.0)}),
    Scene("finders-keepers", {"control": None}, {"control": None}, marker=(9.5, 5), places={"c": (10.9, 5.0)}),
    # -- unique actions
    Scene("long-howl all-hands", {"b.apl": 3}, {"b.apl": 2}, ("own a",)),
    Scene("hooked-fast", {"c.move": 4}, {"c.move": 6}, ("own a",), places={"c": (13.0, 5.0)}),
    Scene("loose-the-wasps", {"c hit": 4}, {"c hit": 3}, ("own a",), places={"c": (12.0, 5.0)}),
    Scene("hot-pitch", {"b.wounds": 7}, {"b.wounds": 5}, ("own a",), dice=((3,),), wounds={"b": 5}),
    Scene(
        "trim-the-wick set-the-bone leeches splice",
        {"b.wounds": 8},
        {"b.wounds": 5},
        ("own a",),
        dice=((3,),),
        wounds={"b": 5},
    ),
    Scene(
        "sap-song", {"b.wounds": 7, "a.wounds": 6}, {"b.wounds": 5, "a.wounds": 4}, ("own a",), wounds={"b": 5, "a": 4}
    ),
    Scene("haul", {"b.x": 10000}, {"b.x": 8000}, ("own a",), choose={"move": (at(10, 5),)}),
    Scene(
        "tend-the-rows",
        {"b.x": 10000, "b.wounds": 7},
        {"b.x": 8000, "b.wounds": 5},
        ("own a",),
        choose={"move": (at(10, 5),)},
        wounds={"b": 5},
    ),
    Scene(
        "ink-cloud",
        {"obscured c b": True, "obscured c a": True, "obscured b c": False},
        {"obscured c b": False, "obscured c a": False, "obscured b c": False},
        ("own a",),
    ),
    Scene("ink-cloud", {"obscured c b": False}, {"obscured c b": False}, ("own a",), places={"b": (9.0, 7.0)}),
    # -- sight
    Scene(
        "guiding-light",
        {"obscured a c": False},
        {"obscured a c": True},
        on="b",
        places={"c": (15.0, 5.0)},
        rulings={("a", "c"): {"is_obscured": True}},
    ),
    Scene(
        "guiding-light",
        {"obscured a c": True},
        {"obscured a c": True},
        on="b",
        places={"c": (15.1, 5.0)},
        rulings={("a", "c"): {"is_obscured": True}},
    ),
    Scene("cold-flint", {"obscured a c": False}, {"obscured a c": True}, rulings={("a", "c"): {"is_obscured": True}}),
    Scene(
        "cold-flint",
        {"obscured a c": True},
        {"obscured a c": True},
        orders={"c": "conceal"},
        rulings={("a", "c"): {"is_obscured": True}},
    ),
    Scene(
        "crow-s-nest",
        {"obscured a c": False, "a ranged c": ["Balanced"]},
        {"obscured a c": True, "a ranged c": []},
        ("goes down c",),
        rulings={("a", "c"): {"is_obscured": True}},
    ),
    Scene(
        "rolls-away",
        {"valid c a": False},
        {"valid c a": True},
        orders={"a": "conceal"},
        rulings={("c", "a"): {"is_valid": True}},
    ),
    Scene(
        "rolls-away",
        {"valid c a": True},
        {"valid c a": True},
        orders={"a": "conceal"},
        places={"c": (12.0, 5.0)},
        rulings={("c", "a"): {"is_valid": True}},
    ),
    # -- being shot and fought
    Scene(
        "tarred-gaskets salt-scabs patched-hulls",
        {"b.wounds": 5},
        {"b.wounds": 4},
        ("Shoot c",),
        dice=((4, 4, 1, 1), BLANK),
        choose={"target": "b", "ward": ["yes"]},
        cp=0,
    ),
    Scene(
        "padded-coats",
        {"a.wounds": 5},
        {"a.wounds": 4},
        ("Fight c",),
        dice=((4, 4, 1, 1), MISS),
        choose={"ward": ["yes"]},
        places=NEAR,
        cp=0,
    ),
    Scene(
        "thick-crust",
        {"a.wounds": 6},
        {"a.wounds": 4},
        ("Shoot c",),
        dice=((4, 4, 1, 1), BLANK),
        choose={"target": "a"},
        cp=0,
    ),
    Scene(
        "heartwood",
        {"a.wounds": 4},
        {"a.wounds": 2},
        ("Shoot c",),
        dice=((4, 4, 1, 1), BLANK),
        choose={"target": "a"},
        gun=ranged(damage=(4, 5)),
        cp=0,
    ),
    Scene(
        "resin-plates",
        {"b.wounds": 3},
        {"b.wounds": 2},
        ("Shoot c",),
        dice=((6, 6, 1, 1), BLANK),
        choose={"target": "b", "ward": ["yes"]},
        cp=0,
    ),
    Scene(
        "belay",
        {"b.wounds": 3, "red.cp": 0},
        {"b.wounds": 2, "red.cp": 1},
        ("Shoot c",),
        dice=((6, 6, 1, 1), BLANK),
        choose={"target": "b", "ward": ["yes"], "reroll": ["keep"]},
    ),
    Scene(
        "thick-bark",
        {"b.wounds": 7},
        {"b.wounds": 6},
        ("Shoot c",),
        dice=((6, 1, 1, 1), BLANK),
        choose={"target": "b"},
        places={"c": (15.1, 5.0)},
        cp=0,
    ),
    Scene(
        "thick-bark",
        {"b.wounds": 6},
        {"b.wounds": 6},
        ("Shoot c",),
        dice=((6, 1, 1, 1), BLANK),
        choose={"target": "b"},
        places={"c": (15.0, 5.0)},
        cp=0,
    ),
    Scene(
        "rooted",
        {"a.wounds": 10},
        {"a.wounds": 7},
        ("Shoot c",),
        dice=((4, 1, 1, 1), BLANK, (6,)),
        choose={"target": "a", "reroll": "Rooted 1"},
        marker=(5, 6),
        cp=0,
    ),
    Scene(
        "batten-down",
        {"b.wounds": 10},
        {"b.wounds": 7},
        ("Shoot c",),
        dice=((4, 1, 1, 1), BLANK, (6,)),
        choose={"target": "b", "reroll": "Batten Down 1"},
        cp=0,
    ),
    Scene(
        "dust-veils",
        {"b.wounds": 10},
        {"b.wounds": 7},
        ("Shoot c",),
        dice=((4, 1, 1, 1), BLANK, (6,)),
        choose={"target": "b", "reroll": "Dust Veils 1"},
        orders={"b": "conceal"},
        rulings={("c", "b"): {"is_valid": True}},
        places={"c": (15.1, 5.0)},
        cp=0,
    ),
    Scene(
        "bend-in-the-wind",
        {"b.wounds": 10, "red.cp": 0},
        {"b.wounds": 4, "red.cp": 1},
        ("Shoot c",),
        dice=((4, 4, 1, 1), BLANK, (6,), (6,)),
        choose={
            "target": "b",
            "ploy": "bend-in-the-wind#0",
            "reroll": ["keep", "Bend in the Wind 1", "Bend in the Wind 1", "keep"],
        },
    ),
    Scene(
        "dead-weight",
        {"c ranged a": [], "c ranged b": ["Stun"]},
        {"c ranged a": ["Stun"], "c ranged b": ["Stun"]},
        gun=ranged("Stun"),
    ),
    Scene(
        "hook-and-turn",
        {"a.wounds": 3, "c.wounds": 0},
        {"a.wounds": 0, "c.wounds": 3},
        ("Fight c",),
        dice=((5, 1, 1, 1), (5, 1, 1, 1)),
        choose={"resolve": "strike n"},
        wounds={"a": 3, "c": 3},
        places=NEAR,
        cp=0,
    ),
    Scene(
        "sharpened-stakes",
        {"a.wounds": 10},
        {"a.wounds": 7},
        ("Charge c", "Fight c"),
        dice=((4, 1, 1, 1), MISS),
        choose={"move": (at(6.5, 5),)},
        places={"c": (12.0, 5.0), "b": (5.0, 9.0)},
        gun=None,
        cp=0,
    ),
    Scene("barbed-collars", {"c.wounds": 9}, {"c.wounds": 10}, ("Fight c",), dice=(MISS, MISS), places=NEAR, cp=0),
    Scene(
        "stitch-shut keep-it-lit drag-clear new-shoots not-on-my-watch",
        {"b.wounds": 1},
        {"b.wounds": 0},
        ("wound b 10",),
        choose={"team option": "yes"},
    ),
    Scene(
        "stitch-shut keep-it-lit drag-clear new-shoots not-on-my-watch",
        {"b.wounds": 0},
        {"b.wounds": 0},
        ("wound b 10",),
        places={"b": (9.1, 5.0)},
    ),
    Scene(
        "bursts",
        {"c.wounds": 8},
        {"c.wounds": 10},
        ("wound a 10",),
        dice=((3,),),
        places={"c": (8.0, 5.0), "b": (5.0, 9.0)},
    ),
    Scene(
        "burst-pods",
        {"c.wounds": 9, "c token Blight": 1},
        {"c.wounds": 10, "c token Blight": 0},
        ("wound a 10",),
        choose={"ploy": "burst-pods#0"},
        places={"c": (8.0, 5.0), "b": (5.0, 9.0)},
    ),
    # -- moments
    Scene(
        "through-the-wall",
        {"c.wounds": 9},
        {"c.wounds": 10},
        ("Charge a",),
        choose={"move": (at(12.5, 5),), "ploy": "through-the-wall#0 a"},
        gun=None,
        cp=0,
    ),
    Scene("blight", {"c token Blight": 1}, {"c token Blight": 0}, ("Fight a",), dice=(MISS, MISS), places=NEAR, cp=0),
    Scene("blight", {"c token Blight": 1}, {"c token Blight": 0}, ("Shoot a",), dice=((4, 1, 1, 1), BLANK), cp=0),
    Scene("blight", {"c token Blight": 0}, {"c token Blight": 0}, ("Shoot a",), dice=(MISS, BLANK), cp=0),
    Scene(
        "blight",
        {"c token Blight": 0, "c.wounds": 9},
        {"c token Blight": 1, "c.wounds": 10},
        ("activate c",),
        choose=IDLE,
        tokens={"c": "Blight"},
        cp=0,
    ),
    Scene(
        "kelp-poultice",
        {"b.wounds": 6},
        {"b.wounds": 5},
        ("activate b",),
        choose={"ploy": "kelp-poultice#0", **IDLE},
        wounds={"b": 5},
        cp=0,
    ),
    Scene(
        "second-growth",
        {"b.wounds": 7, "red.cp": 0},
        {"b.wounds": 5, "red.cp": 1},
        ("activate b",),
        dice=((3,),),
        choose={"ploy": "second-growth#0", **IDLE},
        wounds={"b": 5},
    ),
    Scene(
        "spring-growth",
        {"a.wounds": 5, "b.wounds": 6, "red.cp": 0},
        {"a.wounds": 4, "b.wounds": 5, "red.cp": 1},
        ("gambit",),
        wounds={"a": 4, "b": 5},
    ),
    Scene("tower-bell", {"b.apl": 3}, {"b.apl": 2}, ("gambit",), choose={"operative": "b"}),
    Scene("bone-whistles", {"b.x": 10000}, {"b.x": 8000}, ("gambit",), choose={"operative": "b", "move": (at(10, 5),)}),
    Scene(
        "cast-off",
        {"a.x": 3000},
        {"a.x": 5000},
        ("Shoot a",),
        dice=(MISS, BLANK),
        choose={"ploy": "cast-off#0", "move": (at(3, 5),)},
    ),
    Scene(
        "mark-the-wreck",
        {"b.x": 6000},
        {"b.x": 8000},
        ("Shoot a",),
        dice=((4, 4, 1, 1), BLANK),
        choose={"ploy": "mark-the-wreck#0", "move": (at(6, 5),), "reroll": ["keep"]},
        wounds={"c": 3},
    ),
    Scene(
        "tail-wind",
        {"b.x": 16000},
        {"b.x": 8000},
        ("activate b",),
        choose={"ploy": "tail-wind#0", "action": ["Reposition", "pass"], "order": "engage", "move": (at(16, 5),)},
        places={"c": (25.0, 15.0)},
    ),
    Scene(
        "snare-roots",
        {"c.wounds": 8},
        {"c.wounds": 10},
        ("Fall Back c",),
        dice=((3,),),
        choose={"ploy": "snare-roots#0", "move": (at(10, 7),)},
        places=NEAR,
    ),
    Scene(
        "kite",
        {"a.x": 11000},
        {"a.x": 5000},
        ("Reposition a",),
        choose={"team option": "set up", "relocate": at(11, 5)},
        places={"b": (8.0, 5.0)},
    ),
    # -- weapons of equipment
    *(
        Scene(id, {f"a has {name}": True}, {f"a has {name}": False})
        for id, name in (
            ("depth-charge", "Depth charge"),
            ("flash-pot", "Flash pot"),
            ("rattle-bomb", "Rattle bomb"),
            ("jar-of-stingers", "Jar of stingers"),
            ("grapnel-charge", "Grapnel charge"),
            ("rot-gourd", "Rot gourd"),
        )
    ),
]


SAID = ("target", "move", "resolve", "action", "order")
"""Questions that are answered the same whether or not the text is there."""


def rows() -> Iterator[Any]:
    for number, scene in enumerate(SCENES):
        for id in scene.texts.split():
            yield pytest.param(id, scene, id=f"{id}-{number}")


def laid_out(id: str, scene: Scene, is_there: bool) -> Field:
    rules = (rule(id, scene.side, scene.on),) if is_there else ()
    made = field_of(*rules, cp=scene.cp)
    for one, place in (PLACES | scene.places).items():
        weapons = (scene.gun, BLADE) if scene.gun is not None else (BLADE,)
        made.add(one, "blue" if one == "c" else "red", place, *weapons, order=scene.orders.get(one, "engage"))
    for one, wounds in scene.wounds.items():
        made.state.operatives[one].wounds = wounds
    for one, name in scene.tokens.items():
        made.state.operatives[one].tokens[f"red:{name}"] = 1
    if scene.marker is not None:
        objective(made, scene.marker)
    made.table.rulings.update(scene.rulings)
    return in_force(made, id, scene.side) if is_there and shipped()[id][1].kind == "equipment" else made


def done(id: str, scene: Scene, is_there: bool) -> Battle:
    """The battle after the steps; without the text those that need it are left out, and their answers unused."""
    made = laid_out(id, scene, is_there)
    text = shipped()[id][1]
    if is_there and text.kind == "strategy" and "gambit" not in scene.steps:
        in_force(made, id, scene.side)
    answers = Answers(scene.dice, {**scene.choose})

    def procedure(battle: Battle) -> Steps[None]:
        for step in scene.steps:
            verb, _, rest = step.rpartition(" ")
            yield from run(battle, verb or rest, rest, text.name, is_there)

    if is_there:
        return made.play(procedure, answers).battle
    game, answers = made.game(procedure), Answers(scene.dice, {k: v for k, v in scene.choose.items() if k != "ploy"})
    while game.pending is not None:
        asked = game.pending
        is_said = asked.seat == "chance" or (asked.topic in SAID and asked.topic in scene.choose)
        answer = answers(asked) if is_said else asked.default
        game.submit(answer if asked.check(answer) is None else CANCEL)
    return game.battle


def run(battle: Battle, verb: str, rest: str, name: str, is_there: bool) -> Steps[None]:
    state = battle.state
    if verb == "gambit":
        found = [each for one in battle.having("gambits") for each in one.gambits(battle, "red")]
        for each in found:
            assert each.refusal is None, each.refusal
            yield from each.perform()
        return
    if verb.startswith("wound "):
        yield Wounded(verb.split()[1], int(rest), "test", "c")
        yield from remove_incapacitated(battle)
        return
    one = state.operatives[rest]
    if verb == "goes down":
        one.level = -4000
    elif verb == "activate":
        yield from activation(battle, one)
    elif verb == "own" and not is_there:
        return
    else:
        if state.activation is None:
            yield ActivationBegan(one.id, "activation", one.order, battle.apl(one).value)
        if verb == "acts":
            return
        again = verb.startswith("again ")
        act = action(battle, one.id, name if verb == "own" else verb.removeprefix("again "))
        if not again or refuses_to_repeat(battle, one, act) is None:
            yield from perform(battle, one, act, act.ap)


def seen(battle: Battle, key: str) -> Any:
    """What a key of a scene's expectations is now."""
    state = battle.state
    if key == "control":
        [marker] = state.markers.values()
        return battle.controller(marker)
    if match := re.fullmatch(r"(red|blue)\.cp", key):
        return state.cp[match[1]]  # type: ignore[index]
    if match := re.fullmatch(r"(\w)\.(\w+)", key):
        one = state.operatives[match[1]]
        stats = {"move": battle.move, "apl": battle.apl, "save": battle.save}
        return stats[match[2]](one).value if match[2] in stats else getattr(one, match[2])
    if match := re.fullmatch(r"(\w) (ranged|melee) (\w)", key):
        one, foe = state.operatives[match[1]], state.operatives[match[3]]
        weapon = next(each for each in (*battle.card(one).weapons, GUN, BLADE) if each.kind == match[2])
        return [each.text for each in battle.weapon_rules(one, weapon, foe)]
    if match := re.fullmatch(r"(\w) ap (.+)", key):
        one = state.operatives[match[1]]
        return battle.ap_cost(one, KT24.action(match[2]))
    if match := re.fullmatch(r"(\w) hit", key):
        one = state.operatives[match[1]]
        return battle.hit(one, GUN).value
    if match := re.fullmatch(r"(obscured|valid) (\w) (\w)", key):
        ruling = rule_on(battle, state.operatives[match[2]], state.operatives[match[3]], ())
        return ruling.is_obscured if match[1] == "obscured" else ruling.is_valid
    if match := re.fullmatch(r"(\w) token (\w+)", key):
        return state.operatives[match[1]].tokens.get(f"red:{match[2]}", 0)
    if match := re.fullmatch(r"(\w) has (.+)", key):
        return match[2] in [each.name for each in battle.weapons(state.operatives[match[1]])]
    match = re.fullmatch(r"(\w) (\w+)", key)
    assert match is not None, key
    one = state.operatives[match[1]]
    return refuses(battle, one, action(battle, one.id, match[2]))


@pytest.mark.parametrize(("id", "scene"), list(rows()))
def test_a_text_acts(id: str, scene: Scene) -> None:
    for is_there, wanted in ((True, scene.expect), (False, scene.otherwise)):
        battle = done(id, scene, is_there)
        found = {key: seen(battle, key) for key in wanted}
        counted = {
            key: len(value) if isinstance(wanted[key], int) and isinstance(value, list) else value
            for key, value in found.items()
        }
        assert counted == wanted, ("with" if is_there else "without", id)


def test_every_text_has_a_scene_here_or_a_test_of_its_own() -> None:
    here = {id for scene in SCENES for id in scene.texts.split() if scene.expect != scene.otherwise}
    sources = Path(__file__).parent.glob("test_team_rules_*.py")
    elsewhere = {id for path in sources for id in re.findall(r'rule\("([a-z-]+)"', path.read_text(encoding="utf-8"))}
    assert sorted(set(shipped()) - here - elsewhere) == []
    assert sorted(here - set(shipped())) == []
