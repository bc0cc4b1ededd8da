"""The game's rules: decisions, events, actions, weapon rules."""
