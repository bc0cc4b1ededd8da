"""Odds: known values, an independent enumeration, the command line."""

from __future__ import annotations

import json
import time
from random import Random

import pytest
from reference_odds import fight_gain, shoot_mean

from ktsim.cli import main
from ktsim.rules.engine.attack import Hands, WeaponRule
from ktsim.rules.engine.events import Event
from ktsim.rules.engine.fight.stages import Duel
from ktsim.rules.engine.shoot.stages import Shot
from ktsim.rules.engine.state import SIDES, other
from ktsim.rules.kt24.edition import KT24
from ktsim.rules.kt24.weapon_rules import KT24_WEAPON_RULES
from ktsim.rules.odds.resolving import DuelEnd, NotAlike, Resolution
from ktsim.rules.odds.sequences import Numbers, duel_damage, fight_odds, kill, mean, shoot_odds, shot_damage

FORMS = {
    "accurate": "Accurate {}",
    "balanced": "Balanced",
    "brutal": "Brutal",
    "ceaseless": "Ceaseless",
    "devastating": "Devastating {}",
    "lethal": "Lethal {}+",
    "piercing": "Piercing {}",
    "piercing crits": "Piercing Crits {}",
    "punishing": "Punishing",
    "relentless": "Relentless",
    "rending": "Rending",
    "saturate": "Saturate",
    "severe": "Severe",
    "shock": "Shock",
}


def numbers(atk: int, hit: int, damage: tuple[int, int], rules: dict[str, int]) -> Numbers:
    texts = [FORMS[name].format(x) for name, x in rules.items()]
    return Numbers(atk, hit, *damage, KT24_WEAPON_RULES.parse_all(texts))


@pytest.mark.parametrize(
    ("more", "wanted"), [({}, 3.292517), ({"cover": 1}, 2.674554), ({"is_obscured": True}, 0.976680)]
)
@pytest.mark.rule("KT24-SHOOT")
@pytest.mark.rule("KT24-BLOCK")
def test_known_values(more: dict[str, int], wanted: float) -> None:
    damage = shoot_odds(numbers(4, 3, (3, 4), {}), save=3, **more, stages=KT24.shot_stages)  # type: ignore[arg-type]
    assert mean(damage) == pytest.approx(wanted, abs=5e-7)
    assert sum(damage.values()) == pytest.approx(1, abs=1e-12)


def test_without_attack_dice_nothing_happens() -> None:
    assert shoot_odds(numbers(0, 3, (3, 4), {}), save=3, stages=KT24.shot_stages) == {0: 1.0}


def random_rules(rng: Random, names: list[str]) -> dict[str, int]:
    found = {}
    for name in rng.sample(names, rng.randint(0, 3)):
        found[name] = {"lethal": rng.randint(3, 5), "accurate": rng.randint(1, 2)}.get(name, rng.randint(1, 2))
    return found


@pytest.mark.parametrize("seed", range(60))
def test_shooting_agrees_with_plain_enumeration(seed: int) -> None:
    rng = Random(seed)
    rules = random_rules(rng, [name for name in FORMS if name != "shock"])
    atk = rng.randint(1, 3 if "relentless" in rules else 4)
    hit, save = rng.randint(2, 6), rng.randint(2, 6)
    normal = rng.randint(1, 5)
    damage = (normal, normal + rng.randint(0, 3))
    defence, cover = rng.randint(0, 4), rng.choice([0, 0, 1, 2])
    obscured, improved = rng.random() < 0.25, rng.random() < 0.25
    found = shoot_odds(
        numbers(atk, hit, damage, rules),
        save=save,
        defence=defence,
        cover=cover,
        is_obscured=obscured,
        is_improved=improved,
        stages=KT24.shot_stages,
    )
    wanted = shoot_mean(atk, hit, damage, rules, save, defence, cover, obscured, improved)
    assert mean(found) == pytest.approx(wanted, abs=1e-9), (atk, hit, damage, rules, save, defence, cover)


@pytest.mark.rule("KT24-W-CEASELESS")
@pytest.mark.rule("KT24-W-BALANCED")
@pytest.mark.parametrize("hit", [4, 5])
def test_two_ways_to_reroll_agree_with_plain_enumeration(hit: int) -> None:
    """Fails of different faces, to be re-rolled one by one or together."""
    rules = {"ceaseless": 1, "balanced": 1}
    found = shoot_odds(numbers(4, hit, (3, 4), rules), save=4, defence=3, stages=KT24.shot_stages)
    wanted = shoot_mean(4, hit, (3, 4), rules, 4, 3, 0, False, False)
    assert mean(found) == pytest.approx(wanted, abs=1e-9)


@pytest.mark.rule("KT24-REROLL")
@pytest.mark.rule("KT24-W-CEASELESS")
@pytest.mark.parametrize("more", ["rending", "balanced", "punishing"])
def test_ceaseless_is_used_one_die_after_the_other(more: str) -> None:
    """Once one of two equal successes has become critical the other is better kept, so a look at it is worth damage."""
    rules = {"ceaseless": 1, "rending": 1, more: 1}
    weapon = numbers(3, 2, (2, 5), rules)
    found = shoot_odds(weapon, save=4, defence=1, stages=KT24.shot_stages)
    assert mean(found) == pytest.approx(shoot_mean(3, 2, (2, 5), rules, 4, 1), abs=1e-9)
    one, two = (2, 2, (2, 5), rules, 9), (1, 4, (3, 3), {}, 9)
    duel = fight_odds(numbers(*one[:4]), 9, numbers(*two[:4]), 9, stages=KT24.duel_stages)
    lost = [sum(min(n, 9) * p for n, p in each.items()) for each in duel]
    wanted = fight_gain(one, two)
    assert lost[1] - lost[0] == pytest.approx(wanted[1] - wanted[0], abs=1e-9)


@pytest.mark.rule("KT24-VANTAGE-2")
def test_of_two_improved_cover_saves_one_may_be_kept_as_critical_and_the_other_rolled() -> None:
    """Against Brutal a normal save is no use: the second die is better rolled, and blocks on a 6."""
    hits = numbers(2, 2, (3, 3), {"brutal": 1, "accurate": 2})
    found = shoot_odds(hits, save=2, defence=2, cover=2, is_improved=True, stages=KT24.shot_stages)
    assert mean(found) == pytest.approx(3 * 5 / 6)


@pytest.mark.parametrize("seed", range(24))
def test_fighting_agrees_with_plain_enumeration(seed: int) -> None:
    rng = Random(1000 + seed)
    fighters = []
    for _ in range(2):
        names = ["brutal", "shock", "devastating", "lethal", "rending", "punishing", "severe", "balanced"]
        rules = random_rules(rng, names + ["relentless", "ceaseless"] * (seed % 3 == 0))
        normal = rng.randint(1, 4)
        dice = rng.randint(1, 2 if {"relentless", "ceaseless", "balanced"} & set(rules) else 3)
        fighters.append((dice, rng.randint(2, 5), (normal, normal + rng.randint(0, 3)), rules, rng.randint(2, 9)))
    one, two = fighters
    found = fight_odds(numbers(*one[:4]), one[4], numbers(*two[:4]), two[4], stages=KT24.duel_stages)
    wanted = fight_gain(one, two)
    lost = [sum(min(n, fighters[i][4]) * p for n, p in found[i].items()) for i in (0, 1)]
    assert lost[1] - lost[0] == pytest.approx(wanted[1] - wanted[0], abs=1e-9), fighters


def test_a_fight_against_nobody_is_all_strikes() -> None:
    attacker = numbers(3, 3, (2, 5), {})
    to_attacker, to_defender = fight_odds(attacker, 10, numbers(0, 4, (1, 1), {}), 100, stages=KT24.duel_stages)
    assert to_attacker == {0: pytest.approx(1.0)}
    assert mean(to_defender) == pytest.approx(3 * (3 / 6 * 2 + 1 / 6 * 5))


def test_a_fight_ends_when_somebody_is_incapacitated() -> None:
    """With one wound left the defender never strikes back after a first strike."""
    to_attacker, _ = fight_odds(numbers(9, 2, (1, 1), {}), 10, numbers(3, 2, (9, 9), {}), 1, stages=KT24.duel_stages)
    assert kill(to_attacker, 1) == pytest.approx(0, abs=1e-5)


def odds(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    assert main(["odds", *words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


SHOOT = ["shoot", "--attack", "4", "--hit", "3+", "--damage", "3/4", "--save", "3+", "--wounds", "12"]


def test_command_line_json(capsys: pytest.CaptureFixture[str]) -> None:
    found = odds(capsys, *SHOOT, "--rules", "lethal 5+, piercing 1")
    assert set(found) == {"damage", "mean", "kill"}
    wanted = shoot_mean(4, 3, (3, 4), {"lethal": 5, "piercing": 1}, 3)
    assert found["mean"] == pytest.approx(wanted, abs=1e-9)
    fight = odds(
        capsys,
        *("fight", "--attack", "2", "--hit", "3+", "--damage", "4/5", "--rules", "brutal", "--wounds", "12"),
        *("--vs-attack", "2", "--vs-hit", "4+", "--vs-damage", "2/3", "--vs-rules", "", "--vs-wounds", "8"),
    )
    assert set(fight) == {"defender", "attacker"}


def test_command_line_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", *SHOOT]) == 0
    assert "mean 3.292517" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (["--hit", "1+"], "--hit"),
        (["--hit", "7+"], "--hit"),
        (["--attack", "-1"], "--attack"),
        (["--attack", "many"], "--attack"),
        (["--damage", "x/y"], "--damage"),
        (["--damage", "3"], "--damage"),
        (["--rules", "letal 5+"], "--rules"),
        (["--rules", "piercing x"], "--rules"),
        (["--save", "9+"], "--save"),
        (["--cover", "-2"], "--cover"),
        (["--wounds", "0"], "--wounds"),
        (["--edition", "kt99"], "--edition"),
    ],
)
def test_bad_options_get_one_sentence(change: list[str], place: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", *SHOOT, *change]) == 2
    said = capsys.readouterr().err.strip().splitlines()
    assert len(said) == 1
    assert said[0].startswith(place)


def test_unknown_rule_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", *SHOOT, "--rules", "piercing crit 1"]) == 2
    assert "Piercing Crits x" in capsys.readouterr().err


@pytest.mark.rule("KT24-W-DEVASTATING")
@pytest.mark.parametrize(
    ("distance", "wounds", "suffered", "inflicted"), [("1", 9, 3, 7), ("1", 3, 3, 3), ("0.5", 3, 0, 7)]
)
def test_devastating_with_a_distance_hurts_its_user_in_a_fight(
    distance: str, wounds: int, suffered: int, inflicted: int
) -> None:
    """It stands within 1" of its target. Who falls by it strikes no more; half an inch may not reach it."""
    rules = KT24_WEAPON_RULES.parse_all([f'{distance}" Devastating 3'])
    to_attacker, to_defender = fight_odds(
        Numbers(1, 6, 3, 4, rules), wounds, Numbers(0, 6, 0, 0), 20, stages=KT24.duel_stages
    )
    assert to_attacker == pytest.approx({0: 5 / 6, suffered: 1 / 6} if suffered else {0: 1.0})
    assert to_defender == pytest.approx({0: 5 / 6, inflicted: 1 / 6})


@pytest.mark.rule("KT24-W-DEVASTATING")
def test_a_critical_that_would_be_the_users_end_is_re_rolled() -> None:
    """Balanced: with 3 wounds a critical inflicts 3 and costs 3; another success is worth more, and so is trying."""
    rules = KT24_WEAPON_RULES.parse_all(['1" Devastating 3', "Balanced"])
    to_attacker, _ = fight_odds(Numbers(1, 2, 3, 4, rules), 3, Numbers(0, 6, 0, 0), 20, stages=KT24.duel_stages)
    assert to_attacker[3] == pytest.approx(2 / 36), "after a 6 or a 1"


@pytest.mark.rule("KT24-W-HOT")
def test_a_hot_melee_weapon_hurts_its_user_after_the_fight() -> None:
    """Hit 3+: a 1 costs 2, a 2 costs 4, whether it hits or not; the other one's dice are its own."""
    rules = KT24_WEAPON_RULES.parse_all(["Hot"])
    to_attacker, to_defender = fight_odds(
        Numbers(1, 3, 3, 4, rules), 10, Numbers(0, 6, 0, 0), 20, stages=KT24.duel_stages
    )
    assert to_attacker == pytest.approx({0: 4 / 6, 2: 1 / 6, 4: 1 / 6})
    assert to_defender == pytest.approx({0: 1 / 3, 3: 1 / 2, 4: 1 / 6})
    cold, _ = fight_odds(Numbers(1, 3, 3, 4), 10, Numbers(0, 6, 0, 0), 20, stages=KT24.duel_stages)
    assert cold == pytest.approx({0: 1.0})


@pytest.mark.rule("KT24-W-HOT")
def test_hot_does_nothing_to_whom_the_fight_has_incapacitated() -> None:
    """The retaliating one's only die strikes after the attacker's; one that falls to it uses its weapon no more."""
    rules = KT24_WEAPON_RULES.parse_all(["Hot"])
    other = Numbers(1, 2, 5, 5)
    to_attacker, _ = fight_odds(Numbers(0, 3, 3, 4, rules), 5, other, 20, stages=KT24.duel_stages)
    assert to_attacker == pytest.approx({5: 5 / 6, 0: 4 / 36, 2: 1 / 36, 4: 1 / 36})
    to_attacker, _ = fight_odds(Numbers(0, 3, 3, 4, rules), 6, other, 20, stages=KT24.duel_stages)
    assert to_attacker == pytest.approx({5: 20 / 36, 7: 5 / 36, 9: 5 / 36, 0: 4 / 36, 2: 1 / 36, 4: 1 / 36})


class Greedy(WeaponRule):
    """A rule nobody has: a critical strike takes all normal successes of the other, however many there are."""

    def struck(self, hands: Hands, index: int, number: int) -> tuple[Hands, list[Event]]:
        other = hands[1 - index]._replace(normals=0)
        return ((hands[0], other) if index == 0 else (other, hands[1])), []


def test_many_dice_are_solved_at_once_and_as_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """All positions at once, or each through the stage as play runs it: the same, and rules that treat many dice
    otherwise than a few are found out."""
    rules = KT24_WEAPON_RULES.parse_all(["Shock", "Brutal"])
    cases = [
        (Numbers(6, 3, 4, 5, rules), 11, Numbers(5, 4, 2, 3), 14),
        (Numbers(5, 3, 3, 7), 9, Numbers(6, 4, 4, 4, rules), 8),
        (Numbers(6, 2, 3, 4, (Greedy(),)), 12, Numbers(6, 2, 3, 4), 12),
    ]
    found = [fight_odds(*case, stages=KT24.duel_stages) for case in cases]

    def never(*_: object) -> DuelEnd:
        raise NotAlike

    monkeypatch.setattr(Resolution, "end", never)
    for case, (to_attacker, to_defender) in zip(cases, found, strict=True):
        one, two = fight_odds(*case, stages=KT24.duel_stages)
        assert to_attacker == pytest.approx(one)
        assert to_defender == pytest.approx(two)


def test_twelve_dice_against_twelve_take_no_time() -> None:
    started = time.process_time()
    one, two = fight_odds(Numbers(12, 3, 4, 5), 40, Numbers(12, 4, 2, 3), 40, stages=KT24.duel_stages)
    assert sum(one.values()) == pytest.approx(1.0)
    assert sum(two.values()) == pytest.approx(1.0)
    assert time.process_time() - started < 2.5, "half a second on a quiet machine"


@pytest.mark.rule("KT24-FIGHT", "KT24-SHOOT")
def test_the_odds_are_the_same_whoever_is_red() -> None:
    """The attacker makes the most of its dice, also where it is blue's."""
    weapon = Numbers(4, 3, 3, 5, tuple(KT24.weapon_rules.parse_all(["Balanced", "Lethal 5+"])))
    weak = Numbers(3, 4, 2, 3)
    red, blue = (Duel((weapon.melee(side), weak.melee(other(side))), (9, 10)) for side in SIDES)
    assert duel_damage(red, KT24.duel_stages) == duel_damage(blue, KT24.duel_stages)
    assert mean(duel_damage(blue, KT24.duel_stages)[1]) > 5
    shots = [Shot(weapon.hand(side), other(side), 3, cover=1) for side in SIDES]
    ours, theirs = (shot_damage(shot, KT24.shot_stages) for shot in shots)
    assert ours == theirs
