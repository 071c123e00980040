"""Bots: players that are pure functions of a seed, a position and what waits in it."""
