"""A ruleset that is being edited: snapshots of it, and pure functions from a snapshot to answers."""
