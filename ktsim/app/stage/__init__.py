"""The table in three dimensions: meshes, light, cameras, picking, overlays and their labels; knows scenes and settings,
no ruling and no game."""
