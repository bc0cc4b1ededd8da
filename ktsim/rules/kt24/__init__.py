"""The 2024 edition (``kt24``): its actions, weapon rules, equipment, ops and mission packs."""
