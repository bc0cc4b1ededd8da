"""The player's teams: taking files in, what became of them, building rosters, datacards."""
