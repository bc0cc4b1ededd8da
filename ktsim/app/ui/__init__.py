"""Panels: the ImGui backend, pen, widgets, icons, labels, names, colours, and settings as plain data; knows no other
room."""
