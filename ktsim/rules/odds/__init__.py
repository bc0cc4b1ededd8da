"""Exact odds: the very stages play runs, solved over every die result and every choice."""
