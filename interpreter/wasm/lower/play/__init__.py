"""Regions and whole games that choose by themselves."""
