"""Noninterference: what a seat cannot see does not influence what it sees."""
