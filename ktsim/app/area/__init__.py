"""What somebody sees and where one is safe, painted on the ruling table, which it knows; nothing of games."""
