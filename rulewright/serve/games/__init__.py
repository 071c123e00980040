"""The games of a server: read, compiled, described, and those that visitors upload."""
