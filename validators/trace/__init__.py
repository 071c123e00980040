"""Traceability: which rules render, execute and assert each clause of the rulebook."""
