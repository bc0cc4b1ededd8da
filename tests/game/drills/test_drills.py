"""Drills: what they hold for right is what the engine says about their scene."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from _thread import interrupt_main
from dataclasses import replace
from datetime import date, timedelta
from io import StringIO
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from drill_truth import fault_of, places_around

from ktsim import paths, workers
from ktsim.cli import main
from ktsim.game.drills import making
from ktsim.game.drills.drill import Drill, Marked, Position, answer_of, text_of
from ktsim.game.drills.making import DrillMaker, batch, serve
from ktsim.game.drills.places import in_reach, is_open_shot, moved, reachable
from ktsim.game.drills.progress import WAITS, PracticeProgress, load_progress, save_progress
from ktsim.game.drills.register import KINDS, new_drills
from ktsim.game.drills.scoring import MarkerContest, MarkerGoal, controllers, paid
from ktsim.game.drills.shots import ORDER_CHOICES, SHOT_CHOICES, propose_choice, shot_choice
from ktsim.game.move_ruling import move_ruling
from ktsim.killzones.scene_file import load_scene
from ktsim.rules.kt24.edition import KT24
from ktsim.rules.teams.team_file import find_team
from ktsim.sight.ruling import ruling

MADE = (Path(__file__).parents[2] / "app" / "drills.jsonl").read_text(encoding="utf-8").splitlines()
"""A drill of each kind; what is right about them the engine says anew."""


@pytest.fixture(scope="module")
def drills() -> dict[str, list[Drill]]:
    """A drill of each kind."""
    made = [Drill.from_json(json.loads(line)) for line in MADE]
    return {kind: [drill for drill in made if drill.kind == kind] for kind in KINDS}


def test_there_are_eight_kinds(drills: dict[str, list[Drill]]) -> None:
    assert list(KINDS) == ["shot", "order", "choice", "weapon", "reach", "stand", "safe", "score"]
    assert all(drills.values())


def test_what_drills_hold_for_right_is_what_the_commands_say(drills: dict[str, list[Drill]], tmp_path: Path) -> None:
    for kind in KINDS:
        for drill in drills[kind]:
            assert fault_of(drill, tmp_path) == ""
            assert text_of(drill.file()) == drill.scene, "what is asked about is what is written down"


def test_new_drills_are_true(tmp_path: Path) -> None:
    """A slice of many."""
    for drill in islice(new_drills("slice"), 3):
        assert fault_of(drill, tmp_path) == ""


def test_a_drill_that_is_not_true_is_found(drills: dict[str, list[Drill]], tmp_path: Path) -> None:
    (shot,), (reach,), (score,) = drills["shot"], drills["reach"], drills["score"]
    assert fault_of(replace(shot, answer={**shot.answer, "in_cover": not shot.answer["in_cover"]}), tmp_path)
    assert fault_of(replace(reach, answer={**reach.answer, "cost": 99}), tmp_path)
    other = next(choice for choice in score.choices if choice != score.answer["choice"])
    assert fault_of(replace(score, answer={**score.answer, "choice": other}), tmp_path)


def test_a_place_that_is_marked_otherwise_than_ruled_is_found(
    drills: dict[str, list[Drill]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Places of the right region and just outside of it are ruled on, not only the example."""
    (drill,) = drills["stand"]
    marks = [KINDS["stand"].mark(drill, ",".join(map(str, to))).is_right for to in places_around(drill)]
    assert set(marks) == {True, False}
    kind = replace(KINDS["stand"], mark=lambda drill, given: Marked(True, ""))
    monkeypatch.setitem(KINDS, "stand", kind)
    assert "not what rule says" in fault_of(drill, tmp_path)


@pytest.mark.rule("KT24-MARKER")
def test_what_plans_are_thought_to_score_is_what_they_score(drills: dict[str, list[Drill]]) -> None:
    (drill,) = drills["score"]
    answer, file = drill.answer, drill.file()
    markers = [(x, y, z) for x, y, z in answer["markers"]]
    contest = MarkerContest(file, answer["team"], markers, answer["apl"])
    for plan in answer["plans"].values():
        goals = [MarkerGoal(each["who"], each["marker"], each["to"] and tuple(each["to"])) for each in plan]
        there = file
        for goal in goals:
            there = there if goal.to is None else moved(there, goal.who, goal.to)
        scored = paid(controllers(there, answer["team"], markers, answer["apl"]))
        assert contest.vp_of((goals[0], goals[1])) == scored
    assert contest.controllers() == controllers(file, answer["team"], markers, answer["apl"])


def test_a_map_of_moves_is_made_once_for_a_position(drills: dict[str, list[Drill]]) -> None:
    file = drills["reach"][0].file()
    position = Position(file)
    who = drills["reach"][0].answer["who"]
    assert in_reach(position, who) == reachable(file, who, 6)
    assert in_reach(position, who) is in_reach(position, who)


@pytest.mark.rule("KT24-MARKER")
def test_two_vp_are_for_any_marker_and_for_more_of_them() -> None:
    assert paid([None, None, None]) == 0
    assert paid(["blue", None, None]) == 0
    assert paid(["red", "blue", None]) == 1
    assert paid(["red", "blue", "red"]) == paid(["red", None, None]) == 2


def wrong_choices(drill: Drill) -> list[str]:
    return [choice for choice in drill.choices if not KINDS[drill.kind].mark(drill, choice).is_right]


@pytest.mark.rule("KT24-VALID")
def test_the_answer_about_a_shot_is_the_ruling_on_its_scene(
    drills: dict[str, list[Drill]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for drill in drills["shot"]:
        path = tmp_path / "drill.yaml"
        path.write_text(drill.scene)
        assert main(["rule", str(path), "--json"]) == 0
        (said,) = json.loads(capsys.readouterr().out)
        assert {key: said[key] for key in drill.answer} == drill.answer
        assert not said["close_call"]
        assert not said["undecided"]
        assert KINDS["shot"].mark(drill, shot_choice(dict(drill.answer))).is_right
        assert len(wrong_choices(drill)) == len(SHOT_CHOICES) - 1


def test_every_answer_to_a_shot_has_its_words() -> None:
    for visible, valid, cover, obscured in [
        (v, t, c, o) for v in (0, 1) for t in (0, 1) for c in (0, 1) for o in (0, 1)
    ]:
        if visible or not valid:
            assert shot_choice(
                {
                    "visible": bool(visible),
                    "valid_target": bool(valid),
                    "in_cover": bool(cover),
                    "obscured": bool(obscured),
                }
            )


@pytest.mark.rule("KT24-ORDER")
def test_the_answer_about_orders_is_the_ruling_on_each(drills: dict[str, list[Drill]]) -> None:
    for drill in drills["order"]:
        right = next(
            words for words, both in ORDER_CHOICES.items() if both == (drill.answer["engage"], drill.answer["conceal"])
        )
        assert KINDS["order"].mark(drill, right).is_right
        assert len(wrong_choices(drill)) == len(ORDER_CHOICES) - 1


@pytest.mark.rule("KT24-SHOOT")
def test_the_best_weapon_is_the_best_by_the_odds_command(
    drills: dict[str, list[Drill]], capsys: pytest.CaptureFixture[str]
) -> None:
    for drill in drills["weapon"]:
        found = {}
        for option in drill.answer["options"]:
            assert main(["odds", "shoot", *option["odds"], "--json"]) == 0
            said = json.loads(capsys.readouterr().out)
            assert said["mean"] == pytest.approx(option["mean"])
            found[f"{option['weapon']} at {option['target']}"] = said["mean"]
        best = max(found, key=lambda key: found[key])
        assert KINDS["weapon"].mark(drill, best).is_right
        assert len(wrong_choices(drill)) == len(drill.choices) - 1


@pytest.mark.rule("KT24-REPOSITION")
def test_the_cost_of_a_way_is_the_planners(drills: dict[str, list[Drill]]) -> None:
    assert {drill.answer["legal"] for drill in drills["reach"]} <= {True, False}
    for drill in drills["reach"]:
        asked = drill.answer
        found = move_ruling(drill.file(), asked["who"], tuple(asked["to"]), None, asked["move"])
        assert (found.legal, found.cost) == (asked["legal"], asked["cost"])
        right = f'{found.cost}"' if found.legal else "It does not get there"
        assert right in drill.choices
        assert KINDS["reach"].mark(drill, right).is_right
        assert len(wrong_choices(drill)) == len(drill.choices) - 1


@pytest.mark.rule("KT24-COVER")
def test_a_place_to_shoot_from_is_right_where_the_ruling_says_so(drills: dict[str, list[Drill]]) -> None:
    (drill,) = drills["stand"]
    assert 0.01 <= drill.answer["share"] <= 0.1
    given = ",".join(map(str, drill.answer["example"]))
    assert KINDS["stand"].mark(drill, given).is_right
    file = drill.file()
    here = file.scene.operative(drill.answer["who"])
    assert not is_open_shot(ruling(file.scene, here.id, drill.answer["target"]))
    assert not KINDS["stand"].mark(drill, f"{here.x + 0.01},{here.y},{here.level}").is_right
    assert not KINDS["stand"].mark(drill, "99,99").is_right
    assert not KINDS["stand"].mark(drill, "nowhere").is_right


@pytest.mark.rule("KT24-VALID")
def test_a_safe_place_is_no_valid_target_for_any_and_holds_the_marker(drills: dict[str, list[Drill]]) -> None:
    for drill in drills["safe"]:
        assert 0.01 <= drill.answer["share"] <= 0.1
        assert KINDS["safe"].mark(drill, ",".join(map(str, drill.answer["example"]))).is_right
    drill = drills["safe"][0]
    places = reachable(drill.file(), drill.answer["who"], drill.answer["move"])
    marks = [KINDS["safe"].mark(drill, ",".join(map(str, place))).is_right for place in places[::7]]
    assert sum(marks) < len(marks) / 4


@pytest.mark.rule("KT24-OBSCURED")
def test_of_cover_and_obscured_the_one_that_takes_more_is_right() -> None:
    file = load_scene(paths.killzones() / "examples" / "same-feature-twice.yaml")
    cards = find_team("lantern-wardens", KT24.weapon_rules).cards
    guns = [card for card in cards if any(weapon.kind == "ranged" for weapon in card.weapons)]
    made = [
        drill
        for seed in range(40)
        for card in (guns[seed % len(guns)],)
        if (drill := propose_choice(Position(file, {who.id: card for who in file.scene.operatives}), Random(seed)))
    ]
    assert made
    for drill in made:
        asked = drill.file()
        found = ruling(asked.scene, *asked.pairs[0], asked.edition, asked.weapon)
        assert found.shootable, "with that very weapon"
        assert not any("may not Shoot" in reason.text for reason in found.reasons)
        other = {"cover": "obscured", "obscured": "cover"}[drill.answer["choice"]]
        assert drill.answer[drill.answer["choice"]]["mean"] < drill.answer[other]["mean"]
        assert KINDS["choice"].mark(drill, drill.answer["choice"]).is_right
        assert not KINDS["choice"].mark(drill, other).is_right


def test_the_same_seed_gives_the_same_drills() -> None:
    one, two = (new_drills("again", ["shot", "reach"]) for _ in range(2))
    assert [next(one).as_json() for _ in range(3)] == [next(two).as_json() for _ in range(3)]


def test_a_ruling_that_hangs_on_a_hair_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    from ktsim.game.drills import drill as module

    file = load_scene(paths.killzones() / "examples" / "light-near-target.yaml")
    found = ruling(file.scene, *file.pairs[0], file.edition, file.weapon)
    monkeypatch.setattr(module, "NUDGE", 0.001)
    assert module.is_steady(found, file)
    monkeypatch.setattr(module, "NUDGE", 3.0)
    assert not module.is_steady(found, file)
    assert set(answer_of(found)) == {"visible", "valid_target", "in_cover", "obscured"}


# -- progress --------------------------------------------------------------------------------------------------------

TODAY = date(2026, 1, 10)


def drill_of(rule: str, difficulty: float = 0.5) -> Drill:
    return Drill("shot", rule, "", "", {}, difficulty)


def test_a_right_answer_moves_its_rule_a_box_up_and_a_wrong_one_back_to_the_first() -> None:
    progress = PracticeProgress()
    for box in (1, 2, 3, 4, 4):
        progress.record(drill_of("KT24-COVER"), True, TODAY)
        assert progress.rules["KT24-COVER"].box == box
    assert progress.rules["KT24-COVER"].due == TODAY.toordinal() + WAITS[-1]
    assert (progress.streak, progress.best_streak) == (5, 5)
    progress.record(drill_of("KT24-COVER"), False, TODAY)
    assert (progress.rules["KT24-COVER"].box, progress.streak, progress.best_streak) == (0, 0, 5)


def test_weak_rules_that_are_due_are_asked_first() -> None:
    progress = PracticeProgress()
    progress.record(drill_of("known"), True, TODAY)
    progress.record(drill_of("weak"), False, TODAY)
    drills = [drill_of("known"), drill_of("weak"), drill_of("new")]
    assert progress.next_of(drills, TODAY).rule == "weak"
    assert progress.next_of(drills[::2], TODAY).rule == "new"
    later = TODAY + timedelta(days=WAITS[1])
    assert progress.urgency("known", later) < progress.urgency("known", TODAY)


def test_how_often_one_errs_makes_a_drill_harder() -> None:
    progress = PracticeProgress()
    assert progress.difficulty(drill_of("x", 0.3)) == 0.3
    for _ in range(10):
        progress.record(drill_of("x"), False, TODAY)
    assert progress.difficulty(drill_of("x", 0.3)) > 0.4


def test_progress_is_kept_and_a_damaged_file_is_said_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "practice.json"
    progress = PracticeProgress()
    progress.record(drill_of("KT24-COVER"), True, TODAY)
    save_progress(progress, path)
    assert load_progress(path) == progress
    for text in ("{", "[1]", '{"rules": {"a": {"box": -1}}}', '{"streak": "x"}'):
        path.write_text(text)
        assert "cannot be read" in load_progress(path).note
        assert path.read_text() == text


def test_the_command_makes_and_asks_drills(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(["drill", "new", "--kind", "shot", "--seed", "3", "--json"]) == 0
    (made,) = json.loads(capsys.readouterr().out)
    assert {"kind", "rule", "scene", "question", "answer", "difficulty"} <= made.keys()
    right = made["choices"].index(shot_choice(made["answer"])) + 1
    lines = iter(["what?\n", "0\n", f"{right}\n"])
    monkeypatch.setattr("sys.stdin.readline", lambda: next(lines))
    assert main(["drill", "ask", "--kind", "shot", "--seed", "3"]) == 0
    told = capsys.readouterr().out
    assert "Right." in told
    assert told.count("is not a number from 1 to 6") == 2
    assert main(["rule", str(tmp_path / "ktsim" / "drill.yaml")]) == 0
    capsys.readouterr()
    assert main(["drill", "progress"]) == 0
    assert "1 right" in capsys.readouterr().out
    assert main(["drill", "new", "--kind", "shout"]) == 2
    assert "'shot'" in capsys.readouterr().err
    assert main(["drill", "new", "--count", "0"]) == 2


def test_the_worker_makes_the_same_drills_for_the_same_lines() -> None:
    """Whatever other kinds were asked for in between."""
    replies = []
    for lines in ("reach\nreach\n", "reach\nreach shot\nreach\n"):
        out = StringIO()
        serve("same", StringIO(lines), out)
        replies.append([Drill.from_json(json.loads(line)) for line in out.getvalue().splitlines()])
    first, second = replies
    assert [second[0], second[2]] == first
    assert first[0].as_json() == next(new_drills("same reach", ["reach"])).as_json()


def test_a_batch_is_the_same_wherever_it_is_made() -> None:
    out = StringIO()
    serve("same", StringIO("1 reach\n1 reach\n0 reach\n"), out)
    made = [json.loads(line) for line in out.getvalue().splitlines()]
    assert made[:2] == [drill.as_json() for drill in islice(batch("same", ["reach"], 1), 2)]
    assert made[2] == next(batch("same", ["reach"], 0)).as_json() == next(new_drills("same", ["reach"])).as_json()
    assert made[0] != made[2]


FAKE = """
import json, sys
for line in sys.stdin:
    if line.split()[0] == DEAD:
        break
    drill = {"kind": "shot", "rule": line.strip(), "scene": "", "question": "", "answer": {}, "difficulty": 0.5}
    print(json.dumps({**drill, "choices": []}), flush=True)
"""


def test_many_drills_are_made_side_by_side_and_come_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "BATCH", 2)
    monkeypatch.setattr(workers, "command", lambda *words: [sys.executable, "-c", FAKE.replace("DEAD", "'none'")])
    heard: list[int] = []
    found = making.many("x", ["shot"], 7, heard.append)
    assert [drill.rule for drill in found] == [f"{number} shot" for number in (0, 0, 1, 1, 2, 2, 3)]
    assert heard == list(range(1, 8))
    monkeypatch.setattr(workers, "command", lambda *words: [sys.executable, "-c", FAKE.replace("DEAD", "'2'")])
    with pytest.raises(RuntimeError, match="ended by itself"):
        making.many("x", [], 7)


def test_making_many_can_be_stopped(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """By Ctrl-C, with a word and nothing left running."""
    started: list[subprocess.Popen[str]] = []
    begin = subprocess.Popen

    def popen(*args: Any, **options: Any) -> subprocess.Popen[str]:
        started.append(begin([sys.executable, "-c", "import time; time.sleep(60)"], **options))
        return started[-1]

    monkeypatch.setattr("subprocess.Popen", popen)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Timer(0.4, interrupt_main).start()
        assert main(["drill", "new", "--count", "60"]) == 130
    finally:
        signal.signal(signal.SIGINT, before)
    assert capsys.readouterr().err == "stopped\n"
    assert started
    assert all(process.poll() is not None for process in started)


def test_a_maker_whose_process_ends_says_so_and_begins_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "command", lambda *words: [sys.executable, "-c", ""])
    maker = DrillMaker("ended")
    maker.ask(["order"], 2)
    until = time.monotonic() + 60
    while maker.fault is None and time.monotonic() < until:
        assert maker.take_in() == []
        time.sleep(0.05)
    assert maker.fault is not None
    assert maker.wanted == 0
    maker.ask(["order"])
    assert maker.wanted == 1
    maker.stop()
