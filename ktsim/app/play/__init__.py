"""Games at the window, live and replayed: match, questions, panels and screens; opens the ruling table only by asking
its host, and draws rulings as `card` does."""
