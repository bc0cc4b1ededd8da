"""Float64 geometry in inches, without game words."""
