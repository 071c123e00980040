"""Nodes that change the state."""
