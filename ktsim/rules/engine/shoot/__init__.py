"""Shooting as every edition has it: the stages of one sequence, weapons and targets on offer."""
