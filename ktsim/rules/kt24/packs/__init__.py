"""Mission packs: how a battle is set up and who has the initiative."""
