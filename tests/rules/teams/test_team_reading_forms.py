"""The same things said in other words: plurals, word orders, moments said last, who chooses. All texts are invented."""

from __future__ import annotations

from typing import Any

import pytest
from engine_help import Answers, Field, acting, at, melee, ranged
from language_help import ground
from tables import PLATFORM, R, costs, move, scene
from team_help import who
from test_team_reading import LEXICON, read, rules

from ktsim.rules.engine.activation import remove_incapacitated
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.operative_events import TokenChanged, Wounded
from ktsim.rules.engine.shoot.targets import rule_on
from ktsim.rules.kt24.fight import Fight
from ktsim.rules.kt24.moves import Dash, Reposition
from ktsim.rules.kt24.shoot import Shoot
from ktsim.rules.moving.walk import REPOSITION, MoveAction
from ktsim.rules.teams.playing.status import status_of
from ktsim.rules.teams.reading.documents import DocumentReader, PrintedText

M = "MOTH OFFICE"


def status(text: str, kind: Any) -> str:
    of = "clerk" if kind in ("ability", "action") else ""
    printed = PrintedText("x", kind, "X", text, text, of=of)
    return status_of(DocumentReader(LEXICON, {}).text(printed, ()))[0]


FORMS: list[tuple[Any, str, str]] = [
    ("strategy", f"Whenever an operative is shooting a friendly {M} operative more than 6\" from it, that friendly "
     "operative's Save stat is improved by 1.", "{'stat': 'save', 'by': 1}"),
    ("strategy", f"Whenever a friendly {M} operative is fighting, if it performed the Charge action during that "
     "activation, its melee weapons have the Balanced weapon rule.", "'charged'"),
    ("ability", "Whenever this operative is shooting an enemy operative, that enemy operative cannot retain any cover "
     "saves.", "{'grant': ['Saturate']}"),
    ("ability", "You can re-roll any of your attack dice results of 1 whenever this operative is fighting.",
     "{'reroll': 'attack', 'dice': 'any', 'results': '1'}"),
    ("ability", "This operative can perform the Shoot action twice during its activation.",
     "{'allow': ['Shoot'], 'times': 2}"),
    ("faction", f"Friendly {M} operatives can perform two Shoot actions or two Fight actions during their activation.",
     "'either': True"),
    ("ability", "This operative cannot be given a Conceal order.", "{'forbid-order': 'conceal'}"),
    ("ability", "This operative must always have a Conceal order.", "{'forbid-order': 'engage'}"),
    ("ability", "This operative can perform mission actions and the Pick Up Marker action while within "
     "control range of "
     "an enemy operative.", "['mission', 'Pick Up Marker']"),
    ("ability", "When this operative is incapacitated, roll one D6 for each enemy operative within 2\" of it: on a 3+, "
     "inflict D3 damage on that enemy operative.", "'each': {'is': 'enemy'"),
    ("ability", f"Whenever another friendly {M} operative within 3\" of this operative is selected as the valid target "
     "of a Shoot action, you can select this operative to become the valid target instead.", "'redirect'"),
    ("ability", "Whenever this operative performs the Charge action, you can inflict D3 damage on one enemy operative "
     "within its control range at the end of that action.", "'done(Charge)'"),
    ("ability", f"While this operative is within 6\" of one or more other friendly {M} operatives, its "
     "weapons have the "
     "Balanced weapon rule.", "'other': True"),
    ("ability", "Whenever this operative is activated, you can select one of the following rules for it to have until "
     "the start of its next activation:\n- Swift: Add 2\" to its Move stat.\n- Sharp: Its melee weapons "
     "have the Rending "
     "weapon rule.", "'options'"),
    ("ability", "Whenever this operative ends an action in which it incapacitated an enemy operative, it "
     "can immediately "
     "perform a free Dash action.", "{'killed': True, 'during': 'action'}"),
    ("ability", "Whenever this operative is climbing up, you can treat the vertical distance as 2\" (regardless of how "
     "far the operative actually moves vertically). When this operative is dropping, ignore the vertical distance.",
     "{'climb': 2}"),
    ("ability", "This operative cannot climb or jump.", "{'forbid-move': ['climb', 'jump']}"),
    ("action", "Perform a free Dash action with this operative. It can perform this action once per battle.", "'once'"),
    ("action", "Change this operative's order. It cannot perform this action while within control range of an enemy "
     "operative.", "{'not': ['control-range']}"),
    ("equipment", f"Friendly {M} operatives' paper knives have the Rending weapon rule.", "['paper knife']"),
    ("equipment", f"Friendly {M} operatives have a 4+ Save stat.", "'set': 4"),
    ("equipment", f"Whenever a friendly {M} operative is performing the Shoot action, its ink pistol has the Saturate "
     "weapon rule.", "'until': ['action']"),
    ("equipment", f"Once per turning point, you can re-roll one of your attack dice when a friendly {M} operative is "
     "fighting.", "'once'"),
    ("faction", f"Whenever a friendly {M} operative is activated, you can remove one of its Fury tokens. If "
     "you do, add 1 "
     "to its APL stat until the end of that activation.", "{'lose-token': 'Fury'}"),
    ("firefight", f"Use this firefight ploy when a friendly {M} operative counteracts. It can perform two 1AP actions "
     "during that counteraction, but both actions must be different.", "{'extra-action': 1}"),
    ("firefight", f"Use this firefight ploy after a friendly {M} operative fights. It can immediately "
     "perform a free Dash "
     "action.", "'has-fought'"),
    ("strategy", "Place your Dust marker in the killzone. Whenever an enemy operative is within 3\" of that "
     "marker, that "
     "enemy operative cannot be obscured.", "{'reveal': 'obscured'}"),
    ("ability", "After this operative performs the Shoot action, it can immediately perform a free Dash action.",
     "'on': 'done(Shoot)'"),
    ("ability", "When this operative performs the Shoot action, it can immediately perform a free Dash action.",
     "'on': 'doing(Shoot)'"),
    ("strategy", f"Whenever a friendly {M} operative performs the Fight action, its melee weapons "
     "have the Brutal weapon "
     "rule.", "'until': ['action']"),
    ("faction", f"Whenever a friendly {M} operative would be incapacitated, roll one D6: on a 5+, it is not "
     "incapacitated and has 1 wound remaining instead.", "'dying', 'who': {'is': 'friend', "
     "'keyword': ['moth office']}, "
     "'do': "),
    ("ability", "Add 1 to the Atk stat of this operative's melee weapons whenever it is fighting "
     "against a wounded enemy "
     "operative.", "'foe': {'is': 'enemy', 'that': ['wounded']}"),
    ("ability", "Whenever this operative is contesting an objective marker, its melee weapons have "
     "the Ceaseless weapon "
     "rule.", "{'contests': ['objective']}"),
    ("ability", "Whenever you determine control of a marker, treat this operative's APL stat as 2 higher.",
     "{'control-apl': 2"),
    ("ability", "Whenever an enemy operative ends its activation within 3\" of this operative, "
     "inflict D3 damage on it.",
     "'activation-ended'"),
    ("ability", "Once per activation, this operative can perform a free mission action.", "{'once': 'activation'}"),
    ("equipment", f"Once per turning point, after rolling your attack dice for a friendly {M} "
     "operative, you can re-roll "
     "one of your attack dice.", "{'rolled': 'attack', 'by': 'who'}"),
    ("equipment", f"Whenever an operative is shooting a friendly {M} operative with a weapon that has the Blast weapon "
     "rule, you can re-roll one of your defence dice.", "{'weapon-rule': ['Blast'], 'about': 'foe'}"),
    ("equipment", f"Whenever an attack dice inflicts Normal Dmg on a friendly {M} operative, you "
     "can roll one D6: on a 6, "
     "ignore that inflicted damage.", "'at': '=6'"),
    ("faction", f"Friendly {M} operatives ignore the Piercing weapon rule while they are in cover.", "['in-cover']"),
    ("firefight", f"Use this firefight ploy at the start of the Firefight phase. Select one "
     f"friendly {M} operative: it can "
     "immediately perform a free Reposition action but cannot move more than 3\".", "'most': 3"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "part"), FORMS)
def test_the_same_in_other_words(kind: Any, text: str, part: str) -> None:
    assert part in str(rules(text, kind, kind in ("ability", "action")))
    assert status(text, kind) == "enforced"


@pytest.mark.parametrize(
    "text",
    [
        'Roll one D6 for each enemy operative within 2" of it: on a 3+, inflict D3 damage on this operative.',
        "This operative's weapons have the Severe weapon rule whenever it feels like it.",
        "Whenever this operative is activated, after it moves, add 1 to its APL stat until the end of that activation.",
    ],
)
def test_other_words_that_are_not_the_same(text: str) -> None:
    assert read(text).unread


def test_what_a_ploy_begins_at_a_moment_says_how_long_it_lasts() -> None:
    text = f"Whenever a friendly {M} operative is activated, add 1 to its APL stat"
    assert read(f"{text}.", "strategy", False).unread
    (rule,) = rules(f"{text} until the end of that activation.", "strategy", False)
    assert rule["until"] == ["activation"]


def test_more_that_is_said_after_a_moment_is_not_turned_round() -> None:
    text = (
        "This operative has a 4+ Save stat, and whenever it's fighting, each of your blocks can be allocated to block "
    )
    first, *more = rules(f"{text}two unresolved successes.")
    assert (first["on"], first["do"]) == ("always", [{"stat": "save", "set": 4}])
    assert "fighting" in str((first, more))


# -- what they do ----------------------------------------------------------------------------------------


def three(*written: str, x: float = 10, **more: Any) -> Field:
    made = ground(*written, **more).add("a", "red", (3, 5), ranged(), melee())
    return made.add("b", "red", (6, 5), ranged(), melee()).add("c", "blue", (x, 5), ranged(), melee())


@pytest.mark.rule("KT24-MOVE-3", "KT24-MOVE-4")
def test_climbs_and_drops_that_count_as_less() -> None:
    says = "of: a, name: Rope, on: always, do: [{climb: 2}, drop]"
    battle = three(says).battle()
    a, b = battle.state.operatives["a"], battle.state.operatives["b"]
    request = Reposition().limited(battle, a)
    assert (request.climb, request.drops_free) == (2, True)
    assert (Reposition().limited(battle, b).climb, Reposition().limited(battle, b).drops_free) == (None, False)
    x = 10 - R - 0.05
    rope = MoveAction("Reposition", "KT24-REPOSITION", climb=2, drops_free=True)
    up = ((x, 8, 3), (x + 2, 8, 3))
    assert costs(move(scene(PLATFORM, at=(x, 8, 0)), *up, action=rope)) == [2, 2]
    assert costs(move(scene(PLATFORM, at=(x, 8, 0)), *up, action=REPOSITION)) == [3, 2]
    down = ((x, 8, 3), (x, 8, 0))
    assert costs(move(scene(PLATFORM, at=(x + 2, 8, 3)), *down, action=rope)) == [2, 0]
    assert costs(move(scene(PLATFORM, at=(x + 2, 8, 3)), *down, action=REPOSITION)) == [2, 1]


def test_who_may_not_climb_nor_jump() -> None:
    battle = three("of: a, name: Wheels, on: always, do: [{forbid-move: [climb, jump]}]").battle()
    a, b = battle.state.operatives["a"], battle.state.operatives["b"]
    assert [(r.can_climb, r.can_jump) for r in (Reposition().limited(battle, each) for each in (a, b))] == [
        (False, False),
        (True, True),
    ]


def test_a_roll_for_each_of_them() -> None:
    says = "of: a, name: Blast, on: incapacitated, do: [{roll: D6, at: '>=3', do: [{damage: 2, who: picked}], "
    says += "each: {is: enemy, that: [{within: 2, of: who}]}}]"

    def falls(battle: Battle) -> Steps[None]:
        yield Wounded("a", 20, "a test", "c")
        yield from remove_incapacitated(battle)

    made = three(says, x=5.4).add("d", "blue", (3, 7)).add("e", "blue", (3, 8.2))
    game = made.play(falls, Answers([(3,), (2,)]))
    assert [who(game, id).wounds for id in ("c", "d", "e")] == [8, 10, 10]


def test_dice_of_one_result_only() -> None:
    says = "of: a, name: Again, on: shooting, may: true, do: [{reroll: attack, dice: any, results: '1'}]"
    answers = Answers([(1, 2, 3, 3), (3,), (1, 1, 1)], {"reroll": "Again 1"})
    made = ground(says).add("a", "red", (3, 5), ranged()).add("c", "blue", (10, 5))
    game = made.play(acting("a", Shoot()), answers)
    assert who(game, "c").wounds == 1
    asked: list[Any] = [each for each in answers.asked if each.topic == "reroll"]
    offered = {option.key for each in asked for option in each.options}
    assert "Again 2" not in offered


def test_a_reroll_so_often_and_no_more() -> None:
    says = "name: Again, kind: faction, on: fighting, who: friend, limit: once per turning-point, may: true, "
    says += "do: [{reroll: attack, dice: 1}]"
    made = three(says, x=4.5)
    choose: dict[str, Any] = {"ploy": "again#0", "reroll": "Again 1", "resolve": ["strike n"]}
    game = made.act("a", Fight(), dice=[(1, 1, 1, 1), (1, 1, 1, 1), (4,)], choose=choose)
    assert who(game, "c").wounds == 7
    made.state.effects = list(game.state.effects)
    answers = Answers([(1, 1, 1, 1), (1, 1, 1, 1)], {})
    made.play(acting("a", Fight()), answers)
    assert "ploy" not in answers.topics, "used already"


def test_a_token_that_is_spent_must_be_there() -> None:
    says = "name: Rage, kind: faction, on: done(Dash), who: friend, may: true, do: [{lose-token: Fury}, {heal: 1}]"
    for count, wounds in ((1, 6), (0, 5)):
        made = three(says)
        made.state.operatives["a"].wounds = 5
        if count:
            TokenChanged("a", "red:Fury", 1).apply(made.state)
        game = made.act("a", Dash(), choose={"move": (at(4, 5),)} | ({"ploy": "rage#0"} if count else {}))
        assert (who(game, "a").wounds, who(game, "a").tokens.get("red:Fury", 0)) == (wounds, 0)


def test_who_incapacitated_somebody_in_the_action() -> None:
    says = "of: a, name: Feast, on: done, if: [{killed: true, during: action}], do: [{heal: 2}]"
    for left, wounds in ((3, 7), (4, 5)):
        made = three(says)
        made.state.operatives["a"].wounds, made.state.operatives["c"].wounds = 5, left
        game = made.act("a", Shoot(), dice=[(3, 1, 1, 1), (1, 1, 1)])
        assert who(game, "a").wounds == wounds


@pytest.mark.parametrize(("x", "is_obscured"), [(10, False), (10.1, True)])
def test_nobody_near_it_is_obscured(x: float, is_obscured: bool) -> None:
    says = "of: a, name: Glare, on: always, who: {is: enemy, that: [{within: 6, of: self}]}, do: [{reveal: obscured}]"
    made = three(says, x=x)
    made.table.rulings[("b", "c")] = {"is_obscured": True}
    battle = made.battle()
    assert rule_on(battle, battle.state.operatives["b"], battle.state.operatives["c"], ()).is_obscured is is_obscured


@pytest.mark.parametrize(
    ("text", "is_read"),
    [
        ("This operative's weapons have the Severe weapon rule (note that it still has its others).", True),
        ("This operative's weapons have the Severe weapon rule (note that it cannot use them twice).", False),
        ("This operative's weapons have the Severe weapon rule (this is once per battle).", False),
        ("Whenever this operative has a Conceal order, it cannot be selected as a valid target. This takes precedence "
         "over all other rules.", True),
        ("Whenever this operative has a Conceal order, it cannot be selected as a valid target. This takes precedence "
         "over all other rules except those of beasts.", False),
    ],
)  # fmt: skip
def test_what_is_taken_back_in_passing_is_read_too(text: str, is_read: bool) -> None:
    assert (read(text).unread == ()) is is_read


@pytest.mark.parametrize(("words", "most"), [("", None), (" (if it doesn't already have one)", 1)])
def test_tokens_add_up_unless_it_is_said_that_they_do_not(words: str, most: Any) -> None:
    (rule,) = rules(
        f"Select one enemy operative visible to this operative. It gains one of your Ink tokens{words}.", "action"
    )
    assert rule["do"][1].get("most") == most
