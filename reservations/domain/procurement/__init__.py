"""The procurement rule, requests for exceptions from it, and who may approve them: pure rules."""
