"""Live matches: every change is committed to the log before anybody is told of it."""
