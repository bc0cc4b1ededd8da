"""The ruling table: its state and commands, its panels, its screen."""
