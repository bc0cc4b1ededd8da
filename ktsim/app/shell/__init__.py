"""The window: its input, its stack of screens, settings and the screens every feature is reached from."""
