"""Drills: questions about a table, answered by the engine. Knows games, rulings and odds; no window and no plans."""
