"""Shooting: choosing a target, and one shooting sequence stage by stage."""
