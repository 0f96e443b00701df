"""What needs a decision or a look: one rule a file, each from facts to items, and the order they are shown in."""
