"""Playing in a terminal."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from engine_help import PLAIN
from team_help import open_list

from ktsim.cli import main
from ktsim.errors import UserError
from ktsim.game import record
from ktsim.game.players import Player, Sampler
from ktsim.game.session import Session
from ktsim.game.setup import Setup
from ktsim.game.story import tell
from ktsim.game.text_play import CLEAR, TOLD_AGAIN, TextPlay
from ktsim.rules.engine.decisions import PickSome
from ktsim.rules.kt24.equipment.register import EQUIPMENT


def reader(lines: list[str]) -> Callable[[], str]:
    waiting = iter(lines)

    def read() -> str:
        try:
            return next(waiting)
        except StopIteration:
            raise EOFError from None

    return read


def played(lines: list[str], session: Session | None = None, dice: Player | None = None, **more: object) -> str:
    out = io.StringIO()
    session = session or Session.begin(PLAIN, None)
    TextPlay(session, reader(lines), out, dice=dice, **more).run()  # type: ignore[arg-type]
    return out.getvalue()


def test_dice_typed_in_and_options_by_number_or_name() -> None:
    session = Session.begin(PLAIN, None)
    told = played(["5", "2", "7", "2", "blue"], session)
    assert "[chance] Roll-off: Lantern Wardens" in told
    assert "Lantern Wardens (red) rolls 5, Gravel Jackals (blue) rolls 2" in told
    assert "'7' is not on offer" in told
    assert session.game.state.initiative == "blue"


def test_an_answer_that_cannot_be_written_down_is_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Invariant 15. Dice nobody could roll again end the game with a sentence."""
    session = Session.begin(PLAIN, tmp_path / "g.ktsim")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", full)
        told = played(["5"], session)
        assert "could not be written down" in told
        assert told.count("[chance] Roll-off: Lantern Wardens") == 2
        with pytest.raises(UserError, match="The game up to here is saved"):
            played([], session, dice=Sampler(1))
    assert session.game.answers == []
    played(["5", "2"], session)
    session.close()
    assert len(record.load(tmp_path / "g.ktsim").game.answers) == 2


def test_wrong_answers_get_a_sentence_and_the_question_again() -> None:
    told = played(["six", "9", "5", "2", "1", "three", "15,11", "nan,1", "3,3"])
    assert "'six' is not a whole number." in told
    assert "Expected 1 dice, each from 1 to 6." in told
    assert "'three' is not a place such as 12.5,8 (in inches)." in told
    assert "would not be wholly within the drop zone" in told
    assert "sets up Warden Captain." in told


def test_commands() -> None:
    session = Session.begin(PLAIN, None)
    told = played(["help", "5", "2", "d", "r", "who", "undo", "redo", "log", "undo", "undo", "undo", "quit"], session)
    assert "undo agreed" in told
    assert "not in the killzone" in told
    assert "only if both players agree" in told
    assert session.game.state.initiative is None


def test_refusals_name_the_options_as_they_are_listed() -> None:
    session = Session.begin(PLAIN, None)
    told = played(["5", "2", "99", "LANTERN wardens", "d", "quit"], session)
    assert "  '99' is not on offer; choose one of: 1 Lantern Wardens, 2 Gravel Jackals.\n" in told
    assert session.game.state.initiative == "red", "by its name, in whatever case, without what is in brackets"
    assert "  No answer is marked here; r gives any that is legal.\n" in told


def test_setting_up_says_where_the_drop_zone_lies() -> None:
    session = Session.begin(PLAIN, None)
    told = played(["5", "2", "1", "quit"], session)
    place = told.rpartition("It lies between ")[2].split(" (")[0]
    (left, low), (right, high) = ([float(each) for each in corner.split(",")] for corner in place.split(" and "))
    zone = session.game.battle.drop_zone("red")
    assert {x for x, _ in zone} == {left, right}
    assert {y for _, y in zone} == {low, high}
    assert "hint or r gives a place" in told


def test_several_options_are_chosen_by_number_or_by_name_and_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ktsim.game.setup.rostered", open_list)
    session, sampler = Session.begin(PACK, None), Sampler(1)
    while (asked := session.game.pending) is not None and asked.topic != "operatives":
        session.submit(sampler.answer(asked, session.game))
    assert isinstance(asked, PickSome)
    names = [option.text.partition(" (")[0] for option in asked.options]
    lines = ["", "1", "1 2 nobody", "no such one", "hint", ", ".join(names[: asked.least]).lower(), "quit"]
    told = played(lines, session, sampler)
    example = " ".join(map(str, range(1, asked.least + 1)))
    assert f"  Choose {asked.least}; 1 was chosen. Give their numbers separated by blanks: {example}.\n" in told
    assert f"  'nobody' is not on offer; choose one of: 1 {names[0]}, 2 {names[1]}, " in told
    assert f"  'no such one' is not on offer; choose one of: 1 {names[0]}, 2 {names[1]}, " in told
    assert f"\n  {names[0]}, {names[1]}, " in told, "the hint"
    assert session.game.answers[-1] == tuple(option.key for option in asked.options[: asked.least])


def test_an_action_that_is_undone_is_not_told_and_indents_nothing() -> None:
    session, sampler = Session.begin(PLAIN, None), Sampler(3)
    while (asked := session.game.pending) is not None and asked.topic != "action":
        session.submit("engage" if asked.topic == "order" else sampler.answer(asked, session.game))
    told = played(["1", "undo", "2", "r", "log", "quit"], session, Sampler(1))
    assert ": Reposition (1 AP)." not in told
    assert "\n    Cutter 1: Dash (1 AP).\n      Cutter 1 moves" in told, "within the phase and the activation"
    assert "\n" + "\n".join(list(tell(session.game, session.game.events))[-TOLD_AGAIN:]) + "\n\n[" in told


def test_a_whole_game_with_random_answers(tmp_path: Path) -> None:
    session = Session.begin(PLAIN, tmp_path / "g.ktsim")
    told = played(["r"] * 2000, session, Sampler(3), takes_obvious=True)
    session.close()
    assert session.game.state.phase == "over"
    assert " wins.\n" in told or "The game is a draw.\n" in told
    assert record.load(tmp_path / "g.ktsim").game.digest() == session.game.digest()


def test_forbidden_options_say_why() -> None:
    out = io.StringIO()
    session = Session.begin(PLAIN, None)

    def read() -> str:
        prompt = next(line for line in reversed(out.getvalue().splitlines()) if line.startswith("[red]"))
        return "conceal" if "Which order" in prompt else "quit" if "which action" in prompt else "r"

    TextPlay(session, read, out, dice=Sampler(2), bots={"blue": Sampler(1)}).run()
    assert "-- Not on a Conceal order." in out.getvalue()


def test_the_command_plays_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "g.ktsim"
    command = [sys.executable, "-m", "ktsim", "play", "--text", "--dice", "4", "--killzone", "open", "--table", "plain"]
    command += ["--mission", "skirmish"]
    first = subprocess.run(
        [*command, "--save", str(path), "--blue-bot", "random"],
        input="d\nr\nr\nquit\n",
        capture_output=True,
        text=True,
    )
    assert first.returncode == 0, first.stderr
    assert "can be continued" in first.stdout
    count = len(record.load(path).game.answers)
    assert count >= 5
    second = subprocess.run([*command, "--load", str(path)], input="r\nr\nquit\n", capture_output=True, text=True)
    assert second.returncode == 0, second.stderr
    assert len(record.load(path).game.answers) == count + 2


def test_bad_options_get_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    taken = tmp_path / "taken"
    taken.write_text("mine", encoding="utf-8")
    for words in (["play"], ["play", "--text", "--load", "none"], ["play", "--text", "--save", str(taken)]):
        assert main(words) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1
    assert main(["play", "--text", "--save", str(tmp_path / "none" / "g.ktsim")]) == 2
    assert "cannot be written: there is no such folder" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()
    assert main(["replay", str(taken)]) == 2
    taken.write_text("mine\nand more\n", encoding="utf-8")
    assert main(["replay", str(taken)]) == 2
    assert "taken: is not a saved game" in capsys.readouterr().err
    taken.write_text("mine", encoding="utf-8")
    assert main(["play", "--text", "--red-bot", "genius"]) == 2
    assert taken.read_text(encoding="utf-8") == "mine"


# -- secrets at a shared screen ----------------------------------------------------------------------

PACK = Setup(board="open", table="plain", crit_op="loot")


@pytest.fixture(autouse=True)
def _no_equipment() -> Iterator[None]:
    """Nothing to choose but operatives and ops."""
    with patch.dict(EQUIPMENT, clear=True):
        yield


class Screen(io.StringIO):
    """A terminal, as far as the game can tell."""

    def isatty(self) -> bool:
        return True


def shared(answers: dict[str, str], until: str, bots: dict[str, Player] | None = None) -> tuple[str, Session]:
    """Play a pack by answers to words of the prompt, otherwise at random, until a prompt says *until*."""
    out, session = Screen(), Session.begin(PACK, None)

    def read() -> str:
        prompt = out.getvalue().rpartition("\n[")[2].splitlines()[0]
        if until in prompt and (not bots or prompt.startswith("red")):
            return "quit"
        return next((answer for words, answer in answers.items() if words in prompt), "r")

    TextPlay(session, read, out, dice=Sampler(2), bots=bots).run()
    return out.getvalue(), session


@pytest.mark.rule("KT24-SELECT")
def test_secret_choices_are_taken_off_a_shared_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ktsim.game.setup.rostered", open_list)
    told, _ = shared({"look": "", "Choose your tac op": "1"}, "set up next")
    assert "A secret choice. The other player looks away; then press Enter." in told
    secret = told[told.index("Choose your tac op.") :]
    assert secret.index(CLEAR) < secret.index("has chosen.")
    assert told.count(CLEAR) == 4, "operatives and tac op of both"


def test_stopping_at_a_secret_choice() -> None:
    told, session = shared({"look": "quit"}, "no such prompt")
    assert told.rstrip().endswith("then press Enter.")
    assert session.game.pending is not None
    assert session.game.pending.secret


def acting_with_retrieval() -> Session:
    """A battle in which red, whose tac op is Retrieval, chooses its first action."""
    session = Session.begin(PACK, None)
    sampler = Sampler(3)
    game = session.game
    while game.pending is not None and not (game.pending.topic == "action" and game.pending.seat == "red"):
        is_reds = game.pending.topic == "tac op" and game.pending.seat == "red"
        session.submit("retrieval" if is_reds else sampler.answer(game.pending, game))
    return session


@pytest.mark.rule("KT24-SELECT")
def test_options_of_a_secret_op_are_not_named_on_a_shared_screen() -> None:
    session = acting_with_retrieval()
    told = played(["quit"], session, Sampler(1))
    assert "Something of your tac op" in told
    assert "Retrieve" not in told


@pytest.mark.rule("KT24-SELECT")
def test_alone_against_a_bot_everything_is_said() -> None:
    choices = {"Choose your tac op": "retrieval"}
    told, _ = shared({**choices, "which action?": "quit"}, "no such prompt", {"blue": Sampler(1)})
    assert "looks away" not in told
    assert "Retrieve (1 AP)  -- Not before turning point 2." in told


@pytest.mark.rule("KT24-SELECT")
def test_the_refusal_of_a_secret_option_gives_nothing_away() -> None:
    told = played(["Retrieve", "something of your tac op", "quit"], acting_with_retrieval(), Sampler(1))
    assert "'Retrieve' is not on offer" in told, "as whatever else is not"
    assert "  Not now." in told
    assert "Retrieve" not in told.replace("'Retrieve' is", "")


def test_the_score_sheet_is_shown_on_demand_and_at_the_end() -> None:
    session = Session.begin(PACK, None)
    told = played(["score", "quit"], session, Sampler(1))
    assert "TP1  TP2  TP3  TP4" in told
    session = Session.begin(PACK, None)
    sampler = Sampler(3)
    while session.game.pending is not None:
        session.submit(sampler.answer(session.game.pending, session.game))
    assert "TP1  TP2  TP3  TP4" in played([], session)
