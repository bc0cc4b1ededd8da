"""Builders of the shipped terrain: run by ``scripts/build_assets terrain``, never by the program itself.

Every builder is a function of a seed and returns a :class:`~terrain_builders.draft.Draft`: ruling parts (one
closed mesh each, with traits) and decor that never rules. Inches, z up, the origin in the middle of the footprint.
"""
