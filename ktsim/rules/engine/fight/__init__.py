"""Fighting: one fight sequence stage by stage, and what fights have in common."""
