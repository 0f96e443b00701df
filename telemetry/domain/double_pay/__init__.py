"""Paid twice: instances that ran on demand while slots of a reservation that fits them were free."""
