"""Django's PostgreSQL backend for the embedded server: the same, but it starts the servers it connects to."""
