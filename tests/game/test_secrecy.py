"""Secrets stay secret: what anybody is shown depends on nothing only somebody else may know (KT24-SELECT)."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random
from typing import Any

import pytest
from language_help import said as texts_said
from op_help import OpField

from ktsim.cli import main
from ktsim.errors import UserError
from ktsim.game import record, secrecy, text_play
from ktsim.game.bots import BOTS, Tactician
from ktsim.game.game import Game
from ktsim.game.journal import JournalEntry
from ktsim.game.players import Sampler
from ktsim.game.secrecy import VEILED
from ktsim.game.session import NEEDS_AGREEMENT, Session
from ktsim.game.setup import Setup, new_game
from ktsim.game.text_play import CLEAR, TextPlay
from ktsim.rules.engine.activation import activate
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Decision, Pick, Steps
from ktsim.rules.engine.events import Noted
from ktsim.rules.engine.state import Activation, Side
from ktsim.rules.kt24.ops.op import revealed_key, tac_key
from ktsim.rules.kt24.ops.register import TAC_OPS, tac_ops_of
from ktsim.rules.kt24.turn import choose_action, choose_counteraction
from ktsim.rules.teams.playing.free_actions import act_freely

PACK = Setup(board="open", table="plain", crit_op="reboot", handicap_red="-3", handicap_blue="-3")
SECRET_OPS = ("flank", "retrieval", "scout-enemy-movement", "envoy")
"""Ops of red's team that are revealed by their player only, never by what happens."""
REVEALED = "reveals its tac op"
NONSENSE = "xyzzy"
NUMBERS = {
    side: {op.key: str(number) for number, op in enumerate(tac_ops_of(team), 1)}
    for side, team in new_game(PACK).battle.teams.items()
}
"""By what number the tac ops of each side are chosen."""


def words_of(op: str) -> set[str]:
    """Everything by which a tac op could be recognised: its names, its key, its id, its actions and gambits."""
    made = TAC_OPS[op]("red")
    return {made.name, made.key, made.id, "Name the envoy", *(action.name for action in made.own_actions())}


class Screen(io.StringIO):
    """A terminal, as far as the game can tell."""

    def isatty(self) -> bool:
        return True


# -- the same game twice, with another secret --------------------------------------------------------


class Asking:
    """A person who at every open question also looks at everything else there is to look at."""

    def __init__(self, out: io.StringIO, chosen: dict[str, str]) -> None:
        self.out, self._chosen, self._count = out, chosen, 0
        self._left: list[str] = []

    def __call__(self) -> str:
        text = self.out.getvalue()
        if "looks away" in text[text.rindex("\n[") :]:
            return ""
        for side, number in self._chosen.items():
            if f"[{side}] Choose your tac op." in text[text.rindex("\n[") :]:
                return number
        if not self._left:
            self._count += 1
            looks = {5: "hint", 7: "log", 11: "score", 13: NONSENSE, 17: "who", 19: "undo", 20: "redo", 23: "Retrieve"}
            self._left = ["r", *(word for every, word in looks.items() if self._count % every == 0)]
        return self._left.pop()


def told(red: str, blue: str = "flank", seed: int = 4) -> str:
    """Everything a shared terminal shows of a game with these tac ops, which nobody uses."""
    out, session = Screen(), Session.begin(PACK, None)
    person = Asking(out, {"red": NUMBERS["red"][red], "blue": NUMBERS["blue"][blue]})
    TextPlay(session, person, out, dice=Sampler(seed), takes_obvious=True).run()
    return out.getvalue()


class Discreet(Sampler):
    """A bot with this tac op that never does what only that op allows."""

    def __init__(self, op: str) -> None:
        super().__init__("discreet")
        self._op = op

    def answer(self, decision: Decision[Any], game: Game) -> Any:
        return self._op if decision.topic == "tac op" else secrecy.shown(decision, None).sample(self._rng)


@pytest.mark.rule("KT24-SELECT")
def test_a_shared_terminal_shows_the_same_whatever_the_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_play, "HINT_SECONDS", None)
    first, *others = (told(op) for op in SECRET_OPS)
    assert REVEALED not in first
    assert "wins." in first or "is a draw." in first
    for word, least in (("  Not now.", 0), (VEILED, 20), ("'xyzzy' is not on offer", 3), ("has chosen.", 10)):
        assert first.count(word) >= least, word
    for other in others:
        assert other == first


@pytest.mark.rule("KT24-SELECT")
def test_until_something_happens_that_reveals_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_play, "HINT_SECONDS", None)
    games = ((seed, told("flank", "dominate", seed)) for seed in range(2, 12))
    seed, revealed = next((seed, text) for seed, text in games if REVEALED in text)
    hidden = told("flank", "flank", seed)
    until = revealed.rindex("\n", 0, revealed.index(REVEALED))
    assert until > 5000
    assert revealed[:until] == hidden[:until]


@pytest.mark.rule("KT24-SELECT")
def test_alone_against_a_bot_its_secret_shows_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_play, "HINT_SECONDS", None)
    swapped = Setup(**{**PACK.to_json(), "red": PACK.blue, "blue": PACK.red})
    shown = []
    for op in SECRET_OPS:
        out, session = io.StringIO(), Session.begin(swapped, None)
        TextPlay(session, Asking(out, {"red": "1"}), out, dice=Sampler(4), bots={"blue": Discreet(op)}).run()
        shown.append(out.getvalue())
    assert "wins." in shown[0] or "is a draw." in shown[0]
    assert REVEALED not in shown[0].replace(f"{new_game(swapped).battle.name('red')} {REVEALED}", "")
    assert len(set(shown)) == 1


# -- single channels of a terminal -------------------------------------------------------------------


def until(session: Session, topic: str, seat: Side, op: str, seed: int = 3) -> None:
    """Play on at random, with a tac op for red that nobody uses, until *seat* is asked about *topic*."""
    game, rng = session.game, Random(seed)
    while game.pending is not None and not (game.pending.topic == topic and game.pending.seat == seat):
        is_reds = game.pending.topic == "tac op" and game.pending.seat == "red"
        session.submit(op if is_reds else secrecy.shown(game.pending, None).sample(rng))
    assert game.pending is not None


def at_gambit(op: str, path: Path | None = None) -> Session:
    session = Session.begin(PACK, path)
    until(session, "gambit", "red", op)
    return session


def said(session: Session, *lines: str) -> str:
    out, waiting = Screen(), iter([*lines, "quit"])
    TextPlay(session, lambda: next(waiting), out, dice=Sampler(1)).run()
    return out.getvalue()


@pytest.mark.rule("KT24-SELECT")
@pytest.mark.parametrize("line", [NONSENSE, "hint", "flank", "log", "score", "who", "undo"])
def test_no_line_makes_the_terminal_name_an_unrevealed_op(line: str) -> None:
    session = at_gambit("flank")
    assert isinstance(session.game.pending, Pick)
    assert "flank" in session.game.pending.open_keys
    text = said(session, line).replace(f"'{line}'", "")
    assert not [word for word in words_of("flank") if word in text]


@pytest.mark.rule("KT24-SELECT")
@pytest.mark.parametrize("op", ["flank", "martyrs"])
def test_the_line_for_an_unrevealed_op_is_there_whatever_it_is(op: str) -> None:
    session = at_gambit(op)
    text = said(session)
    assert text.count(VEILED) == 1
    assert text.rstrip().splitlines()[-1].endswith(VEILED), "after all that is numbered"
    number = text.rstrip().splitlines()[-1].split()[0]
    text = said(session, number)
    assert ("Not now." in text) == (op == "martyrs")
    assert (f"{REVEALED}: Flank" in text) == (op == "flank")
    if op == "flank":
        assert revealed_key("red") in session.game.state.choices
        until(session, "gambit", "red", op)
        assert VEILED not in said(session), "everybody knows by now"


def test_a_secret_is_off_the_terminal_however_its_question_ends() -> None:
    for lines in (["", "nonsense", "quit"], ["", "9 9 9", "undo agreed", "quit"]):
        session = Session.begin(PACK, None)
        until(session, "tac op", "red", "flank")
        text = said(session, *lines)
        shown = text[text.index("looks away") :]
        assert CLEAR in shown
        assert "Flank" not in shown[shown.rindex(CLEAR) :]


def test_a_player_stays_with_a_secret_question_until_it_is_answered() -> None:
    session = Session.begin(PACK, None)
    until(session, "tac op", "red", "flank")
    text = said(session, "", "hint", NONSENSE, "1")
    first = text[: text.index("has chosen.")]
    assert first.count("looks away") == 1
    assert first.count("Choose your tac op.") == 3


def test_the_log_counts_only_what_is_told() -> None:
    session = at_gambit("flank")
    before = said(session, "log").splitlines()
    session.game.events.append(Noted("red:flank:left", 2))
    assert said(session, "log").splitlines() == before


@pytest.mark.rule("KT24-SELECT")
def test_alone_a_player_sees_its_own_secrets() -> None:
    session = at_gambit("flank")
    out = io.StringIO()
    TextPlay(session, iter(["flank"]).__next__, out, dice=Sampler(1), bots={"blue": Sampler(1)})._ask(
        session.game.pending  # type: ignore[arg-type]
    )
    assert "Reveal the tac op Flank" in out.getvalue()
    assert VEILED not in out.getvalue()
    assert revealed_key("red") in session.game.state.choices


# -- whether a question is asked at all --------------------------------------------------------------


@pytest.mark.rule("KT24-GAMBIT")
@pytest.mark.parametrize("op", sorted(TAC_OPS))
def test_a_gambit_is_asked_for_whether_or_not_there_is_one(op: str) -> None:
    """A team whose file names no archetype may have any op, so there could always be a gambit."""
    field = OpField(red=op).add("a", "red", (5, 5)).add("b", "blue", (25, 5))
    pending = field.gambits("red").pending
    assert isinstance(pending, Pick)
    assert pending.veiled
    assert not pending.is_obvious, "a setting that answers by itself would tell"
    public = secrecy.shown(pending, None)
    assert isinstance(public, Pick)
    assert public.open_keys == ["pass"]
    field.state.choices = {**field.state.choices, revealed_key("red"): op}
    known = field.gambits("red").pending
    assert (known is not None) == (op == "envoy"), "once it is known only what there is is asked"


def tired(field: OpField, kind: str = "activation", order: str = "conceal") -> OpField:
    """Red's A can do nothing more that anybody has; with an op of its own it might."""
    field.add("a", "red", (10, 5.5), apl=3).add("b", "blue", (25, 15))
    field.state.operatives["a"].order = order  # type: ignore[assignment]
    field.settle()
    field.state.activation = Activation("a", kind, 3, ap_spent=2, actions=["Reposition", "Dash"])  # type: ignore[arg-type]
    return field


@pytest.mark.rule("KT24-SELECT")
@pytest.mark.parametrize("op", sorted(TAC_OPS))
def test_an_action_is_asked_for_whether_or_not_there_is_one(op: str) -> None:
    def choose(battle: Battle) -> Steps[Any]:
        yield from choose_action(battle, battle.state.operatives["a"])

    pending = tired(OpField(red=op)).game(choose).pending
    assert isinstance(pending, Pick)
    assert pending.veiled
    public = secrecy.shown(pending, None)
    assert isinstance(public, Pick)
    assert public.open_keys == ["pass"]
    nowhere = tired(OpField(red=op))
    nowhere.state.turning_point = 1
    assert nowhere.game(choose).pending is None, "no op has an action in the first turning point"
    spent = tired(OpField(red=op))
    assert spent.state.activation is not None
    spent.state.activation.ap_spent = 3
    assert spent.game(choose).pending is None, "nor without AP"


@pytest.mark.rule("KT24-COUNTERACT")
@pytest.mark.parametrize("op", ["retrieval", "rout"])
def test_so_is_the_action_of_a_counteraction(op: str) -> None:
    def choose(battle: Battle) -> Steps[Any]:
        yield from choose_counteraction(battle, battle.state.operatives["a"])

    pending = tired(OpField(red=op), "counteraction", "engage").game(choose).pending
    assert isinstance(pending, Pick)
    assert pending.veiled


# -- undo --------------------------------------------------------------------------------------------


def test_what_was_revealed_is_taken_back_only_by_agreement(tmp_path: Path) -> None:
    session = at_gambit("flank", tmp_path / "g.ktsim")
    session.submit("pass" if session.game.pending.check("pass") is None else "primary op")  # type: ignore[union-attr]
    while session.game.pending is not None and session.game.pending.topic != "gambit":
        session.submit(session.game.pending.sample(Random(1)))
    until(session, "gambit", "red", "flank")
    count = len(session.game.answers)
    session.submit("flank")
    for again in (session, None):
        if again is None:
            session.close()
            again, _ = Session.resume(tmp_path / "g.ktsim")
        assert again.refuses_undo() == NEEDS_AGREEMENT
    again.undo(is_agreed=True)
    assert len(again.game.answers) == count, "no more than the answer itself"
    again.submit("pass" if again.game.pending.check("pass") is None else "primary op")  # type: ignore[union-attr]
    assert again.refuses_undo() is None
    again.close()


# -- saved games -------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [[], ["--check"]])
def test_a_saved_game_told_while_it_goes_on_names_nothing(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "g.ktsim"
    at_gambit("flank", path).close()
    assert main(["replay", str(path), *arguments]) == 0
    text = capsys.readouterr().out
    assert not [word for word in words_of("flank") if word in text]


def test_an_answer_that_does_not_fit_is_refused_without_naming_secrets(tmp_path: Path) -> None:
    path = tmp_path / "g.ktsim"
    session = at_gambit("flank", path)
    session.close()
    recorded = record.load(path).recorded
    record.save(path, [*recorded.entries, JournalEntry("x", answer=NONSENSE)], recorded.header)
    with pytest.raises(UserError) as error:
        record.load(path)
    assert "'xyzzy' is not on offer" in str(error.value)
    assert "flank" not in str(error.value)


# -- bots --------------------------------------------------------------------------------------------


def twins(ops: tuple[str, str], seed: int = 5) -> tuple[Game, Game]:
    """Two games that differ in red's tac op only."""
    made = []
    for op in ops:
        session = Session.begin(PACK, None)
        until(session, "tac op", "red", op, seed)
        session.submit(op)
        made.append(session.game)
    return made[0], made[1]


@pytest.mark.rule("KT24-SELECT")
@pytest.mark.parametrize("others", [("flank", "retrieval"), ("scout-enemy-movement", "envoy")])
def test_a_bot_is_handed_the_same_game_whatever_the_others_secret(others: tuple[str, str]) -> None:
    """And so answers the same; also when it is handed everything, as long as it looks at nothing it may not."""
    one, two = twins(others)
    rng = Random(6)
    compared = 0
    while one.pending is not None:
        assert two.pending is not None
        seat = one.pending.seat
        if seat == "blue":
            seen = one.seen_by("blue"), two.seen_by("blue")
            assert seen[0].state == seen[1].state
            assert seen[0].answers == seen[1].answers
            assert not {others[0], others[1]} & set(seen[0].state.choices.values())
            if compared % 8 == 0:
                assert [repr(event) for event in seen[0].events] == [repr(event) for event in seen[1].events]
                for name, kind in BOTS.items():
                    answers = [kind("s", "normal").answer(game.pending, game) for game in (one, two)]  # type: ignore[arg-type]
                    assert answers[0] == answers[1], name
                hints = [Tactician("s").hint(game.pending, game) for game in (one, two)]  # type: ignore[arg-type]
                assert hints[0] == hints[1]
            compared += 1
        answer = secrecy.shown(one.pending, None).sample(rng)
        one.submit(answer)
        two.submit(answer)
    assert compared > 60


def test_what_a_bot_is_handed_cannot_be_played_and_changes_nothing() -> None:
    game = at_gambit("flank").game
    before, state = game.digest(), game.state
    seen = game.seen_by("blue")
    seen.state.operatives.clear()
    with pytest.raises(AttributeError):
        seen.submit("primary op")
    assert (game.digest(), game.state) == (before, state)
    assert game.battle.state is state
    assert tac_key("red") in game.seen_by("red").state.choices
    assert tac_key("red") not in game.seen_by(None).state.choices


def test_the_primary_op_is_hidden_to_the_end() -> None:
    session = at_gambit("flank")
    session.submit("primary op")
    session.submit("tac")
    assert session.game.seen_by("red").state.choices["red:primary op"] == "tac"
    for viewer in ("blue", None):
        assert "red:primary op" not in session.game.seen_by(viewer).state.choices  # type: ignore[arg-type]
        assert "tac" not in session.game.seen_by(viewer).answers  # type: ignore[arg-type]


@pytest.mark.rule("KT24-SELECT")
def test_a_bots_reason_for_an_order_names_no_secret_plan() -> None:
    """It is said before the op is revealed."""

    def procedure(battle: Battle) -> Steps[None]:
        yield from activate(battle, "red")

    field = OpField(red="scout-enemy-movement").add("a", "red", (3, 3)).add("b", "blue", (27, 19))
    game = field.game(procedure)
    assert game.pending is not None
    assert game.pending.topic == "order"
    bot = Tactician("s", "hard")
    order, why = bot.hint(game.pending, game)
    assert order == "conceal"
    assert not [word for word in words_of("scout-enemy-movement") if word in why]
    game.submit("conceal")
    assert isinstance(game.pending, Pick)
    assert bot.hint(game.pending, game) == ("Scout", "Scout for the mission."), "that is what it was about"


# -- chosen together ---------------------------------------------------------------------------------


@pytest.mark.rule("KT24-SELECT")
def test_equipment_is_nowhere_before_both_have_chosen() -> None:
    game = new_game(Setup(board="open", table="plain", mission="equipped-skirmish"))
    rng = Random(1)
    while game.pending is not None and game.pending.topic != "equipment options":
        game.submit(game.pending.sample(rng))
    before = game.digest()
    game.submit(("utility-grenades",))
    assert game.digest() == before
    assert game.pending is not None
    assert game.pending.topic == "equipment options"
    game.submit(())
    assert game.digest() != before


@pytest.mark.rule("KT24-SELECT")
@pytest.mark.parametrize("turning_point", [1, 2])
def test_what_may_be_done_for_free_does_not_tell_which_op_it_is(turning_point: int) -> None:
    """Retrieval allows an action on the marker, Flank none: the opponent sees the same question, or none before the
    turning point in which it could be performed."""
    seen = []
    for op in ("retrieval", "flank"):
        session = Session.begin(PACK, None)
        until(session, "activate", "red", op)
        battle = session.game.battle.twin()
        state, who = battle.state, battle.state.side("red")[0]
        state.turning_point, state.activation = turning_point, Activation(who.id, "activation", 2)
        for each in state.operatives.values():
            each.x, each.y = 1000, 1000
        marker = next(each for each in state.markers.values() if each.kind == "objective")
        who.x, who.y, marker.controller = marker.x, marker.y, "red"
        language, _ = texts_said("name: errand, on: activated, who: friend, may: true, do: [{free-action: [mission]}]")
        clause = next(each for each in language.clauses if [act.word for act in each.rule.do] == ["free-action"])
        steps = act_freely(language.scene(battle, clause).but(who=who), clause.rule.do[0], [who])
        asked = next(steps, None)
        own = isinstance(asked, Pick) and [option.key for option in asked.options if option.secret]
        assert own == (["Retrieve"] if op == "retrieval" and turning_point == 2 else [] if asked else False)
        seen.append(asked and secrecy.shown(asked, "blue"))
    assert seen[0] == seen[1]
    assert bool(seen[0]) == (turning_point == 2)
