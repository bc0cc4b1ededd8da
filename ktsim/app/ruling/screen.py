"""The ruling table: put operatives and terrain on a board, and read the ruling on one of them shooting at another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeAlias

from panda3d.core import Texture

from ktsim.app.card import drawing as card_drawing
from ktsim.app.card.elevation import Elevation, side_of
from ktsim.app.card.view import RulingView
from ktsim.app.ruling import bar, move_panel, tools, verdict
from ktsim.app.ruling.hands import Carry
from ktsim.app.ruling.keys import KEYS, Inset, command
from ktsim.app.ruling.killzones import KillzoneScreen
from ktsim.app.ruling.layout import TableLayout, lay_out
from ktsim.app.ruling.matrix import MatrixScreen
from ktsim.app.ruling.model import TableModel
from ktsim.app.ruling.move_panel import LOOKING
from ktsim.app.ruling.operative_page import OperativeScreen
from ktsim.app.ruling.photo_tools import PhotoTools
from ktsim.app.ruling.prompts import tool_options, tool_words
from ktsim.app.ruling.scan_page import ScanScreen
from ktsim.app.ruling.sizes_page import SizesScreen
from ktsim.app.ruling.table_files import TableFiles
from ktsim.app.ruling.table_view import EyeInset, TableView
from ktsim.app.ruling.terrain_tray import TerrainTray
from ktsim.app.ruling.verdict import CompareScreen, PointedSentence
from ktsim.app.screens.files import FileScreen
from ktsim.app.screens.keys import KeysScreen
from ktsim.app.screens.screen import Held, Host, Screen
from ktsim.app.screens.settings_page import SettingsScreen
from ktsim.app.stage.labels import TableLabels
from ktsim.app.stage.picture import Frame
from ktsim.app.ui import clipboard, theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.rect import Place
from ktsim.app.ui.widgets import Widgets
from ktsim.content.mesh_file import FORMATS
from ktsim.errors import UserError
from ktsim.killzones.scene_file import SceneFile
from ktsim.sight.part_names import readable, titled_words
from ktsim.sight.ruling import Ruling

Action: TypeAlias = (
    bar.TableBarAction
    | bar.StripAction
    | verdict.VerdictAction
    | Literal["tray", "operative", "sizes", "move", "photo", "paste", "rims", "draw-walls"]
)
TARGETS_A_FRAME = 2
"""Rulings on other enemies asked for in one frame, so that none takes long."""


class RulingTable(Screen):
    """One table with what stands on it; the shell keeps it while other screens are shown."""

    name = "table"

    def __init__(
        self,
        desktop: Host,
        file: SceneFile,
        area: Callable[[RulingTable], Screen],
        play: Callable[[SceneFile], Screen],
    ) -> None:
        """*area* makes the screen that asks what can be seen from where on this table, *play* the page from which a
        game goes on from it."""
        super().__init__(desktop)
        self._area, self._play = area, play
        self.view = TableView(desktop.engine, TableModel(file), self._frame(), desktop.settings)
        self.view.may_rule = desktop.may_rule
        self.view.hands.later = desktop.later
        self.inset = EyeInset(self.view)
        self.photo = PhotoTools(desktop, self.view)
        self.files = TableFiles(desktop, self.view.model)
        self.tray = TerrainTray(desktop)
        self.is_fresh = True
        """Whether nobody has been at it yet: until then the start screen shows it as it likes."""
        self.enlarged: Inset | None = None
        """Which of the smaller pictures is shown large."""
        self.pointed = PointedSentence()
        self._side: tuple[RulingView, str, Elevation | None] | None = None
        self._labels = TableLabels()
        self._has_all_targets = True
        self._is_unruled = True
        """Whether there has been no ruling since something else was put on the table."""

    @property
    def model(self) -> TableModel:
        return self.view.model

    @property
    def layout(self) -> TableLayout:
        return lay_out(self.desktop.size, self.desktop.pen.size)

    def _frame(self) -> Frame:
        return Frame(self.desktop.size, self.desktop.scale, self.layout.free())

    def lay(self, file: SceneFile) -> None:
        """Put something else on the table; undo brings back what was there."""
        self.files.set_aside()
        self.model.lay(file)
        self._offer()
        self._is_unruled, self.view.picture.camera.is_touched = True, False

    # ---- coming and going -----------------------------------------------------------------------------------
    def enter(self) -> None:
        if self.is_fresh:
            self.is_fresh = False
            self.view.picture.refit(self.layout.free())
            self._offer()

    def _offer(self) -> None:
        """The first thing to do on a table without anybody is in hand already."""
        self.view.hands.take(self.view.hands.offer() if not self.model.scene.operatives else None)

    def leave(self) -> None:
        self.desktop.attempt(lambda: self.view.hands.release(True))

    def close(self) -> None:
        self.files.close()
        self.view.desk.close()
        self.view.picture.close()

    def back(self) -> bool:
        view = self.view
        if view.hands.back():
            return True
        if self.tray.is_open:
            self.tray.is_open = False
        elif self.enlarged is not None:
            self.enlarged = None
        elif view.picture.eye is not None:
            view.picture.look_through(None)
        elif view.model.origin is not None:
            view.model.origin = None
        elif view.hands.grouping.members:
            view.model.select(None)
        else:
            return False
        return True

    # ---- the picture ----------------------------------------------------------------------------------------
    @property
    def texture(self) -> Texture:
        return self.view.picture.texture

    def update(self, now: float) -> None:
        if self.view.update(now):
            self.desktop.refresh_once()
        if self._is_unruled and self._shows_insets():
            self._is_unruled = False
            self.view.come_nearer()
            self.desktop.refresh()
        if self._shows_insets():
            place, scale = self._inset_place("eye"), self.desktop.scale
            self.inset.update((round(place.w * scale), round(place.h * scale)))

    def _shows_insets(self) -> bool:
        """The side view and the eye view are too slow to follow a drag."""
        return self._ruling() is not None and not self.view.hands.is_dragging and self.view.hands.carry is None

    @property
    def wants_frames(self) -> bool:
        return self.view.picture.is_moving or not self._has_all_targets

    def resized(self) -> None:
        self.inset.forget()
        self.view.picture.resize(self._frame(), self.desktop.settings)

    def attend(self) -> None:
        self.files.attend(is_dragging=self.view.hands.is_dragging)
        jobs = self.view.desk.jobs
        if jobs.fault is not None:
            self.desktop.show_fault(jobs.fault)
            jobs.fault = None
        if self.view.attend():
            self.desktop.refresh()

    # ---- input ----------------------------------------------------------------------------------------------
    def pointer(self, at: Place) -> None:
        self.view.hands.move(at)

    def press(self, button: str, at: Place, held: Held) -> None:
        self.view.picture.camera.arrive()
        self.view.hands.press(button, at, held.shift, held.control)

    def release(self, button: str, at: Place) -> None:
        self.view.hands.release(self.desktop.ui.covers(*at), at)

    def wheel(self, notches: int, at: Place, held: Held) -> None:
        self.view.hands.wheel(notches, at, held.control or held.alt)

    def key(self, key: str, held: Held) -> None:
        run = command(self, key, held)
        if run is not None:
            run()

    def dropped(self, path: Path) -> bool:
        if path.suffix.lower() in FORMATS:
            self.scan(path)
            return True
        return self.photo.dropped(path)

    def notice_place(self) -> Rect:
        return self.layout.notice

    def free_place(self) -> Place:
        """Where the keyboard puts things down: under the pointer if it is over the table, else in the middle."""
        at, middle = self.desktop.at, self.layout.middle
        if middle.x <= at[0] < middle.right and middle.y <= at[1] < middle.bottom and not self.desktop.ui.covers(*at):
            return at
        return middle.x + middle.w / 2, middle.y + middle.h / 2

    # ---- what panels ask for --------------------------------------------------------------------------------
    def take(self, carry: Carry) -> None:
        """Take something to put on the table; taking the same again puts it away."""
        hands = self.view.hands
        if hands.tool == "rim" and carry.kind == "operative" and not carry.is_dragged:
            hands.rims.team = carry.name  # whose the next base is
            return
        if carry.kind == "piece" and self.photo.photo is not None and not carry.is_dragged:
            carry = replace(carry, corner=0)  # corners are what is seen in a photo
        same = hands.carry is not None and (hands.carry.kind, hands.carry.name) == (carry.kind, carry.name)
        same = same and hands.carry is not None and not hands.carry.is_offered
        if same and not carry.is_dragged:
            hands.take(None)
        elif not same or (hands.carry is not None and not hands.carry.is_dragged):
            hands.take(carry)

    def enlarge(self, inset: Inset) -> None:
        """Show one of the smaller pictures large, or small again."""
        self.enlarged = None if self.enlarged == inset else inset
        self.desktop.refresh()

    def _inset_place(self, inset: Inset) -> Rect:
        layout = self.layout
        if self.enlarged == inset:
            return layout.large
        return layout.eye if inset == "eye" else layout.side

    def do(self, action: Action) -> None:
        """What a button or a key asks for. Raises UserError when it cannot be done."""
        view, model, desktop = self.view, self.model, self.desktop
        if action == "back":
            desktop.pop(self)
        elif action == "killzones":
            desktop.push(KillzoneScreen(desktop))
        elif action == "settings":
            desktop.push(SettingsScreen(desktop))
        elif action == "keys":
            desktop.push(KeysScreen(desktop, KEYS))
        elif action == "tray":
            self.tray.toggle(model)
        elif action == "tape" or action == "ring":
            view.hands.use(action)
        elif action == "photo":
            self.photo.use()
        elif action == "paste":
            self.photo.paste()
        elif action == "rims":
            view.hands.use("rim")
        elif action == "draw-walls":
            view.hands.use("wall")
        elif action == "operative" or action == "sizes":
            if model.selected is not None:
                desktop.push(OperativeScreen(desktop, model, model.selected.id))
            elif model.piece is not None:
                desktop.push(SizesScreen(desktop, model, model.piece.id))
        elif action == "grid":
            model.snap.other()
        elif action == "walls":
            if not model.scene.terrain.walls:
                raise UserError("There are no walls on this table whose corners and ends could be shown.")
            view.has_walls = not view.has_walls
        elif action == "area":
            desktop.push(self._area(self))
        elif action == "play":
            desktop.push(self._play(model.state.file))
        elif action == "matrix":
            desktop.push(MatrixScreen(desktop, model))
        elif action == "pair":
            view.frame_pair()
        elif action == "move":
            self._turn_to_move()
        elif view.desk.asked is not None and action in ("copy", "export"):
            self._pass_on_move(action)
        elif action == "swap":
            model.swap()
        elif action == "best":
            model.origin = None
        elif action == "open":
            desktop.push(FileScreen.opening(desktop))
        elif action == "save":
            self.files.ask_for_file()
        elif model.ruling is None or view.ruling is None:
            need = f"That needs a ruling. {model.prompt}." if model.prompt else ""
            raise UserError(need or "The ruling comes as soon as the sight engine is ready.")
        elif action == "compare":
            desktop.push(CompareScreen(desktop, model))
        elif action == "copy":
            found = model.tried or model.ruling
            is_there = clipboard.copy(readable(found.as_text(), found.scene.terrain))
            desktop.say("The ruling's text is on the clipboard." if is_there else clipboard.MISSING)
        elif action == "export":
            self.files.ask_for_card()

    def _turn_to_move(self) -> None:
        """Ask about the selected one's move, or back to shots."""
        desk, selected = self.view.desk, self.model.state.selected
        if desk.asked is None or (selected is not None and selected != desk.asked.who):
            desk.start(selected)
        else:
            desk.stop()

    def _pass_on_move(self, action: Action) -> None:
        found = self.view.move
        if found is None:
            need = "Click where it is to go, or an enemy to charge."
            raise UserError(f"That needs a ruling. {LOOKING if self.view.desk.is_working else need}")
        if action == "copy":
            is_there = clipboard.copy(readable(found.found.as_text(), self.model.scene.terrain))
            self.desktop.say("The ruling's text is on the clipboard." if is_there else clipboard.MISSING)
        else:
            self.files.ask_for_card()

    def copy_picture(self) -> None:
        """The ruling's card to the clipboard."""
        if self.view.ruling is None and self.view.move is None:
            raise UserError("That needs a ruling.")
        self.files.copy_card()

    def summary(self) -> dict[str, str]:
        found, carry = self.view.ruling, self.view.hands.carry
        return {
            "placing": "nobody" if carry is None else carry.name or carry.kind,
            "operatives": str(len(self.model.scene.operatives)),
            "held": self.view.hands.held,
            "ruling": found.sentence if found is not None else "none",
            "move": self.view.move.sentence if self.view.move is not None else "none",
        }

    # ---- panels ---------------------------------------------------------------------------------------------
    def draw(self, ui: Widgets) -> None:
        view, layout, hands = self.view, self.layout, self.view.hands
        picture = view.picture
        self._labels.over(ui.pen, picture, layout.middle, self.desktop.at)
        found, scene = self._ruling(), view.model.scene  # before the bar takes a step back
        asked: Action | None = bar.bar(ui, layout.bar, view.model)
        if bar.asks(ui, layout.asks, view.desk):
            asked = "move"
        asked = bar.strip(ui, layout.strip, hands.tool, view.model.snap, view.has_walls) or asked
        is_preparing = not view.model.prompt and not self.desktop.may_rule()
        self.pointed = PointedSentence()
        pressed: Action | None
        if view.desk.asked is not None:
            pressed = self._draw_move(ui)
        else:
            pressed = verdict.verdict_panel(
                ui,
                layout.verdict,
                scene,
                found,
                view.best,
                self.pointed,
                is_preparing=is_preparing,
                is_looking=view.is_looking,
            )
        lit = found.named_in(self.pointed.text) if found is not None and self.pointed.text else ()
        if lit != view.lit:
            view.lit = lit
            self.desktop.refresh_once()
        asked = pressed or asked
        targets = self._targets() if found is not None else {}
        taken = tools.tools(ui, layout.tools, view.model, hands, self.photo, self.tray, targets)
        self._draw_middle(ui, found)
        if hands.box is not None:
            ui.pen.box(Rect.between(*hands.box), None, theme.ACCENT, thick=1.5)
        if isinstance(taken, Carry):
            self.take(taken)
        elif taken == "photo" or taken == "draw-walls":
            asked = "photo" if taken == "photo" else "draw-walls"
        elif taken == "scan":
            self.desktop.later(self.scan)
        elif taken == "operative" or taken == "sizes":
            asked = "operative" if taken == "operative" else "sizes"
        elif taken is not None:
            asked = "tray"
        if asked is not None:
            action = asked
            self.desktop.later(lambda: self.do(action))

    def scan(self, path: Path | None = None) -> None:
        """Make a piece of one's own out of a mesh; it is then in hand."""
        self.desktop.push(ScanScreen(self.desktop, self._made, path))

    def _made(self, piece: str) -> None:
        self.take(Carry("piece", piece))
        self.desktop.say(f"{titled_words(piece)} is among your terrain. Click where it stands.")

    def _draw_move(self, ui: Widgets) -> Action | None:
        """The question about a move, in place of the one about a shot."""
        view = self.view
        asked, lit = move_panel.move_panel(ui, self.layout.verdict, view.desk, view.move, self.desktop.later)
        if lit != view.lit_leg:
            view.lit_leg = lit
            self.desktop.refresh_once()
        return asked

    def _targets(self) -> dict[str, Ruling]:
        """The rulings on every enemy of the shooter that are known."""
        shooter, may_ask = self.model.state.shooter, self._may_ask_more()
        pairs = [pair for pair in self.model.pairs if pair[0] == shooter]
        found = self.model.rulings(pairs, TARGETS_A_FRAME if may_ask else 0)
        self._has_all_targets = not may_ask or len(found) >= len(pairs)
        return {target: ruling for (_, target), ruling in found.items()}

    def _may_ask_more(self) -> bool:
        return self._ruling() is not None and not self.view.hands.is_dragging and self.desktop.may_rule()

    def _draw_middle(self, ui: Widgets, found: RulingView | None) -> None:
        view, layout, hands = self.view, self.layout, self.view.hands
        if words := tool_words(hands):
            verdict.prompt(ui, layout.banner, words)
            tool_options(ui, layout.middle, hands)
        elif found is not None:
            verdict.verdict_banner(ui, layout.banner, found)
        elif view.move is not None:
            move_panel.move_banner(ui, layout.banner, view.move)
        elif view.desk.asked is not None and self.desktop.may_rule():
            what = f"Click where {view.desk.asked.who} is to go, or an enemy to charge"
            verdict.prompt(ui, layout.banner, LOOKING if view.desk.asked.to is not None else what)
        else:
            stage = self.desktop.preparing() if not view.model.prompt else None
            words = view.model.prompt or "Preparing the sight engine, once only"
            verdict.prompt(ui, layout.banner, words, stage)
        if found is not None and self._shows_insets():
            if self.enlarged != "eye":
                self._draw_side(ui, found)
            if self.enlarged != "side":
                self._draw_eye(ui, found)

    def _draw_eye(self, ui: Widgets, found: RulingView) -> None:
        rect = self._inset_place("eye")
        texture, version = self.inset.texture, self.inset.version
        shown = self.desktop.backend.picture(texture, version) if texture is not None else None
        with ui.panel("eye", rect, fill=None):
            card_drawing.captioned(ui.pen, rect, "eye", f"What {found.shooter} sees", shown)
            self._size_button(ui, rect, "eye", "Y")

    def _size_button(self, ui: Widgets, rect: Rect, inset: Inset, key: str) -> None:
        """The whole of a smaller picture makes it large, and small again."""
        k, is_large = ui.pen.size, self.enlarged == inset
        tip = f"Click: {'small again' if is_large else 'large'} ({key})"
        if ui.area(rect, f"enlarge-{inset}", tip):
            self.desktop.later(lambda: self.enlarge(inset))
        ui.pen.icon("cross" if is_large else "expand", rect.right - 16 * k, rect.y + 15 * k, 12 * k, theme.SOFT)

    def _ruling(self) -> RulingView | None:
        """The ruling shown, unless the table has changed since: then the next frame shows the new one."""
        found = self.view.ruling
        if found is None:
            return None
        ids = {one.id for one in self.model.scene.operatives}
        return found if {found.shooter, found.target} <= ids else None

    def _draw_side(self, ui: Widgets, found: RulingView) -> None:
        """Along the line of what is pointed at, else along the one that decided."""
        rect, part = self._inset_place("side"), self.view.lit[0] if self.view.lit else ""
        if self._side is None or self._side[0] is not found or self._side[1] != part:
            self._side = (found, part, side_of(self.view.picture.scene, found, part))
        cut = self._side[2]
        if cut is not None:
            with ui.panel("side", rect, fill=None):
                card_drawing.side_view(ui.pen, rect, cut, found, 24 * ui.pen.size)
                self._size_button(ui, rect, "side", "U")
