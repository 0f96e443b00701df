"""What stands behind a request for an exception: the rule's own numbers beside what is asked for, and the outcome."""
