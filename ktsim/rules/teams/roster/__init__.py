"""Rosters: who may be in a kill team, and files that say who is."""
