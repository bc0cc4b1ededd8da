"""A few hostile files of every format, and things that are no ordinary files; ``scripts/fuzz`` tries thousands."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from fuzz.__main__ import attempt
from fuzz.formats import CORPUS, FORMATS, Format

EXTREMES = {
    "empty": b"",
    "zeros": b"\0" * 1000,
    "two bytes a letter": "a: b".encode("utf-16"),
    "deep list": b"[" * 100_000 + b"]" * 100_000,
    "deep object": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "deep indent": "".join(" " * depth + "a:\n" for depth in range(400)).encode(),
    "one line": b"a" * 900_000,
    "many keys": "".join(f"k{number}: 1\n" for number in range(90_000)).encode(),
    "digits": b"9" * 900_000,
    "dashes": b"- " * 400_000,
    "quotes": b'"' * 900_000,
    "anchors": b"a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n",
    "half a pair": b'"\\ud800"',
    "escapes": b'"\\u001b[2J\\u0007"',
}


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_hostile_files_are_read_or_refused(form: Format, tmp_path: Path) -> None:
    found = []
    for number in range(25):
        name, data = form.mutant(Random(f"test {form.name} {number}"))
        path = tmp_path / name
        path.write_bytes(data)
        tried = attempt(form, path)
        assert not tried.fault, f"{number}: {tried.fault}"
        found.append(tried.outcome)
    assert "refused" in found or form.name == "settings"


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_every_good_file_is_read(form: Format, tmp_path: Path) -> None:
    """Else the mutants would be refused for another reason than theirs."""
    for name, data in form.seeds().items():
        path = tmp_path / name
        path.write_bytes(data)
        assert attempt(form, path).outcome == "read", name


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_extreme_files_are_refused_at_once(form: Format, tmp_path: Path) -> None:
    suffix = Path(min(form.seeds())).suffix
    for name, data in EXTREMES.items():
        path = tmp_path / f"extreme{suffix}"
        path.write_bytes(data)
        assert not (tried := attempt(form, path)).fault, f"{name}: {tried.fault}"


@pytest.mark.parametrize("form", [f for f in FORMATS if f.name not in ("mesh", "picture")], ids=lambda form: form.name)
def test_what_is_no_ordinary_file_is_refused_and_not_waited_for(form: Format, tmp_path: Path) -> None:
    suffix = Path(min(form.seeds())).suffix
    pipe, endless, loop, sparse = (tmp_path / f"{name}{suffix}" for name in ("pipe", "endless", "loop", "sparse"))
    os.mkfifo(pipe)
    endless.symlink_to("/dev/zero")
    loop.symlink_to(loop)
    with sparse.open("wb") as file:
        file.truncate(200_000_000)
    for path in (pipe, endless, loop, sparse, tmp_path):
        assert not (tried := attempt(form, path)).fault, f"{path.name}: {tried.fault}"


def test_the_corpus_is_used() -> None:
    used = {name for form in FORMATS for name in form.seeds()}
    assert {path.name for path in CORPUS.iterdir()} <= used
