"""Writes of this floor; split by noun as it grows."""
