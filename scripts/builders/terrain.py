"""Terrain pieces: a GLB and a sidecar each. The work is done in :mod:`terrain_builders`."""

from __future__ import annotations

from terrain_builders.build import build

__all__ = ["build"]
