"""Rulebook and rules, clause by clause: sentences, fingerprints, and who says what of them."""
