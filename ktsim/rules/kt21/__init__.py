"""The 2021 Lite edition (``kt21-lite``): its actions, phases, sequences and weapon rules. Knows nothing of 2024."""
