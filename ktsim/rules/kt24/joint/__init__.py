"""Missions for one player, or two who share a side, against operatives nobody plays."""
