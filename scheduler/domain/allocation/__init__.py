"""Which GPU runs which job at which step: legal grids, their figures, and how far from the best possible they are."""
