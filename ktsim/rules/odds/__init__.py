"""The stages of a sequence solved exactly. Knows only the engine, and is given the stages of an edition."""
