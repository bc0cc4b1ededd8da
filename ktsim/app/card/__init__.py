"""Pictures without a display: the card of a ruling, a killzone."""
