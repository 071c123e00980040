"""What is kept of matches, on SQLite and on PostgreSQL."""
