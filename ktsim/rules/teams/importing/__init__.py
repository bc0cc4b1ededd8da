"""Team files of the community turned into ours, and what became of each of their items."""
