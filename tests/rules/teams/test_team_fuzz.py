"""Whatever a JSON team is changed into: a team that loads, or a list of sentences; never anything else."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from team_json import sample

from ktsim.content.files import parse_json
from ktsim.content.yaml_tree import parse, to_yaml
from ktsim.errors import Problem, UserError
from ktsim.rules.kt24.edition import KT24
from ktsim.rules.teams.importing.team import import_team
from ktsim.rules.teams.team_file import parse_team

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=80)
    | st.sampled_from(
        ["-", "3+", '6"', "3/4", "60x35", "\x1b[2J", "null", "1e5", "0x1f", "R", "WR-UNIV-HEAVY", "~", "- a"]
    )
    | st.text("0123456789+-/x\"' \n:#{}[]&*!|>%@`,.", max_size=12)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container of a document with each of its keys."""
    found: list[tuple[Any, Any]] = []
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        found.append((value, key))
        found += places(value[key])
    return found


@st.composite
def changed(draw: st.DrawFn) -> Any:
    data = sample()
    for _ in range(draw(st.integers(1, 5))):
        where, key = draw(st.sampled_from(places(data) or [({"": 0}, "")]))
        change = draw(st.sampled_from(["replace", "replace", "remove", "twice"]))
        if change == "replace":
            where[key] = draw(VALUES)
        elif change == "remove":
            del where[key]
        elif isinstance(where, list):
            where.append(json.loads(json.dumps(where[key])))
    return data


def says_why(refused: UserError) -> None:
    assert refused.problems
    assert all(str(problem).isprintable() for problem in refused.problems)


def check(data: Any) -> None:
    try:
        made = import_team(data, "moth.json", KT24, {})
    except UserError as refused:
        says_why(refused)
        return
    assert all(line.isprintable() for line in made.report.lines())
    problems: list[Problem] = []
    team = parse_team(parse(to_yaml(made.document).encode(), "team"), "team", KT24.weapon_rules, problems)
    assert problems == []
    assert team.roster
    assert len(team.cards) == len(made.document["operatives"])


@given(changed())
@settings(max_examples=200, deadline=None)
def test_a_changed_team_loads_or_says_why(data: Any) -> None:
    check(parse_json(json.dumps(data).encode(), "moth.json"))


@given(VALUES)
@settings(max_examples=100, deadline=None)
def test_any_value_loads_or_says_why(data: Any) -> None:
    check(data)


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_changed_bytes_load_or_say_why(data: st.DataObject) -> None:
    raw = bytearray(json.dumps(sample()).encode())
    for _ in range(data.draw(st.integers(1, 6))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    if data.draw(st.booleans()):
        del raw[data.draw(st.integers(0, len(raw))) :]
    try:
        value = parse_json(bytes(raw), "moth.json")
    except UserError as refused:
        says_why(refused)
        return
    check(value)


@given(st.text(max_size=30))
@settings(max_examples=150, deadline=None)
def test_written_text_is_read_back(text: str) -> None:
    shown = "".join(c for c in text if c.isprintable() or c == "\n").strip()
    assert parse(to_yaml({"a": shown, "b": [shown]}).encode(), "t").plain() == {"a": shown, "b": [shown]}
