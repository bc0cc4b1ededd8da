"""The system's clipboard through whatever tool is there; otherwise one that lives in this process."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

_TOOLS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("pbcopy",), ("pbpaste",)),
    (("wl-copy",), ("wl-paste", "--no-newline")),
    (("xclip", "-selection", "clipboard"), ("xclip", "-selection", "clipboard", "-o")),
    (("xsel", "--clipboard", "--input"), ("xsel", "--clipboard", "--output")),
    (("clip.exe",), ("powershell.exe", "-NoProfile", "-Command", "Get-Clipboard")),
)

_own = ""


def _tool(which: int) -> tuple[str, ...] | None:
    wanted = [pair for pair in _TOOLS if sys.platform == "win32" or not pair[0][0].endswith(".exe")]
    return next((pair[which] for pair in wanted if all(shutil.which(command[0]) for command in pair)), None)


MISSING = (
    "No tool for the system's clipboard answers, so the text can be pasted in this window only. "
    "Install the package xclip (on Wayland wl-clipboard) and copy it again."
)


def copy(text: str) -> bool:
    """Put *text* on the clipboard; whether other programs can paste it. A tool that fails or hangs costs at most a
    second and is not an error."""
    global _own
    _own = text
    command = _tool(0)
    if command is None:
        return False
    try:
        # Some tools stay to serve the text: what they print is not waited for.
        quiet = subprocess.DEVNULL
        done = subprocess.run(command, input=text.encode(), timeout=1, check=False, stdout=quiet, stderr=quiet)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


_PICTURE_TOOLS: tuple[tuple[str, ...], ...] = (
    ("osascript", "-e", 'set the clipboard to (read (POSIX file "{}") as «class PNGf»)'),
    ("wl-copy", "--type", "image/png"),
    ("xclip", "-selection", "clipboard", "-t", "image/png", "-i", "{}"),
    (
        *("powershell.exe", "-NoProfile", "-STA", "-Command"),
        "Add-Type -AssemblyName System.Windows.Forms, System.Drawing; "
        "[Windows.Forms.Clipboard]::SetImage([Drawing.Image]::FromFile('{}'))",
    ),
)
"""Tools that take a PNG: from the file they name, else from their input."""


def copy_picture(path: Path) -> bool:
    """Put the PNG at *path* on the clipboard; whether it is there. A tool that fails or hangs is not an error."""
    wanted = (tool for tool in _PICTURE_TOOLS if sys.platform == "win32" or not tool[0].endswith(".exe"))
    tool = next((tool for tool in wanted if shutil.which(tool[0])), None)
    if tool is None:
        return False
    command = [word.replace("{}", str(path)) for word in tool]
    try:
        quiet = subprocess.DEVNULL
        data = None if any("{}" in word for word in tool) else path.read_bytes()
        done = subprocess.run(command, input=data, timeout=PICTURE_SECONDS, check=False, stdout=quiet, stderr=quiet)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


PICTURE_SECONDS = 5.0


def paste() -> str:
    """What is on the clipboard, as text."""
    command = _tool(1)
    if command is None:
        return _own
    try:
        result = subprocess.run(command, timeout=1, check=False, capture_output=True)
    except (OSError, subprocess.TimeoutExpired):
        return _own
    return result.stdout.decode("utf-8", "replace") if result.returncode == 0 else _own


_PICTURES: tuple[tuple[str, ...], ...] = (
    ("pngpaste", "-"),
    ("wl-paste", "--type", "image/png"),
    ("xclip", "-selection", "clipboard", "-t", "image/png", "-o"),
    (
        *("powershell.exe", "-NoProfile", "-STA", "-Command"),
        "$i = Get-Clipboard -Format Image; if ($i) { $m = New-Object IO.MemoryStream; $i.Save($m, 'Png'); "
        "$o = [Console]::OpenStandardOutput(); $o.Write($m.ToArray(), 0, $m.Length) }",
    ),
)


def paste_picture() -> bytes:
    """The picture on the clipboard as the bytes of a PNG, which nobody has looked into; none where there is none."""
    for command in _PICTURES:
        if shutil.which(command[0]) is None:
            continue
        try:
            result = subprocess.run(command, timeout=3, check=False, capture_output=True)
        except (OSError, subprocess.TimeoutExpired):
            continue
        if result.returncode == 0 and result.stdout:
            return result.stdout
    return b""
