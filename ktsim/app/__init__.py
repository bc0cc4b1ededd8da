"""The program in a window, the only layer that may draw: rooms that import only to the right in
``shell -> play -> area -> ruling -> card -> screens -> stage -> ui``."""
