"""What was chosen last time, before a game and in its set-up: the next one begins with it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ktsim import paths
from ktsim.content.files import write_atomically
from ktsim.errors import UserError

MOST_BYTES = 100_000


def _file() -> Path:
    return paths.config() / "last-setup.json"


def _read() -> dict[str, Any]:
    try:
        with _file().open("rb") as file:
            found: Any = json.loads(file.read(MOST_BYTES).decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def last_choices(kind: str) -> dict[str, str]:
    """What was chosen when a game of that kind last began; empty when nothing (or nothing readable) is known."""
    found = _read().get(kind)
    if not isinstance(found, dict):
        return {}
    return {name: value for name, value in found.items() if isinstance(value, str)}


def keep_choices(kind: str, chosen: Mapping[str, str]) -> None:
    """Note what was chosen. That it cannot be written down is no reason not to play."""
    with contextlib.suppress(OSError, UserError):
        _file().parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({**_read(), kind: dict(chosen)}, indent=2, sort_keys=True)
        write_atomically(_file(), text.encode())
