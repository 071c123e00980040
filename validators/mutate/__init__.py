"""Mutation testing: rulesets with one small mistake, and whether their scenarios detect it.

`sites` finds the places for mistakes, `operators` makes them, `running` runs the scenarios, `equivalents`
reads the exceptions in `mutants.yaml`, and `score` sums up.
"""
