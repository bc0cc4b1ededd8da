"""Reviews of saved games: what each activation was worth, what would have been better, what was luck. Knows games and
the commander by its plans; no window."""
