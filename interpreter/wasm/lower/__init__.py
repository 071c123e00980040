"""A machine to instructions, by a chain of classes each of which adds something to the one before."""
