"""Comparison of two versions of a ruleset, and of matches played under both."""
