"""Team files and what teams bring beyond them. May know everything else about the rules."""
