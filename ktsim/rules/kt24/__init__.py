"""The 2024 edition: its actions, phases, sequences, weapon rules, equipment, ops and packs. Knows nothing of 2021."""
