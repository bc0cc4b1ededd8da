"""Dear ImGui over Panda3D: the backend, the design's tokens and the pen everything is drawn with."""
