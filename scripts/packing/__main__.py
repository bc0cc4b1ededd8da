"""``scripts/package``: build one of the downloads, or test the one that was built."""

from __future__ import annotations

import argparse
import sys

from packing import linux, wheel, windows

TARGETS = {"linux": linux, "windows": windows, "wheel": wheel}


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/package", description="Build what players download, into dist.")
    parser.add_argument("--target", choices=TARGETS, default="linux")
    parser.add_argument("--test", action="store_true", help="test the archive that was built, instead of building it")
    args = parser.parse_args()
    if sys.version_info[:2] != (3, 11):
        print("Packages are built with Python 3.11, which is what they hold.", file=sys.stderr)
        return 2
    target = TARGETS[args.target]
    return int(target.test() if args.test else target.build())


if __name__ == "__main__":
    raise SystemExit(main())
