"""Nodes in their order: regions as functions that run to a stop."""
