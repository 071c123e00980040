"""Mutants: rulesets with one small mistake put in, and whether their scenarios notice.

`sites` says where a mistake can be made, `operators` which ones, `running` what the scenarios say of them,
`equivalents` which ones make no difference, and `score` what all of it comes to.
"""
