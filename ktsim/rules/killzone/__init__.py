"""Rules killzones bring: actions, interrupts and what weapons do in tight places."""
