"""Processes: Ctrl-C, time limits, work side by side, and what ends it early."""
