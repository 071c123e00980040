"""Where people test: a game as pictures, and as files of programs that are tables without rules."""
