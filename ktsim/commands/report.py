"""``ktsim report``: the log of faults, the last saved game and the version in one file, for a bug report."""

from __future__ import annotations

import argparse
import io
import zipfile
from datetime import datetime
from pathlib import Path

from ktsim import faults, paths
from ktsim.content.files import check_output, write_atomically
from ktsim.content.printable import printable
from ktsim.errors import Problem, UserError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", metavar="FILE", help="the zip file to write (default: one in this folder)")


def last_game() -> Path | None:
    """The saved game that was played last."""
    found = [path for path in (paths.user_data() / "games").glob("*.ktsim") if path.is_file()]
    return max(found, key=lambda path: path.stat().st_mtime_ns, default=None)


def run(args: argparse.Namespace) -> int:
    """Write the file and say what is in it: these and nothing else of the user's."""
    usual = f"ktsim-report-{datetime.now():%Y-%m-%d-%H-%M-%S}.zip"
    out = check_output(usual if args.out is None else args.out, "zip file")
    game = last_game()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as file:
        file.writestr("version.txt", faults.about_program() + "\n")
        for path in [*faults.logs(), *([game] if game is not None else [])]:
            try:
                file.write(path, path.name)
            except OSError as error:
                raise UserError(Problem(printable(str(path), 200), f"cannot be read: {error.strerror}")) from None
        names = file.namelist()
    write_atomically(out, packed.getvalue())
    print(f"{printable(str(out), 200)}: {', '.join(names)}")
    if not faults.logs():
        print("No fault has been written down here so far.")
    return 0
