"""Ops: what the players score victory points for (KT24-SCORE)."""
