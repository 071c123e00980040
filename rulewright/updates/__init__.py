"""Rulesets of an older version of the language, rewritten so that they mean the same now."""
