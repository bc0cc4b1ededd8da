"""Team rules in play: the language of team rules answers the hooks of the engine. Nothing in it names a team."""
