"""Which rule ids have no test, or are named nowhere in the product.

Reads the ids from assets/rules.yaml, the marks from tests/ and the names from ktsim/, killzones/ and assets/.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
INDEX = ROOT / "assets" / "rules.yaml"


def known_ids() -> list[str]:
    return list(yaml.safe_load(INDEX.read_text(encoding="utf-8")))


def cited_ids() -> dict[str, int]:
    """Rule id to the number of ``pytest.mark.rule`` marks that cite it in a file with tests."""
    cited: dict[str, int] = {}
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = node.func if isinstance(node, ast.Call) else None
            if called is None or not re.search(r"\bmark\.rule$", ast.unparse(called)):
                continue
            for arg in node.args:  # type: ignore[attr-defined]
                if isinstance(arg, ast.Constant) and isinstance(arg.value, str):
                    cited[arg.value] = cited.get(arg.value, 0) + 1
    return cited


def named_ids() -> set[str]:
    """Every id the product names: where it is at work, in code or in a killzone's or team's file."""
    paths = [*(ROOT / "ktsim").rglob("*.py")]
    paths += [path for folder in ("killzones", "assets") for path in (ROOT / folder).rglob("*.yaml") if path != INDEX]
    found: set[str] = set()
    for path in paths:
        found |= set(re.findall(r"\b[A-Z]+[0-9]*(?:-[A-Za-z0-9]+)+", path.read_text(encoding="utf-8")))
    return found


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--only", default="", help="regular expression: look only at ids that match it")
    args = options.parse_args()
    ids = [name for name in known_ids() if re.search(args.only, name)]
    cited, named = cited_ids(), named_ids()
    wrong = [f"{name} has no test" for name in ids if name not in cited]
    wrong += [f"{name} is named nowhere in the product" for name in ids if name not in named]
    wrong += [f"{name} is cited by a test and not in {INDEX.name}" for name in sorted(set(cited) - set(known_ids()))]
    for line in wrong:
        print(line)
    good = [name for name in ids if name in cited and name in named]
    print(f"{len(good)} of {len(ids)} rule ids are named by the product and have a test", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
