"""What every package holds: the program, the libraries it needs without what it does not, and their licences."""

from __future__ import annotations

import compileall
import fnmatch
import os
import py_compile
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import ktsim

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "dist"
BUILD = ROOT / "build" / "package"
LIBRARIES = ("numpy", "numba", "llvmlite", "pyyaml", "trimesh", "panda3d", "imgui-bundle", "pillow")
DATA = Path("ktsim", "_data")
PREBUILT = DATA / "prebuilt"

LEFT_OUT = (
    "bin direct pandac panda3d_tools deploy_libs",
    "*/tests */test */__pycache__ *.pyi *.lib *.a *.h *.hpp *.c *.pyx *.pxd */include *.whl",
    "numba/cuda numba/scripts numpy/f2py numpy/distutils numpy/typing/mypy_plugin.py",
    "imgui_bundle/demos_* imgui_bundle/doc",
)
"""Of the libraries: what is never imported, and what is only for building or testing them."""
OF_PANDA = (
    "__init__.py etc core.* *interrogatedb.*",
    "libp3dtool.* libp3dtoolconfig.* libpanda.* libpandaexpress.* libpandagl.* libp3headlessgl.* libp3windisplay.*",
    "libCg.so libCgGL.so cg.dll cgGL.dll libX* libxcb* MSVCP* VCRUNTIME* msvcp* vcruntime*",
)
"""Of Panda3D: drawing with OpenGL; no sound, no films, no physics, no reading of models."""


def name(system: str) -> str:
    return f"ktsim-{ktsim.__version__}-{system}-x86_64"


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def install(into: Path, platforms: Sequence[str], others: dict[str, str] | None = None) -> None:
    """The libraries for a system, in the versions that are tested here but for *others*; only what is used of them."""
    wanted = {each: version(each) for each in LIBRARIES} | (others or {})
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary=:all:", "--no-compile"]
    command += ["--python-version", "3.11", "--target", str(into)]
    command += [f"--platform={each}" for each in platforms]
    subprocess.run([*command, *(f"{key}=={value}" for key, value in wanted.items())], check=True)
    _prune(into)


def _prune(packages: Path) -> None:
    patterns = [word for line in LEFT_OUT for word in line.split()]
    kept = [word for line in OF_PANDA for word in line.split()]
    for folder, folders, files in os.walk(packages):
        where = Path(folder).relative_to(packages)
        for each in [*folders, *files]:
            inside = (where / each).as_posix()
            is_out = any(fnmatch.fnmatch(inside, pattern) for pattern in patterns)
            if where == Path("panda3d"):
                is_out |= not any(fnmatch.fnmatch(each, pattern) for pattern in kept)
            if is_out and each in folders:
                folders.remove(each)
                shutil.rmtree(packages / inside)
            elif is_out:
                (packages / inside).unlink()


def copy_program(packages: Path) -> None:
    """Ours: what is kept in the repository of the package and of its data."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "ktsim", "assets", "killzones"], cwd=ROOT, capture_output=True, check=True
    )
    for each in listed.stdout.decode().strip("\0").split("\0"):
        inside = Path(each) if each.startswith("ktsim/") else DATA / each
        if not each.startswith("assets/pictures/"):
            (packages / inside).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / each, packages / inside)


def compile_sources(folder: Path, level: int) -> None:
    """Bytecode beside the sources that is never checked against them: files lose their dates when they are unpacked.
    *level* is how far the interpreter inside optimises."""
    compileall.compile_dir(
        folder,
        quiet=2,
        stripdir=str(folder),
        optimize=level,
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )


def copy_licences(packages: Path, into: Path, python: Path) -> None:
    """One folder with all of them, a file or folder for each library; a library without one stops the build."""
    shutil.copytree(ROOT / "assets" / "fonts", into / "fonts", ignore=shutil.ignore_patterns("*.ttf", "*.otf"))
    shutil.copy(ROOT / "LICENSE", into / "ktsim.txt")
    shutil.copy(python, into / "python.txt")
    for about in sorted(packages.glob("*.dist-info")):
        found = [
            path for path in about.rglob("*") if path.is_file() and "licen" in str(path.relative_to(about)).lower()
        ]
        if not found:
            raise SystemExit(f"{about.name} brings no licence")
        for path in found:
            to = into / about.name.partition("-")[0] / path.relative_to(about)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, to)


def fresh(folder: Path) -> Path:
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    return folder


def run_tests(words: Sequence[str], environment: dict[str, str]) -> int:
    command = [sys.executable, "-m", "pytest", "-x", "-q", *words]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}, check=False).returncode
