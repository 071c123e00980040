"""Matches that are killed, and disks that fill up: `python -m tests.durability` tries it out."""
