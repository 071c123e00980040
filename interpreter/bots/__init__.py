"""Bots: players that depend on a seed and on what their seat may know, held as strategies."""
