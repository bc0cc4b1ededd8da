"""Saves outlive corrections: of words, of teams, of boards and of rules; what cannot be replayed can be mended."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from engine_help import PLAIN

from ktsim import paths
from ktsim.cli import main
from ktsim.errors import UserError
from ktsim.game import journal, record
from ktsim.game.journal import JournalEntry, MendableSave
from ktsim.game.session import Session
from ktsim.rules.teams.team_file import all_team_files

KEPT = sorted((Path(__file__).parent / "saves").glob("*.ktsim"))


def play(setup: object, path: Path, count: int = 100) -> Path:
    session = Session.begin(setup, path)  # type: ignore[arg-type]
    rng = Random(5)
    for _ in range(count):
        assert session.game.pending is not None
        session.submit(session.game.pending.sample(rng))
    session.close()
    return path


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A team file of the player's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path = tmp_path / "own.yaml"
    path.write_bytes(all_team_files()["gravel-jackals"].read_bytes())
    return path


def corrected(path: Path, pattern: str, new: str) -> None:
    text, count = re.subn(pattern, new, path.read_text(encoding="utf-8"))
    assert count
    path.write_text(text, encoding="utf-8")


def test_a_corrected_word_changes_nothing(team: Path, tmp_path: Path) -> None:
    save = play(replace(PLAIN, blue=str(team)), tmp_path / "game.ktsim")
    corrected(team, r"(?m)^name: .*$", "name: Renamed Altogether")
    session, warning = Session.resume(save)
    session.close()
    assert (warning, session.path) == ("", save)
    assert main(["replay", "--check", str(save)]) == 0


def test_a_stronger_team_is_told_and_gone_on_with_in_a_new_file(team: Path, tmp_path: Path) -> None:
    save = play(replace(PLAIN, blue=str(team)), tmp_path / "game.ktsim", 30)
    before = save.read_bytes()
    corrected(team, r"wounds: \d+", "wounds: 20")
    session, warning = Session.resume(save)
    assert "blue's team has changed since" in warning
    assert session.path == tmp_path / "game (continued).ktsim"
    assert any(who.wounds == 20 for who in session.game.state.operatives.values())
    session.submit(session.game.pending.sample(Random(1)))  # type: ignore[union-attr]
    session.close()
    assert save.read_bytes() == before
    assert main(["replay", "--check", str(save)]) == 1
    assert main(["replay", "--check", str(session.path)]) == 0
    again, warning = Session.resume(session.path)
    again.close()
    assert warning == ""


def test_a_damaged_line_costs_only_what_follows_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save = play(PLAIN, tmp_path / "game.ktsim")
    lines = save.read_bytes().split(b"\n")
    lines[60] = lines[60].replace(b'"hash"', b'"hush"')
    save.write_bytes(b"\n".join(lines))
    damaged = save.read_bytes()
    with pytest.raises(MendableSave, match=":61: the line is damaged"):
        Session.resume(save)
    assert main(["play", "--text", "--load", str(save)]) == 2
    assert "with --mend it goes on, in a new file" in capsys.readouterr().err
    new, holds = record.mend(save)
    assert (new.name, holds) == ("game (continued).ktsim", "the game up to the damage, 59 answers and undos")
    session, warning = Session.resume(new)
    session.close()
    assert (warning, len(session.game.answers)) == ("", 59)
    assert save.read_bytes() == damaged


def test_an_answer_that_no_longer_fits_leads_to_the_last_snapshot(tmp_path: Path) -> None:
    save = play(PLAIN, tmp_path / "game.ktsim")
    recorded = journal.read(save)
    # The snapshot belongs to the journal up to its own entry; rules changed the meaning of a later answer.
    entries = [
        *recorded.entries[:90],
        JournalEntry("0" * 32, answer="no longer an action"),
        *recorded.entries[91:],
    ]
    save.write_text(journal.compose(recorded.header, entries), encoding="utf-8")
    with pytest.raises(MendableSave, match=":92: the answer does not fit here any more"):
        Session.resume(save)
    new, holds = record.mend(save)
    count = json.loads(record.snapshot_path(save).read_text())["answers"]
    assert holds == f"the last snapshot, taken after {count} of 100 answers"
    session, warning = Session.resume(new)
    answer = session.game.pending.sample(Random(1))  # type: ignore[union-attr]
    session.submit(answer)
    session.close()
    assert warning == ""
    assert main(["replay", "--check", str(new)]) == 0
    assert record.load(new).game.answers == [answer]
    record.snapshot_path(save).unlink()
    with pytest.raises(UserError, match="there is no snapshot to go on from"):
        record.mend(save)


@pytest.mark.parametrize("tail", [b"", b'12345678 {"answ'])
@pytest.mark.parametrize("has_snapshot", [True, False])
def test_a_game_that_can_go_on_is_not_mended(
    tail: bytes, has_snapshot: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    save = play(PLAIN, tmp_path / "game.ktsim")
    whole = save.read_bytes()
    save.write_bytes(whole + tail)
    if not has_snapshot:
        record.snapshot_path(save).unlink()
    monkeypatch.setattr("builtins.input", lambda: "quit")
    assert main(["play", "--text", "--load", str(save), "--mend"]) == 0
    said = capsys.readouterr().err
    assert f"{save}: the whole game, nothing of which needs mending." in said
    assert ("bytes were incomplete and are dropped" in said) == bool(tail)
    assert not list(tmp_path.glob("*continued*"))
    assert save.read_bytes().startswith(whole)


def test_bad_snapshots_are_simply_not_used(tmp_path: Path) -> None:
    save = play(PLAIN, tmp_path / "game.ktsim")
    beside = record.snapshot_path(save)
    good = json.loads(beside.read_text())
    wanted = record.load(save).game.digest()
    bad: list[object] = [[], 7, None, good | {"entries": None}, good | {"entries": 1e400}, good | {"answers": "x"}]
    bad += [good | {"reveals": 3}, good | {"state": []}, good | {"state": good["state"] | {"phase": "nonsense"}}]
    changed = good["state"] | {"operatives": [o | {"wounds": None} for o in good["state"]["operatives"]]}
    bad.append(good | {"state": changed, "sum": record._sum(changed)})
    for body in bad:
        beside.write_text(json.dumps(body))
        assert record.load(save, use_snapshot=True).game.digest() == wanted
    beside.write_text(json.dumps(good) + " " * record.MOST_SNAPSHOT_BYTES)
    assert record.load(save, use_snapshot=True).game.digest() == wanted
    beside.unlink()
    if hasattr(os, "mkfifo"):
        os.mkfifo(beside)
        assert record.load(save, use_snapshot=True).game.digest() == wanted


def test_a_game_on_an_own_killzone_is_resumed_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    home = tmp_path / "home"
    home.mkdir()
    text = (paths.killzones() / "training-ground" / "killzone.yaml").read_text(encoding="utf-8")
    (home / "mine.yaml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(home)
    save = play(replace(PLAIN, board="mine.yaml"), tmp_path / "games" / "game.ktsim", 10)
    monkeypatch.chdir("/")
    session, warning = Session.resume(save)
    session.close()
    assert (warning, session.setup.board) == ("", str(home / "mine.yaml"))
    corrected(home / "mine.yaml", r"(?m)^title: .*$", "title: Another name")
    assert record.load(save).warning == "", "what rules read is the same"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "elsewhere"))
    with pytest.raises(UserError, match=r"the killzone file .*mine.yaml', which you have not named here"):
        Session.resume(save)
    assert main(["killzone", "check", str(home / "mine.yaml")]) == 0
    assert record.load(save).warning == "", "named now"


@pytest.mark.parametrize("kept", KEPT, ids=lambda path: path.stem)
def test_saves_of_every_version_are_opened_for_ever(kept: Path, tmp_path: Path) -> None:
    """Replayed where the answers still fit, else mended from the snapshot; never a refusal."""
    save = tmp_path / kept.name
    save.write_bytes(kept.read_bytes())
    if (beside := record.snapshot_path(kept)).exists():
        record.snapshot_path(save).write_bytes(beside.read_bytes())
    try:
        session, _ = Session.resume(save)
    except MendableSave:
        if journal.read(save).header["ktsim"] in journal.OLDER:
            return  # written before snapshots could be gone on from
        session, _ = Session.resume(record.mend(save)[0])
    session.close()
    assert save.read_bytes() == kept.read_bytes()


def test_there_are_saves_of_this_and_the_last_format() -> None:
    formats = {journal.read(path).header["ktsim"] for path in KEPT}
    assert formats == {journal.FORMAT, *journal.OLDER}
