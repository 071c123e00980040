"""Validation of games: checks, scenarios, exploration, mutation testing, traceability, comparison."""
