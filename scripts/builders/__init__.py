"""Builders of assets; each module has ``build(folder)``."""
