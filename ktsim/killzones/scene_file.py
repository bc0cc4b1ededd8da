"""Scene files: a dispute on a table, written down. Reading and writing them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ktsim.content.files import read_bounded, write_atomically
from ktsim.content.png_text import SCENE, WrongPicture, text_of
from ktsim.content.printable import printable
from ktsim.content.reader import Reader, Sheet, nearest
from ktsim.content.weapon_rule_forms import read_any
from ktsim.content.yaml_tree import Node, parse, read_tree, to_yaml
from ktsim.errors import Problem, UserError
from ktsim.killzones.asked_move import AskedMove, read_move
from ktsim.killzones.catalogue import load_named
from ktsim.killzones.figures import figure, models, usual_height, widest
from ktsim.killzones.grid import Grid, read_grid
from ktsim.killzones.killzone_file import Killzone
from ktsim.killzones.loose_pieces import piece_feature
from ktsim.killzones.operative_reader import OperativeReader
from ktsim.killzones.scene_photo import ScenePhoto, read_photo
from ktsim.killzones.terrain_reader import TerrainReader
from ktsim.killzones.walls import wall_features
from ktsim.sight.scene import (
    EDITIONS,
    MM,
    RULES_DATES,
    Edition,
    Feature,
    Operative,
    RulesDate,
    Scene,
    Terrain,
    WallLine,
    Weapon,
)

VERSION = "scene/1"
KEYS = (
    *("ktsim", "edition", "rules", "killzone", "without", "board", "features", "grid", "walls"),
    *("states", "areas", "smoke"),
    *("operatives", "rule", "weapon", "move", "photo"),
)
NAMES = frozenset({"id", "team", "from", "to", "who", "mesh", "model", "killzone", "without", "piece", "file"})
"""Keys whose values are words, even when they look like numbers."""

CARD = ".png"
CARD_LIMIT = 32_000_000
"""The largest picture that is searched for a scene, in bytes."""
AREA_KINDS = ("hazardous",)
BOARD_LIMITS = (2.0, 96.0)
DEFAULT_BOARD = (30.0, 22.0)
DATES_KNOWN = f"the rules are known as of {' and '.join(RULES_DATES)}"
OPERATIVE_LIMIT = 200


@dataclass(frozen=True, eq=False)
class SceneFile:
    """A scene with what is to be ruled on: pairs of (shooter, target) and the shooter's weapon."""

    scene: Scene
    edition: Edition
    pairs: tuple[tuple[str, str], ...]
    weapon: Weapon | None
    killzone: str | None
    path: Path
    document: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    """The file's own values, from which what a scene does not remember (shapes, bodies) is written back."""
    warnings: tuple[str, ...] = ()
    """Doubts about the file and what it names, each a sentence with its place."""
    move: AskedMove | None = None
    """The move that is asked about, if one is."""
    grid: Grid | None = None
    """The walls on a grid that stand here instead of the killzone's."""
    photo: ScenePhoto | None = None
    """The photo that lies under the table; nothing that is ruled hangs on it."""

    def pairs_of(self, shooter: str | None = None, target: str | None = None) -> tuple[tuple[str, str], ...]:
        """The pairs to rule on: the one named, else those the scene asks for; :class:`UserError` when there is none."""
        if (shooter is None) != (target is None):
            raise UserError("a shooter and a target go together; name both, or neither")
        if shooter is None or target is None:
            if not self.pairs:
                raise UserError("has no operatives of two teams; add some, or name a pair under 'rule'")
            return self.pairs
        ids = [operative.id for operative in self.scene.operatives]
        for id in (shooter, target):
            if id not in ids:
                raise UserError(f"there is no operative '{printable(id)}' in it; {nearest(id, ids)}")
        if shooter == target:
            raise UserError(f"'{printable(shooter)}' cannot shoot itself; name two operatives")
        return ((shooter, target),)


def load_scene(path: Path | str) -> SceneFile:
    """The scene in the file at *path*, which may be a card: a picture that carries its scene. :class:`UserError` with
    every problem found when there is any."""
    path = Path(path)
    return scene_from_text(_carried(path), path) if path.suffix.lower() == CARD else _scene(read_tree(path), path)


def _carried(path: Path) -> str:
    """The scene that a card carries, as text; nothing of the picture itself is looked at."""
    place = printable(str(path), 200)
    try:
        text = text_of(read_bounded(path, place, CARD_LIMIT, "a card"), SCENE)
    except WrongPicture as error:
        raise UserError(Problem(place, str(error))) from None
    if text is None:
        raise UserError(Problem(place, "is a picture without a scene; cards that ktsim has drawn carry theirs"))
    return text


def scene_from_text(text: str, path: Path) -> SceneFile:
    """The scene that a file at *path* with this content would hold."""
    return _scene(parse(text.encode("utf-8"), printable(str(path), 200)), path)


def _scene(root: Node, path: Path) -> SceneFile:
    reader = Reader(str(path))
    sheet = reader.sheet(root, "the scene", KEYS, ("ktsim", "edition", "operatives"))
    if not isinstance(root.value, dict):
        reader.finish()
    version = sheet.get("ktsim")
    if version is not None and version.text != VERSION:
        reader.problem(version, f"'ktsim' is '{printable(version.text)}'; a scene file says 'ktsim: {VERSION}'")
    edition = sheet.one_of("edition", EDITIONS, "kt24")
    killzone, name = _killzone(sheet, path)
    given = None if killzone is None else _standing(sheet, killzone.terrain)
    board = _board(sheet, given)

    terrain_reader = TerrainReader(reader, path.parent, piece_feature)
    drawn = sheet.get("grid")
    if given is not None and killzone is not None and drawn is not None:
        given = _without_grid(given, killzone)
    if given is not None:
        terrain_reader.ids.lines.update({feature.id: 0 for feature in given.features})
    features = terrain_reader.features(sheet.items("features"))
    grid = None if drawn is None else read_grid(reader, drawn, board, terrain_reader.ids)
    walls = (*(grid.lines() if grid is not None else ()), *terrain_reader.walls(sheet.items("walls")))
    areas = terrain_reader.areas(sheet.items("areas"), AREA_KINDS)
    # Lines of the killzone and of the scene meet each other: corners follow from all of them.
    lines = (*(given.walls if given else ()), *walls)
    own = tuple(feature for feature in given.features if feature.kind != "wall") if given else ()
    terrain = Terrain(
        board,
        (*own, *features, *wall_features(lines)),
        lines,
        (*(given.areas if given else ()), *areas),
        given.rules if given else frozenset(),
        name or "",
    )
    if given is not None and drawn is None and not (features or walls or areas):
        terrain = given  # shared, so that what sight has prepared for it is found again
    people = OperativeReader(terrain_reader, board)
    operatives = people.operatives(sheet.items("operatives", 0, OPERATIVE_LIMIT))
    states, smoke = _states(sheet, terrain.features), _smoke(sheet)
    scene = Scene(terrain, operatives, states, smoke, _rules_date(sheet))
    pairs = _pairs(sheet, operatives)
    weapon = _weapon(sheet)
    move = read_move(sheet, {operative.id: operative.team for operative in operatives})
    shown = sheet.get("photo")
    photo = None if shown is None or shown.value is None else read_photo(reader, shown, path.parent)
    reader.finish()
    people.check_places(scene)
    reader.finish()
    warnings = (*(killzone.warnings if killzone else ()), *reader.warnings)
    document = MappingProxyType(root.plain(NAMES))
    return SceneFile(scene, edition, pairs, weapon, name, path, document, warnings, move, grid, photo)


def _killzone(sheet: Sheet, path: Path) -> tuple[Killzone | None, str | None]:
    node = sheet.get("killzone")
    if node is None:
        if (without := sheet.get("without")) is not None:
            sheet.reader.problem(without, "'without' is given and 'killzone' is not; it names pieces of the killzone")
        return None, None
    before = sheet.reader.count
    name = sheet.text("killzone")
    if sheet.reader.count > before:
        return None, None
    try:
        return load_named(name, path.parent), name
    except UserError as error:
        for problem in error.problems:
            at = f" ({problem.place})" if problem.place else ""
            sheet.reader.problem(node, f"{problem.text}{at}")
    return None, name


def _standing(sheet: Sheet, terrain: Terrain) -> Terrain:
    """A killzone's terrain without the features that the scene says do not stand there."""
    known = [feature.id for feature in terrain.features if feature.kind != "wall"]
    absent = set()
    for item in sheet.items("without", 0, len(terrain.features)):
        id = sheet.reader.text(item, "a piece of the killzone")
        if id in known:
            absent.add(id)
        elif id:
            sheet.reader.problem(item, f"there is no piece '{printable(id)}' in the killzone; {nearest(id, known)}")
    if not absent:
        return terrain  # shared, so that what sight has prepared for it is found again
    return replace(terrain, features=tuple(feature for feature in terrain.features if feature.id not in absent))


def _without_grid(terrain: Terrain, killzone: Killzone) -> Terrain:
    """A killzone's terrain without the walls of its grid."""
    drawn = {line.id for line in (killzone.grid.lines() if killzone.grid is not None else ())}
    features = tuple(feature for feature in terrain.features if feature.id not in drawn)
    return replace(terrain, features=features, walls=tuple(line for line in terrain.walls if line.id not in drawn))


def lines_beside_grid(file: SceneFile) -> tuple[tuple[WallLine, ...], tuple[WallLine, ...]]:
    """The wall lines of a scene that are on no grid: its killzone's, and its own."""
    killzone = load_named(file.killzone, file.path.parent) if file.killzone is not None else None
    given = _without_grid(killzone.terrain, killzone).walls if killzone is not None else ()
    own = {entry["id"] for entry in file.document.get("walls") or []}
    return given, tuple(line for line in file.scene.terrain.walls if line.id in own)


def _board(sheet: Sheet, killzone: Terrain | None) -> tuple[float, float]:
    node = sheet.get("board")
    if node is None:
        return killzone.board if killzone is not None else DEFAULT_BOARD
    if "killzone" in sheet:
        sheet.reader.problem(node, "'board' is given and so is 'killzone', which has a board; leave 'board' out")
    sizes = [sheet.reader.number(item, "the board's size", *BOARD_LIMITS) for item in sheet.items("board", 2, 2)]
    return (sizes[0], sizes[1]) if len(sizes) == 2 else DEFAULT_BOARD


def _rules_date(sheet: Sheet) -> RulesDate:
    node = sheet.get("rules")
    if node is None:
        return RULES_DATES[0]
    found = rules_date(node.text)
    if found is None:
        sheet.reader.problem(node, f"'rules' is '{printable(node.text)}'; {DATES_KNOWN}")
    return found or RULES_DATES[0]


def rules_date(text: str) -> RulesDate | None:
    """The date as of which rules can be asked that *text* names; None when there is none."""
    return next((date for date in RULES_DATES if date == text.strip()), None)


def _states(sheet: Sheet, features: tuple[Feature, ...]) -> Mapping[str, str]:
    node = sheet.get("states")
    if node is None or node.value is None:
        return MappingProxyType({})
    by_id = {feature.id: feature for feature in features if feature.states}
    everything = {feature.id for feature in features}
    states: dict[str, str] = {}
    if not isinstance(node.value, dict):
        sheet.reader.problem(node, "'states' is a mapping from ids of hatchways to their states, such as {h1: open}")
        return states
    for id, item in node.value.items():
        shown = printable(id)
        if id in by_id:
            states[id] = sheet.reader.one_of(item, f"the state of '{shown}'", tuple(by_id[id].states))
        elif id in everything:
            with_states = f"those with states: {', '.join(by_id)}" if by_id else "nothing here has states"
            sheet.reader.problem(item.key_line, f"'{shown}' has no states; {with_states}")
        else:
            sheet.reader.problem(item.key_line, f"there is nothing with states called '{shown}'; {nearest(id, by_id)}")
    return MappingProxyType(states)


def _smoke(sheet: Sheet) -> tuple[tuple[float, float, float], ...]:
    found = []
    for item in sheet.items("smoke", 0, 100):
        x, y, *z = sheet.reader.point(item, "the centre of a smoke marker", (3, 2))
        found.append((x, y, z[0] if z else 0.0))
    return tuple(found)


def _pairs(sheet: Sheet, operatives: tuple[Operative, ...]) -> tuple[tuple[str, str], ...]:
    node = sheet.get("rule")
    if node is None or node.value is None:
        return tuple((a.id, b.id) for a in operatives for b in operatives if a.team != b.team)
    ids = [operative.id for operative in operatives]
    pairs = []
    for item in node.value if isinstance(node.value, list) else [node]:
        pair = sheet.reader.sheet(item, "'rule'", ("from", "to"), ("from", "to"))
        if "from" not in pair or "to" not in pair:
            continue
        names = pair.text("from"), pair.text("to")
        for key, name in zip(("from", "to"), names, strict=True):
            if name and name not in ids:
                where = pair.get(key) or item
                sheet.reader.problem(where, f"there is no operative '{printable(name)}'; {nearest(name, ids)}")
        if names[0] and names[0] == names[1]:
            sheet.reader.problem(item, f"'{printable(names[0])}' cannot shoot itself; name two operatives")
        pairs.append(names)
    return tuple(pairs)


def _weapon(sheet: Sheet) -> Weapon | None:
    node = sheet.get("weapon")
    if node is None or node.value is None:
        return None
    rules = sheet.reader.sheet(node, "'weapon'", ("rules",), ("rules",))
    found = []
    for item in rules.items("rules", 0, 30):
        before = sheet.reader.count
        text = sheet.reader.text(item, "a weapon rule")
        if sheet.reader.count == before and isinstance(wrong := read_any(text), str):
            sheet.reader.problem(item, wrong)
        found.append(text.lower())
    return Weapon(tuple(found))


# -- writing ------------------------------------------------------------------------------------------------------


def dump_scene(file: SceneFile) -> str:
    """The scene as the text of a scene file, with its operatives, states and smoke as they are now.

    Terrain, bodies, weapon and pairs are written as the document has them; an operative the document does not know
    is written with its model. A new scene starts from a document with its terrain.
    """
    document: dict[str, Any] = {"ktsim": VERSION, "edition": file.edition}
    known = dict(file.document)
    scene = file.scene
    if scene.rules_as_of != RULES_DATES[0]:
        document["rules"] = scene.rules_as_of
    if file.killzone is not None:
        document["killzone"] = file.killzone
        if known.get("without"):
            document["without"] = known["without"]
    else:
        document["board"] = [_tidy(value) for value in scene.terrain.board]
    for key in ("features", "grid", "walls"):
        if known.get(key):
            document[key] = known[key]
    if scene.states:
        document["states"] = dict(scene.states)
    if known.get("areas"):
        document["areas"] = known["areas"]
    if scene.smoke:
        document["smoke"] = [[_tidy(value) for value in centre] for centre in scene.smoke]
    written = {entry["id"]: entry for entry in known.get("operatives") or []}
    document["operatives"] = [_operative_entry(one, written.get(one.id)) for one in scene.operatives]
    everyone = tuple((a.id, b.id) for a in scene.operatives for b in scene.operatives if a.team != b.team)
    if file.pairs != everyone:
        document["rule"] = [{"from": a, "to": b} for a, b in file.pairs]
    if file.weapon is not None:
        document["weapon"] = {"rules": list(file.weapon.rules)}
    if file.move is not None:
        document["move"] = file.move.as_entry()
    if file.photo is not None:
        document["photo"] = file.photo.entry()
    return to_yaml(document)


def save_scene(path: Path | str, file: SceneFile) -> SceneFile:
    """Write *file* to *path* (whole or not at all), its photo beside it; what is returned is the file at its new
    place."""
    path = Path(path)
    photo = file.photo
    if photo is not None:
        photo = replace(photo, name=photo.name_beside(path))
    moved = replace(file, path=path, photo=photo)
    text = dump_scene(moved)
    if path.parent.resolve() != file.path.parent.resolve():
        _check_nothing_left_behind(file, path)
    if photo is not None:
        photo.write_beside(path)
    write_atomically(path, text.encode("utf-8"))
    return moved


def _check_nothing_left_behind(file: SceneFile, path: Path) -> None:
    """Meshes and killzone files are named relative to the scene file, so it cannot go elsewhere without them."""
    meshes = [
        part["mesh"]
        for feature in file.document.get("features") or []
        for part in feature.get("parts") or []
        if "mesh" in part
    ]
    bodies = [entry.get("body") or {} for entry in file.document.get("operatives") or []]
    meshes += [body["mesh"] for body in bodies if "mesh" in body]
    if file.killzone is not None and ("/" in file.killzone or file.killzone.endswith((".yaml", ".yml"))):
        meshes.append(file.killzone)
    if meshes:
        raise UserError(
            Problem(
                printable(str(path), 200),
                f"cannot be saved there: the scene uses '{printable(str(meshes[0]))}' in the folder "
                f"{printable(str(file.path.parent), 120)}; save it in that folder",
            )
        )


def _operative_entry(operative: Operative, before: Mapping[str, Any] | None) -> dict[str, Any]:
    at = [_tidy(operative.x), _tidy(operative.y)]
    entry: dict[str, Any] = {"id": operative.id, "team": operative.team, "at": at}
    if operative.level:
        entry["level"] = _tidy(operative.level)
    base = operative.base
    along, across = (_tidy(axis * 2 / MM) for axis in (base.along, base.across))
    entry["base"] = along if base.is_round else [along, across]
    if operative.turn:
        entry["turn"] = _tidy(operative.turn)
    entry["order"] = operative.order
    if before is None:
        body = operative.figure
        if body.name not in models():
            text = f"the miniature of '{printable(operative.id)}' is the mesh '{printable(body.name)}' of a team file"
            raise UserError(f"{text}, which a scene cannot name; choose one of our models for it first")
        top, wide = float(body.triangles[..., 2].max()), widest(body.triangles)
        entry["height"] = _tidy(round(top, 6))
        if not math.isclose(wide, widest(figure(body.name, top).triangles), rel_tol=1e-6):
            entry["width"] = _tidy(round(wide, 6))
        entry["body"] = {"model": operative.figure.name}
        entry["head"] = {"height": _tidy(operative.figure.head[2]), "radius": _tidy(operative.figure.head_radius)}
    else:
        entry.update({key: before[key] for key in ("height", "width", "body", "head") if before.get(key) is not None})
        if "height" not in entry and operative.figure.name in models():
            # The usual height follows from the base, which may be another now.
            tall = round(float(operative.figure.triangles[..., 2].max()), 6)
            if not math.isclose(tall, usual_height(base), abs_tol=1e-5):
                entry["height"] = _tidy(tall)
    return entry


def _tidy(value: float) -> float | int:
    """The same number, without the noise of unit changes and without a needless fraction."""
    near = round(value, 9)
    if not math.isclose(near, value, rel_tol=0, abs_tol=1e-12):
        near = value
    return int(near) if near == int(near) else near
