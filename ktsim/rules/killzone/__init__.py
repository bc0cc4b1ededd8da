"""What killzones bring whatever the edition: actions, interrupts, tight places. Knows moving and the engine."""
