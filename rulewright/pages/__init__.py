"""Pages that show a game in a browser, each one file without anything from elsewhere."""
