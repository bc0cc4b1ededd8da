"""Drills in the window: the page of what was practised, and questions asked on the table; nothing of games."""
