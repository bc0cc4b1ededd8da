"""Playing in the window: hot-seat, solo and replays."""
