"""Experiments: matches of bots as pure functions of seeds, tallies that add up, and what they show."""
