"""``ktsim team check FILE`` and ``ktsim team import FILE [--out FILE]``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ktsim.content.atomic import write_atomically
from ktsim.content.json_file import SIZE_LIMIT, read_json
from ktsim.content.printable import printable
from ktsim.content.yaml_tree import parse
from ktsim.content.yaml_write import to_yaml
from ktsim.errors import Problem, UserError
from ktsim.game.named_files import remember_files
from ktsim.rules.engine.cards import Team
from ktsim.rules.kt24.edition import KT24
from ktsim.rules.teams.importing.report import Report
from ktsim.rules.teams.importing.team import import_team
from ktsim.rules.teams.importing.values import Row
from ktsim.rules.teams.importing.weapons import WordedRule, worded_rules
from ktsim.rules.teams.team_file import all_team_files, load_team, parse_team

SHARED_RULES = "weapon_rules.json"
"""Weapon rules several teams share; read when it lies beside the imported file."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="action")
    check = actions.add_parser("check", help="report every problem of team files")
    check.add_argument("files", nargs="+", metavar="FILE", help="a team file, or the name of a shipped team")
    size = SIZE_LIMIT // 1_000_000
    text = f"make a team file from community JSON (at most {size} MB)"
    bring = actions.add_parser("import", help=text, description=text[0].upper() + text[1:] + ".")
    bring.add_argument("file", metavar="FILE", help=f"a JSON file; {SHARED_RULES} beside it is read as well")
    bring.add_argument("--out", metavar="FILE", help="write the team here instead of printing it")


def run(args: argparse.Namespace) -> int:
    return _check(args.files) if args.action == "check" else _import(Path(args.file), args.out)


def _check(files: list[str]) -> int:
    known = all_team_files()
    problems: list[Problem] = []
    for name in files:
        try:
            team = load_team(known.get(name, Path(name)), KT24.weapon_rules)
        except UserError as error:
            problems += error.problems
            continue
        print("\n".join(summary(name, team)))
        if name not in known:
            remember_files([name])
    if problems:
        raise UserError(problems)
    return 0


def summary(name: str, team: Team) -> list[str]:
    """What a team file holds and what of it the engine does."""
    profiles = [profile for card in team.cards for profile in card.weapons]
    rules = sorted({rule for profile in profiles for rule in profile.rules})
    shown = [*team.shown(), *(each for card in team.cards for each in team.shown(card))]
    lines = [
        f"{printable(name, 200)}: no problems",
        f"  {team.name}: {team.size} operatives selected from {len(team.cards)} kinds, "
        f"{len(profiles)} weapon profiles, archetypes {', '.join(team.archetypes) or 'none'}",
        f"  enforced weapon rules: {', '.join(rules) or 'none'}",
        f"  enforced ploys: {', '.join(ploy.name for ploy in team.ploys if ploy.is_enforced) or 'none'}",
        f"  only shown: {', '.join(each.title for each in shown) or 'nothing'}",
    ]
    if unknown := sorted({rule for profile in profiles for rule in profile.shown}):
        lines.append(f"  weapon rules only shown: {', '.join(unknown)}")
    return lines


def _import(path: Path, out: str | None) -> int:
    place = printable(str(path), 200)
    imported = import_team(read_json(path), place, KT24, _shared(path))
    report = imported.report
    text = to_yaml(imported.document)
    problems: list[Problem] = []
    parse_team(parse(text.encode(), out or "team"), out or "team", KT24.weapon_rules, problems)
    if problems:
        raise UserError(problems)
    if out is None:
        sys.stdout.write(text)
    else:
        write_atomically(Path(out), text.encode())
        remember_files([out])  # the window offers it from now on
    for line in report.lines():
        print(line, file=sys.stderr)
    return 0


def _shared(path: Path) -> dict[str, WordedRule]:
    """Weapon rules from the file beside *path*; they only add words to what is shown, so it may be missing or bad."""
    beside = path.with_name(SHARED_RULES)
    if beside == path or not beside.is_file():
        return {}
    try:
        data = read_json(beside)
    except UserError as error:
        print(f"not read: {error.problems[0]}", file=sys.stderr)
        return {}
    return worded_rules(Row(data, SHARED_RULES, Report())) if isinstance(data, dict) else {}
