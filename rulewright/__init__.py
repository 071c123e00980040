"""The face: the public API and the command line."""
