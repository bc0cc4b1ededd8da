"""Killzones and scene files: loading, checking and building them."""
