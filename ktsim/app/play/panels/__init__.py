"""What a game shows, panel by panel: functions of plain data that hold no rules."""
