"""Versions of a ruleset: where they come from, and reports of their differences."""
