"""Expressions to numbers, collections to loops."""
