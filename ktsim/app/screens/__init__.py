"""What a screen is, what it may ask of its host, and the pages every feature opens (files, keys, settings); knows no
feature."""
