"""The archive for Linux: a program with its own interpreter, which needs glibc 2.28 (2018) and no Python.

The interpreter is the one that Panda3D's wheel brings for programs made with it (``deploy-stub``: CPython 3.11 built
for manylinux2014, its extension modules in ``deploy_libs``); the standard library is that of the Python that builds.
"""

from __future__ import annotations

import shutil
import subprocess
import sysconfig
import tarfile
from pathlib import Path

from packing import gather, icon

PLATFORMS = [f"manylinux_2_{minor}_x86_64" for minor in range(28, 16, -1)] + ["manylinux2014_x86_64"]
NOT_STANDARD = (
    "site-packages test idlelib tkinter turtledemo ensurepip lib2to3 distutils pydoc_data config-* __pycache__"
)
NOT_LOADED = (
    "_ssl* _hashlib* _sqlite3* _tkinter* _test* _xx* xx* _ctypes_test* _curses* _gdbm* _dbm* readline* __pycache__"
)
"""Extension modules that want libraries of the system, or are for tests."""
DESKTOP = """[Desktop Entry]
Type=Application
Name=ktsim
Comment=A tabletop with exact line of sight
Exec=sh -c "exec \\\\"\\\\$(dirname \\\\"\\\\$1\\\\")/ktsim\\\\"" ktsim %k
Icon=ktsim
Categories=Game;BoardGame;
Terminal=false
"""
README = """{name}

Start ./ktsim for the window; ./ktsim --help lists what it does in a terminal. Nothing is installed; delete the folder
to be rid of it. For an entry in the menu run ./add-to-menu here (again when the folder has moved).
Licences are in the folder licences.
"""
MENU = """#!/bin/sh
# Puts ktsim, where it lies now, into the menu of this user.
here="$(cd "$(dirname "$0")" && pwd)"
data="${XDG_DATA_HOME:-$HOME/.local/share}"
mkdir -p "$data/applications" "$data/icons/hicolor/256x256/apps"
cp "$here/ktsim.png" "$data/icons/hicolor/256x256/apps/ktsim.png"
sed "s|^Exec=.*|Exec=\\"$here/ktsim\\"|" "$here/ktsim.desktop" > "$data/applications/ktsim.desktop"
"""


def build() -> int:
    root = gather.fresh(gather.BUILD / gather.name("linux"))
    packages, python = root / "lib" / "packages", root / "lib" / "python"
    gather.say("fetching libraries ...")
    gather.install(packages, PLATFORMS)
    standard = Path(sysconfig.get_path("stdlib"))
    shutil.copytree(standard, python, ignore=shutil.ignore_patterns("lib-dynload", *NOT_STANDARD.split()))
    panda = Path(sysconfig.get_path("purelib"))
    not_loaded = shutil.ignore_patterns(*NOT_LOADED.split())
    shutil.copytree(panda / "deploy_libs", python / "lib-dynload", ignore=not_loaded)
    _program(root / "ktsim", panda / "panda3d_tools" / "deploy-stub")
    gather.copy_program(packages)
    gather.copy_licences(packages, gather.fresh(root / "licences"), standard / "LICENSE.txt")
    for folder in (packages, python):
        gather.compile_sources(folder, 1)
    subprocess.run([root / "ktsim", "warm", "--into", packages / gather.PREBUILT], check=True)
    (root / "ktsim.desktop").write_text(DESKTOP)
    (root / "README.txt").write_text(README.format(name=root.name))
    (root / "add-to-menu").write_text(MENU)
    (root / "add-to-menu").chmod(0o755)
    (root / "ktsim.png").write_bytes(icon.png(256))
    gather.say("packing ...")
    gather.DIST.mkdir(exist_ok=True)
    archive = gather.DIST / f"{root.name}.tar.xz"
    options = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=u+w,go=rX"]
    subprocess.run(["tar", *options, "-C", root.parent, "-I", "xz -T0 -6", "-cf", archive, root.name], check=True)
    print(f"{archive.relative_to(gather.ROOT)}: {archive.stat().st_size / 1e6:.0f} MB")
    return 0


def _program(path: Path, stub: Path) -> None:
    """The interpreter with the few modules frozen into it that it needs before it finds the others."""
    from direct.dist.FreezeTool import Freezer

    freezer = Freezer(platform="manylinux2014_x86_64", optimize=1)
    freezer.addModule("__main__", filename=str(Path(__file__).with_name("start_linux.py")))
    freezer.done(addStartupModules=True)
    with stub.open("rb") as held:
        freezer.generateRuntimeFromStub(str(path), held, True)
    path.chmod(0o755)


def test() -> int:
    archive = gather.DIST / f"{gather.name('linux')}.tar.xz"
    assert tarfile.is_tarfile(archive), f"{archive} is not there; scripts/package builds it"
    return gather.run_tests(["tests/packages/test_linux_archive.py"], {"KTSIM_ARCHIVE": str(archive)})
