"""Syntax to typed rules: names are resolved, then everything is typed."""
