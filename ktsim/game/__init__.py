"""Running games: the Game object, seats, records."""
