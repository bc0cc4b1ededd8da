"""Fighting as every edition has it: the stages of one sequence, the action around it."""
