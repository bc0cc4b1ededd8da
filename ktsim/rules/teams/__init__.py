"""Teams: their files, what they import from, the rules they bring."""
