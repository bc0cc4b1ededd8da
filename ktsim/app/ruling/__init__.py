"""The ruling table: what stands on it, the hands on it, its panels and its screen; knows rulings as `card` shows them,
and nothing of games, areas or the window."""
