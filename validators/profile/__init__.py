"""Profiles: which lines of the rules take the work of a match, and hints how to save it."""
