"""Team files: operatives, weapons, ploys and selection limits as YAML, checked value by value."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from ktsim import paths
from ktsim.content.files import OutsideFolder, inside
from ktsim.content.mesh_file import UNITS
from ktsim.content.printable import printable
from ktsim.content.reader import Reader, nearest
from ktsim.content.yaml_tree import Node, read_tree
from ktsim.errors import Problem, UserError
from ktsim.killzones.figures import mesh_figure, models, usual_height
from ktsim.killzones.terrain_reader import MeshShelf
from ktsim.rules.editions import EDITIONS
from ktsim.rules.engine.cards import Ability, Datacard, Ploy, Profile, Team
from ktsim.rules.engine.weapon_rules import REGISTRIES, Registry
from ktsim.rules.teams.behaviour import EFFECT_FIELDS, read_behaviour, read_effect, read_reminders, read_rule
from ktsim.rules.teams.classes.register import brought_teams
from ktsim.rules.teams.fields import HEIGHT_LIMITS, MOST_OPERATIVES, WIDTH_LIMITS, Fields, id_of
from ktsim.rules.teams.roster.roster_file import check_roster, read_roster, with_roster
from ktsim.sight.scene import Base

ARCHETYPES = ("recon", "infiltration", "security", "seek-and-destroy")
STAT_LIMITS = {"apl": (0, 5), "move": (0, 12), "save": (2, 6), "wounds": (1, 60)}
"""The least and the most of each stat. An operative with APL 0 or Move 0 is one that stays where it is."""
ATK_LIMITS, HIT_LIMITS = (0, 20), (2, 6)
MOST_DAMAGE = 30


def load_team(path: Path, registry: Registry) -> Team:
    """The team in a file; *registry* are the weapon rules of 2024, which it is for unless it names an edition.

    Raises :class:`UserError` with everything that is wrong with it.
    """
    try:
        about = path.stat()
    except (OSError, ValueError):
        read_tree(path)  # says what is wrong with it
        raise
    return _load(path, registry, about.st_mtime_ns, about.st_size)


@lru_cache(maxsize=16)
def _load(path: Path, registry: Registry, changed: int, size: int) -> Team:
    """A team is immutable, so it is read again only when its file has changed."""
    problems: list[Problem] = []
    tree = read_tree(path)
    _check_kind(tree, path.name)
    team = parse_team(tree, path.name, registry, problems, path.parent)
    if problems:
        raise UserError(problems)
    return team


def _check_kind(tree: Node, place: str) -> None:
    """Whether it is meant to be a team file at all: of another file one sentence says enough."""
    fields = tree.value if isinstance(tree.value, dict) else {}
    said = fields.get("ktsim")
    if said is None and "operatives" not in fields:
        text = "has no 'ktsim'; a team file says 'ktsim: team/1', and ktsim team import makes one from community JSON"
        raise UserError(Problem(f"{place}:{tree.line}", text))
    if said is not None and not said.text.startswith("team/"):
        text = f"'ktsim' is '{printable(said.text, 40)}'; a team file says 'ktsim: team/1'"
        raise UserError(Problem(f"{place}:{said.line}", text))


def parse_team(raw: Node, place: str, registry: Registry, problems: list[Problem], folder: Path | None = None) -> Team:
    """The team in a document; meshes it names are in *folder*."""
    top = Fields(raw, place, problems)
    shelf = MeshShelf(Reader(place), folder) if folder is not None else None
    top.word("ktsim", ("team/1",))
    name = top.text("name")
    edition = top.word("edition", tuple(REGISTRIES), "kt24")
    registry = registry if edition == registry.edition else REGISTRIES[edition]
    cards = tuple(_card(row, place, registry, problems, shelf) for row in top.rows("operatives", required=True))
    problems += shelf.reader.problems if shelf is not None else []
    size = top.number("size", 1, MOST_OPERATIVES)
    roster = top.words("roster")
    known = {card.id: card for card in cards}
    for id, count in Counter(card.id for card in cards).items():
        if count > 1:
            top.complain("operatives", f"{count} operatives have the id {id!r}; names differ in letters or digits")
    for id, count in Counter(roster).items():
        if id not in known:
            top.complain("roster", f"{id!r} is not an operative of this team; {nearest(id, known)}")
        elif count > known[id].limit:
            top.complain("roster", f"at most {known[id].limit} of {id!r} can be selected")
    if len(roster) != size:
        top.complain("roster", f"has {len(roster)} operatives; the team's size is {size}")
    ploys = tuple(_ploy(row, place, registry, problems) for row in top.rows("ploys"))
    for id, count in Counter(ploy.id for ploy in ploys).items():
        if count > 1:
            top.complain("ploys", f"{count} ploys have the id {id!r}; names differ in letters or digits")
    archetypes = tuple(top.words("archetypes"))
    for word in archetypes:
        if word not in ARCHETYPES:
            top.complain("archetypes", f"{word!r} is not one of {', '.join(ARCHETYPES)}")
    abilities = tuple(_abilities(top.rows("abilities"), place, problems))
    reminders = tuple(read_reminders(top.rows("reminders"), place, problems))
    team = Team(
        id_of(name),
        name,
        archetypes,
        size,
        cards,
        roster,
        ploys,
        abilities,
        reminders,
        edition=edition,
        **_language(top, place, registry, problems),
    )
    top.done()
    return team


def _language(top: Fields, place: str, registry: Registry, problems: list[Problem]) -> dict[str, Any]:
    """Texts in the language of team rules, the composition, and what belongs to them."""
    # Imported here: the package they are in also has the rules of shipped teams, which know datacards.
    from ktsim.rules.teams.language.read import LanguageReader
    from ktsim.rules.teams.playing.status import status_of
    from ktsim.rules.teams.roster.written import read_composition

    reader = LanguageReader(place, problems)
    texts = tuple(reader.text(row) for row in top.rows("texts"))
    weapons = [each for row in top.rows("equipment_weapons") for each in _weapon(row, place, registry, problems)]
    ids = top.child("ids").value
    composition = top.child("composition")
    return {
        "texts": texts,
        "enforced": frozenset(text.id for text in texts if status_of(text)[0] == "enforced"),
        "composition": None if composition.value is None else read_composition(composition, place, problems),
        "equipment_weapons": tuple(weapons),
        "ids": tuple((key, node.text) for key, node in ids.items()) if isinstance(ids, dict) else (),
    }


def _card(
    raw: Node, place: str, registry: Registry, problems: list[Problem], shelf: MeshShelf | None = None
) -> Datacard:
    top = Fields(raw, place, problems)
    stats = Fields(top.child("stats"), place, problems)
    figure = Fields(_or_empty(top.child("figure")), place, problems)
    weapons = [profile for row in top.rows("weapons") for profile in _weapon(row, place, registry, problems)]
    for key, count in Counter(profile.key for profile in weapons).items():
        if count > 1:
            top.complain("weapons", f"{count} weapon profiles have the id {key!r}; names differ in letters or digits")
    name = top.text("name")
    base = _base(top)
    numbers: dict[str, Any] = {stat: stats.number(stat, *limits) for stat, limits in STAT_LIMITS.items()}
    card = Datacard(
        id=id_of(name),
        name=name,
        **numbers,
        base=base,
        **_figure(figure, base, name, shelf),
        keywords=top.words("keywords"),
        weapons=tuple(weapons),
        abilities=tuple(_abilities(top.rows("abilities"), place, problems)),
        limit=top.number("limit", 1, MOST_OPERATIVES, MOST_OPERATIVES),
        reminders=tuple(read_reminders(top.rows("reminders"), place, problems)),
        behaviour=read_behaviour(top),
        **_defence(stats, registry.edition),
    )
    for each in (top, stats, figure):
        each.done()
    return card


def _figure(figure: Fields, base: Base, name: str, shelf: MeshShelf | None) -> dict[str, Any]:
    """The miniature of an operative: one of our models, as tall as figures on its base are when nothing is said, or a
    mesh in the folder of the team file."""
    model = figure.word("model", models(), "trooper")
    height = figure.inches("height", *HEIGHT_LIMITS, usual_height(base))
    width = figure.inches("width", *WIDTH_LIMITS, 0.0)
    unit = figure.word("unit", UNITS, "mm")
    node = figure.child("mesh")
    found: dict[str, Any] = {"model": model, "height": height, "width": width}
    if node.value is None:
        return found
    if others := [key for key in ("model", "height", "width") if key in figure.nodes]:
        figure.complain(others[0], "a mesh has its own shape and size; leave this out")
        return found
    if shelf is None:
        figure.complain("mesh", "is read from the folder of a team file only; save the team in one first")
        return found
    scan = shelf.scan(node, unit, f"operative '{printable(name)}'")
    if scan is None:
        return found
    body = mesh_figure(node.text, scan.mesh, is_open=scan.is_open)
    tall = float(body.triangles[..., 2].max())
    if not HEIGHT_LIMITS[0] <= tall <= HEIGHT_LIMITS[1]:
        figure.complain("mesh", f'is {tall:.2f}" tall; a figure is {HEIGHT_LIMITS[0]:g}" to {HEIGHT_LIMITS[1]:g}" tall')
        return found
    held = hashlib.sha256(body.triangles.tobytes()).hexdigest()[:16]
    return {**found, "height": tall, "mesh": f"{node.text} {held}", "body": body}


def _defence(stats: Fields, edition: str) -> dict[str, Any]:
    """What 2021's datacards say of being shot: Df, and an Invulnerable Save where there is one."""
    if edition == "kt24":
        return {}
    return {"defence": stats.number("df", 0, 6, 3), "invulnerable": stats.number("invulnerable", 2, 6, 0)}


def _or_empty(node: Node) -> Node:
    """An empty mapping where nothing was said."""
    return Node({}, node.line, node.column) if node.value is None else node


def _base(top: Fields) -> Base:
    raw = top.value("base")
    if is_base_size(raw):
        return Base.of_mm(raw)
    if isinstance(raw, list) and len(raw) == 2 and all(is_base_size(n) for n in raw):
        return Base.of_mm(*raw)
    top.complain("base", f"{raw!r:.60} is not a base: millimetres from 10 to 200, or [60, 35] for an oval one")
    return Base.of_mm(28)


def is_base_size(value: Any) -> bool:
    """Whether *value* can be the diameter of a base in millimetres."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 10 <= value <= 200


def _weapon(raw: Node, place: str, registry: Registry, problems: list[Problem]) -> Iterator[Profile]:
    top = Fields(raw, place, problems)
    name, kind = top.text("name"), top.word("kind", ("ranged", "melee"))
    profiles = top.rows("profiles")
    if not profiles:
        yield _profile(top, name, id_of(name), kind, registry)
        top.done()
        return
    for row in profiles:
        each = Fields(row, place, problems)
        own = each.text("name")
        yield _profile(each, f"{name} ({own})", f"{id_of(name)}/{id_of(own)}", kind, registry)
        each.done()
    top.done()


def _profile(top: Fields, name: str, key: str, kind: Any, registry: Registry) -> Profile:
    rules = []
    for text in top.words("rules"):
        try:
            rules.append(registry.parse(text).text)
        except UserError as error:
            top.complain("rules", error.problems[0].text)
    damage = top.value("damage")
    is_pair = isinstance(damage, list) and len(damage) == 2
    if not is_pair or not all(type(n) is int and 0 <= n <= MOST_DAMAGE for n in damage):
        top.complain("damage", f"{damage!r:.60} is not normal and critical damage such as [3, 4]")
        damage = [0, 0]
    atk, hit = top.number("atk", *ATK_LIMITS), top.number("hit", *HIT_LIMITS)
    unclear = top.value("unclear")
    if unclear not in (None, True, False):
        top.complain("unclear", "it is true or false")
    shown, traits = top.words("shown"), top.words("traits")
    return Profile(key, name, kind, atk, hit, damage[0], damage[1], tuple(rules), shown, traits, unclear is True)


def _abilities(rows: list[Node], place: str, problems: list[Problem]) -> Iterator[Ability]:
    for row in rows:
        top = Fields(row, place, problems)
        yield Ability(top.text("name"), top.lines("text"), read_rule(top, "ability"))
        top.done()


def _ploy(raw: Node, place: str, registry: Registry, problems: list[Problem]) -> Ploy:
    top = Fields(raw, place, problems)
    name = top.text("name")
    kind = top.word("kind", ("strategy", "firefight"))
    effects = [read_effect(Fields(row, place, problems), registry) for row in top.rows("effects")]
    if any(field in top.nodes for field in EFFECT_FIELDS):
        effects.insert(0, read_effect(top, registry, is_alone=False))
    if effects and kind == "firefight":
        top.complain("", "only a strategy ploy has effects; a firefight ploy needs a rule")
    cost, text = top.number("cost", 0, 3, 1), top.lines("text")
    ploy = Ploy(id_of(name), name, kind, cost, text, tuple(effects), read_rule(top, kind))
    top.done()
    return ploy


def team_files(edition: str = "kt24") -> dict[str, Path]:
    """The teams shipped for an edition, by id. Other editions than 2024's have a folder of their own."""
    folder = paths.assets() / "teams"
    return {path.stem: path for path in sorted((folder if edition == "kt24" else folder / edition).glob("*.yaml"))}


def all_team_files() -> dict[str, Path]:
    """Every shipped team by id, then those that packages bring."""
    shipped = {name: path for edition in EDITIONS for name, path in team_files(edition).items()}
    return {**shipped, **brought_teams(frozenset(shipped))}


def find_team(name: str, registry: Registry) -> Team:
    """A shipped or brought team by id, or one from a path."""
    known = all_team_files()
    if name in known:
        return load_team(known[name], registry)
    if name.endswith((".yaml", ".yml")):
        return _from_file(Path(name), registry)
    raise no_such_team(name)


def no_such_team(name: str) -> UserError:
    return UserError(Problem(f"'{printable(name)}'", f"no such team; there are {', '.join(all_team_files())}"))


def is_roster(tree: Node) -> bool:
    """Whether a YAML file says that it is a roster."""
    return isinstance(tree.value, dict) and "ktsim" in tree.value and tree.value["ktsim"].text.startswith("roster/")


def team_of_roster(name: str, path: Path, registry: Registry) -> Team:
    """The team the roster file at *path* names: a shipped one, or a team file, from the roster's folder on."""
    known = all_team_files()
    if name in known:
        return load_team(known[name], registry)
    if not name.endswith((".yaml", ".yml")) or not name.isprintable():
        raise UserError(Problem(path.name, f"team: {printable(name)!r} is no shipped team and no .yaml file"))
    try:
        return load_team(inside(path.parent, name), registry)
    except OutsideFolder as error:
        raise UserError(Problem(path.name, f"team: {error}")) from None


def _from_file(path: Path, registry: Registry) -> Team:
    """The team in a team file, or the one a roster file names, as its roster has it."""
    tree = read_tree(path)
    if not is_roster(tree):
        return load_team(path, registry)
    problems: list[Problem] = []
    roster = read_roster(tree, path.name, problems)
    if problems:
        raise UserError(problems)
    team = team_of_roster(roster.team, path, registry)
    check_roster(tree, path.name, roster, team)
    return with_roster(team, roster)
