"""A page as one file: its modules as one script, and everything packed as text."""
