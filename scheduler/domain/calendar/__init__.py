"""What a reservation brings into a calendar, and how it is written there (docs/calendar.md)."""
