"""Matches that are kept: who sits where, log files, saves, undo, positions that they begin at."""
