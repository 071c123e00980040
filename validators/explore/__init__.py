"""Bounded exhaustive exploration of all reachable positions."""
