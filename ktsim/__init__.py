"""ktsim: a tabletop for skirmish games with exact 3D line of sight."""

__version__ = "0.2.0"
