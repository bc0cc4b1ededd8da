"""A wheel with the kernels compiled beforehand: for this system and Python, with the numba they were compiled by.

Where another numba is installed in spite of that, the kernels in it are ignored and compiled as from source.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import sysconfig
from importlib.metadata import version
from pathlib import Path

from packing import gather

PINNED = ("numba", "llvmlite")
PROCESSOR = "x86-64" if platform.machine().lower() in ("x86_64", "amd64") else "generic"
"""Kernels are for any processor of this kind."""


def build() -> int:
    work = gather.fresh(gather.BUILD / "wheel")
    python = [sys.executable, "-m"]
    tools = str(gather.fresh(work / "tools"))
    subprocess.run([*python, "pip", "install", "--quiet", "--target", tools, "wheel"], check=True)
    around = {**os.environ, "PYTHONPATH": tools}
    plain = [*python, "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(work), str(gather.ROOT)]
    subprocess.run(plain, check=True)
    (made,) = work.glob("*.whl")
    subprocess.run([*python, "wheel", "unpack", "--dest", str(work), str(made)], env=around, check=True)
    (folder,) = work.glob("ktsim-*/")
    compile_kernels(folder)
    (about,) = folder.glob("*.dist-info")
    _pin(about / "METADATA")
    head = (about / "WHEEL").read_text().replace("Root-Is-Purelib: true", "Root-Is-Purelib: false")
    (about / "WHEEL").write_text(head)
    made.unlink()
    subprocess.run([*python, "wheel", "pack", "--dest-dir", str(work), str(folder)], env=around, check=True)
    (made,) = work.glob("*.whl")
    tag = sysconfig.get_python_version().replace(".", "")
    system = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    tags = [f"--python-tag=cp{tag}", f"--abi-tag=cp{tag}", f"--platform-tag={system}"]
    done = subprocess.run(
        [*python, "wheel", "tags", *tags, str(made)], env=around, check=True, capture_output=True, text=True
    )
    gather.DIST.mkdir(exist_ok=True)
    wheel = gather.DIST / done.stdout.split()[-1]
    (work / wheel.name).replace(wheel)
    print(f"{wheel.relative_to(gather.ROOT)}: {wheel.stat().st_size / 1e6:.0f} MB")
    return 0


def compile_kernels(folder: Path) -> None:
    """By the program that is in the wheel: what it is compiled from is what it looks for."""
    command = [sys.executable, "-P", "-m", "ktsim", "warm", "--cpu", PROCESSOR, "--into"]
    around = {**os.environ, "PYTHONPATH": str(folder)}
    subprocess.run([*command, str(folder / gather.PREBUILT)], env=around, cwd=folder, check=True)


def _pin(metadata: Path) -> None:
    head, blank, text = metadata.read_text(encoding="utf-8").partition("\n\n")
    lines = [line for line in head.splitlines() if not line.startswith("Requires-Dist: numba")]
    lines += [f"Requires-Dist: {name}=={version(name)}" for name in PINNED]
    metadata.write_text("\n".join(lines) + blank + text, encoding="utf-8")


def test() -> int:
    """The wheel in an environment of its own: it rules, and compiles nothing."""
    (wheel,) = gather.DIST.glob(f"ktsim-*-cp{sysconfig.get_python_version().replace('.', '')}-*.whl")
    return gather.run_tests(["tests/packages/test_wheel.py"], {"KTSIM_ARCHIVE": str(wheel)})
