"""A month of a pool's recorded work, lived through once more on fewer and on more nodes (docs/replay.md)."""
