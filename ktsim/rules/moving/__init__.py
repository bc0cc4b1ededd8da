"""Whether a path is legal, what it costs, what can be reached. Knows only the engine."""
