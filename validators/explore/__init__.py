"""Bounded exhaustive exploration: every position that can be reached, and what is wrong with one of them."""
