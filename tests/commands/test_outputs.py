"""What a command writes never takes the place of what it reads, nor of a file of another kind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from team_json import sample

from ktsim.cli import main
from ktsim.content.files import Written, check_output
from ktsim.errors import UserError

BEGINNINGS: dict[Written, bytes] = {
    "PNG picture": b"\x89PNG\r\n\x1a\n...",
    "zip file": b"PK\x03\x04...",
    "team file": b"# Mine.\nktsim: team/1\n",
    "roster file": b"ktsim: 'roster/1'\n",
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("scn.yaml").write_text("ktsim: scene/1\noperatives: []\n")
    Path("moth.json").write_text(json.dumps(sample()))
    Path("mine.txt").write_text("a shopping list\n")
    return tmp_path


@pytest.mark.parametrize("kind", BEGINNINGS)
def test_a_file_takes_the_place_of_its_own_kind_only(kind: Written) -> None:
    out = Path("out.png")
    assert check_output("out.png", kind) == out, "a new file"
    out.write_bytes(b"")
    assert check_output("out.png", kind) == out, "an empty one, as mktemp makes"
    for other, data in BEGINNINGS.items():
        out.write_bytes(data)
        if other == kind:
            assert check_output("out.png", kind, "scn.yaml", "nowhere") == out
            with pytest.raises(UserError, match="is what is read here and would be lost"):
                check_output("out.png", kind, "scn.yaml", "./out.png")
        else:
            with pytest.raises(UserError, match=f"is there already and is no {kind}"):
                check_output("out.png", kind)


@pytest.mark.parametrize(
    ("words", "lost", "says"),
    [
        (["rule", "scn.yaml", "--png", "scn.yaml"], "scn.yaml", "a name that ends in .png"),
        (["rule", "scn.yaml", "--png", "card"], "scn.yaml", "a name that ends in .png"),
        (["demo", "--png", "scn.yaml"], "scn.yaml", "a name that ends in .png"),
        (["killzone", "render", "training-ground", "--png", "mine.txt"], "mine.txt", "a name that ends in .png"),
        (["team", "import", "moth.json", "--out", "moth.json"], "moth.json", "is what is read here"),
        (["team", "import", "moth.json", "--out", "mine.txt"], "mine.txt", "is no team file"),
        (["team", "roster", "keelwrights", "--out", "scn.yaml"], "scn.yaml", "is no roster file"),
        (["report", "--out", "scn.yaml"], "scn.yaml", "is no zip file"),
        (["report", "--out", "."], "scn.yaml", "is a folder"),
        (["report", "--out", ""], "scn.yaml", "empty name"),
    ],
)
def test_nothing_of_the_user_is_lost(
    words: list[str], lost: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = Path(lost).read_bytes()
    assert main(words) == 2
    assert says in capsys.readouterr().err
    assert Path(lost).read_bytes() == before


def test_what_was_written_once_is_written_again() -> None:
    for words in (
        ["team", "import", "moth.json", "--out", "moth.yaml"],
        ["team", "roster", "moth.yaml", "--out", "roster.yaml"],
        ["report", "--out", "report.zip"],
    ):
        assert main(words) == 0
        assert main(words) == 0
    assert main(["team", "roster", "moth.yaml", "--out", "moth.yaml"]) == 2


@pytest.mark.parametrize("length", [245, 300])
def test_a_name_too_long_is_said_to_be(length: int, capsys: pytest.CaptureFixture[str]) -> None:
    """At 245 letters the team has a name that can be, and the file of its corrections has none."""
    is_possible = length < 256
    assert main(["team", "import", "moth.json", "--out", "x" * length]) == (0 if is_possible else 2)
    assert ("cannot be written" in capsys.readouterr().err) is not is_possible
