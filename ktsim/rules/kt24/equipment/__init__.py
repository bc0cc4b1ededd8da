"""Universal equipment: terrain, markers, actions and weapons a player may bring."""
