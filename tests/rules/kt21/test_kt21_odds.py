"""2021 odds against an independent enumeration, and on the command line."""

from __future__ import annotations

import json
from random import Random

import pytest
from reference_odds_kt21 import fight_means, shoot_mean

from ktsim.cli import main
from ktsim.rules.kt21.edition import KT21
from ktsim.rules.odds.sequences import Numbers, fight_odds, mean, shoot_odds

FORMS = {
    "ap": "AP{}",
    "p": "P{}",
    "mw": "MW{}",
    "splash": "Splash {}",
    "no cover": "No Cover",
    "balanced": "Balanced",
    "ceaseless": "Ceaseless",
    "relentless": "Relentless",
    "rending": "Rending",
    "lethal": "Lethal {}+",
    "brutal": "Brutal",
    "stun": "Stun",
}
MELEE = ["balanced", "ceaseless", "relentless", "rending", "lethal", "brutal", "stun"]
RANGED = [name for name in FORMS if name != "brutal"]


def numbers(atk: int, hit: int, damage: tuple[int, int], rules: dict[str, int]) -> Numbers:
    texts = [FORMS[name].format(x) for name, x in rules.items()]
    return Numbers(atk, hit, *damage, KT21.weapon_rules.parse_all(texts))


def some_rules(rng: Random, names: list[str]) -> dict[str, int]:
    return {
        name: rng.randint(3, 5) if name == "lethal" else rng.randint(1, 2)
        for name in rng.sample(names, rng.randint(0, 3))
    }


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.rule("KT21-SHOOT")
def test_shooting_agrees_with_plain_enumeration(seed: int) -> None:
    rng = Random(seed)
    rules = some_rules(rng, RANGED)
    atk = rng.randint(1, 3 if "relentless" in rules else 4)
    bs, save, df = rng.randint(2, 6), rng.randint(2, 6), rng.randint(0, 4)
    damage = (rng.randint(1, 4), rng.randint(4, 7))
    invulnerable = rng.choice([0, 0, 4, 5])
    cover = rng.random() < 0.4
    found = shoot_odds(
        numbers(atk, bs, damage, rules),
        save=save,
        defence=df,
        cover=int(cover),
        invulnerable=invulnerable,
        stages=KT21.shot_stages,
    )
    wanted = shoot_mean(atk, bs, damage, rules, save, df, cover, invulnerable)
    assert mean(found) == pytest.approx(wanted, abs=1e-9), (atk, bs, damage, rules, save, df, cover, invulnerable)
    assert sum(found.values()) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("seed", range(24))
@pytest.mark.rule("KT21-FIGHT")
def test_fighting_agrees_with_plain_enumeration(seed: int) -> None:
    rng = Random(500 + seed)
    fighters = []
    for _ in range(2):
        rules = some_rules(rng, MELEE)
        dice = rng.randint(1, 2 if {"relentless", "ceaseless", "balanced"} & set(rules) else 3)
        damage = (rng.randint(1, 4), rng.randint(4, 7))
        fighters.append((dice, rng.randint(2, 5), damage, rules, rng.randint(2, 9)))
    one, two = fighters
    found = fight_odds(numbers(*one[:4]), one[4], numbers(*two[:4]), two[4], KT21.duel_stages)
    wanted = fight_means(one, two)
    lost = [sum(min(n, fighters[i][4]) * p for n, p in found[i].items()) for i in (0, 1)]
    assert lost[1] - lost[0] == pytest.approx(wanted[1] - wanted[0], abs=1e-9), fighters


SHOOT = [
    "odds",
    "shoot",
    "--edition",
    "kt21-lite",
    "--attack",
    "4",
    "--hit",
    "3+",
    "--damage",
    "3/4",
    "--save",
    "3+",
    "--json",
]


def test_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SHOOT, "--rules", "AP1, MW2", "--invulnerable", "5+"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["mean"] == pytest.approx(shoot_mean(4, 3, (3, 4), {"ap": 1, "mw": 2}, 3, 3, False, 5), abs=1e-9)
    fight = ["odds", "fight", "--edition", "kt21-lite", "--attack", "2", "--hit", "3+", "--damage", "3/4", "--json"]
    fight += ["--vs-attack", "2", "--vs-hit", "4+", "--vs-damage", "2/3", "--wounds", "7", "--vs-wounds", "5"]
    assert main([*fight, "--rules", "MW3, Stun"]) == 0
    with_mw = json.loads(capsys.readouterr().out)
    assert main([*fight, "--rules", "Stun"]) == 0
    assert json.loads(capsys.readouterr().out) == with_mw, "mortal wounds are of shooting attacks"


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--obscured"], "--obscured: is of 2024; in 2021 an obscured target cannot be shot"),
        (["--improved"], "--improved: is of 2024"),
        (["--rules", "Piercing 1"], "unknown weapon rule 'Piercing 1'"),
        (["--edition", "kt24", "--invulnerable", "5+"], "--invulnerable: is of 2021; use --edition kt21-lite"),
    ],
)
def test_what_the_edition_does_not_have(capsys: pytest.CaptureFixture[str], words: list[str], text: str) -> None:
    assert main([*SHOOT, *words]) == 2
    assert text in capsys.readouterr().err
