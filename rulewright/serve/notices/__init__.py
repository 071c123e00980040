"""Notices of one's turn, by webhook and by mail."""
