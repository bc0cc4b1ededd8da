"""The oracle: whole rulings of both editions judged by the rules alone, every line against every triangle.

It reads a scene's triangles, traits and bases, and shares no geometry with the engine. A line that is said to be clear
is measured; what is said to be hidden is attacked. Targeting lines are laid from the engine's origin, to see that they
cross exactly what it says, and from origins all over the base, to see that none gives the shooter more. Whatever
misses a threshold by less than ``TIE`` is a tie and is counted as one.
"""
