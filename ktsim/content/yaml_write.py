"""Writing YAML that :mod:`ktsim.content.yaml_tree` reads: plain values, no anchors, keys in their order."""

from __future__ import annotations

from typing import Any

import yaml


class _Plain(yaml.SafeDumper):
    """Writes a value out wherever it is used, also when two places share one list."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def to_yaml(document: Any) -> str:
    """*document*, made of plain Python values, as YAML text."""
    return yaml.dump(
        document, Dumper=_Plain, sort_keys=False, allow_unicode=True, default_flow_style=None, width=110
    )
