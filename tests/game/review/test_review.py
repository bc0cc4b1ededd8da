"""Reviews: values by odds, luck by dice, plans that can be played, kept beside the save and gone on with."""

from __future__ import annotations

import json
import shutil
import time
from itertools import pairwise
from pathlib import Path

import pytest
from kept_saves import SAVES, save_of_now

from ktsim.cli import main
from ktsim.game import journal
from ktsim.game.bots.npo import NonPlayer
from ktsim.game.game import Game
from ktsim.game.players import Purposeful, Sampler
from ktsim.game.record import beginning
from ktsim.game.rehearsal import usual_answer
from ktsim.game.review import keeping
from ktsim.game.review.carrying_out import BetterPlan
from ktsim.game.review.keeping import Reviewer, kept_review, read_kept, review_path
from ktsim.game.review.review import GameReview, ReviewedActivation, review
from ktsim.game.review.watching import Watching, _real
from ktsim.game.session import Session
from ktsim.game.setup import Setup
from ktsim.rules.engine.decisions import CANCEL, Pick, Walk
from ktsim.rules.engine.operative_events import ActivationEnded, Wounded


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, GameReview]:
    """The review of a battle of 2024, made once."""
    path = tmp_path_factory.mktemp("review") / "battle.ktsim"
    shutil.copy(save_of_now("skirmish"), path)
    return path, kept_review(path)


def played_to(path: Path, moment: int) -> Game:
    recorded = journal.read(path)
    _, battle, state = beginning(recorded, path)
    game = Game(battle, state)
    for answer in recorded.answers()[:moment]:
        game.submit(answer)
    return game


def test_every_activation_is_there_with_its_fields(
    made: tuple[Path, GameReview], capsys: pytest.CaptureFixture[str]
) -> None:
    path, _ = made
    assert main(["review", str(path), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    fields = {"number", "side", "operative", "value", "best", "loss", "luck", "words"}
    assert [each["number"] for each in said["activations"]] == list(range(1, len(said["activations"]) + 1))
    assert all(set(each) == fields for each in said["activations"])
    assert len(said["curve"]) == len(said["activations"]) + 1
    game = played_to(path, len(journal.read(path).answers()))
    ended = [event for event in game.events if isinstance(event, ActivationEnded)]
    assert len(ended) == len(said["activations"])
    for each in said["activations"]:
        assert each["loss"] == pytest.approx(each["best"] - each["value"], abs=0.002)
        assert each["loss"] >= 0


def test_a_better_plan_can_be_played(made: tuple[Path, GameReview]) -> None:
    """Answer by answer in the game itself, by somebody who only reads the plan."""
    path, found = made
    better = [each for each in found.activations if each.plan is not None]
    assert better, "somebody erred"
    for each in better:
        assert each.plan is not None
        game = played_to(path, each.moment)
        told, left = len(game.events), list(each.plan.steps)
        begins: dict[str, str] = {"activate": each.plan.operative, "counteract": each.plan.operative}
        answers = begins | {"order": each.plan.order}
        step = None
        while not any(isinstance(event, ActivationEnded) for event in game.events[told:]):
            pending = game.pending
            assert pending is not None
            if isinstance(pending, Pick) and pending.topic in answers:
                answer = answers[pending.topic]
            elif isinstance(pending, Pick) and pending.topic == "action":
                step = left.pop(0) if left else None
                answer = step.action if step is not None else "pass"
            elif isinstance(pending, Walk) and step is not None:
                answer = step.path
            elif isinstance(pending, Pick) and step is not None and step.target in pending.open_keys:
                answer = step.target
            elif isinstance(pending, Pick) and step is not None and step.weapon in pending.open_keys:
                answer = step.weapon
            else:
                answer = usual_answer(pending)
            game.submit(answer)  # raises IllegalAnswer where the plan is none
        assert not left


def test_luck_is_what_the_dice_gave_beyond_the_odds(made: tuple[Path, GameReview]) -> None:
    path, found = made
    recorded = journal.read(path)
    _, battle, state = beginning(recorded, path)
    watching = Watching(Game(battle, state))
    seen = [over for answer in recorded.answers() if (over := watching.give(answer)) is not None]
    assert [over.moment for over in seen] == [each.moment for each in found.activations]
    for over, each in zip(seen, found.activations, strict=True):
        if not over.attacks:
            assert each.luck == pytest.approx(0.0, abs=1e-6)
        shots = [attack for attack in over.attacks if attack.is_shot]
        if over.actions.count("Shoot") == 1:
            assert len({attack.target.id for attack in shots}) == len(shots), "a re-roll is no other attack"
    attacked = [(over, each) for over, each in zip(seen, found.activations, strict=True) if len(over.attacks) == 1]
    assert attacked
    for over, each in attacked:
        (attack,) = over.attacks
        surplus = min(attack.inflicted, attack.target.wounds) - attack.expected.damage
        surplus_kill = (attack.inflicted >= attack.target.wounds) - attack.expected.kill
        if attack.is_shot and surplus * surplus_kill > 0.01:
            assert each.luck * surplus > 0, each.words
    wounded = [event for event in watching.game.events if isinstance(event, Wounded)]
    assert sum(attack.inflicted + attack.suffered for attack in watching.shots) <= sum(e.amount for e in wounded)


def test_damage_beyond_the_last_wound_is_no_luck(made: tuple[Path, GameReview]) -> None:
    path, found = made
    who = next(iter(played_to(path, found.activations[0].moment).state.operatives.values()))
    assert _real(who.wounds + 5, who) == (who.wounds, 1.0)
    assert _real(who.wounds - 1, who) == (who.wounds - 1, 0.0)


def test_the_curve_ends_with_what_was_scored(tmp_path: Path) -> None:
    """A game that is over ends with its VP, one under way with what the table is worth."""
    from ktsim.game.journal import JournalEntry
    from ktsim.game.players import play
    from ktsim.game.record import header_of, save
    from ktsim.game.setup import Setup, prepare

    setup = Setup(mission="skirmish", table="plain")
    battle, state = prepare(setup)
    game = Game(battle, state)
    header = header_of(game, setup, state)
    play(game, dict.fromkeys(("red", "blue", "chance"), Sampler("review")))
    path = tmp_path / "over.ktsim"
    save(path, [JournalEntry("", answer=answer) for answer in game.answers], header)
    making = keeping.Reviewing(path, _blank(path))
    for _ in making.run():
        pass
    found = making.review()
    assert found.curve[-1] == game.state.vp["red"] - game.state.vp["blue"]
    assert found.note == ""
    for side, mine in found.statistics.items():
        assert len(mine.objectives) == battle.edition.turning_points, side
    red, blue = found.statistics["red"], found.statistics["blue"]
    assert red.incapacitated + blue.incapacitated <= sum(o.is_incapacitated for o in game.state.operatives.values())


def _blank(path: Path) -> list[ReviewedActivation]:
    """Every activation of a game as if it had been judged, so that nobody needs to."""
    recorded = journal.read(path)
    _, battle, state = beginning(recorded, path)
    watching = Watching(Game(battle, state))
    seen = [over for answer in recorded.answers() if (over := watching.give(answer)) is not None]
    return [
        ReviewedActivation(n, w.moment, w.turning_point, w.side, w.operative, w.name, 0, 0, 0, 0, "")
        for n, w in enumerate(seen, 1)
    ]


def test_the_dearest_decisions_come_first(made: tuple[Path, GameReview]) -> None:
    _, found = made
    dearest = found.dearest()
    assert 0 < len(dearest) <= 3
    assert all(one.loss >= two.loss for one, two in pairwise(dearest))
    assert all(f"Better by {each.loss:.1f} VP" in each.words for each in dearest)
    assert max(each.loss for each in found.activations) == dearest[0].loss


def test_a_review_is_kept_and_gone_on_with(
    made: tuple[Path, GameReview], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "battle.ktsim"
    shutil.copy(made[0], path)
    whole = review_path(made[0]).read_text().splitlines()
    answers = journal.read(path).answers()
    review_path(path).write_text("\n".join(whole[:-1]) + "\n" + whole[-1][:40])
    assert len(read_kept(path, answers)) == len(whole) - 1, "half a line is none"
    judged = []
    monkeypatch.setattr(
        keeping.Reviewing, "_before", lambda self, id, old=keeping.Reviewing._before: judged.append(id) or old(self, id)
    )
    again = kept_review(path)
    assert judged[0] == made[1].activations[-1].operative, "only what was not judged yet is"
    assert len(judged) == 2, "and whoever was about to act when the game was left"
    assert review_path(path).read_text().splitlines() == whole
    assert [each.kept() for each in again.activations] == [each.kept() for each in made[1].activations]
    other = [*answers[:-1], "something else"]
    assert len(read_kept(path, other)) <= len(whole), "what hangs on other answers is not used"
    assert read_kept(path, ["other", *answers[1:]]) == []


def test_an_older_save_is_reviewed_as_far_as_it_fits(tmp_path: Path) -> None:
    path = tmp_path / "old.ktsim"
    shutil.copy(SAVES / "0.1.0-battle.ktsim", path)
    found = kept_review(path)
    assert "does not fit the rules of now" in found.note
    assert "0.1.0" in found.note


def test_a_file_that_is_no_game_gets_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "no.ktsim"
    path.write_text("hello")
    assert main(["review", str(path)]) == 2
    assert "not a saved game" in capsys.readouterr().err


def test_the_words_name_the_moment_to_play_from(
    made: tuple[Path, GameReview], capsys: pytest.CaptureFixture[str]
) -> None:
    path, found = made
    assert main(["review", str(path)]) == 0
    said = capsys.readouterr().out
    for each in found.dearest():
        assert f"--load {path} --after {each.moment}" in said
        assert played_to(path, each.moment).pending.topic in ("activate", "counteract")  # type: ignore[union-attr]


def test_a_process_of_its_own_tells_as_it_goes(made: tuple[Path, GameReview]) -> None:
    path, found = made
    reviewer = Reviewer(path)
    until = time.monotonic() + 60
    while reviewer.review is None and time.monotonic() < until:
        reviewer.take_in()
        assert not reviewer.problem
        assert reviewer.fault is None
        time.sleep(0.02)
    assert reviewer.review is not None
    assert reviewer.review.as_json() == found.as_json()
    assert not reviewer.is_at_work


def test_a_plan_is_written_and_read(made: tuple[Path, GameReview]) -> None:
    plans = [each.plan for each in made[1].activations if each.plan is not None]
    assert all(BetterPlan.from_json(json.loads(json.dumps(plan.as_json()))) == plan for plan in plans)
    assert CANCEL not in [step.path for plan in plans for step in plan.steps if step.action == "Reposition"]


def test_what_nobody_decides_is_counted_but_not_judged(tmp_path: Path) -> None:
    """Non-player operatives follow their list: only the players' activations are reviewed."""
    path = tmp_path / "joint.ktsim"
    session = Session.begin(Setup(board="open", table="plain", mission="joint-relay"), path)
    bots = {"red": NonPlayer(1), "blue": Purposeful(4), "chance": Sampler(1)}
    ended: list[str] = []
    while session.game.pending is not None and len(ended) < 5:
        asked = session.game.pending
        events = session.submit(bots[asked.seat].answer(asked, session.game))
        ended += [event.operative for event in events if isinstance(event, ActivationEnded)]
    session.close()
    found = review(path)
    judged = [id for id in ended if id.startswith("blue")]
    assert 0 < len(judged) < len(ended)
    assert [each.operative for each in found.activations] == judged
    assert len(found.curve) == len(judged) + 1
    assert {side: found.statistics[side].activations for side in ("red", "blue")} == {
        "red": len(ended) - len(judged),
        "blue": len(judged),
    }
