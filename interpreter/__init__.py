"""Play: typed rules to a machine, a machine to matches."""
