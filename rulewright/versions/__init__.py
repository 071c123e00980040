"""Two versions of a ruleset: where they come from, and how what differs is told."""
