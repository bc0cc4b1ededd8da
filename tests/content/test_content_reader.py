"""Reading checked values: every mistake is a sentence with a line."""

from __future__ import annotations

import pytest

from ktsim.content.reader import PROBLEM_LIMIT, Reader, Sheet, Unique
from ktsim.content.yaml_tree import parse
from ktsim.errors import UserError


def sheet(text: str, known: tuple[str, ...], required: tuple[str, ...] = ()) -> Sheet:
    return Reader("f.yaml").sheet(parse(text.encode(), "f.yaml"), "a thing", known, required)


def said(reader: Reader) -> list[str]:
    with pytest.raises(UserError) as caught:
        reader.finish()
    return [str(problem) for problem in caught.value.problems]


def test_good_values_come_out() -> None:
    s = sheet(
        "id: 12\nsize: 3\nat: [1, 2.5]\nkind: b\nyes: true\nring: [[0, 0], [1, 0], [0, 1]]\nmany: [1, 2]",
        ("id", "size", "at", "kind", "yes", "ring", "many"),
    )
    assert s.text("id") == "12"
    assert s.number("size", 0, 3, 9) == 3.0
    assert s.point("at") == (1.0, 2.5)
    assert s.one_of("kind", ("a", "b"), "a") == "b"
    assert s.flag("yes", False) is True
    assert s.outline("ring") == ((0, 0), (1, 0), (0, 1))
    assert len(s.items("many")) == 2
    assert s.number("missing", 0, 1, 0.5) == 0.5
    s.reader.finish()


@pytest.mark.parametrize(
    ("text", "ask", "words"),
    [
        ("x: abc", "number", "'x' of a thing is 'abc'; it is a number from 0 to 3"),
        ("x: .nan", "number", "is '.nan'; it is a number"),
        ("x: 1e999", "number", "is '1e999'; it is a number"),
        ("x: true", "number", "is 'true'"),
        ("x: 3.5", "number", "is 3.5; it is from 0 to 3"),
        ("x: [1]", "text", "is a list of 1; it is a word"),
        ("x:", "text", "is empty"),
        ("x: " + "a" * 65, "text", "65 characters; at most 64"),
        ('x: "a\\e[2J"', "text", "cannot be printed: 'a?[2J'"),
        ("x: [1, 2, 3]", "point", "is a list of 3; it is a point [x, y] in inches"),
        ("x: [1, .inf]", "point", "'x' of a thing's y is '.inf'"),
        ("x: [1, 1000]", "point", "from -240 to 240"),
        ("x: beta", "one_of", "is 'beta'; did you mean 'betas'?"),
        ("x: q", "one_of", "known here: alpha, betas"),
        ("x: 1", "flag", "is '1'; it is true or false"),
        ("x: {}", "items", "is a mapping; it is a list"),
        ("x: [1]", "items", "has 1 items; it has 2"),
        ("x: [[0, 0], [1, 1]]", "outline", "has 2 items; it has 3 to 128"),
    ],
)
def test_bad_values_become_sentences(text: str, ask: str, words: str) -> None:
    s = sheet("\n" + text, ("x",))
    {
        "number": lambda: s.number("x", 0, 3, 1),
        "text": lambda: s.text("x"),
        "point": lambda: s.point("x"),
        "one_of": lambda: s.one_of("x", ("alpha", "betas"), "alpha"),
        "flag": lambda: s.flag("x", False),
        "items": lambda: s.items("x", 2, 2),
        "outline": lambda: s.outline("x"),
    }[ask]()
    (only,) = said(s.reader)
    assert only.startswith("f.yaml:2: ")
    assert words in only


def test_unknown_and_missing_keys() -> None:
    s = sheet("id: 1\ntraitz: []\n", ("id", "traits", "box"), ("id", "traits"))
    assert said(s.reader) == [
        "f.yaml:2: a thing has an unknown key 'traitz'; did you mean 'traits'?",
        "f.yaml:1: a thing has no 'traits'; add one",
    ]


def test_not_a_mapping() -> None:
    assert "it is a mapping with keys such as 'id'" in said(sheet("[1]", ("id",)).reader)[0]


def test_ids_are_unique() -> None:
    reader = Reader("f.yaml")
    ids = Unique(reader, "part")
    tree = parse(b"- a\n- b\n- a\n", "f.yaml")
    assert isinstance(tree.value, list)
    for node in tree.value:
        ids.claim(node.text, node, tree)
    assert said(reader) == ["f.yaml:3: the part id 'a' is used twice (first in line 1); change one"]


def test_many_problems_are_counted() -> None:
    reader = Reader("f.yaml")
    for line in range(1, 40):
        reader.problem(line, "is wrong")
    lines = said(reader)
    assert len(lines) == PROBLEM_LIMIT + 1
    assert lines[-1] == "f.yaml: and 19 more problems"
    assert reader.count == 39
