"""Builds what lies in assets/ from code: one module of scripts/builders per kind, each with ``build(folder)``."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KINDS = {"figures": "the stand-in miniatures", "terrain": "the terrain pieces"}
"""What can be built: the name of its module and of its folder in assets/, and what it is."""


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("kind", nargs="*", help=f"one of {', '.join(KINDS)}; default: all")
    kinds = options.parse_args().kind or list(KINDS)
    for kind in kinds:
        if kind not in KINDS:
            print(f"'{kind}' cannot be built; known: {', '.join(KINDS)}", file=sys.stderr)
            return 2
    sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]
    for kind in kinds:
        folder = ROOT / "assets" / kind
        folder.mkdir(parents=True, exist_ok=True)
        import_module(f"builders.{kind}").build(folder)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
