"""Every sentence about the tac ops: a case that just pays, one that just does not, played through the game."""

from __future__ import annotations

from typing import Any

import pytest
from engine_help import Answers
from op_help import AT_BLUES, AT_CENTRE, AT_REDS, CENTRE, OpField, Sentence, can, cost, each_of, put, scored

from ktsim.rules.engine.activation import remove_incapacitated
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.operative_events import Wounded
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.state import OperativeState
from ktsim.rules.engine.turn import turn_end
from ktsim.rules.kt24.ops.register import TAC_OPS


def tac(key: str, at: tuple[float, float] = AT_CENTRE, turn: int = 2, crit: str = "secure") -> OpField:
    """Red's A somewhere, F far behind, blue's Z far from everything; red has the tac op."""
    field = OpField(crit, red=key, turn=turn).add("a", "red", at).add("f", "red", (1, 1)).add("z", "blue", (28, 3))
    if key == "flank":
        field.state.choices["red:tac op revealed"] = key
    return field


def gambit(field: OpField, *answers: str) -> OpField:
    game = field.gambits("red")
    for answer in answers:
        game.submit(answer)
    field.state = game.state
    return field


def offered(field: OpField, key: str) -> bool:
    """Whether red may use a gambit now."""
    pending: Any = field.gambits("red").pending
    return pending is not None and any(each.key == key and each.refusal is None for each in pending.options)


def carrying(field: OpField, *ids: str) -> OpField:
    for id in ids:
        field.state.markers[id].carrier = "a"
    return field


class Sparing(Rule):
    """Operative C does not count for the kill op."""

    def counts_for_kills(self, battle: Battle, who: OperativeState) -> bool:
        return who.id != "c"


def sparing(field: OpField) -> OpField:
    field._rules = (Sparing(),)
    return field


def spotted(far: float = 6.01, order: str = "conceal", **more: Any) -> OpField:
    """A scout and an enemy *far* from it, base to base."""
    field = tac("scout-enemy-movement", (5, 5)).add("b", "blue", (6 + far, 5), **more)
    field.state.operatives["a"].order = order  # type: ignore[assignment]
    return field


def unseen(field: OpField, *viewers: str) -> OpField:
    """None of *viewers* sees anybody from now on."""
    field.table.rulings |= {(viewer, enemy): {"is_visible": False} for viewer in viewers for enemy in ("b", "z")}
    return field


def tracking(far: float = 6.0, turn: int = 2, **rulings: Any) -> OpField:
    """A on Conceal tracks B, which is *far* away; it is in cover from it unless told otherwise."""
    field = tac("track-enemy", (5, 5), turn).add("b", "blue", (6 + far, 5))
    field.state.operatives["a"].order = "conceal"
    field.table.rulings[("b", "a")] = rulings.get("back", {"in_cover": True})
    field.table.rulings[("z", "a")] = {"in_cover": True}
    if "there" in rulings:
        field.table.rulings[("a", "b")] = rulings["there"]
    return field


def second(field: OpField, far: float) -> OpField:
    field.add("c", "blue", (6 + far, 6)).table.rulings[("c", "a")] = {"in_cover": True}
    return field


def fallen(turn: int = 2, at: tuple[int, int, int] = (11000, 14000, 0)) -> OpField:
    """B and C fell near A; B's marker lies where it was put."""
    field = tac("steal-intelligence", (10, 15), turn).add("b", "blue", (11, 14)).add("c", "blue", (11, 16))
    return field.fell("b", "a", {"intelligence": at}).fell("c", "a")


def devices(*at: tuple[float, float], enemy: tuple[float, float] | None = None, apl: int = 1) -> OpField:
    """Red plants devices at *at*, then an enemy comes to one of them."""
    field = tac("plant-devices", (2, 20))
    for number, place in enumerate(at):
        field.add(f"d{number}", "red", place).do(f"d{number}", "Plant Device")
    return field if enemy is None else field.add("b", "blue", enemy, apl=apl)


def planted(at: tuple[float, float] = (20, 11)) -> OpField:
    return tac("plant-banner", at).do("a", "Plant Banner", {"plant banner": (*(round(v * 1000) for v in at), 0)})


def moved_to(field: OpField, at: tuple[float, float]) -> OpField:
    """The banner lies elsewhere, and A beside it."""
    banner = field.state.markers["banner-red"]
    banner.x, banner.y = round(at[0] * 1000), round(at[1] * 1000)
    return put(field, "a", at)


def named(at: tuple[float, float] = (20, 5)) -> OpField:
    return gambit(tac("envoy", at), "envoy", "a")


def hurt(field: OpField) -> OpField:
    Wounded("a", 1, "test", "z").apply(field.state)
    return field


def swept(turn: int = 2) -> OpField:
    """B fell at the centre, which A holds."""
    return tac("sweep-and-clear", (14, 11), turn).add("b", "blue", (16.5, 11)).fell("b", "a")


def routed(x: float = 17.5, wounds: int = 11) -> int:
    return tac("rout", (x, 11)).add("b", "blue", (20, 5), wounds=wounds).fell("b", "a").vp("red", "tac")


def dominating(turn: int = 3, tokens: int = 1) -> OpField:
    field = tac("dominate", (10, 11), turn)
    for n in range(tokens):
        field.add(f"b{n}", "blue", (25, 2 + 3 * n)).fell(f"b{n}", "a")
    return field


TAC = [
    Sentence("KT24-SCORE", "a tac op pays 2VP per turning point at most",
             lambda: scored(devices(AT_BLUES, AT_CENTRE, enemy=AT_CENTRE), "tac"), 2,
             lambda: scored(devices(AT_BLUES, AT_CENTRE, AT_REDS, enemy=AT_CENTRE).add("e", "blue", AT_REDS), "tac"),
             2),
    # Flank
    Sentence("KT24-OP-FLANK", "it is revealed as a gambit",
             lambda: scored(gambit(OpField(red="flank").add("a", "red", (20, 15)).add("z", "blue", (28, 3)), "flank"),
                            "tac"), 1,
             lambda: scored(OpField(red="flank").add("a", "red", (20, 15)).add("z", "blue", (28, 3)), "tac"), 0),
    Sentence("KT24-OP-FLANK", "halves left and right of a line between the players' edges",
             lambda: scored(tac("flank", (20, 10.5)), "tac"), 1,
             lambda: scored(tac("flank", (20, 10.51)), "tac"), 0),
    Sentence("KT24-OP-FLANK", "wholly within the territory of its own opponent",
             lambda: scored(tac("flank", (15.5, 15)), "tac"), 1,
             lambda: scored(tac("flank", (15.49, 15)), "tac"), 0),
    Sentence("KT24-OP-FLANK", "a defender at home contests nothing",
             lambda: scored(tac("flank", (20, 15)).add("b", "blue", (25, 18), apl=3), "tac"), 1,
             lambda: scored(tac("flank", (20, 15)).add("b", "blue", (5, 18), apl=3), "tac"), 0),
    Sentence("KT24-OP-FLANK", "controlled by APL",
             lambda: scored(tac("flank", (20, 15)).add("b", "blue", (5, 18), apl=1), "tac"), 1,
             lambda: scored(tac("flank", (20, 15)).add("b", "blue", (5, 18), apl=2), "tac"), 0),
    Sentence("KT24-OP-FLANK", "1VP for each flank",
             lambda: scored(tac("flank", (20, 15)).add("c", "red", (20, 5)), "tac"), 2,
             lambda: scored(tac("flank", (20, 15)).add("c", "red", (20, 15.9)), "tac"), 1),
    # Scout Enemy Movement
    Sentence("KT24-OP-SCOUT-ENEMY-MOVEMENT", "on Conceal", lambda: can(spotted(), "a", "Scout"), True,
             lambda: can(spotted(order="engage"), "a", "Scout"), False),
    Sentence("KT24-OP-SCOUT-ENEMY-MOVEMENT", "for 1AP", lambda: cost(spotted(), "Scout"), 1,
             lambda: can(tac("scout-enemy-movement", (5, 5), turn=1), "a", "Scout"), False),
    Sentence("KT24-OP-SCOUT-ENEMY-MOVEMENT", "a ready enemy", lambda: can(only(spotted()), "a", "Scout"), True,
             lambda: can(only(spotted(is_ready=False)), "a", "Scout"), False),
    Sentence("KT24-OP-SCOUT-ENEMY-MOVEMENT", "a visible one", lambda: can(unseen(spotted(), "f"), "a", "Scout"), True,
             lambda: can(unseen(spotted(), "a"), "a", "Scout"), False),
    Sentence("KT24-OP-SCOUT-ENEMY-MOVEMENT", 'more than 6" away', lambda: can(only(spotted(6.01)), "a", "Scout"), True,
             lambda: can(only(spotted(6.0)), "a", "Scout"), False),
    Sentence("KT24-OP-SCOUT-ENEMY-MOVEMENT", "monitored until the next Ready step",
             lambda: scored(spotted().do("a", "Scout", {"monitor": "b"}), "tac"), 1,
             lambda: scored(spotted().do("a", "Scout", {"monitor": "b"}).next_turn(), "tac") - 1, 0),
    Sentence("KT24-OP-SCOUT-ENEMY-MOVEMENT", "1VP for each that friends see at the end",
             lambda: scored(unseen(spotted().do("a", "Scout", {"monitor": "b"}), "a"), "tac"), 1,
             lambda: scored(unseen(spotted().do("a", "Scout", {"monitor": "b"}), "a", "f"), "tac"), 0),
    # Retrieval
    Sentence("KT24-OP-RETRIEVAL", "1AP on a controlled objective",
             lambda: (cost(tac("retrieval"), "Retrieve"), can(tac("retrieval"), "a", "Retrieve")), (1, True),
             lambda: can(tac("retrieval").add("b", "blue", (17.2, 11), apl=2), "a", "Retrieve"), False),
    Sentence("KT24-OP-RETRIEVAL", "that was not searched before",
             lambda: can(tac("retrieval").do("a", "Retrieve").add("c", "red", AT_REDS), "c", "Retrieve"), True,
             lambda: can(tac("retrieval").do("a", "Retrieve").add("c", "red", (14, 11)), "c", "Retrieve"), False),
    Sentence("KT24-OP-RETRIEVAL", "a Retrieval marker is carried then",
             lambda: [m.kind for m in tac("retrieval").do("a", "Retrieve").state.carried_by("a")], ["retrieval"],
             lambda: tac("retrieval").settle().state.carried_by("a"), []),
    Sentence("KT24-OP-RETRIEVAL", "1VP for each first search",
             lambda: tac("retrieval").do("a", "Retrieve").vp("red", "tac"), 1,
             lambda: scored(tac("retrieval"), "tac"), 0),
    Sentence("KT24-OP-RETRIEVAL", "1VP for each carried at the end of the battle",
             lambda: scored(tac("retrieval", turn=4).do("a", "Retrieve"), "tac"), 2,
             lambda: scored(tac("retrieval", turn=3).do("a", "Retrieve"), "tac"), 1),
    Sentence("KT24-OP-RETRIEVAL", "not while carrying anything",
             lambda: can(tac("retrieval").marker("m", (15, 12), can_be_picked_up=True), "a", "Retrieve"), True,
             lambda: can(carrying(tac("retrieval").marker("m", (15, 12)), "m"), "a", "Retrieve"), False),
    # Track Enemy
    Sentence("KT24-OP-TRACK-ENEMY", "a valid target for a friend", lambda: scored(tracking(), "tac"), 1,
             lambda: scored(tracking(there={"is_visible": False}), "tac"), 0),
    Sentence("KT24-OP-TRACK-ENEMY", 'within 6"', lambda: scored(tracking(6.0), "tac"), 1,
             lambda: scored(tracking(6.01), "tac"), 0),
    Sentence("KT24-OP-TRACK-ENEMY", "on Conceal", lambda: scored(tracking(), "tac"), 1,
             lambda: scored(engaging(tracking(back={"is_visible": False})), "tac"), 0),
    Sentence("KT24-OP-TRACK-ENEMY", "that is no valid target for it", lambda: scored(tracking(), "tac"), 1,
             lambda: scored(tracking(back={}), "tac"), 0),
    Sentence("KT24-OP-TRACK-ENEMY", "nor in an enemy's control range",
             lambda: scored(put(tracking(), "z", (5, 7.01)), "tac"), 2,
             lambda: scored(put(tracking(), "z", (5, 7)), "tac"), 0),
    Sentence("KT24-OP-TRACK-ENEMY", "2VP for one in turning point 4", lambda: scored(tracking(turn=4), "tac"), 2,
             lambda: scored(tracking(turn=3), "tac"), 1),
    Sentence("KT24-OP-TRACK-ENEMY", "2VP for two", lambda: scored(second(tracking(), 5.8), "tac"), 2,
             lambda: scored(second(tracking(), 6.2), "tac"), 1),
    # Steal Intelligence
    Sentence("KT24-OP-STEAL-INTELLIGENCE", "each incapacitated enemy leaves a marker",
             lambda: "intelligence-b" in fallen().state.markers, True,
             lambda: any("intelligence" in id for id in tac("steal-intelligence").fell("a", "z").state.markers), False),
    Sentence("KT24-OP-STEAL-INTELLIGENCE", "the owner of the op places it within its control range",
             lambda: place_of_intelligence(12.89), None,
             lambda: place_of_intelligence(12.9), "The marker would not be within B's control range."),
    Sentence("KT24-OP-STEAL-INTELLIGENCE", "only friends pick it up",
             lambda: can(fallen(), "a", "Pick Up Marker"), True,
             lambda: can(put(fallen().add("e", "blue", (11, 14)), "a", (3, 3)), "e", "Pick Up Marker"), False),
    Sentence("KT24-OP-STEAL-INTELLIGENCE", "1VP while any is carried",
             lambda: scored(carrying(fallen(), "intelligence-b"), "tac"), 1,
             lambda: scored(fallen(), "tac"), 0),
    Sentence("KT24-OP-STEAL-INTELLIGENCE", "1VP for each carried at the end of the battle",
             lambda: scored(carrying(fallen(4), "intelligence-b", "intelligence-c"), "tac"), 3,
             lambda: scored(carrying(fallen(3), "intelligence-b", "intelligence-c"), "tac"), 1),
    Sentence("KT24-OP-STEAL-INTELLIGENCE", "an operative may carry two",
             lambda: can(carrying(fallen(), "intelligence-b"), "a", "Pick Up Marker"), True,
             lambda: can(carrying(fallen(), "intelligence-b", "intelligence-c").marker("m", (10, 14)), "a",
                         "Pick Up Marker"), False),
    Sentence("KT24-OP-STEAL-INTELLIGENCE", "or one and another marker",
             lambda: can(carrying(fallen().marker("m", (10, 14)), "m"), "a", "Pick Up Marker"), True,
             lambda: can(carrying(tac("retrieval", (10, 15)).marker("m", (10, 14))
                                  .marker("n", (9, 14), can_be_picked_up=True), "m"), "a", "Pick Up Marker"), False),
    # Plant Devices
    Sentence("KT24-OP-PLANT-DEVICES", "1AP on a controlled objective",
             lambda: (cost(tac("plant-devices"), "Plant Device"), can(tac("plant-devices"), "a", "Plant Device")),
             (1, True),
             lambda: can(tac("plant-devices").add("b", "blue", (17.2, 11), apl=2), "a", "Plant Device"), False),
    Sentence("KT24-OP-PLANT-DEVICES", "1VP if the enemy's objective has one",
             lambda: scored(devices(AT_BLUES), "tac"), 1,
             lambda: scored(devices(AT_REDS), "tac"), 0),
    Sentence("KT24-OP-PLANT-DEVICES", "1VP for each other that enemies contest, whoever controls it",
             lambda: scored(devices(AT_CENTRE, enemy=(17, 11), apl=1), "tac"), 1,
             lambda: scored(devices(AT_CENTRE, enemy=(18.1, 11), apl=3), "tac"), 0),
    # Plant Banner
    Sentence("KT24-OP-PLANT-BANNER", "1AP, once",
             lambda: (cost(tac("plant-banner", (20, 11)), "Plant Banner"),
                      can(tac("plant-banner", (20, 11)), "a", "Plant Banner")), (1, True),
             lambda: can(planted(), "a", "Plant Banner"), False),
    Sentence("KT24-OP-PLANT-BANNER", "wholly in the enemy territory", lambda: place_of_banner(15.4, 11), None,
             lambda: place_of_banner(15.39, 11), "The banner would not be wholly within the enemy territory."),
    Sentence("KT24-OP-PLANT-BANNER", 'more than 5" from a neutral edge', lambda: place_of_banner(20, 5.4), None,
             lambda: place_of_banner(20, 5.39), 'The banner must be more than 5" from a neutral edge.'),
    Sentence("KT24-OP-PLANT-BANNER", "that is a condition of planting, not of scoring",
             lambda: scored(moved_to(planted(), (20, 1)), "tac"), 2,
             lambda: scored(moved_to(planted(), (15.39, 1)), "tac"), 0),
    Sentence("KT24-OP-PLANT-BANNER", "any operative, enemies too, may pick it up",
             lambda: can(put(planted(), "a", (3, 3)).add("e", "blue", (20, 11)), "e", "Pick Up Marker"), True,
             lambda: can(planted().add("e", "blue", (21, 12.9), apl=1), "e", "Pick Up Marker"), False),
    Sentence("KT24-OP-PLANT-BANNER", "not while it is carried", lambda: scored(planted(), "tac"), 2,
             lambda: scored(carrying(planted(), "banner-red"), "tac"), 0),
    Sentence("KT24-OP-PLANT-BANNER", "1VP if friends control it",
             lambda: scored(planted().add("b", "blue", (21, 11), apl=1), "tac"), 1,
             lambda: scored(planted().add("b", "blue", (21, 11), apl=2), "tac"), 0),
    Sentence("KT24-OP-PLANT-BANNER", "2VP if also no enemy contests it",
             lambda: scored(planted().add("b", "blue", (21.91, 11), apl=1), "tac"), 2,
             lambda: scored(planted().add("b", "blue", (21.89, 11), apl=1), "tac"), 1),
    # Martyrs
    Sentence("KT24-OP-MARTYRS", "a friend incapacitated while contesting an objective leaves a token",
             lambda: tac("martyrs", (12.8, 11)).fell("a", "z").tokens(CENTRE), {"martyr:red": 1},
             lambda: tac("martyrs", (12.7, 11)).fell("a", "z").tokens(CENTRE), {}),
    Sentence("KT24-OP-MARTYRS", "1VP where friends contest",
             lambda: scored(tac("martyrs").fell("a").add("c", "red", (14, 11)).add("e", "blue", (16.1, 11)), "tac"), 1,
             lambda: scored(tac("martyrs").fell("a").add("c", "red", (12.7, 11)), "tac"), 0),
    Sentence("KT24-OP-MARTYRS", "2VP if they control that marker",
             lambda: scored(tac("martyrs").fell("a").add("c", "red", (14, 11)).add("e", "blue", (16.1, 11), apl=1),
                            "tac"), 2,
             lambda: scored(tac("martyrs").fell("a").add("c", "red", (14, 11)).add("e", "blue", (16.1, 11), apl=2),
                            "tac"), 1),
    Sentence("KT24-OP-MARTYRS", "which and how many is a choice",
             lambda: ended(tac("martyrs").fell("a").add("c", "red", AT_CENTRE), {"martyr token": CENTRE})
             .tokens(CENTRE), {},
             lambda: ended(tac("martyrs").fell("a").add("c", "red", AT_CENTRE), {"martyr token": "keep"})
             .tokens(CENTRE), {"martyr:red": 1}),
    Sentence("KT24-OP-MARTYRS", "each operative leaves one token in a battle",
             lambda: tac("martyrs").add("c", "red", (14, 11)).fell("a").fell("c").tokens(CENTRE), {"martyr:red": 2},
             lambda: revived(tac("martyrs").fell("a")).fell("a").tokens(CENTRE), {"martyr:red": 1}),
    # Envoy
    Sentence("KT24-OP-ENVOY", "a gambit from turning point 2", lambda: offered(tac("envoy"), "envoy"), True,
             lambda: offered(tac("envoy", turn=1), "envoy"), False),
    Sentence("KT24-OP-ENVOY", "a new operative each time",
             lambda: gambit(named().next_turn(), "envoy").state.operatives["f"].tokens, {"envoy": 1},
             lambda: gambit(named().next_turn(), "envoy").state.operatives["a"].tokens, {"former envoy": 1}),
    Sentence("KT24-OP-ENVOY", "never one that does not count for the kill op",
             lambda: envoys(tac("envoy").add("c", "red", (3, 3))), {"a", "f", "c"},
             lambda: envoys(sparing(tac("envoy").add("c", "red", (3, 3)))), {"a", "f"}),
    Sentence("KT24-OP-ENVOY", "wholly in enemy territory", lambda: scored(named((15.5, 5)), "tac"), 2,
             lambda: scored(named((15.49, 5)), "tac"), 0),
    Sentence("KT24-OP-ENVOY", "out of control range", lambda: scored(named().add("b", "blue", (22.01, 5)), "tac"), 2,
             lambda: scored(named().add("b", "blue", (22, 5)), "tac"), 0),
    Sentence("KT24-OP-ENVOY", "2VP if also unhurt in this turning point", lambda: scored(named(), "tac"), 2,
             lambda: scored(hurt(named()), "tac"), 1),
    # Sweep & Clear
    Sentence("KT24-OP-SWEEP-AND-CLEAR", "an enemy incapacitated while contesting an objective marks it Swept",
             lambda: swept().tokens(CENTRE), {"swept:red": 1},
             lambda: tac("sweep-and-clear").add("b", "blue", (18.1, 11)).fell("b", "a").tokens(CENTRE), {}),
    Sentence("KT24-OP-SWEEP-AND-CLEAR", "until the next Ready step", lambda: scored(swept(), "tac"), 1,
             lambda: scored(swept().next_turn(), "tac") - 1, 0),
    Sentence("KT24-OP-SWEEP-AND-CLEAR", "Clear on any controlled objective, Swept or not",
             lambda: (cost(tac("sweep-and-clear"), "Clear"), can(tac("sweep-and-clear"), "a", "Clear")), (1, True),
             lambda: can(tac("sweep-and-clear").add("b", "blue", (17.2, 11), apl=2), "a", "Clear"), False),
    Sentence("KT24-OP-SWEEP-AND-CLEAR", "Clear lasts for the turning point",
             lambda: "cleared:red" in tac("sweep-and-clear").do("a", "Clear").tokens(CENTRE), True,
             lambda: "cleared:red" in tac("sweep-and-clear").do("a", "Clear").next_turn().tokens(CENTRE), False),
    Sentence("KT24-OP-SWEEP-AND-CLEAR", "revealed by the first Clear",
             lambda: is_known(tac("sweep-and-clear").do("a", "Clear")), True,
             lambda: is_known(tac("sweep-and-clear").next_turn()), False),
    Sentence("KT24-OP-SWEEP-AND-CLEAR", "or by the first such kill", lambda: is_known(swept()), True,
             lambda: is_known(tac("sweep-and-clear").fell("z", "a")), False),
    Sentence("KT24-OP-SWEEP-AND-CLEAR", "1VP if friends control any Swept one", lambda: scored(swept(), "tac"), 1,
             lambda: scored(swept().add("e", "blue", (16.5, 11), apl=2), "tac"), 0),
    Sentence("KT24-OP-SWEEP-AND-CLEAR", "once, not per marker",
             lambda: scored(swept().add("c", "red", AT_REDS).add("e", "blue", (10, 6.5)).fell("e", "c"), "tac"), 1,
             lambda: scored(tac("sweep-and-clear"), "tac"), 0),
    Sentence("KT24-OP-SWEEP-AND-CLEAR", "2VP if any of those is also cleared",
             lambda: scored(swept().do("a", "Clear"), "tac"), 2,
             lambda: scored(swept().add("c", "red", AT_REDS).do("c", "Clear"), "tac"), 1),
    # Rout
    Sentence("KT24-OP-ROUT", 'a friend within 6" of the enemy drop zone incapacitates', lambda: routed(17.5), 1,
             lambda: routed(17.49), 0),
    Sentence("KT24-OP-ROUT", "2VP for 12 or more Wounds", lambda: routed(wounds=12), 2, lambda: routed(wounds=11), 1),
    # Dominate
    Sentence("KT24-OP-DOMINATE", "a friend that incapacitates gains a token",
             lambda: dominating().state.operatives["a"].tokens, {"dominate": 1},
             lambda: tac("dominate").fell("z", "").state.operatives["a"].tokens, {}),
    Sentence("KT24-OP-DOMINATE", "1VP each at the end of turning points 3 and 4", lambda: scored(dominating(3), "tac"),
             1, lambda: scored(dominating(2), "tac"), 0),
    Sentence("KT24-OP-DOMINATE", "from living friends", lambda: scored(dominating(), "tac"), 1,
             lambda: scored(dominating().fell("a", "z"), "tac"), 0),
    Sentence("KT24-OP-DOMINATE", "at most 3 per turning point", lambda: scored(dominating(tokens=3), "tac"), 3,
             lambda: scored(dominating(tokens=4), "tac"), 3),
    Sentence("KT24-OP-DOMINATE", "which ones is a choice",
             lambda: ended(dominating(), {"dominate token": "a"}).vp("red", "tac"), 1,
             lambda: ended(dominating(), {"dominate token": "keep"}).vp("red", "tac"), 0),
]  # fmt: skip


def only(field: OpField) -> OpField:
    """Nobody of blue but B."""
    del field.state.operatives["z"]
    return field


def engaging(field: OpField) -> OpField:
    field.state.operatives["a"].order = "engage"
    return field


def ended(field: OpField, choose: dict[str, str]) -> OpField:
    return field.run(turn_end, Answers(choose=choose))


def revived(field: OpField) -> OpField:
    again = field.state.operatives["a"]
    again.wounds, again.is_removed = 5, False
    return field


def envoys(field: OpField) -> set[str]:
    game = field.gambits("red")
    game.submit("envoy")
    pending: Any = game.pending
    return {option.key for option in pending.options}


def is_known(field: OpField) -> bool:
    return "red:tac op revealed" in field.state.choices


def place_of_intelligence(y: float) -> str | None:
    """Why B's marker cannot be put straight above it, for red, who is asked."""
    field = tac("steal-intelligence", (10, 15)).add("b", "blue", (11, 11))

    def procedure(battle: Battle) -> Any:
        yield Wounded("b", 99, "test", "a")
        yield from remove_incapacitated(battle)

    pending: Any = field.game(procedure).pending
    assert pending.seat == "red"
    return str(why) if (why := pending.check((11000, round(y * 1000), 0))) else None


def place_of_banner(x: float, y: float) -> str | None:
    field = tac("plant-banner", (x, y))
    action: Any = field.settle().action("a", "Plant Banner")
    place = (round(x * 1000), round(y * 1000), 0)
    why = action.refuses_place(field.battle(), field.state.operatives["a"], place)
    return str(why) if why else None


@pytest.mark.parametrize("row", each_of(TAC))
def test_it_pays(row: Sentence) -> None:
    assert row.pays() == row.worth


@pytest.mark.parametrize("row", each_of(TAC))
def test_it_just_does_not(row: Sentence) -> None:
    assert row.but() == row.not_worth


def test_every_tac_op_has_its_sentences() -> None:
    assert {op.id for op in TAC_OPS.values()} <= {row.rule for row in TAC}
    assert len({(row.rule, row.says) for row in TAC}) == len(TAC)
