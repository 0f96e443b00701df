"""What people fill in, checked before a service is asked."""
