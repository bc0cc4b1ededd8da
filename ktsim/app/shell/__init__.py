"""The window itself: its input, its stack of screens and its start screen; it knows every feature and none knows it."""
