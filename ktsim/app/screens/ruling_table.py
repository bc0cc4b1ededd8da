"""The ruling table: put operatives on a killzone, and read the ruling on one of them shooting at another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from panda3d.core import Texture

from ktsim import paths
from ktsim.killzones.scene_file import SceneFile

from .. import card_drawing
from ..card import side_words
from ..card_process import CardJob
from ..elevation import Elevation, elevation
from ..panels import dialogs, table, verdict
from ..panels.layout import TableLayout, lay_out
from ..ruling_view import RulingView
from ..table.model import TableModel
from ..table.picture import Frame
from ..table.view import TableView
from ..ui import clipboard
from ..ui.pen import Rect
from ..ui.widgets import Widgets
from .files import FileScreen
from .killzones import KillzoneScreen
from .screen import Held, Place, Screen

if TYPE_CHECKING:
    from ..desktop import Desktop


class RulingTable(Screen):
    """One table with what stands on it; the shell keeps it while other screens are shown."""

    name = "table"

    def __init__(self, desktop: Desktop, file: SceneFile) -> None:
        super().__init__(desktop)
        self.view = TableView(desktop.engine, TableModel(file), self._frame(), desktop.settings)
        self.view.may_rule = desktop.may_rule
        self.card: CardJob | None = None
        self.is_fresh = True
        """Whether nobody has been at it yet: until then the start screen shows it as it likes."""
        self._side: tuple[RulingView, Elevation | None] | None = None

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
        self.model.lay(file)
        self.view.placing = None

    # ---- coming and going -----------------------------------------------------------------------------------
    def enter(self) -> None:
        if self.is_fresh:
            self.is_fresh = False
            self.view.picture.refit(self.layout.free())

    def leave(self) -> None:
        self.view.release()

    def close(self) -> None:
        if self.card is not None:
            self.card.close()
        self.view.picture.close()

    def back(self) -> bool:
        view = self.view
        if view.placing is not None:
            view.placing = None
        elif view.picture.eye is not None:
            view.picture.look_through(None)
        elif view.model.state.selected is not None:
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

    @property
    def wants_frames(self) -> bool:
        return self.view.picture.is_moving

    def resized(self) -> None:
        self.view.picture.resize(self._frame(), self.desktop.settings)

    def attend(self) -> None:
        outcome = self.card.outcome() if self.card is not None else None
        if outcome is not None:
            self.card = None
            self.desktop.say(outcome)

    # ---- input ----------------------------------------------------------------------------------------------
    def pointer(self, at: Place) -> None:
        self.view.move(at)

    def press(self, button: str, at: Place, held: Held) -> None:
        self.view.press(button, at, held.shift)

    def release(self, button: str, at: Place) -> None:
        self.view.release()

    def wheel(self, notches: int, at: Place, held: Held) -> None:
        self.view.wheel(notches, at, held.control or held.alt)

    def key(self, key: str, held: Held) -> None:
        command = (self._control_keys(held) if held.control else self._keys(held)).get(key)
        if command is not None:
            command()

    def _control_keys(self, held: Held) -> dict[str, Callable[[], None]]:
        model = self.model
        return {
            "z": model.redo if held.shift else model.undo,
            "y": model.redo,
            "s": lambda: self._do("save"),
            "o": lambda: self._do("open"),
            "n": lambda: self._do("killzones"),
            "c": lambda: self._do("copy"),
            "e": lambda: self._do("export"),
        }

    def _keys(self, held: Held) -> dict[str, Callable[[], None]]:
        view, model = self.view, self.model
        commands: dict[str, Callable[[], None]] = {
            "t": view.picture.top,
            "e": view.look_through,
            "f": view.frame,
            "home": view.picture.home,
            "x": model.swap,
            "b": lambda: self._do("place-blue"),
            "g": lambda: self._do("place-red"),
        }
        one = model.selected
        if one is not None:
            step = 0.01 if held.shift else 0.1
            commands |= {
                "q": lambda: model.turn(one.id, table.TURN),
                "w": lambda: model.turn(one.id, -table.TURN),
                "o": lambda: model.set_order(one.id, "conceal" if one.order == "engage" else "engage"),
                "1": lambda: model.choose_shooter(one.id),
                "2": lambda: model.choose_target(one.id),
                "delete": lambda: model.remove(one.id),
            }
            if not self.desktop.backend.io.nav_visible:  # otherwise the arrows walk through the widgets
                ways = {"left": (-step, 0), "right": (step, 0), "up": (0, step), "down": (0, -step)}
                for way, (dx, dy) in ways.items():
                    commands[f"arrow_{way}"] = self._nudge(one.id, dx, dy)
        return commands

    def _nudge(self, id: str, dx: float, dy: float) -> Callable[[], None]:
        def run() -> None:
            one = self.model.scene.operative(id)
            self.model.move(id, one.x + dx, one.y + dy, one.level)

        return run

    # ---- what panels ask for --------------------------------------------------------------------------------
    def _do(self, action: table.TableAction | verdict.VerdictAction) -> None:
        view = self.view
        if action == "back":
            self.desktop.pop(self)
        elif action == "killzones":
            self.desktop.push(KillzoneScreen(self.desktop))
        elif action in ("place-blue", "place-red"):
            team = action.removeprefix("place-")
            view.placing = None if view.placing == team else team
        elif action == "swap":
            view.model.swap()
        elif action == "copy":
            if view.ruling is not None and view.model.ruling is not None:
                clipboard.copy(view.model.ruling.as_text())
                self.desktop.say("The ruling's text is on the clipboard.")
        elif action == "open":
            self.desktop.push(FileScreen.opening(self.desktop))
        elif action == "save":
            self.desktop.push(FileScreen(self.desktop, dialogs.FileDialog.asking("save", self._path()), self._save))
        elif action == "export" and view.ruling is not None:
            dialog = dialogs.FileDialog.asking("export", self._path().with_suffix(".png"))
            self.desktop.push(FileScreen(self.desktop, dialog, self._export))

    def _path(self) -> Path:
        """Where the table is kept; what comes with the program is left as it is."""
        path = self.model.state.file.path
        if path == Path("table.yaml") or path.resolve().is_relative_to(paths.killzones().resolve()):
            return dialogs.scenes_folder() / path.name
        return path

    def _save(self, path: Path) -> None:
        path = path if path.suffix else path.with_suffix(".yaml")
        path.parent.mkdir(parents=True, exist_ok=True)
        self.model.save(path)
        self.desktop.later(lambda: self.desktop.say(f"Saved in {path}"))

    def _export(self, path: Path) -> None:
        path = path if path.suffix else path.with_suffix(".png")
        path.parent.mkdir(parents=True, exist_ok=True)
        self.card = CardJob(self.model.to_file(), path)
        self.desktop.later(lambda: self.desktop.say("Drawing the card ..."))

    def summary(self) -> dict[str, str]:
        found = self.view.ruling
        return {
            "placing": self.view.placing or "nobody",
            "operatives": str(len(self.model.scene.operatives)),
            "ruling": found.sentence if found is not None else "none",
        }

    # ---- panels ---------------------------------------------------------------------------------------------
    def draw(self, ui: Widgets) -> None:
        view, layout = self.view, self.layout
        picture = view.picture
        window = Rect(0, 0, *self.desktop.size)
        card_drawing.table_labels(ui.pen, window, picture.pose(), picture.labels(), layout.middle)
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
                self._draw_side(ui, layout.side, found)
        else:
            words = view.model.prompt or "Preparing the sight engine, once only: the ruling comes when it is ready"
            verdict.prompt(ui, layout.banner, words)
        if asked is not None:
            self._do(asked)

    def _ruling(self) -> RulingView | None:
        """The ruling shown, unless the table has changed since: then the next frame shows the new one."""
        found = self.view.ruling
        if found is None:
            return None
        ids = {one.id for one in self.model.scene.operatives}
        return found if {found.shooter, found.target} <= ids else None

    def _draw_side(self, ui: Widgets, rect: Rect, found: RulingView) -> None:
        if self._side is None or self._side[0] is not found:
            _, line, hit, part = found.deciding
            scene = self.view.picture.scene
            cut = elevation(scene, found.shooter, found.target, line, hit, part) if line else None
            self._side = (found, cut)
        if self._side[1] is not None:
            with ui.panel("side", rect, fill=None):
                card_drawing.side_view(ui.pen, rect, self._side[1], found, side_words(found))
