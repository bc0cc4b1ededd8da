"""Trees kept on disk: used again, built again when damaged, never in the way."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ktsim import paths
from ktsim.geometry import tree_store
from ktsim.geometry.forest import Tree
from ktsim.geometry.tree_store import kept_tree


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(paths, "cache", lambda: tmp_path)
    monkeypatch.setattr(tree_store, "SMALLEST", 10)
    return tmp_path / "trees"


def soup(seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.uniform(0, 10, (60, 1, 3)) + rng.uniform(0, 1, (60, 3, 3)), rng.integers(0, 4, 60).astype(np.int32)


def same(one: Tree, other: Tree) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("nodes", "links", "tris", "labels", "beside", "cones", "order", "sphere")
    )


def only_file(store: Path) -> Path:
    (path,) = store.iterdir()
    return path


def refuse(*_: object) -> Tree:
    raise AssertionError("built again")


def test_a_tree_is_built_once_and_then_read(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = kept_tree(*soup())
    monkeypatch.setattr(Tree, "over", refuse)
    assert same(kept_tree(*soup()), built)
    # other triangles or labels are another tree
    triangles, labels = soup()
    with pytest.raises(AssertionError, match="built again"):
        kept_tree(triangles + 1e-9, labels)
    with pytest.raises(AssertionError, match="built again"):
        kept_tree(triangles, labels + np.int32(1))


def test_small_trees_are_not_kept(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_store, "SMALLEST", 61)
    kept_tree(*soup())
    assert not store.exists()


@pytest.mark.parametrize("keep", [0, 1, 100, -1])
def test_a_file_cut_short_is_built_again(store: Path, keep: int) -> None:
    built = kept_tree(*soup())
    path = only_file(store)
    whole = path.read_bytes()
    path.write_bytes(whole[:keep])
    assert same(kept_tree(*soup()), built)
    assert only_file(store).read_bytes() == whole


def test_a_damaged_file_is_built_again(store: Path) -> None:
    built = kept_tree(*soup())
    path = only_file(store)
    whole = path.read_bytes()
    for at in range(0, len(whole), 97):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        assert same(kept_tree(*soup()), built)


def test_links_that_lead_nowhere_are_not_followed(store: Path) -> None:
    built = kept_tree(*soup())
    path = only_file(store)
    for name, value in (("links", 10_000), ("links", -7), ("beside", 60), ("order", 3)):
        with np.load(path) as held:
            arrays = dict(held)
        arrays[name] = np.full_like(arrays[name], value)
        np.savez(path, **arrays)
        assert same(kept_tree(*soup()), built)


def test_objects_are_never_read(store: Path) -> None:
    built = kept_tree(*soup())
    path = only_file(store)
    with np.load(path) as held:
        arrays = dict(held)
    arrays["order"] = np.array([{"a": 1}] * 60, dtype=object)
    np.savez(path, **arrays)
    assert same(kept_tree(*soup()), built)


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr(paths, "cache", lambda: tmp_path / "file")
    monkeypatch.setattr(tree_store, "SMALLEST", 10)
    assert same(kept_tree(*soup()), Tree.over(*soup()))


def test_the_folder_stays_small(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept_tree(*soup(1))
    size = only_file(store).stat().st_size
    monkeypatch.setattr(tree_store, "MOST_BYTES", 3 * size + 100)
    for seed in range(2, 9):
        kept_tree(*soup(seed))
    assert len(list(store.iterdir())) <= 3
