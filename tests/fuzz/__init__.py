"""Hostile files of every kind the program reads from outside."""
