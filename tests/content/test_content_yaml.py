"""YAML from strangers: read with places, or refused with one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ktsim.content import yaml_tree
from ktsim.content.yaml_tree import Node, parse, read_tree
from ktsim.errors import UserError

PARSERS = [yaml.SafeLoader] + ([yaml.CSafeLoader] if hasattr(yaml, "CSafeLoader") else [])


def refused(text: str | bytes) -> str:
    with pytest.raises(UserError) as caught:
        parse(text if isinstance(text, bytes) else text.encode(), "x.yaml")
    return "\n".join(map(str, caught.value.problems))


def item(node: Node, *path: str | int) -> Node:
    for step in path:
        assert isinstance(node.value, dict | list)
        node = node.value[step]  # type: ignore[index]
    return node


def test_values_know_their_lines() -> None:
    tree = parse(b"a: 1\nb:\n  - x\n  - {c: 2.5,\n     d: true}\n", "x.yaml")
    assert tree.plain() == {"a": 1, "b": ["x", {"c": 2.5, "d": True}]}
    assert item(tree, "a").line == 1
    assert item(tree, "b", 0).line == 3
    assert (item(tree, "b", 1, "d").line, item(tree, "b", 1, "d").column) == (5, 9)
    assert item(tree, "b").key_line == 2


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", "no"),
        ("on", "on"),
        ("12:30", "12:30"),
        ("0x10", "0x10"),
        ("1_000", "1_000"),
        ("'1'", "1"),
        ("1", 1),
        ("-1.5e3", -1500.0),
        ("~", None),
        ("false", False),
        ("2026-01-01", "2026-01-01"),
    ],
)
def test_only_what_looks_like_a_number_or_flag_is_one(text: str, value: object) -> None:
    assert parse(f"a: {text}".encode(), "x").plain() == {"a": value}


def test_long_digits_are_text_and_large_numbers_infinite() -> None:
    assert isinstance(parse(b"9" * 5000, "x").value, str)
    assert parse(b"1e999", "x").value == float("inf")


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a: &x 1\nb: *x", 1, "anchor"),
        ("a: 1\nb: *x", 2, "alias"),
        ("a: !!python/object:os.system x", 1, "tag"),
        ("a: !x 1", 1, "tag"),
        ("a: 1\nb: 2\na: 3", 3, "first in line 1"),
        ("a: 1\n---\nb: 2", 2, "second document"),
        ("? [1, 2]\n: 3", 1, "keys are plain words"),
        ("a: [1, 2", 1, "not valid YAML"),
        ("a: b: c", 1, "not valid YAML"),
        ("a: '\x07'", 1, "not valid YAML"),
        ("- " * 40 + "x", 1, "32 deep"),
    ],
)
def test_refused_with_its_line(monkeypatch: pytest.MonkeyPatch, parser: type, text: str, line: int, words: str) -> None:
    monkeypatch.setattr(yaml, "CSafeLoader", parser, raising=False)
    said = refused(text)
    assert said.startswith(f"x.yaml:{line}: ")
    assert words in said


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "{a: " * 100_000,
        "- " * 100_000,
        "a:\n" + "".join(" " * i + "- \n" for i in range(1, 400)),
        "&a [" * 1000,
    ],
)
def test_deep_nesting_is_refused(monkeypatch: pytest.MonkeyPatch, parser: type, text: str) -> None:
    monkeypatch.setattr(yaml, "CSafeLoader", parser, raising=False)
    assert refused(text)


def test_depth_is_allowed_up_to_the_limit() -> None:
    limit = yaml_tree.DEPTH_LIMIT
    assert parse(("[" * limit + "]" * limit).encode(), "x").line == 1
    assert "deep" in refused("[" * (limit + 1) + "]" * (limit + 1))


def test_merge_bomb_is_refused_at_its_first_anchor() -> None:
    lines = ["a0: &a0 {x: 1}"] + [f"a{i}: &a{i} {{<<: [*a{i - 1}, *a{i - 1}]}}" for i in range(1, 30)]
    assert "x.yaml:1: uses an anchor" in refused("\n".join(lines))


def test_too_many_values() -> None:
    text = "[" + "1," * (yaml_tree.EVENT_LIMIT + 10) + "]"
    assert "too many values" in refused(text)
    few = "[" + "1," * 1000 + "]"
    assert len(parse(few.encode(), "x").plain()) == 1000


def test_too_large() -> None:
    assert "at most 1 MB" in refused(b"#" * 1_000_001)


def test_not_utf8_says_the_line() -> None:
    assert refused(b"a: 1\nb: \xff\xfe\n").startswith("x.yaml:2: is not UTF-8")


def test_escape_sequences_stay_out_of_the_message() -> None:
    said = refused(b'"\\e[31mred": 1\n"\\e[31mred": 2\n')
    assert "\x1b" not in said
    assert "?[31mred" in said


def test_files_that_are_not_files(tmp_path: Path) -> None:
    def said(path: Path) -> str:
        with pytest.raises(UserError) as caught:
            read_tree(path)
        return str(caught.value.problems[0])

    assert "is a folder" in said(tmp_path)
    assert "does not exist" in said(tmp_path / "none.yaml")
    large = tmp_path / "large.yaml"
    large.write_bytes(b"a: 1\n" * 2_000_000)
    assert "10.0 MB; at most 1 MB" in said(large)
    assert "does not exist" in said(tmp_path / "a\x1b[31m.yaml")
    assert "\x1b" not in said(tmp_path / "a\x1b[31m.yaml")


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes there")
def test_a_pipe_does_not_hang(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.yaml"
    subprocess.run(["mkfifo", str(pipe)], check=True)
    with pytest.raises(UserError, match="not an ordinary file"):
        read_tree(pipe)


WORDS = st.text(st.characters(categories=("L", "N", "P", "S", "Zs")), max_size=20)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(allow_nan=False) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)


@given(PLAIN)
def test_reads_what_a_careful_writer_writes(value: object) -> None:
    """Apart from words that only newer YAML takes for numbers, which keep their text."""
    assert _same(parse(yaml.safe_dump(value, allow_unicode=True).encode(), "x"), value)


def _same(node: Node, value: object) -> bool:
    if isinstance(value, list):
        return isinstance(node.value, list) and all(map(_same, node.value, value)) and len(node.value) == len(value)
    if isinstance(value, dict):
        return isinstance(node.value, dict) and all(_same(node.value[key], value[key]) for key in value)
    if isinstance(value, str):
        return node.text == value
    return node.value == value


def outcome(data: bytes) -> list[str]:
    """What is said about *data*; nothing when it is read."""
    try:
        parse(data, "x.yaml")
    except UserError as error:
        return [str(problem) for problem in error.problems]
    return []


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    assert all(said.startswith("x.yaml") and said.isprintable() for said in outcome(data))


@given(st.text(alphabet="ab:-[]{}&*!'\"#>|?,\n \t", max_size=60))
def test_any_yaml_like_text_is_read_or_refused(text: str) -> None:
    assert all(said.startswith("x.yaml:") for said in outcome(text.encode()))
