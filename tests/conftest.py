"""What every test relies on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

USERS_FOLDERS = ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_PICTURES_DIR", "XDG_DOWNLOAD_DIR")
"""Where games, settings, faults, pictures and downloads of whoever runs the program lie; the cache of compiled kernels
is everybody's."""
_numbers = count(1)


@pytest.fixture(scope="session")
def _users_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("user")


@pytest.fixture(scope="session", autouse=True)
def _a_user_of_their_own(_users_folder: Path) -> Iterator[None]:
    """Tests, what they prepare and the processes they start never read or write the files of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        for name in USERS_FOLDERS:
            patch.setenv(name, str(_users_folder / "all" / name.lower()))
        yield


@pytest.fixture(autouse=True)
def _a_new_user(_users_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test begins without games and settings: what another has saved, even meanwhile, does not show in it."""
    folder = _users_folder / str(next(_numbers))
    for name in USERS_FOLDERS:
        monkeypatch.setenv(name, str(folder / name.lower()))
