"""The program in a window: start screen, ruling table and dialogs over one output, fed with input by whoever has it.

The output may be a window or a buffer; tests use the second and press widgets by where they stand. Nothing is drawn
unless something happened: `frame` draws the interface, and the table only if it looks different now.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal, TypeAlias

from imgui_bundle import imgui
from panda3d.core import GraphicsOutput

from ktsim import paths
from ktsim.errors import UserError
from ktsim.killzones.scene_file import SceneFile, load_scene

from . import card_drawing
from .card import side_words
from .card_process import CardJob
from .elevation import Elevation, elevation
from .panels import dialogs, start, table, verdict
from .panels.layout import TableLayout, lay_out
from .ruling_view import RulingView
from .stage.cameras import Free
from .stage.engine import Engine
from .stage.quality import Level
from .stage.screen import Screen
from .table.model import TableModel, new_file
from .table.view import TableView, label_items
from .ui import clipboard, theme
from .ui.backend import Backend
from .ui.pen import Pen, Rect
from .ui.widgets import Widgets

FIRST_KILLZONE = "volkus-1"
"""What lies on the table when it is first opened."""

SETTLING = 3
"""Frames drawn after an input: ImGui tells hovering and pressing over two, the last shows the outcome."""

Page: TypeAlias = Literal["killzones", "about"]


class Desktop:
    """Everything a window shows. *size* is the output's in pixels, *scale* pixels per unit of the interface."""

    def __init__(
        self,
        engine: Engine,
        output: GraphicsOutput,
        size: tuple[int, int],
        scale: float = 1.0,
        level: Level = "low",
        text: float = 1.0,
        may_rule: Callable[[], bool] = lambda: True,
    ) -> None:
        self.may_rule = may_rule
        self.engine, self.output, self.level = engine, output, level
        self.backend = Backend(output, size, scale)
        self.pen = Pen(self.backend.io, text)
        self.ui = Widgets(self.pen)
        self.pixels, self.scale = size, scale
        self.on_table = False
        self.view: TableView | None = None
        self.page: Page | None = None
        self.file: dialogs.FileDialog | None = None
        self.notice = ""
        self.card: CardJob | None = None
        self.wants_to_quit = False
        self.frames = 0
        self.wanted = SETTLING
        self.at = (0.0, 0.0)
        self.held: set[str] = set()
        self._screen: Screen | None = None
        self._is_backdrop = False
        """Whether the table is only seen beside the start screen's panel yet."""
        self._side: tuple[RulingView, Elevation | None] | None = None
        self._later: list[Callable[[], None]] = []
        output.set_clear_color_active(True)
        r, g, b = theme.channels(theme.INK)
        output.set_clear_color((r / 255, g / 255, b / 255, 1))

    # ---- places ---------------------------------------------------------------------------------------------
    @property
    def size(self) -> tuple[int, int]:
        """The window in units of the interface."""
        return round(self.pixels[0] / self.scale), round(self.pixels[1] / self.scale)

    @property
    def layout(self) -> TableLayout:
        return lay_out(self.size, self.pen.size)

    def resize(self, pixels: tuple[int, int], scale: float | None = None) -> None:
        self.pixels, self.scale = pixels, scale or self.scale
        self.backend.resize(pixels, self.scale)
        if self.view is not None:
            self.view.resize(self.size, self.scale, self.layout.free())
            self._show_picture()
        self.wanted = SETTLING

    # ---- the table ------------------------------------------------------------------------------------------
    @property
    def model(self) -> TableModel | None:
        return self.view.model if self.view is not None else None

    def open_table(self, file: SceneFile | None = None) -> None:
        """Go to the table: the one that lies there, or this one."""
        view = self.view or self._new_view(file or new_file(FIRST_KILLZONE))
        if self._is_backdrop:
            view.camera.resize(self.size, self.layout.free())
            view.home()
            self._is_backdrop = False
        self.on_table = True
        self.page = self.file = None
        self.notice = ""
        self.wanted = SETTLING

    def _new_view(self, file: SceneFile) -> TableView:
        view = TableView(self.engine, TableModel(file), self.size, self.scale, self.layout.free(), self.level)
        view.may_rule = self.may_rule
        self.view = view
        self._show_picture()
        return view

    def lay_table(self) -> None:
        """Have the table ready beside the start screen's panel."""
        if self.view is None:
            view = self._new_view(new_file(FIRST_KILLZONE))
            left = start.panel_rect(self.size, self.pen.size).right / self.size[0]
            view.camera.resize(self.size, Free(left, 0.05, 1.0, 0.95))
            view.home()
            self._is_backdrop = True
            self.wanted = SETTLING

    def _show_picture(self) -> None:
        assert self.view is not None
        if self._screen is None:
            self._screen = Screen(self.output, self.view.texture)
        else:
            self._screen.show(self.view.texture)

    def choose_killzone(self, name: str) -> None:
        killzone = None if name == dialogs.NO_KILLZONE else name
        if self.view is None:
            self.open_table(new_file(killzone))
        else:
            self.view.model.start(killzone)
            self.open_table()

    def open_scene(self, path: Path) -> None:
        """Put a scene file on the table; UserError when it cannot be read, and nothing changes."""
        if self.view is None:
            self.open_table(load_scene(path))
        else:
            self.view.model.open(path)
            self.open_table()
        if self.view is not None:
            self.view.placing = None

    # ---- input ----------------------------------------------------------------------------------------------
    def pointer(self, x: float, y: float) -> None:
        """The pointer's place, in pixels of the output."""
        self.at = (x / self.scale, y / self.scale)
        self.backend.pointer(x, y)
        if self.view is not None and self.on_table:
            self.view.move(self.at)
        self.wanted = SETTLING

    def press(self, name: str, down: bool) -> None:
        """A button or key by Panda3D's name."""
        plain = name.rsplit("-", 1)[-1] or "-"
        (self.held.add if down else self.held.discard)(plain)
        self.backend.press(name, down)
        self.wanted = SETTLING
        if down:
            self.notice = ""
        if plain.startswith(("mouse", "wheel")):
            self._mouse(plain, down)
        elif down and not self.backend.io.want_text_input:
            self._key(plain)
        elif down and plain == "escape":
            self.back()

    def text(self, characters: str) -> None:
        self.backend.text(characters)
        self.wanted = SETTLING

    def _mouse(self, name: str, down: bool) -> None:
        view = self.view
        if view is None or not self.on_table:
            return
        if not down:
            view.release()
        elif not self._is_busy and not self.ui.covers(*self.at):
            if name.startswith("wheel"):
                view.wheel(1 if name == "wheel_up" else -1, self.at, self._with("control") or self._with("alt"))
            else:
                self._try(lambda: view.press(name, self.at, self._with("shift")))

    def _with(self, modifier: str) -> bool:
        return any(modifier in key for key in self.held)

    @property
    def _is_busy(self) -> bool:
        """Whether a dialog is open over the screen."""
        return self.page is not None or self.file is not None

    def _key(self, key: str) -> None:
        if key == "escape":
            self.back()
        elif self._is_busy:
            return
        elif not self.on_table:
            actions: dict[str, start.StartAction] = {"1": "rule", "2": "open", "3": "killzones"}
            if key in actions:
                self._start(actions[key])
        elif self.view is not None:
            self._try(lambda: self._table_key(key))

    def _table_key(self, key: str) -> None:
        view = self.view
        assert view is not None
        model, shift = view.model, self._with("shift")
        if self._with("control"):
            commands: dict[str, Callable[[], None]] = {
                "z": model.redo if shift else model.undo,
                "y": model.redo,
                "s": lambda: self._table("save"),
                "o": lambda: self._table("open"),
                "n": lambda: self._table("killzones"),
                "c": lambda: self._table("copy"),
                "e": lambda: self._table("export"),
            }
        else:
            commands = {
                "t": view.camera.top,
                "e": view.look_through,
                "f": view.frame,
                "home": view.home,
                "x": model.swap,
                "b": lambda: self._table("place-blue"),
                "g": lambda: self._table("place-red"),
            }
            one = model.selected
            if one is not None:
                step = 0.01 if shift else 0.1
                commands |= {
                    "q": lambda: model.turn(one.id, table.TURN),
                    "w": lambda: model.turn(one.id, -table.TURN),
                    "o": lambda: model.set_order(one.id, "conceal" if one.order == "engage" else "engage"),
                    "1": lambda: model.choose_shooter(one.id),
                    "2": lambda: model.choose_target(one.id),
                    "delete": lambda: model.remove(one.id),
                }
                if not self.backend.io.nav_visible:  # otherwise the arrows walk through the widgets
                    ways = {"left": (-step, 0), "right": (step, 0), "up": (0, step), "down": (0, -step)}
                    for way, (dx, dy) in ways.items():
                        commands[f"arrow_{way}"] = self._nudge(one.id, dx, dy)
        if key in commands:
            commands[key]()

    def _nudge(self, id: str, dx: float, dy: float) -> Callable[[], None]:
        def run() -> None:
            assert self.view is not None
            one = self.view.model.scene.operative(id)
            self.view.model.move(id, one.x + dx, one.y + dy, one.level)

        return run

    def back(self) -> None:
        """Out of the innermost thing that is open."""
        view = self.view
        if self._is_busy:
            self.page = self.file = None
        elif self.on_table and view is not None:
            if view.placing is not None:
                view.placing = None
            elif view.camera.eye_of is not None:
                view.camera.eye_of = None
            elif view.model.state.selected is not None:
                view.model.select(None)
            else:
                self.on_table = False

    # ---- what panels ask for --------------------------------------------------------------------------------
    def _try(self, run: Callable[[], None]) -> None:
        """Do it; what cannot be done is said in the file dialog, or at the foot of the table."""
        try:
            run()
        except UserError as error:
            said = tuple(str(problem) for problem in error.problems)
            if self.file is not None:
                self.file.problems = said[:4]
            else:
                self.notice = " ".join(said[:4])
        except OSError as error:
            said = (f"{error.filename or 'the file'}: {error.strerror or error}",)
            if self.file is not None:
                self.file.problems = said
            else:
                self.notice = said[0]

    def _start(self, action: start.StartAction) -> None:
        if action == "rule":
            self._later.append(self.open_table)
        elif action == "quit":
            self.wants_to_quit = True
        elif action == "open":
            self.file = dialogs.FileDialog.asking("open", dialogs.scenes_folder() / "table.yaml")
        else:
            self.page = action

    def _table(self, action: table.TableAction | verdict.VerdictAction) -> None:
        view = self.view
        assert view is not None
        if action == "back":
            self.on_table = False
        elif action == "killzones":
            self.page = "killzones"
        elif action in ("place-blue", "place-red"):
            team = action.removeprefix("place-")
            view.placing = None if view.placing == team else team
        elif action == "swap":
            view.model.swap()
        elif action == "copy":
            if view.ruling is not None and view.model.ruling is not None:
                clipboard.copy(view.model.ruling.as_text())
                self.notice = "The ruling's text is on the clipboard."
        elif action == "open" or action == "save" or action == "export":
            if action == "export" and view.ruling is None:
                return
            path = view.model.state.file.path
            if path == Path("table.yaml") or path.resolve().is_relative_to(paths.killzones().resolve()):
                path = dialogs.scenes_folder() / path.name  # what comes with the program is left as it is
            if action == "export":
                path = path.with_suffix(".png")
            self.file = dialogs.FileDialog.asking(action, path)

    def _file_chosen(self, path: Path) -> None:
        assert self.file is not None
        job = self.file.job
        if job == "open":
            self.open_scene(path)
            return
        assert self.view is not None
        model = self.view.model
        suffix = ".yaml" if job == "save" else ".png"
        path = path if path.suffix else path.with_suffix(suffix)
        path.parent.mkdir(parents=True, exist_ok=True)
        if job == "save":
            model.save(path)
        else:
            self.card = CardJob(model.to_file(), path)
        self.file = None
        self.notice = f"Saved in {path}" if job == "save" else "Drawing the card ..."

    def attend(self) -> None:
        """See whether what goes on beside the window is done."""
        outcome = self.card.outcome() if self.card is not None else None
        if outcome is not None:
            self.card, self.notice = None, outcome
            self.wanted = SETTLING

    def summary(self) -> str:
        """What is shown, in lines of words, for whoever watches from outside."""
        view, model = self.view, self.model
        found = view.ruling if view is not None else None
        rows = {
            "screen": "table" if self.on_table else "start",
            "dialog": self.file.job if self.file is not None else self.page or "none",
            "laid": "yes" if view is not None and view.pictures else "no",
            "placing": (view.placing if view is not None else None) or "nobody",
            "operatives": str(len(model.scene.operatives)) if model is not None else "0",
            "ruling": found.sentence if found is not None else "none",
            "frames": str(self.frames),
        }
        return "".join(f"{name}: {value}\n" for name, value in rows.items())

    # ---- drawing --------------------------------------------------------------------------------------------
    def frame(self) -> None:
        """Draw one frame, and do afterwards what was asked for in it."""
        self.wanted = max(0, self.wanted - 1)
        if self.view is not None:
            self._try(self._update)
        self.backend.frame(self._draw)
        self.output.set_active(True)
        self.engine.render()
        self.engine.graphics.flip_frame()  # a window shows a frame only when it is flipped
        self.output.set_active(False)
        self.frames += 1
        later, self._later = self._later, []
        for run in later:
            self._try(run)
            self.wanted = SETTLING

    def _update(self) -> None:
        assert self.view is not None
        texture = self.view.texture
        if self.view.update():
            self.view.request()
            self.wanted = max(self.wanted, 1)
        if self.view.texture is not texture:
            self._show_picture()

    def _draw(self) -> None:
        ui = self.ui
        ui.begin()
        self.pen.sheet = imgui.get_background_draw_list()
        if self._is_busy:
            self._draw_dialog()
        elif self.on_table:
            self._draw_table()
        else:
            action = start.start_screen(ui, self.size)
            if action is not None:
                self._start(action)
        ui.end()

    def _draw_dialog(self) -> None:
        ui = self.ui
        w, h = self.size
        ui.pen.box(Rect(0, 0, w, h), theme.INK, None, 0.6, 0)
        if self.file is not None:
            dialog = self.file
            chosen = dialogs.file_dialog(ui, self.size, dialog)
            if chosen == "cancel":
                self.file = None
            elif chosen is not None:
                self._later.append(lambda: self._file_chosen(chosen))
        elif self.page == "about":
            if start.about_page(ui, dialogs.centred(self.size, 620 * self.pen.size, 380 * self.pen.size)):
                self.page = None
        else:
            name = dialogs.killzone_dialog(ui, self.size)
            if name == "cancel":
                self.page = None
            elif name is not None:
                self._later.append(lambda: self.choose_killzone(name))

    def _draw_table(self) -> None:
        assert self.view is not None
        ui, view, layout = self.ui, self.view, self.layout
        pose = view.pose()
        labels = label_items(view.items, pose, self.size)
        card_drawing.table_labels(self.pen, Rect(0, 0, *self.size), pose, labels, layout.middle)
        asked: table.TableAction | verdict.VerdictAction | None
        asked = table.bar(ui, layout.bar, view.model)
        asked = table.tools(ui, layout.tools, view.model, view.placing) or asked
        found = self._ruling()
        asked = verdict.verdict_panel(ui, layout.verdict, view.model.scene, found) or asked
        if view.placing is not None:
            verdict.prompt(ui, layout.banner, f"Click where the {view.placing} operative stands (Esc: not now)")
        elif found is not None:
            verdict.verdict_banner(ui, layout.banner, found)
            if not view.is_dragging:  # the section is too slow to follow a drag
                self._draw_side(layout.side, found)
        else:
            words = view.model.prompt or "Preparing the sight engine, once only: the ruling comes when it is ready"
            verdict.prompt(ui, layout.banner, words)
        if self.notice:
            dialogs.notice(ui, layout.middle, self.notice)
        if asked is not None:
            self._table(asked)

    def _ruling(self) -> RulingView | None:
        """The ruling shown, unless the table has changed since: then the next frame shows the new one."""
        view = self.view
        if view is None or view.ruling is None:
            return None
        ids = {one.id for one in view.model.scene.operatives}
        return view.ruling if {view.ruling.shooter, view.ruling.target} <= ids else None

    def _draw_side(self, rect: Rect, found: RulingView) -> None:
        assert self.view is not None
        scene = self.view.stage.scene
        assert scene is not None
        if self._side is None or self._side[0] is not found:
            _, line, hit, part = found.deciding
            cut = elevation(scene, found.shooter, found.target, line, hit, part) if line else None
            self._side = (found, cut)
        if self._side[1] is not None:
            with self.ui.panel("side", rect, fill=None):
                card_drawing.side_view(self.pen, rect, self._side[1], found, side_words(found))

    def close(self) -> None:
        if self.card is not None:
            self.card.close()
        if self.view is not None:
            self.view.close()
        self.backend.close()
