"""The server: matches that people play with each other, kept in a database."""
