"""Hostile files of every kind the program reads, in this process: anything but an answer or our own refusal is a fault.

Faults: another error, more than 2 seconds of CPU, more than 1 GB, unprintable characters in what is said, more than a
page of it. A number says everything about an input (``--seed N --count 1`` tries one again); faulty ones are kept.
"""

from __future__ import annotations

import argparse
from pathlib import Path


def fuzz_options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=0.0, help="stop after so many seconds (default: by --count)")
    options.add_argument("--count", type=int, default=20_000, help="inputs (default 20000)")
    options.add_argument("--seed", type=int, default=0, help="number of the first input (default 0)")
    options.add_argument("--only", default="", metavar="A,B", help="formats (default: all in turn)")
    options.add_argument("--keep", type=Path, default=Path("fuzz-faults"), help="where faulty inputs are put")
    return options


if __name__ == "__main__":  # for --help, which needs nothing installed
    fuzz_options().parse_args()
