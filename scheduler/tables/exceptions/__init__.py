"""Requests for exceptions in words and figures, for pages and files."""
