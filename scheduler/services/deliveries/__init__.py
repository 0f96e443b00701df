"""Sending the messages that are owed, each once."""

from scheduler.services.deliveries.sending import Delivered, deliver_messages

__all__ = ["Delivered", "deliver_messages"]
