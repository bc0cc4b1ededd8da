"""Moving: what a path costs, whether it is legal and why not, and the cheapest way to a place."""
