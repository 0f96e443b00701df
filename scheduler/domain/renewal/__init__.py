"""What follows a reservation's end: what is still possible, what was decided, and what became of it."""
