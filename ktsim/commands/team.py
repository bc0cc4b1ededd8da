"""``ktsim team check FILE``, ``ktsim team import FILE [--out FILE] [--json]``, ``ktsim team roster TEAM [--json]``,
``ktsim team cards TEAM --out FILE.pdf``."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ktsim.content.files import JSON_LIMIT, check_output, is_bare_name, read_json, write_atomically
from ktsim.content.printable import printable
from ktsim.content.yaml_tree import Node, read_tree, to_yaml
from ktsim.errors import Problem, UserError
from ktsim.game.named_files import remember_files
from ktsim.rules.engine.cards import Team
from ktsim.rules.kt24.edition import KT24
from ktsim.rules.teams.fields import id_of
from ktsim.rules.teams.importing.files import SHARED_RULES, import_file
from ktsim.rules.teams.importing.team import SELECTING, Imported
from ktsim.rules.teams.playing.status import status_of
from ktsim.rules.teams.roster.roster_file import (
    Roster,
    check_roster,
    default_roster,
    read_roster,
    roster_problems,
    written_roster,
)
from ktsim.rules.teams.roster.sources import from_battlescribe, from_ktdash, is_ktdash, read_battlescribe
from ktsim.rules.teams.team_file import (
    all_team_files,
    find_team,
    is_roster,
    load_team,
    no_such_team,
    team_of_roster,
)

PLOYS = ("strategy", "firefight")
"""The kinds of texts that are ploys."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="action")
    check = actions.add_parser("check", help="report every problem of team and roster files")
    check.add_argument("files", nargs="+", metavar="FILE", help="a team or roster file, or the name of a shipped team")
    size = JSON_LIMIT // 1_000_000
    text = f"make a team file from community JSON (at most {size} MB), or a roster from KTDash or BattleScribe"
    bring = actions.add_parser("import", help=text, description=text[0].upper() + text[1:] + ".")
    bring.add_argument(
        "file", metavar="FILE", help=f"a JSON file; {SHARED_RULES} beside it or one folder up is read too"
    )
    bring.add_argument("--out", metavar="FILE", help="write the team here instead of printing it")
    bring.add_argument("--json", action="store_true", help="print what became of everything as JSON")
    bring.add_argument("--team", metavar="TEAM", help="the team a roster of another program belongs to")
    roster = actions.add_parser("roster", help="print a legal roster of a team")
    roster.add_argument("team", metavar="TEAM", help="a team file, or the name of a shipped team")
    roster.add_argument("--json", action="store_true", help="print it as JSON")
    roster.add_argument("--out", metavar="FILE", help="write the roster here instead of printing it")
    cards = actions.add_parser("cards", help="draw the datacards of a team or roster to print them")
    cards.add_argument("team", metavar="TEAM", help="a team or roster file, or the name of a shipped team")
    cards.add_argument("--out", metavar="FILE", required=True, help="a .pdf, or a .png for each page of A4")


def run(args: argparse.Namespace) -> int:
    if args.action == "check":
        return _check(args.files)
    if args.action == "roster":
        return _roster(args.team, args.json, args.out)
    if args.action == "cards":
        return _cards(args.team, args.out)
    path = Path(args.file)
    if path.suffix.lower() in (".ros", ".rosz"):
        return _battlescribe(path, args.team, args.out, args.json)
    data = read_json(path)
    if is_ktdash(data):
        return _ktdash(data, path, args.team, args.out, args.json)
    if args.team is not None:
        raise UserError("--team names the team of a roster, and this is a team of its own; leave it out")
    return _import(data, path, args.out, args.json)


# -- checking ----------------------------------------------------------------------------------------


def _check(files: list[str]) -> int:
    known = all_team_files()
    problems: list[Problem] = []
    for name in files:
        try:
            if name not in known and is_bare_name(name):
                raise no_such_team(name)
            path = known.get(name, Path(name))
            tree = None if name in known else read_tree(path)
            if tree is not None and is_roster(tree):
                _check_roster(tree, path, name)
                continue
            team = load_team(path, KT24.weapon_rules)
        except UserError as error:
            problems += error.problems
            continue
        print("\n".join(summary(name, team)))
        if name not in known:
            remember_files([name])
    if problems:
        raise UserError(problems)
    return 0


def _check_roster(tree: Node, path: Path, name: str) -> None:
    problems: list[Problem] = []
    place = printable(name, 200)
    roster = read_roster(tree, place, problems)
    if problems:
        raise UserError(problems)
    team = team_of_roster(roster.team, path, KT24.weapon_rules)
    check_roster(tree, place, roster, team)
    print(f"{place}: no problems")
    print(f"  {team.name}: {len(roster.operatives)} operatives, {len(roster.equipment)} equipment options")


def summary(name: str, team: Team) -> list[str]:
    """What a team file holds and what of it the engine does: of its texts what :func:`status_of` says of each."""
    profiles = [profile for card in team.cards for profile in card.weapons]
    rules = sorted({rule for profile in profiles for rule in profile.rules})
    ploys = [ploy.name for ploy in team.ploys if ploy.is_enforced]
    ploys += [text.name for text in team.texts if text.kind in PLOYS and status_of(text)[0] == "enforced"]
    partly = [text.title for text in team.texts if status_of(text)[0] == "partly"]
    shown = [each.title for of in (None, *team.cards) for each in team.shown(of)]
    if team.composition is not None and team.composition.slots and SELECTING in shown:
        shown.remove(SELECTING)
        partly += [SELECTING] if team.composition.unread else []
    lines = [
        f"{printable(name, 200)}: no problems",
        f"  {team.name}: {team.size} operatives selected from {len(team.cards)} kinds, "
        f"{len(profiles)} weapon profiles, archetypes {', '.join(team.archetypes) or 'none'}",
        f"  enforced weapon rules: {', '.join(rules) or 'none'}",
        f"  enforced ploys: {_counted(ploys) or 'none'}",
        *([f"  partly: {_counted(partly)}"] if partly else []),
        f"  only shown: {_counted(list((Counter(shown) - Counter(partly)).elements())) or 'nothing'}",
    ]
    if unknown := sorted({rule for profile in profiles for rule in profile.shown}):
        lines.append(f"  weapon rules only shown: {', '.join(unknown)}")
    if team.texts:
        found = [status_of(text)[0] for text in team.texts]
        lines.append(
            f"  texts: {found.count('enforced')} enforced, {found.count('partly')} partly, "
            f"{found.count('shown')} only shown"
        )
    return lines


def _counted(names: Iterable[str]) -> str:
    """Each name once, with how often it comes when that is more."""
    return ", ".join(name if count == 1 else f"{name} ({count})" for name, count in Counter(names).items())


# -- importing ---------------------------------------------------------------------------------------


def _import(data: Any, path: Path, out: str | None, as_json: bool) -> int:
    if out is not None:
        check_output(out, "team file", str(path))
    imported, text = import_file(data, path, out, lambda problem: print(f"not read: {problem}", file=sys.stderr))
    if out is not None:
        write_atomically(Path(out), text.encode())
        remember_files([out])  # the window offers it from now on
    if as_json:
        print(json.dumps(outcome(imported), indent=1))
        return 0
    if out is None:
        sys.stdout.write(text)
    for line in imported.report.lines():
        print(line, file=sys.stderr)
    return 0


def outcome(imported: Imported) -> dict[str, Any]:
    """What became of everything in a file, for other programs."""
    items = [
        {"kind": item.kind, "of": item.of, "name": item.name, "status": item.status, "why": item.why}
        for item in imported.items
    ]
    size = len(imported.document["roster"])
    roster = {"size": size, "legal": imported.is_legal, "unread": list(imported.unread)}
    return {"team": id_of(imported.document["name"]), "items": items, "roster": roster}


# -- rosters -----------------------------------------------------------------------------------------


def _roster(name: str, as_json: bool, out: str | None) -> int:
    _check_roster_output(out, name)
    team = find_team(name, KT24.weapon_rules)
    _give(default_roster(team, _called(name, out)), as_json, out)
    return 0


def _cards(name: str, out: str) -> int:
    from ktsim.app.teams.printing import ENDINGS, write_cards  # it opens a display of its own; nothing else here does

    if Path(out).suffix.lower() not in ENDINGS:
        raise UserError(Problem(printable(out, 200), "cards are written as .pdf or .png; name such a file"))
    path = check_output(out, "PDF file" if out.lower().endswith(".pdf") else "PNG picture", name)
    for each in write_cards(find_team(name, KT24.weapon_rules), path):
        print(each)
    return 0


def _check_roster_output(out: str | None, *inputs: str | None) -> None:
    if out is not None:
        check_output(out, "roster file", *filter(None, inputs))


def _called(name: str, out: str | None) -> str:
    """How a roster written to *out* names the team: from its own folder on, in which the team file must lie.

    One that is printed is for the folder one is in where the team lies in that, else for the team's own.
    """
    if name in all_team_files():
        return name
    folder = os.path.dirname(os.path.abspath(out)) if out is not None else os.getcwd()
    try:
        return Path(os.path.abspath(name)).relative_to(folder).as_posix()
    except ValueError:
        if out is None:
            return Path(name).name
    text = "a roster names a team file in its own folder or in one inside that; write it beside the team file"
    raise UserError(Problem(printable(out, 200), text))


def _give(roster: Roster, as_json: bool, out: str | None) -> None:
    document = written_roster(roster)
    if out is not None:
        write_atomically(Path(out), to_yaml(document).encode())
        remember_files([out])
    if as_json:
        print(json.dumps(document, indent=1))
    elif out is None:
        sys.stdout.write(to_yaml(document))


def _wanted_team(name: str | None, place: str) -> Team:
    if name is None:
        raise UserError(Problem(place, "is a roster; name its team with --team TEAM"))
    return find_team(name, KT24.weapon_rules)


def _ktdash(data: Any, path: Path, name: str | None, out: str | None, as_json: bool) -> int:
    _check_roster_output(out, str(path), name)
    team = _wanted_team(name, printable(str(path), 200))
    roster, problems = from_ktdash(data, team, _called(name or "", out))
    return _told(roster, problems, team, out, as_json)


def _battlescribe(path: Path, name: str | None, out: str | None, as_json: bool) -> int:
    place = printable(str(path), 200)
    _check_roster_output(out, str(path), name)
    team = _wanted_team(name, place)
    roster, problems = from_battlescribe(read_battlescribe(path), place, team, _called(name or "", out))
    return _told(roster, problems, team, out, as_json)


def _told(roster: Roster, problems: list[str], team: Team, out: str | None, as_json: bool) -> int:
    _give(roster, as_json, out)
    for text in problems:
        print(f"not found: {text}", file=sys.stderr)
    for text in roster_problems(roster, team):
        print(f"not legal: {text}", file=sys.stderr)
    return 0
