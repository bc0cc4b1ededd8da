"""Compiled kernels on disk: found again wherever the sources lie, compiled again when damaged, shipped ones used."""

from __future__ import annotations

import ast
import hashlib
import importlib
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from ktsim.geometry import compiling, kernel_store
from ktsim.geometry.kernels import kernel

ROOT = Path(__file__).parent.parent.parent
KERNELS = ROOT / "ktsim" / "geometry" / "kernels"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty store."""
    monkeypatch.setenv("KTSIM_KERNELS", str(tmp_path / "kernels"))
    monkeypatch.setattr(compiling.KernelCache, "damage_was_told", False)
    return tmp_path / "kernels"


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    told: list[str] = []
    monkeypatch.setattr(compiling, "tell", told.append)
    return told


def twice(x: float) -> float:
    return 2.0 * x


def asked() -> int:
    """How many kernels are compiled when a fresh copy of one is asked, which must answer rightly."""
    before = compiling.compiled()
    assert kernel(twice)(21.0) == 42.0
    return compiling.compiled() - before


def test_what_was_compiled_is_found_again(store: Path, said: list[str]) -> None:
    assert asked() == 1
    assert len(list(store.glob("*.kernel"))) == 1
    assert asked() == 0
    assert len(said) <= 1  # that it is compiled; nothing of damage


def test_what_was_found_again_can_be_called_by_what_is_compiled_then(store: Path, said: list[str]) -> None:
    asked()
    found = kernel(twice)
    assert found(1.0) == 2.0
    (made,) = found.overloads.values()
    assert made.library._shared_module is None, "what compiling needs is held though nothing is compiled"

    def four_times(x: float) -> float:
        return found(found(x))

    assert kernel(four_times)(10.5) == 42.0


def test_a_whole_number_is_one_kind_of_argument_to_kernels_and_a_fraction_another(store: Path, said: list[str]) -> None:
    found = kernel(twice)

    def all_kinds(short: np.ndarray, long: np.ndarray, count: int, fraction: float) -> float:  # type: ignore[type-arg]
        return found(short[0]) + found(long[0]) + found(count) + found(3) + found(fraction)

    short = np.array([2**31 - 1], np.int32)
    answer = kernel(all_kinds)(short, np.array([1], np.int64), 2, 0.5)
    assert answer == 2 * (2**31 - 1 + 1 + 2 + 3 + 0.5)
    assert len(found.overloads) == 2


def other_numbers(data: bytes) -> bytes:
    return data[:-40] + bytes(byte ^ 255 for byte in data[-40:])


def with_checksum(data: bytes) -> bytes:
    return hashlib.sha256(data).digest() + data


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "emptied": lambda data: b"",
    "cut": lambda data: data[: len(data) // 2],
    "cut in its checksum": lambda data: data[:10],
    "changed": other_numbers,
    "longer": lambda data: data + b"more",
    "something else": lambda data: b"nothing of ours " * 500,
    "right checksum of no kernel": lambda data: with_checksum(pickle.dumps((1, 2, 3))),
    "right checksum of nonsense": lambda data: with_checksum(b"nonsense"),
}


def put_into(target: np.ndarray, values: np.ndarray) -> None:  # type: ignore[type-arg]
    target[1:] = values


def test_for_what_does_not_fit_there_is_a_sentence_and_no_text_is_put_together(store: Path, said: list[str]) -> None:
    """Else many more than the kernel itself are compiled."""
    before, target = compiling.compiled(), np.zeros(3)
    kernel(put_into)(target, np.ones(2))
    assert list(target) == [0, 1, 1]
    assert compiling.compiled() - before <= 3
    with pytest.raises(ValueError, match="cannot assign slice from input of different size"):
        kernel(put_into)(target, np.ones(3))


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_kernel_is_compiled_again_with_a_sentence(store: Path, said: list[str], damage: str) -> None:
    assert asked() == 1
    (path,) = store.glob("*.kernel")
    whole = path.read_bytes()
    path.write_bytes(DAMAGES[damage](whole))
    said.clear()
    assert asked() == 1
    assert [text for text in said if "damaged" in text] == [
        "compiled parts of the engine were damaged on disk; they are compiled again"
    ]
    said.clear()
    assert asked() == 0
    assert said == []


def test_a_folder_in_the_place_of_a_kernel_is_no_error(store: Path, said: list[str]) -> None:
    asked()
    (path,) = store.glob("*.kernel")
    path.unlink()
    path.mkdir()
    assert asked() == 1


def test_a_store_that_cannot_be_written_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: list[str]
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("KTSIM_KERNELS", str(tmp_path / "file" / "kernels"))
    assert asked() == 1


def test_the_place_of_the_sources_does_not_count(tmp_path: Path) -> None:
    """Another checkout of the same program names the same folder and the same kernels."""
    code = (
        "from ktsim.geometry import kernel_store; from ktsim.geometry.kernels import tree;"
        "print(kernel_store.folder(), kernel_store.name_of(tree.build.py_func, 'signature', 'processor'))"
    )
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "ktsim").symlink_to(ROOT / "ktsim")
    told = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONPATH": str(where)},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for where in (ROOT, tmp_path / "elsewhere")
    }
    assert len(told) == 1


def test_types_and_processors_have_kernels_of_their_own() -> None:
    names = {kernel_store.name_of(twice, *of) for of in ((1, "a"), (2, "a"), (1, "b"), (1, "a"))}
    assert len(names) == 3


SHIPPED = """
import sys
from pathlib import Path
import numba
if sys.argv[1] != "use":
    numba.config.CPU_NAME, numba.config.CPU_FEATURES = "x86-64", ""
from ktsim.geometry import compiling, kernel_store
from ktsim.geometry.kernels import tree
from ktsim.geometry.solids import box
from ktsim.geometry.forest import rows
compiling.tell = print
if sys.argv[1] != "use":
    compiling.into = Path(sys.argv[1])
    compiling.into.mkdir()
found = tree.build(rows(box((0, 0, 0), (1, 1, 1))), 3)
if compiling.into:
    kernel_store.write_about(compiling.into, "x86-64", "")
print(compiling.compiled(), kernel_store.shipped() is not None, len(found[0]))
"""


@pytest.mark.skipif("x86_64-" not in kernel_store.state()["python"] + "-", reason="builds for x86-64")
def test_what_was_shipped_is_used_and_what_does_not_fit_is_not(tmp_path: Path) -> None:
    def run(word: str) -> list[str]:
        environment = {
            **os.environ,
            "KTSIM_PREBUILT": str(tmp_path / "shipped"),
            "KTSIM_KERNELS": str(tmp_path / f"own-{word[-3:]}"),
        }
        command = [sys.executable, "-c", SHIPPED, word]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()[-1].split()

    compiled, _, edges = run(str(tmp_path / "shipped"))
    assert int(compiled) > 0
    assert not list(tmp_path.glob("own*"))
    for path in (tmp_path / "shipped").iterdir():
        path.chmod(0o444)
    assert run("use") == ["0", "True", edges]
    assert not list(tmp_path.glob("own*"))  # nothing was compiled, nothing kept
    about = tmp_path / "shipped" / kernel_store.ABOUT
    about.chmod(0o644)
    for change in ({"numba": "0.1"}, {"sources": "others"}, {"python": "another"}):
        held = json.loads(about.read_text())
        about.write_text(json.dumps({**held, **change}))
        assert run("use")[1:] == ["False", edges]
        about.write_text(json.dumps(held))
    about.write_text("[")
    assert run("use")[1:] == ["False", edges]


def _decorated() -> dict[tuple[str, str], str]:
    """Module and name of every kernel, with its decorator."""
    return {
        (path.stem, node.name): ast.unparse(node.decorator_list[0])
        for path in KERNELS.glob("*.py")
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.FunctionDef) and node.decorator_list
    }


def _called_from_python() -> set[tuple[str, str]]:
    found = set()
    for path in [*(ROOT / "ktsim").rglob("*.py"), *(ROOT / "scripts").rglob("*.py")]:
        if path.parent == KERNELS:
            continue
        tree, modules = ast.parse(path.read_text()), {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module and "geometry.kernels" in node.module:
                last = node.module.rpartition(".")[2]
                for name in node.names:
                    if last == "kernels":
                        modules[name.asname or name.name] = name.name
                    else:
                        found.add((last, name.name))
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
                found.add((modules[node.value.id], node.attr))
    return found


def test_inner_kernels_are_those_that_python_does_not_call() -> None:
    kernels, called = _decorated(), _called_from_python()
    assert {each for each, word in kernels.items() if word == "inner"} & called == set()
    outer = {each for each, word in kernels.items() if word == "kernel"}
    assert outer - called == set()  # these need not be outer


def test_an_inner_kernel_says_so() -> None:
    primitives = importlib.import_module("ktsim.geometry.kernels.primitives")
    for _ in range(2):
        with pytest.raises(TypeError, match="called by kernels only"):
            primitives.point_from_triangle(0.0, 0.0, 0.0, np.zeros(9))
        # also once it is compiled for just these arguments
        primitives.point_from_triangle.compile("(float64, float64, float64, float64[::1])")
