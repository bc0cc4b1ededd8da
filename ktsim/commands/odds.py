"""``ktsim odds shoot`` and ``ktsim odds fight``."""

from __future__ import annotations

import argparse
import json
import re

from ktsim.content.printable import printable
from ktsim.errors import Problem, UserError
from ktsim.rules.editions import EDITIONS, edition
from ktsim.rules.engine.attack import WeaponRule
from ktsim.rules.engine.weapon_rules import distinct
from ktsim.rules.kt21.edition import KT21
from ktsim.rules.kt24.edition import KT24
from ktsim.rules.odds.sequences import Numbers, fight_odds, kill, mean, shoot_odds
from ktsim.rules.odds.valuation import Damage

MOST_DICE = 12


def add_arguments(parser: argparse.ArgumentParser) -> None:
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="shoot|fight")
    shoot = kinds.add_parser("shoot", help="one shooting sequence")
    fight = kinds.add_parser("fight", help="one fight sequence")
    for sub in (shoot, fight):
        _weapon_arguments(sub, "")
        sub.add_argument("--wounds", default="", metavar="N", help="wounds of the one who may be incapacitated")
        sub.add_argument("--edition", default="kt24", help=f"one of {', '.join(EDITIONS)}")
        sub.add_argument("--json", action="store_true", help="print JSON")
    shoot.add_argument("--save", default="4+", metavar="S+", help="the target's Save")
    shoot.add_argument("--defence", default="3", metavar="N", help="defence dice")
    shoot.add_argument("--cover", default="0", metavar="N", help="cover saves the target may retain")
    shoot.add_argument("--improved", action="store_true", help="the cover save is improved (from Vantage)")
    shoot.add_argument("--obscured", action="store_true", help="the target is obscured")
    shoot.add_argument("--invulnerable", default="", metavar="S+", help="2021: the target's Invulnerable Save")
    _weapon_arguments(fight, "vs-")
    fight.add_argument("--vs-wounds", default="", metavar="N", help="the defender's wounds")


def _weapon_arguments(parser: argparse.ArgumentParser, prefix: str) -> None:
    parser.add_argument(f"--{prefix}attack", required=True, metavar="N", help="attack dice")
    parser.add_argument(f"--{prefix}hit", required=True, metavar="H+", help="Hit")
    parser.add_argument(f"--{prefix}damage", required=True, metavar="N/C", help="normal and critical damage")
    parser.add_argument(f"--{prefix}rules", default="", metavar="TEXT", help="weapon rules, separated by commas")


def run(args: argparse.Namespace) -> int:
    problems: list[Problem] = []
    if args.edition not in EDITIONS:
        raise UserError(
            Problem("--edition", f"'{printable(args.edition, 40)}' is not an edition; use one of {', '.join(EDITIONS)}")
        )
    report = _shoot(args, problems) if args.kind == "shoot" else _fight(args, problems)
    print(json.dumps(report) if args.json else _text(report))
    return 0


def _shoot(args: argparse.Namespace, problems: list[Problem]) -> dict[str, object]:
    weapon = _weapon(args, "", problems, "ranged")
    save = _roll_needed(args.save, "--save", problems)
    defence = _whole(args.defence, "--defence", 0, MOST_DICE, problems)
    cover = _whole(args.cover, "--cover", 0, MOST_DICE, problems)
    wounds = _whole(args.wounds or "12", "--wounds", 1, 999, problems)
    invulnerable = _roll_needed(args.invulnerable, "--invulnerable", problems) if args.invulnerable else 0
    rules = edition(args.edition)
    for name, is_used in (("--obscured", args.obscured), ("--improved", args.improved)):
        if is_used and rules is KT21:
            problems.append(Problem(name, "is of 2024; in 2021 an obscured target cannot be shot"))
    if invulnerable and rules is KT24:
        problems.append(Problem("--invulnerable", "is of 2021; use --edition kt21-lite"))
    if problems:
        raise UserError(problems)
    damage = shoot_odds(
        weapon,
        save=save,
        defence=defence,
        cover=cover,
        is_obscured=args.obscured,
        is_improved=args.improved,
        invulnerable=invulnerable,
        stages=rules.shot_stages,
    )
    return _report(damage, wounds)


def _fight(args: argparse.Namespace, problems: list[Problem]) -> dict[str, object]:
    attacker, defender = (_weapon(args, prefix, problems, "melee") for prefix in ("", "vs-"))
    wounds = _whole(args.wounds or "12", "--wounds", 1, 999, problems)
    vs_wounds = _whole(args.vs_wounds or "12", "--vs-wounds", 1, 999, problems)
    if problems:
        raise UserError(problems)
    stages = edition(args.edition).duel_stages
    to_attacker, to_defender = fight_odds(attacker, wounds, defender, vs_wounds, stages)
    return {"defender": _report(to_defender, vs_wounds), "attacker": _report(to_attacker, wounds)}


def _report(damage: Damage, wounds: int) -> dict[str, object]:
    return {
        "damage": {str(amount): chance for amount, chance in damage.items()},
        "mean": mean(damage),
        "kill": kill(damage, wounds),
    }


def _text(report: dict[str, object]) -> str:
    if "mean" in report:
        return "\n".join(_lines(report))
    parts = []
    for who in ("defender", "attacker"):
        found = report[who]
        assert isinstance(found, dict)
        parts += [f"Damage to the {who}:", *(f"  {line}" for line in _lines(found))]
    return "\n".join(parts)


def _lines(report: dict[str, object]) -> list[str]:
    damage = report["damage"]
    assert isinstance(damage, dict)
    rows = [f"{amount:>3}  {chance:8.4%}  {'#' * round(50 * chance)}" for amount, chance in damage.items()]
    return [*rows, f"mean {report['mean']:.6f}, incapacitated {report['kill']:.4%}"]


def _weapon(args: argparse.Namespace, prefix: str, problems: list[Problem], kind: str) -> Numbers:
    """The weapon asked about; rules that only speak of attacks of the other kind do nothing."""
    values = {name: getattr(args, f"{prefix}{name}".replace("-", "_")) for name in ("attack", "hit", "damage", "rules")}
    attack = _whole(values["attack"], f"--{prefix}attack", 0, MOST_DICE, problems)
    hit = _roll_needed(values["hit"], f"--{prefix}hit", problems)
    normal, critical = _damage(values["damage"], f"--{prefix}damage", problems)
    rules = _rules(values["rules"], f"--{prefix}rules", args.edition, problems)
    spoken = tuple(rule for rule in rules if rule.only in ("", kind))
    return Numbers(attack, hit, normal, critical, spoken)


def _rules(text: str, place: str, name: str, problems: list[Problem]) -> tuple[WeaponRule, ...]:
    found: list[WeaponRule] = []
    for word in filter(None, (part.strip() for part in text.split(","))):
        try:
            found.append(edition(name).weapon_rules.parse(word))
        except UserError as error:
            problems += [Problem(place, problem.text) for problem in error.problems]
    return distinct(found)


def _whole(text: str, place: str, least: int, most: int, problems: list[Problem]) -> int:
    if re.fullmatch(r"-?\d{1,6}", text.strip()) and least <= int(text) <= most:
        return int(text)
    problems.append(Problem(place, f"'{printable(text, 40)}' is not a whole number from {least} to {most}"))
    return least


def _roll_needed(text: str, place: str, problems: list[Problem]) -> int:
    if match := re.fullmatch(r"([2-6])\+?", text.strip()):
        return int(match[1])
    problems.append(Problem(place, f"'{printable(text, 40)}' is not a roll from 2+ to 6+"))
    return 6


def _damage(text: str, place: str, problems: list[Problem]) -> tuple[int, int]:
    if match := re.fullmatch(r"(\d{1,3})/(\d{1,3})", text.strip()):
        return int(match[1]), int(match[2])
    problems.append(Problem(place, f"'{printable(text, 40)}' is not normal and critical damage such as 3/4"))
    return 0, 0
