"""Morphology by rule: forms of nouns in the languages in which sentences are put together from frames."""
