"""Writes of this floor, one noun a file."""
