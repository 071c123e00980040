"""Referees of the rulesets that no other program plays: plain Python, written from the rules' own words."""
