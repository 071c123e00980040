"""Saved matches under two versions of their rules: whether both go the same way, and where they differ."""
