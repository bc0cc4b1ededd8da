"""Which rule ids have no test. Reads the ids from assets/rules.yaml and the marks from tests/*.py."""

from __future__ import annotations

import argparse
import ast
import re
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent


def known_ids() -> list[str]:
    return list(yaml.safe_load((ROOT / "assets" / "rules.yaml").read_text(encoding="utf-8")))


def cited_ids() -> dict[str, int]:
    """Rule id to the number of ``pytest.mark.rule`` marks that cite it in a file with tests."""
    cited: dict[str, int] = {}
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = node.func if isinstance(node, ast.Call) else None
            if not isinstance(called, ast.Attribute) or called.attr != "rule":
                continue
            for arg in node.args:  # type: ignore[attr-defined]
                if isinstance(arg, ast.Constant) and isinstance(arg.value, str):
                    cited[arg.value] = cited.get(arg.value, 0) + 1
    return cited


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--only", default="", help="regular expression: look only at ids that match it")
    options.add_argument("--quiet", action="store_true", help="summary only; fail on unknown ids only")
    args = options.parse_args()
    ids = [name for name in known_ids() if re.search(args.only, name)]
    cited = cited_ids()
    missing = [name for name in ids if name not in cited]
    unknown = sorted(set(cited) - set(known_ids()))
    if not args.quiet:
        for name in missing:
            print(name)
    for name in unknown:
        print(f"{name} is cited by a test and not in assets/rules.yaml", file=sys.stderr)
    print(f"{len(ids) - len(missing)} of {len(ids)} rule ids have a test", file=sys.stderr)
    return 1 if unknown or (missing and not args.quiet) else 0


if __name__ == "__main__":
    raise SystemExit(main())
