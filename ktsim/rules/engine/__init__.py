"""Decisions, events, state, battle, actions, windows, precedence: what editions share. Knows no edition and no team."""
