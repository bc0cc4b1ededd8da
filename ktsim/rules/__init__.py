"""The game's rules: an engine that every edition shares, the editions, and what killzones and teams bring."""

RULES_VERSION = 2
"""Goes up whenever the same answers can lead to another game; a save says which one it was played by."""
