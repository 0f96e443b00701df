"""Pages of requests for exceptions: the inbox, the form, and one request as its approver reads it."""
