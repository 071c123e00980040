"""Conditions and collections to sets of bits, and what is asked of them."""
