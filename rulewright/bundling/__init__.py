"""What a page consists of, in one file: its modules as one script, and everything packed as text."""
