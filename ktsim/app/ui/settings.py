"""The window's settings, and the file they are kept in."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from ktsim import paths
from ktsim.app.ui.palettes import PALETTES, Palette
from ktsim.content.files import read_bounded, write_atomically
from ktsim.errors import UserError

Level: TypeAlias = Literal["low", "medium", "high"]
"""How much the picture may cost."""

TEXT_SIZES = (0.8, 1.0, 1.25, 1.5, 2.0)
SENSITIVITIES = (0.5, 0.75, 1.0, 1.5, 2.0)
MOST_BYTES = 100_000


@dataclass(frozen=True)
class Settings:
    """*text* multiplies the size of text and panels, as far as they fit; *sensitivity* multiplies how far the mouse
    turns the camera, *invert* turns it the other way up and down; without *motion* nothing is animated: the camera and
    figures jump, dice lie there at once. With *recaps* each of a bot's activations ends with what it did, until a key
    is pressed; with *turns* the board is turned to whichever of two players is asked."""

    quality: Level = "low"
    text: float = 1.0
    palette: str = "standard"
    sensitivity: float = 1.0
    invert: bool = False
    motion: bool = True
    recaps: bool = True
    turns: bool = False

    @property
    def colours(self) -> Palette:
        return PALETTES[self.palette]

    def with_value(self, name: str, value: object) -> Settings:
        """The settings with another value. Raises ValueError when it is not one of those offered."""
        wanted = {
            "quality": get_args(Level),
            "text": TEXT_SIZES,
            "palette": tuple(PALETTES),
            "sensitivity": SENSITIVITIES,
            "invert": (False, True),
            "motion": (False, True),
            "recaps": (False, True),
            "turns": (False, True),
        }[name]
        if not any(type(value) in (type(one), int) and value == one for one in wanted):
            raise ValueError(f"{name} cannot be {value!r}")
        if isinstance(wanted[0], bool) != isinstance(value, bool):
            raise ValueError(f"{name} cannot be {value!r}")
        return replace(self, **{name: value})  # type: ignore[arg-type]


def settings_file() -> Path:
    return paths.config() / "settings.json"


def load_settings(path: Path | None = None, usual: Settings | None = None) -> tuple[Settings, str]:
    """The settings kept in the file, and what was wrong with it; what is damaged, unknown or missing is as *usual*."""
    usual = usual or Settings()
    path = path or settings_file()
    try:
        if not path.exists():
            return usual, ""
        data: Any = json.loads(read_bounded(path, str(path), MOST_BYTES, "the settings").decode("utf-8"))
    except (UserError, OSError, ValueError, RecursionError):
        return usual, f"The settings in {path} cannot be read and were left as they come."
    if not isinstance(data, dict):
        return usual, f"The settings in {path} cannot be read and were left as they come."
    found, wrong = usual, []
    for field in fields(Settings):
        if field.name in data:
            try:
                found = found.with_value(field.name, data[field.name])
            except ValueError:
                wrong.append(field.name)
    said = f"In {path} the settings {', '.join(wrong)} make no sense and were left as they come." if wrong else ""
    return found, said


def save_settings(settings: Settings, path: Path | None = None) -> None:
    """Write them down. Raises UserError or OSError when that is impossible."""
    path = path or settings_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, (json.dumps(asdict(settings), indent=2) + "\n").encode())
