"""The machinery of long runs: random players, invariants and counts of what came about. ``scripts/soak`` runs it."""
