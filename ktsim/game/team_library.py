"""The player's teams: team files and the rosters made of them, what is taken in from other programs, and what became
of it. Everything of it lies in the folder of the player's teams, unless the player keeps it elsewhere."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from ktsim.content.files import read_bounded, read_json, write_atomically
from ktsim.content.printable import printable
from ktsim.content.yaml_tree import read_tree, to_yaml
from ktsim.errors import Problem, UserError
from ktsim.game.named_files import own_team_files, remember_files, teams_folder
from ktsim.rules.engine.cards import Team
from ktsim.rules.kt24.edition import KT24
from ktsim.rules.teams.fields import id_of
from ktsim.rules.teams.importing.files import import_file
from ktsim.rules.teams.importing.report import Item
from ktsim.rules.teams.roster.roster_file import Roster, default_roster, read_roster, roster_problems, written_roster
from ktsim.rules.teams.roster.sources import from_battlescribe, from_ktdash, is_ktdash, read_battlescribe
from ktsim.rules.teams.team_file import find_team, is_roster, load_team, team_files, team_of_roster

TEAM_FILES = (".json", ".ros", ".rosz", ".yaml", ".yml")
"""What files of teams and rosters end with."""
MOST_REPORT_BYTES = 4_000_000


@dataclass(frozen=True)
class SavedRoster:
    """A roster on file and why it is not legal, if it is not."""

    path: Path
    roster: Roster
    problems: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.roster.name or self.path.stem


@dataclass(frozen=True)
class TeamOnFile:
    """A team, by what games call it, with the rosters the player has made of it."""

    key: str
    team: Team
    rosters: tuple[SavedRoster, ...] = ()

    @property
    def is_own(self) -> bool:
        """Whether it is a file of the player's rather than one that comes with the program."""
        return self.key not in team_files()

    @property
    def folder(self) -> Path:
        """Where its rosters go: a roster names a team file from its own folder on."""
        return Path(self.key).parent if self.is_own else teams_folder()

    @property
    def called(self) -> str:
        """How its rosters name it."""
        return Path(self.key).name if self.is_own else self.key

    def default(self) -> Roster:
        return default_roster(self.team, self.called)


def library() -> tuple[TeamOnFile, ...]:
    """Every 2024 team a roster can be made of: the player's own by name, then those that come with the program.

    Files that cannot be read are left out.
    """
    return _library(own_team_files())


@lru_cache(maxsize=2)
def _library(files: tuple[tuple[str, int], ...]) -> tuple[TeamOnFile, ...]:
    teams: dict[str, Team] = {}
    rosters: dict[str, list[SavedRoster]] = {}
    for name, _ in files:
        path = Path(name)
        try:
            tree = read_tree(path)
            if not is_roster(tree):
                teams[name] = load_team(path, KT24.weapon_rules)
                continue
            problems: list[Problem] = []
            roster = read_roster(tree, path.name, problems)
            team = team_of_roster(roster.team, path, KT24.weapon_rules)
        except UserError:
            continue
        own = str((path.parent / roster.team).resolve()) if roster.team not in team_files() else roster.team
        found = tuple(map(str, problems)) or tuple(roster_problems(roster, team))
        rosters.setdefault(own, []).append(SavedRoster(path, roster, found))
    for key in rosters:
        if key not in teams and key not in team_files():  # only its roster was named
            teams[key] = load_team(Path(key), KT24.weapon_rules)
    own_teams = sorted(teams.items(), key=lambda each: each[1].name.casefold())
    shipped = [(key, load_team(path, KT24.weapon_rules)) for key, path in team_files().items()]
    return tuple(
        TeamOnFile(key, team, tuple(sorted(rosters.get(key, ()), key=lambda each: each.name.casefold())))
        for key, team in (*own_teams, *shipped)
        if team.edition == "kt24" and not all(card.behaviour for card in team.cards)
    )


def team_named(key: str) -> TeamOnFile | None:
    """The team with that key, or the one a roster file belongs to."""
    for each in library():
        if each.key == key or key in (str(saved.path) for saved in each.rosters):
            return each
    return None


# -- rosters -----------------------------------------------------------------------------------------


def save_roster(of: TeamOnFile, roster: Roster, path: Path | None = None) -> Path:
    """Write a roster to *path*, or to a new file called as it is; raises :class:`UserError` or ``OSError``."""
    if path is None:
        of.folder.mkdir(parents=True, exist_ok=True)
        path = free_file(of.folder / f"{id_of(of.team.name)} {id_of(roster.name or 'roster')}.yaml")
    write_atomically(path, to_yaml(written_roster(replace(roster, team=of.called))).encode())
    remember_files([str(path)])
    return path


def remove_roster(saved: SavedRoster) -> Path:
    """Take a roster off the list; the file is kept in the folder *removed* beside it."""
    kept = free_file(saved.path.parent / "removed" / saved.path.name)
    kept.parent.mkdir(exist_ok=True)
    return saved.path.rename(kept)


def free_file(path: Path) -> Path:
    """The path, or one like it with a number, that nothing lies at."""
    found, number = path, 2
    while found.exists():
        found = path.with_stem(f"{path.stem} {number}")
        number += 1
    return found


# -- taking files in ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class TakenIn:
    """What a file was: a team or a roster, under which key games find it now, and what became of everything in it.

    *notes* are sentences about the whole: what of the selection was not understood, what is not legal.
    """

    key: str
    title: str
    is_team: bool
    items: tuple[Item, ...] = ()
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> TakenIn:
        """What :meth:`to_json` wrote; ``TypeError``, ``KeyError`` or ``ValueError`` on anything else."""
        items = tuple(Item(**row) for row in data["items"])
        return cls(str(data["key"]), str(data["title"]), data["is_team"] is True, items, tuple(map(str, data["notes"])))


def is_team_file(path: Path) -> bool:
    """Whether a file looks like a team or a roster, ours or another program's."""
    kind = path.suffix.lower()
    if kind in (".ros", ".rosz"):
        return True
    if kind not in TEAM_FILES:
        return False
    try:
        with path.open("rb") as file:
            head = file.read(4000)
    except OSError:
        return False
    words = (b"killteam", b"opType", b'"ops"') if kind == ".json" else (b"ktsim: team/", b"ktsim: roster/")
    return any(word in head for word in words)


def take_in(path: Path) -> TakenIn:
    """Read a file and keep what is in it among the player's teams; raises :class:`UserError`."""
    kind = path.suffix.lower()
    if kind in (".ros", ".rosz"):
        data = read_battlescribe(path)
        place = printable(str(path), 200)
        return _foreign_roster(path, lambda each: from_battlescribe(data, place, each.team, each.called))
    if kind in (".yaml", ".yml"):
        return _own_file(path)
    raw = read_json(path)
    if is_ktdash(raw):
        return _foreign_roster(path, lambda each: from_ktdash(raw, each.team, each.called))
    name = raw.get("killteamName") if isinstance(raw, dict) else None
    out = team_path(str(name or path.stem))
    imported, text = import_file(raw, path, str(out))
    out.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(out, text.encode())
    remember_files([str(out)])
    notes = [f"Of the selection this was not understood: {each}" for each in imported.unread]
    notes += [] if imported.is_legal else ["No legal roster was found; make one by hand."]
    found = TakenIn(str(out.resolve()), imported.document["name"], True, tuple(imported.items), tuple(notes))
    report = _report_file(found.key)
    report.parent.mkdir(exist_ok=True)
    write_atomically(report, json.dumps(found.to_json()).encode())
    return found


def team_path(name: str) -> Path:
    """Where a team that is imported goes."""
    return teams_folder() / f"{id_of(name)[:60]}.yaml"


def _own_file(path: Path) -> TakenIn:
    tree = read_tree(path)
    team = find_team(str(path), KT24.weapon_rules)
    remember_files([str(path)])
    title = f"{team.name}: {team.roster_name or path.stem}" if is_roster(tree) else team.name
    return TakenIn(str(path.resolve()), title, not is_roster(tree))


def _foreign_roster(path: Path, read: Any) -> TakenIn:
    """A roster of another program, of whichever team has most of its operatives."""
    best: tuple[int, TeamOnFile, Roster, list[str]] | None = None
    for each in library():
        try:
            roster, missing = read(each)
        except UserError:
            continue
        if roster.operatives and (best is None or len(missing) < best[0]):
            best = (len(missing), each, roster, missing)
    if best is None:
        text = "no team here has its operatives; import the file of its team first"
        raise UserError(Problem(printable(str(path), 200), text))
    _, team, roster, missing = best
    roster = replace(roster, name=printable(path.stem, 60))
    saved = save_roster(team, roster)
    notes = [f"Not found: {each}" for each in missing]
    notes += [f"Not legal: {each}" for each in roster_problems(roster, team.team)]
    return TakenIn(str(saved.resolve()), f"{team.team.name}: {roster.name}", False, (), tuple(notes))


def _report_file(key: str) -> Path:
    return teams_folder() / "reports" / f"{Path(key).stem}.json"


def report_of(of: TeamOnFile) -> TakenIn | None:
    """What became of everything when the team was imported, if that is known."""
    if not of.is_own:
        return None
    path = _report_file(of.key)
    try:
        found = TakenIn.from_json(json.loads(read_bounded(path, path.name, MOST_REPORT_BYTES, "a report")))
    except (UserError, OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None
    return found if os.path.samefile(found.key, of.key) else None
