"""The clock of a block that ends: deadlines, and what is to be done about each job by then (docs/end-of-block.md)."""
