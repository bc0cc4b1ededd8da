"""Makes mistakes on purpose, one at a time, and runs the tests that should see them: ``scripts/mutants [name ...]``.

The mistakes are in ``tests/mutants.yaml``. The tree is not touched: the process that runs the tests, and every process
it starts, imports the changed text in place of the module. ``--few`` makes a handful, for every day. With
``--kept FILE`` a run that was stopped goes on: mistakes whose outcome stands in that file are not made again.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import yaml

ROOT = Path(__file__).resolve().parent.parent
LISTED = ROOT / "tests" / "mutants.yaml"
ENOUGH = 0.95
"""The share of mistakes that must be seen."""

HOOK = """
import importlib.util, os, sys

class Changed:
    def find_spec(self, name, path=None, target=None):
        if name != os.environ["KTSIM_MUTANT"]:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        sys.meta_path.insert(0, self)
        spec.loader.get_code = lambda _: compile(open(os.environ["KTSIM_MUTANT_TEXT"]).read(), spec.origin, "exec")
        return spec

sys.meta_path.insert(0, Changed())
"""


class Mutant(NamedTuple):
    """One mistake: *old* text of a file made *new*, and the tests that should fail then."""

    name: str
    file: str
    old: str
    new: str
    tests: list[str]

    @property
    def module(self) -> str:
        return self.file.removesuffix(".py").replace("/", ".")

    def changed(self) -> str:
        """The file's text with the mistake in it."""
        text = (ROOT / self.file).read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            raise SystemExit(f"{self.name}: {self.file} has {self.old!r} {text.count(self.old)} times, not once")
        return text.replace(self.old, self.new)


def listed() -> tuple[list[Mutant], list[str]]:
    """All mutants, and the names of the few."""
    data: dict[str, Any] = yaml.safe_load(LISTED.read_text(encoding="utf-8"))
    groups = data["groups"]
    found = [
        Mutant(**{**row, "tests": row["tests"] if isinstance(row["tests"], list) else groups[row["tests"]]})
        for row in data["mutants"]
    ]
    return found, data["few"]


def seen_by(mutant: Mutant, folder: Path) -> str:
    """The test that sees the mistake, or nothing when all pass."""
    text = folder / "changed.py"
    text.write_text(mutant.changed(), encoding="utf-8")
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)]),
        "KTSIM_MUTANT": mutant.module,
        "KTSIM_MUTANT_TEXT": str(text),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *mutant.tests]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 2):
        raise SystemExit(f"{mutant.name}: the tests could not be run:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    if done.returncode == 0:
        return ""
    lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return lines[0].split(" - ")[0] if lines else "an error"


def kept(path: Path | None) -> dict[str, str]:
    """What saw each mistake in runs before, by name: nothing for a survivor."""
    if path is None or not path.exists():
        return {}
    rows = (line.partition(" ") for line in path.read_text(encoding="utf-8").splitlines())
    return {name: seen for name, _, seen in rows}


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("names", nargs="*", help="only these")
    options.add_argument("--few", action="store_true", help="only a handful")
    options.add_argument("--kept", type=Path, help="where outcomes are kept, one a line, to go on from")
    options.add_argument("--seconds", type=float, default=float("inf"), help="begin with none after so long")
    options.add_argument("--list", action="store_true", help="only check that every mistake can be made")
    args = options.parse_args()
    mutants, few = listed()
    wanted = args.names or (few if args.few else [mutant.name for mutant in mutants])
    if unknown := set(wanted) - {mutant.name for mutant in mutants}:
        raise SystemExit(f"no such mutant: {', '.join(sorted(unknown))}")
    chosen = [mutant for mutant in mutants if mutant.name in wanted]
    for mutant in chosen:
        compile(mutant.changed(), mutant.file, "exec")
    if args.list:
        print(f"{len(chosen)} mutants in {len({mutant.file for mutant in chosen})} files")
        return 0
    known = kept(args.kept)
    until = time.monotonic() + args.seconds
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        (Path(folder) / "sitecustomize.py").write_text(HOOK, encoding="utf-8")
        for mutant in chosen:
            if mutant.name in known or time.monotonic() > until:
                continue
            started = time.monotonic()
            seen = known[mutant.name] = seen_by(mutant, Path(folder))
            if args.kept is not None:
                with args.kept.open("a", encoding="utf-8") as file:
                    print(mutant.name, seen, file=file)
            print(f"{mutant.name:28} {seen or 'SURVIVED'}  ({time.monotonic() - started:.0f} s)", flush=True)
    if left := [mutant.name for mutant in chosen if mutant.name not in known]:
        print(f"{len(left)} not made yet")
        chosen = [mutant for mutant in chosen if mutant.name in known]
    survivors = [mutant.name for mutant in chosen if not known[mutant.name]]
    caught = len(chosen) - len(survivors)
    print(f"{caught} of {len(chosen)} caught" + (f"; survived: {', '.join(survivors)}" if survivors else ""))
    return 0 if caught >= ENOUGH * len(chosen) and not (args.few and survivors) else 1


if __name__ == "__main__":
    raise SystemExit(main())
