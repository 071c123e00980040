"""Environments for learning libraries: one set of rules, the same spaces in each of them."""
