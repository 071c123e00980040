"""Functions for many matches side by side."""
