"""The ruling table: its state and commands, its camera, and how both meet the stage."""
