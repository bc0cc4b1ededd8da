"""The ruling table's left panel: what can be put on the table, what stands on it, and what is selected."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from ktsim.app.ruling.grouping import SIDES
from ktsim.app.ruling.hands import Carry, Hands
from ktsim.app.ruling.matrix import mark_of
from ktsim.app.ruling.model import TableModel
from ktsim.app.ruling.photo_tools import PhotoTools
from ktsim.app.ruling.state import BASES, PLACE_KEYS, TEAMS
from ktsim.app.ruling.terrain_tray import TerrainTray
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import Widgets
from ktsim.killzones.figures import models, widest
from ktsim.killzones.loose_pieces import loose_pieces
from ktsim.killzones.scene_pieces import pieces_of
from ktsim.sight.part_names import readable, titled_words
from ktsim.sight.ruling import Ruling
from ktsim.sight.scene import ORDERS, Operative
from ktsim.sight.standing import SAME_LEVEL

TURN = 15.0
"""Degrees of one press of a turning button or key."""

CAPTION = 15.0
"""How much a caption above a choice needs."""

LEAST_ROSTER = 60.0
"""How much of the panel what stands on the table needs, beside whoever is selected."""
LEAST_TRAY = 200.0
"""How much of the panel the tray needs."""


def tools(
    ui: Widgets,
    rect: Rect,
    model: TableModel,
    hands: Hands,
    photo: PhotoTools,
    tray: TerrainTray,
    targets: Mapping[str, Ruling],
) -> Carry | str | None:
    """Returns what was taken to be put on the table, ``tray`` to open or close the tray, ``photo`` for the photo's
    tools, ``draw-walls`` to draw them, ``operative`` or ``sizes`` for the page of what is selected, or None."""
    carry = hands.carry
    k = ui.pen.size
    with ui.panel("tools", rect):
        x, width = rect.x + 12 * k, rect.w - 24 * k
        y = rect.y + 18 * k
        ui.text(x, y, "PUT ON THE TABLE", "caption", theme.DIM)
        ui.text(rect.right - 12 * k, y, "click or drag", "caption", theme.DIM, align=1)
        y += 12 * k
        asked: Carry | str | None = _operatives(ui, Rect(x, y, width, 38 * k), model, hands)
        y += 44 * k
        asked = _things(ui, Rect(x, y, width, 40 * k), model, hands, tray.is_shown(model)) or asked
        y += 46 * k
        bottom = rect.bottom - 10 * k
        tall = _height(model) * k
        used = hands.walls.height() if hands.tool == "wall" else photo.height
        if bottom - tall - y - used * k > LEAST_ROSTER * k or model.selected is None:
            (hands.walls if hands.tool == "wall" else photo).draw(ui, Rect(x, y, width, used * k))
            y += used * k
        y += 6 * k
        if tray.is_shown(model):
            has_room = bottom - tall - y > LEAST_TRAY * k and model.state.thing is not None
            room = Rect(x, y, width, bottom - y - (tall + 8 * k if has_room else 0))
            asked = tray.draw(ui, room, loose_pieces(), carry) or asked
            is_asked = has_room and _thing(ui, Rect(x, bottom - tall, width, tall), model, hands)
            return "sizes" if is_asked else asked
        _roster(ui, Rect(x, y, width, bottom - tall - y - 8 * k), model, targets)
        below = Rect(x, bottom - tall, width, tall)
        if model.selected is not None:
            if _operative(ui, below, model, hands, model.selected):
                asked = "operative"
        elif model.state.thing is not None:
            if _thing(ui, below, model, hands):
                asked = "sizes"
        elif model.state.group:
            _several(ui, below, hands)
        else:
            _nobody(ui, below, model)
    return asked


def _height(model: TableModel) -> float:
    """How much of the panel what is selected needs."""
    if model.selected is not None:
        return (258.0 if len(model.levels) > 1 else 222.0) + CAPTION * (4 if len(model.levels) > 1 else 3)
    if model.state.group:
        return 178.0
    if model.state.thing is not None:
        return (112.0 if model.piece is not None else 108.0) + CAPTION
    return 122.0


def _operatives(ui: Widgets, rect: Rect, model: TableModel, hands: Hands) -> Carry | None:
    k, carry = ui.pen.size, hands.carry
    in_hand = carry.name if carry is not None and carry.kind == "operative" else ""
    in_hand = hands.rims.team if hands.tool == "rim" else in_hand
    half = (rect.w - 6 * k) / 2
    present = {one.team for one in model.scene.operatives}
    asked = None
    for i, team in enumerate(TEAMS):
        cell = Rect(rect.x + i * (half + 6 * k), rect.y, half, rect.h)
        key = PLACE_KEYS[team]
        is_free = carry is None and hands.tool == "select"
        is_next = is_free and team not in present and (team == "blue" or "blue" in present)
        called = theme.seat_name(team)
        tip = f"A {called} operative: drag it onto the table, or click here and there ({key})"
        name = f"place-{team}"
        if ui.button(
            cell, f"{called.capitalize()}##{name}", seat=team, primary=is_next, chosen=team == in_hand, tip=tip, key=key
        ):
            asked = Carry("operative", team)
        if ui.dragged == name:
            asked = Carry("operative", team, is_dragged=True)
    return asked


def _things(ui: Widgets, rect: Rect, model: TableModel, hands: Hands, has_tray: bool) -> Carry | str | None:
    """What else there is to put on the table."""
    k = ui.pen.size
    kind = hands.carry.kind if hands.carry is not None else ""
    has_photo = model.state.file.photo is not None
    rows = (
        ("tray", "ruin", "Terrain", "Terrain pieces to put on the table (P)", has_tray or kind == "piece"),
        ("place-smoke", "smoke", "Smoke", "A smoke marker (K)", kind == "smoke"),
        ("draw-walls", "corner", "Walls", "Draw walls along their grid (Shift+C)", hands.tool == "wall"),
        ("photo", "photo", "Photo", "A photo of the real board under the table (Ctrl+V pastes one)", has_photo),
    )
    wide = (rect.w - 6 * k * (len(rows) - 1)) / len(rows)
    asked: Carry | str | None = None
    for i, (name, icon, word, tip, chosen) in enumerate(rows):
        cell = Rect(rect.x + i * (wide + 6 * k), rect.y, wide, rect.h)
        if ui.button(cell, f"##{name}", chosen=chosen, tip=tip):
            asked = Carry("smoke") if name == "place-smoke" else name
        ui.pen.icon(icon, cell.x + wide / 2, cell.y + cell.h / 2 - 7 * k, 16 * k, theme.TEXT)
        ui.text(cell.x + wide / 2, cell.bottom - 10 * k, word, "caption", theme.SOFT, align=0.5)
    return Carry("smoke", is_dragged=True) if ui.dragged == "place-smoke" else asked


def _roster(ui: Widgets, rect: Rect, model: TableModel, targets: Mapping[str, Ruling]) -> None:
    k = ui.pen.size
    tall = 30 * k
    scene = model.scene
    hatches = [feature for feature in scene.terrain.features if feature.states]
    pieces = pieces_of(model.state.file)
    ui.text(rect.x, rect.y + 6 * k, "ON THE TABLE", "caption", theme.DIM)
    rows = len(scene.operatives) + len(pieces) + len(scene.smoke) + len(hatches)
    ui.text(rect.right, rect.y + 6 * k, str(rows), "caption", theme.DIM, align=1)
    body = Rect(rect.x, rect.y + 18 * k, rect.w, rect.h - 18 * k)
    if not rows:
        first, second = (theme.seat_name(team).capitalize() for team in TEAMS)
        words = f"Nobody yet. Take {first} and click the table where it stands; then {second}."
        ui.paragraph(body.x, body.y + 4 * k, body.w, words, "caption", theme.SOFT)
    with ui.scrolled("roster", body, rows * (tall + 4)) as top:
        y = top
        for one in scene.operatives:
            _roster_row(ui, Rect(body.x, y, body.w - 10, tall), model, one, targets.get(one.id))
            y += tall + 4
        for piece in pieces:
            chosen = model.state.thing == ("piece", piece.id)
            row = Rect(body.x, y, body.w - 10, tall)
            if ui.button(row, f"{titled_words(piece.id)}##row-{piece.id}", icon="ruin", chosen=chosen, align=0):
                model.select_thing(("piece", piece.id))
            y += tall + 4
        for number in range(len(scene.smoke)):
            chosen = model.state.thing == ("smoke", str(number))
            row = Rect(body.x, y, body.w - 10, tall)
            if ui.button(row, f"Smoke {number + 1}##row-smoke-{number}", icon="smoke", chosen=chosen, align=0):
                model.select_thing(("smoke", str(number)))
            y += tall + 4
        for feature in hatches:
            state = scene.states.get(feature.id) or feature.initial or ""
            row = Rect(body.x, y, body.w - 10, tall)
            tip = "Open or close it here, or by a click on the table"
            if ui.button(
                row, f"{titled_words(feature.id)}##row-{feature.id}", icon="door", align=0, key=state, tip=tip
            ):
                model.toggle(feature.id)
            y += tall + 4


def _roster_row(ui: Widgets, row: Rect, model: TableModel, one: Operative, found: Ruling | None) -> None:
    """An operative, who it is in the question, and whether the shooter may shoot it."""
    k = ui.pen.size
    move = model.state.file.move
    roles = {model.state.shooter: "shoots", model.state.target: "target"}
    role = (roles if move is None else {move.to: "goal", move.who: "moves"}).get(one.id, "")
    said = f"{one.id}: {readable(found.headline, found.scene.terrain)}" if found is not None else ""
    room = Rect(row.x, row.y, row.w - 22 * k, row.h)  # its place is kept where there is no mark yet
    label = f"{one.id}##row-{one.id}"
    is_selected = one.id == model.state.selected
    if ui.button(room, label, seat=one.team, icon=one.order, chosen=is_selected, align=0, key=role, tip=said):
        model.select(one.id)
    if found is not None:
        ui.said.append(said)
        icon, colour = mark_of(found)
        ui.pen.icon(icon, row.right - 9 * k, row.y + row.h / 2, 14 * k, colour)


def _nobody(ui: Widgets, rect: Rect, model: TableModel) -> None:
    """Nothing is selected: what the next operative will be, and what a click does."""
    k = ui.pen.size
    ui.text(rect.x, rect.y + 6 * k, "NEXT OPERATIVE'S BASE, MM", "caption", theme.DIM)
    _bases(ui, Rect(rect.x, rect.y + 18 * k, rect.w, 34 * k), model, model.base)
    opens = any(feature.states for feature in model.scene.terrain.features)
    words = f"Click to select, drag to move{', click a hatchway to open or close it' if opens else ''}."
    ui.paragraph(rect.x, rect.y + 64 * k, rect.w, words, "caption", theme.SOFT)


def _bases(ui: Widgets, rect: Rect, model: TableModel, now: str) -> None:
    options = [(name, "oval" if "x" in name else name) for name in BASES]
    chosen = ui.choice(rect, options, now, "base", "The base's size in millimetres")
    if chosen is not None:
        model.set_base(chosen)


def _place(ui: Widgets, rect: Rect, hands: Hands, id: str, at: tuple[float, float], turn: float | None) -> None:
    """Where what is selected is and how it is turned, to be typed over; without a *turn* it cannot be turned."""
    k = ui.pen.size
    gap, narrow = 4 * k, 26 * k
    wide = (rect.w - (2 * narrow + 4 * gap if turn is not None else gap)) / (3 if turn is not None else 2)
    cells = [Rect(rect.x + i * (wide + gap), rect.y, wide, rect.h) for i in range(3)]
    x = ui.number(cells[0], f"x-{id}", at[0], "Inches from the table's left edge: type another")
    y = ui.number(cells[1], f"y-{id}", at[1], "Inches from the table's near edge: type another")
    facing = ui.number(cells[2], f"turn-{id}", turn, "Degrees: type another", 1) if turn is not None else None
    if x is not None or y is not None or facing is not None:
        place = at[0] if x is None else x, at[1] if y is None else y, turn if facing is None else facing
        hands.later(lambda: hands.arrange.place(*place))
    if turn is not None:
        ways = (("turn-left", "undo", TURN, "left (Q"), ("turn-right", "redo", -TURN, "right (W"))
        for i, (name, icon, degrees, words) in enumerate(ways):
            cell = Rect(rect.right - (2 - i) * narrow - (1 - i) * gap, rect.y, narrow, rect.h)
            if ui.button(cell, f"##{name}", tip=f"Turn {words}, Ctrl+wheel)"):
                hands.later(partial(hands.model.turn_selected, degrees))
            ui.pen.icon(icon, cell.x + cell.w / 2, cell.y + cell.h / 2, 13 * k, theme.TEXT)


def _thing(ui: Widgets, rect: Rect, model: TableModel, hands: Hands) -> bool:
    """A terrain piece or a smoke marker. Returns whether the page of its sizes was asked for."""
    k = ui.pen.size
    piece, smoke = model.piece, model.smoke
    at = piece.at if piece is not None else model.scene.smoke[smoke] if smoke is not None else (0.0, 0.0, 0.0)
    title = titled_words(piece.id) if piece is not None else f"Smoke {(smoke or 0) + 1}"
    ui.text(rect.x, rect.y + 10 * k, ui.pen.fitted(title, "h3", rect.w), "h3")
    y = _caption(ui, rect.x, rect.y + 26 * k, "X, Y IN INCHES" if piece is None else "X, Y IN INCHES, TURN")
    id, turn = (piece.id, piece.turn) if piece is not None else (f"smoke-{smoke}", None)
    _place(ui, Rect(rect.x, y, rect.w, 34 * k), hands, id, at[:2], turn)
    third = (rect.w - 10 * k) / 3
    y += 42 * k
    remove, asked = Rect(rect.x, y, rect.w, 36 * k), False
    if piece is not None:
        remove = Rect(rect.right - third, y, third, 36 * k)
        if ui.button(Rect(rect.x, y, third, 36 * k), "Copy##duplicate", tip="Another one beside it (Ctrl+D)"):
            hands.later(hands.arrange.duplicate)
        tip = "Its height, levels and walls, as large as yours are (S)"
        asked = ui.button(Rect(rect.x + third + 5 * k, y, third, 36 * k), "Sizes##sizes", tip=tip)
    if ui.button(remove, "Remove##remove", tip="Take it off the table (Delete)"):
        hands.later(model.remove_selected)
    return asked


def _several(ui: Widgets, rect: Rect, hands: Hands) -> None:
    """Several things at once."""
    k, group = ui.pen.size, hands.grouping
    ui.text(rect.x, rect.y + 10 * k, f"{len(group.members)} selected", "h3")
    y = _caption(ui, rect.x, rect.y + 28 * k, "ALIGN THEIR SIDES")
    rows: list[list[tuple[str, str, str, Callable[[], object]]]] = [
        [
            (f"align-{side}", side.capitalize(), f"Their {side} sides on one line", partial(group.align, side))
            for side in SIDES
        ],
        [
            ("turn-left", "Left", "Turn them left about their middle (Q)", partial(group.turn, TURN)),
            ("turn-right", "Right", "Turn them right about their middle (W)", partial(group.turn, -TURN)),
            ("mirror", "Mirror", "Others like them, mirrored through the middle of the board (Ctrl+M)", group.mirror),
        ],
        [
            ("duplicate", "Copy", "Others like them beside them (Ctrl+D)", group.duplicate),
            ("remove", "Remove", "Take them off the table (Delete)", group.remove),
        ],
    ]
    for number, row in enumerate(rows):
        wide = (rect.w - 5 * k * (len(row) - 1)) / len(row)
        for i, (name, label, tip, run) in enumerate(row):
            cell = Rect(rect.x + i * (wide + 5 * k), y, wide, 34 * k)
            icon = {"turn-left": "undo", "turn-right": "redo"}.get(name, "")
            if ui.button(cell, f"{'' if icon else label}##{name}", tip=tip, icon=icon):
                hands.later(run)
        y += (40 if number else 42) * k


def _caption(ui: Widgets, x: float, y: float, words: str) -> float:
    """Words above a choice; where the choice begins."""
    ui.text(x, y + 5 * ui.pen.size, words, "caption", theme.DIM)
    return y + CAPTION * ui.pen.size


def _operative(ui: Widgets, rect: Rect, model: TableModel, hands: Hands, one: Operative) -> bool:
    """Whether its page was asked for."""
    k = ui.pen.size
    x, half, y = rect.x, (rect.w - 6 * k) / 2, rect.y
    ui.pen.seat(one.team, x + 8 * k, y + 10 * k, 14 * k)
    ui.text(x + 22 * k, y + 10 * k, ui.pen.fitted(one.id, "h3", rect.w - 122 * k), "h3")
    page = Rect(rect.right - 94 * k, y - 4 * k, 30 * k, 28 * k)
    asked = ui.button(page, "##operative", tip="Its name, its size, its weapon's rules (S)")
    ui.pen.icon("pen", page.x + page.w / 2, page.y + page.h / 2, 13 * k, theme.TEXT)
    for i, team in enumerate(TEAMS):
        cell = Rect(rect.right - 62 * k + i * 32 * k, y - 4 * k, 30 * k, 28 * k)
        if ui.button(cell, f"##team-{team}", chosen=one.team == team, tip=f"It is {theme.seat_name(team)}'s"):
            model.set_team(one.id, team)
        ui.pen.seat(team, cell.x + cell.w / 2, cell.y + cell.h / 2, 13 * k)
    y += 28 * k
    for i, order in enumerate(ORDERS):
        cell = Rect(x + i * (half + 6 * k), y, half, 36 * k)
        chosen = one.order == order
        if ui.button(cell, f"{order.capitalize()}##order-{order}", icon=order, chosen=chosen, tip="Order (O)"):
            model.set_order(one.id, order)
    y += 42 * k
    base = next((name for name, base in BASES.items() if base == one.base), "")
    y = _caption(ui, x, y, "BASE, MM")
    _bases(ui, Rect(x, y, rect.w, 32 * k), model, base)
    tall, wide = float(one.figure.triangles[..., 2].max()), widest(one.figure.triangles)
    y = _caption(ui, x, y + 37 * k, f'MINIATURE, {tall:.3g}" TALL, {wide:.2g}" WIDE')
    figures = [(name, name.capitalize()) for name in models()]
    chosen_figure = ui.choice(Rect(x, y, rect.w, 32 * k), figures, one.figure.name, "figure", "The miniature (I)")
    if chosen_figure is not None:
        model.set_figure(chosen_figure)
    y += 37 * k
    heights = model.levels
    if len(heights) > 1:
        y = _caption(ui, x, y, "LEVEL")
        there = model.levels_of(one)
        options = [
            (f"{i}", "Floor" if height == 0 else f'{height:.1f}"')
            for i, height in enumerate(heights)
            if any(abs(height - level) < SAME_LEVEL for level in there)
        ]
        now = min(range(len(heights)), key=lambda i: abs(heights[i] - one.level))
        chosen_level = ui.choice(Rect(x, y, rect.w, 32 * k), options, str(now), "level", "The level it stands on (L)")
        if chosen_level is not None:
            hands.later(partial(model.set_level, one.id, heights[int(chosen_level)]))
        y += 37 * k
    y = _caption(ui, x, y, "X, Y IN INCHES, FACING")
    _place(ui, Rect(x, y, rect.w, 32 * k), hands, one.id, (one.x, one.y), one.turn)
    y += 38 * k
    small = 34 * k
    wide = (rect.w - 2 * small - 15 * k) / 2
    shoots, aimed_at = model.state.shooter == one.id, model.state.target == one.id
    if ui.button(Rect(x, y, wide, 36 * k), "Shoots##shooter", chosen=shoots, tip="Who shoots (1)") and not shoots:
        model.choose_shooter(one.id)
    target = Rect(x + wide + 5 * k, y, wide, 36 * k)
    if ui.button(target, "Target##target", chosen=aimed_at, tip="Who is shot at (2)") and not aimed_at:
        model.choose_target(one.id)
    copy, remove = (Rect(rect.right - n * small - (n - 1) * 5 * k, y, small, 36 * k) for n in (2, 1))
    if ui.button(copy, "##duplicate", tip="Another like it beside it (Ctrl+D)"):
        hands.later(hands.arrange.duplicate)
    ui.pen.icon("copy", copy.x + small / 2, copy.y + 18 * k, 14 * k, theme.TEXT)
    if ui.button(remove, "##remove", tip="Take it off the table (Delete)"):
        hands.later(model.remove_selected)
    ui.pen.icon("cross", remove.x + small / 2, remove.y + 18 * k, 14 * k, theme.TEXT)
    return asked
