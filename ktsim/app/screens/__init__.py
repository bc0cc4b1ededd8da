"""The screens of the window: each is one thing to look at, and the shell holds them on a stack."""
