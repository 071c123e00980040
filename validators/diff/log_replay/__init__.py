"""Replay of saved matches under two versions of their rules: whether they differ, and where."""
