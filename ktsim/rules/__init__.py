"""The game's rules, room by room; these modules name what can be played. They know the editions, and no team."""
