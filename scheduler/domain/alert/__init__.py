"""What an alert is: what a rule finds, the episode it makes, and who is told of which step of it."""
