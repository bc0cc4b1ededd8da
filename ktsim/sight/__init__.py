"""Scenes, visibility, targeting lines and rulings."""
