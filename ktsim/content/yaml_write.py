"""Writing YAML that :mod:`ktsim.content.yaml_tree` reads: plain values, no anchors, keys in their order."""

from __future__ import annotations

from typing import Any

import yaml

from ktsim.content.yaml_tree import resolved

# The C emitter is ten times faster; a team with all its texts takes a second without it.
_Dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


class _Plain(_Dumper):  # type: ignore[misc]
    """Writes a value out wherever it is used, also when two places share one list."""

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def text(self, text: str) -> Any:
        """Text of several lines as such; quotes around text that our reader would take for something else."""
        style = "|" if "\n" in text else None
        if not isinstance(resolved(text), str):
            style = "'"
        return self.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Plain.add_representer(str, _Plain.text)


def to_yaml(document: Any) -> str:
    """*document*, made of plain Python values, as YAML text."""
    return yaml.dump(document, Dumper=_Plain, sort_keys=False, allow_unicode=True, default_flow_style=None, width=110)
