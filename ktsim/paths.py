"""Where the program's own data and the user's files live."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def data_root() -> Path:
    """The folder that holds ``assets`` and ``killzones``: inside the installed package, or the checkout."""
    installed = _PACKAGE / "_data"
    return installed if installed.is_dir() else _PACKAGE.parent


def assets() -> Path:
    return data_root() / "assets"


def killzones() -> Path:
    return data_root() / "killzones"


def prebuilt() -> Path:
    """Kernels that were compiled beforehand, where a package brings them."""
    return Path(os.environ.get("KTSIM_PREBUILT") or _PACKAGE / "_data" / "prebuilt")


def _user_folder(variable: str, mac: str, windows: str, other: str) -> Path:
    """A folder of ours where the system keeps such things; a variable that is set to nothing is not set."""
    if named := os.environ.get(variable):
        return Path(named) / "ktsim"
    home = Path.home()
    if sys.platform == "darwin":
        return home / mac / "ktsim"
    if sys.platform == "win32":
        return Path(os.environ.get(windows) or home) / "ktsim"
    return home / other / "ktsim"


def cache() -> Path:
    """Files that can be made again: compiled kernels, prepared killzones."""
    return _user_folder("XDG_CACHE_HOME", "Library/Caches", "LOCALAPPDATA", ".cache")


def user_data() -> Path:
    """Files that must be kept: saved games, scenes."""
    return _user_folder("XDG_DATA_HOME", "Library/Application Support", "APPDATA", ".local/share")


def pictures() -> Path | None:
    """The user's folder for pictures, where there is one."""
    named = os.environ.get("XDG_PICTURES_DIR")
    folder = Path(named) if named else Path.home() / "Pictures"
    return folder if folder.is_dir() else None


def downloads() -> Path | None:
    """The folder where the user's browser puts files, where there is one."""
    named = os.environ.get("XDG_DOWNLOAD_DIR")
    folder = Path(named) if named else Path.home() / "Downloads"
    return folder if folder.is_dir() else None


def config() -> Path:
    """The settings of the window."""
    return _user_folder("XDG_CONFIG_HOME", "Library/Preferences", "APPDATA", ".config")


def state() -> Path:
    """What the program notes for itself and may be thrown away: the log of faults."""
    return _user_folder("XDG_STATE_HOME", "Library/Logs", "LOCALAPPDATA", ".local/state")
