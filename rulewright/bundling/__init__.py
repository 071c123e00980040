"""The page as it is sent, and a game as one file: scripts, styles and data packed as text."""
