"""Comparison of two versions of a ruleset, and of matches played under both.

`compare` is the entry point. Both versions become a `version_view`, in which what is written has a form
(`forms`) without places and names that do not matter. `rename_detection` finds which names are others for the
same thing (`names`). Then each of the `kinds` of declarations is compared by the module that has its name,
and gives `changes`. `log_replay` plays saved matches under both versions.
"""
