"""The 2021 Lite edition (``kt21-lite``): its actions, phases, sequences and weapon rules."""
