"""Panels and screens of the window, drawn from plain data; each returns what was asked for."""
