"""Draws the pictures of the README: four killzones and a ruling card, each at most 300 kB."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "assets" / "pictures"
LIMIT = 300_000
WIDTHS = {"volkus-1": 900, "gallowdark-1": 900, "bheta-decima-1": 900, "tomb-world-1": 900, "card": 1200}
CARD = ROOT / "killzones" / "examples" / "gallowdark-hatch-open.yaml"


def draw(name: str, path: Path) -> None:
    """The picture as the program draws it."""
    words = ["rule", str(CARD)]
    if name != "card":
        words = ["killzone", "render", name, "--size", "1800x1050", "--quality", "high"]
    subprocess.run([sys.executable, "-m", "ktsim", *words, "--png", str(path)], check=True, cwd=ROOT)


def shrink(picture: Image.Image, width: int, path: Path) -> int:
    """Write it smaller and with 256 colours, with as many pixels as the limit allows; returns the file's size."""
    while True:
        small = picture.resize((width, round(picture.height * width / picture.width)), Image.Resampling.LANCZOS)
        # maximum coverage keeps small patches of strong colour, such as the teams'
        small.quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE).save(path, optimize=True)
        if path.stat().st_size <= LIMIT:
            return path.stat().st_size
        width -= 40


def main() -> int:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in sys.argv[1:] or WIDTHS:
            drawn = Path(folder) / f"{name}.png"
            draw(name, drawn)
            size = shrink(Image.open(drawn).convert("RGB"), WIDTHS[name], FOLDER / f"{name}.png")
            print(f"{name}: {size // 1000} kB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
