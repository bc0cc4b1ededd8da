"""What every edition shares: decisions, events, state, the battle and its rules in force. Knows no edition."""
