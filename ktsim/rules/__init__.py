"""The game's rules, room by room; these modules name what can be played. They know the editions, and no team."""

RULES_VERSION = 11
"""Goes up whenever the same answers can lead to another game; a save says which one it was played by."""
