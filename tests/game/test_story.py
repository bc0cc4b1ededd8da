"""A game in words: how it is laid out, and that every line of whole battles reads like a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from engine_help import Field, ranged

from ktsim.game.game import Game
from ktsim.game.players import Sampler
from ktsim.game.setup import Setup, prepare
from ktsim.game.story import Teller, score_sheet, tell
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Decision, Pick, PickSome, Roll, Steps
from ktsim.rules.engine.events import Event, PhaseBegan, Told
from ktsim.rules.engine.operative_events import (
    ActionBegan,
    ActionCancelled,
    ActionEnded,
    ActivationBegan,
    OrderGiven,
    SetUp,
)
from ktsim.rules.kt24.shoot import Shoot


def idle(battle: Battle) -> Steps[None]:
    yield from ()


def told(field: Field, *events: Event) -> list[str]:
    return list(Teller(Game(field.battle(), field.state, idle)).tell(events))


@pytest.fixture
def field() -> Field:
    return Field().add("a", "red", (3, 3)).add("c", "red", (3, 5)).add("b", "blue", (20, 3))


def test_a_lot_set_up_is_one_line_with_its_orders(field: Field) -> None:
    at = (0, 0, 0)
    lines = told(field, SetUp("a", at), SetUp("c", at), SetUp("b", at), OrderGiven("b", "engage"))
    assert lines == ["Red (red) sets up A and C.", "Blue (blue) sets up B (Engage)."]
    assert told(field, OrderGiven("b", "conceal")) == ["B has a Conceal order."]


def test_lines_are_indented_by_phase_activation_and_action(field: Field) -> None:
    lines = told(
        field,
        PhaseBegan("firefight", 1, "red"),
        ActivationBegan("a", "activation", "engage", 2),
        ActionBegan("a", "Dash", 1),
        Told("{0} runs.", "", ("a",)),
        ActionEnded("a"),
        Told("behind.", ""),
        PhaseBegan("turn-end", 1, None),
    )
    assert lines == [
        "== Turning point 1: Firefight phase ==",
        "  A is activated on Engage (APL 2).",
        "    A: Dash (1 AP).",
        "      A runs.",
        "    Behind.",
        "== End of turning point 1 ==",
    ]


def test_a_cancelled_action_is_one_line_and_none_when_tried_again_in_vain(field: Field) -> None:
    tried = [ActionBegan("a", "Shoot", 1), ActionCancelled("a", "Shoot", "nobody is in sight.", field.state)]
    begun = ActivationBegan("a", "activation", "engage", 2)
    lines = told(field, begun, *tried, *tried, ActionBegan("a", "Pass", 0), ActionEnded("a"), begun, *tried)
    once = "    A cancels Shoot: nobody is in sight. [KT24-CANCEL]"
    start = "  A is activated on Engage (APL 2)."
    assert lines == [start, once, "    A: Pass (free).", start, once]


# ---- whole battles ----------------------------------------------------------------------------------------------

SENTENCE = re.compile(r'(== [A-Z].* ==|[A-Z0-9].*[.?!"]( \[[A-Z0-9-]+\])?)')
STUMBLES = {
    "an id": re.compile(r"\b(?:red|blue|objective|hatchway|banner|intelligence|retrieval)-\w"),
    "an unfilled place": re.compile(r"[{}]"),
    "two stops": re.compile(r"[.,:;]\.|\.,|\.:|::|  "),
    "a number without its noun": re.compile(r"\b\d x \b"),
    "one of several": re.compile(
        r"\b1 (?:wounds|successes|activations|markers|points|operatives|(?:attack |defence )?dice)\b"
    ),
    "a phase of the program": re.compile(r"turn-end|set-up:|\bNone\b(?! of)|True|False"),
}


AGAIN = re.compile("roll|Pass|blocks|parries")
"""What is done twice in a row is told twice."""


def stumbles(line: str) -> str | None:
    """What a reader would stumble over in a line."""
    if not SENTENCE.fullmatch(line):
        return "no sentence"
    return next((name for name, found in STUMBLES.items() if found.search(line)), None)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("A loses 1 x on guard.", "a number without its noun"),
        ("hatchway 3 is open now.", "no sentence"),
        ('It counts as 1".: The usual answer.', "two stops"),
        ("A marker comes into play: retrieval-red-objective-3.", "an id"),
        ("== Turning point 1: turn-end ==", "a phase of the program"),
        ("A suffers 3 damage (1 normal success).", None),
    ],
)
def test_what_a_reader_stumbles_over(line: str, why: str | None) -> None:
    assert stumbles(line) == why


def asked(decision: Decision[object]) -> Iterator[str]:
    """The sentences of a question; dice only have a heading."""
    yield f"{decision.prompt}." if isinstance(decision, Roll) else decision.prompt
    if isinstance(decision, Pick | PickSome):
        for option in decision.options:
            assert option.text[:1] == option.text[:1].upper(), option.text
            if option.refusal:
                yield option.refusal


@pytest.mark.parametrize(
    "setup",
    [
        Setup(board="gallowdark-1", table="plain", mission="approved-ops-2024", rules="2026-01"),
        Setup(board="volkus-1", table="plain", mission="approved-ops-2025", red="keelwrights", blue="brine-throng"),
        Setup(board="bheta-decima-1", table="plain", edition="kt21-lite", mission="lite-skirmish"),
        Setup(board="open", table="plain", mission="equipped-skirmish"),
    ],
    ids=lambda setup: setup.mission,
)
def test_whole_battles_read_well(setup: Setup) -> None:
    battle, state = prepare(setup)
    game = Game(battle, state)
    players = Sampler(7)
    questions: set[str] = set()
    while game.pending is not None:
        questions.update(asked(game.pending))
        game.submit(players.answer(game.pending, game))
    lines = [line.strip() for line in tell(game, game.events)]
    found = {f"{why}: {line}" for line in (*lines, *questions) if (why := stumbles(line)) is not None}
    assert sorted(found) == []
    doubled = [one for one, two in pairwise(lines) if one == two and not AGAIN.search(one)]
    assert not doubled
    assert len(score_sheet(battle)) > 4


def test_a_shot_says_who_and_how_far() -> None:
    field = Field().add("a", "red", (3, 3), ranged(), wounds=10).add("b", "blue", (20, 3))
    field.state.operatives["a"].wounds = 4
    game = field.act("a", Shoot(), dice=[(1, 1, 1, 1), (1, 1, 1)])
    lines = [line.strip() for line in tell(game, game.events)]
    assert 'A shoots B with Gun: valid target, 16.00" away. [KT24-VALID]' in lines
    assert "A: Hit 4+ instead of 3+ (injured). [KT24-DAMAGE]" in lines
