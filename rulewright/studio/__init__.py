"""The studio: a page at which a game is made, and the server behind it."""
