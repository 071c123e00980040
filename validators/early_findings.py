"""Findings of a ruleset with errors, of which not all rules are known."""

from __future__ import annotations

from dsl.load import Analysis
from validators.check import Finding
from validators.checks.label_of_nothing import labels_of_nothing, shown_names


def early_findings(analysis: Analysis) -> list[Finding]:
    """What is wrong with the labels (V324), but for names that may lie in what cannot be read.

    What `allow` permits is left out.
    """
    rules, names = analysis.partial, analysis.names
    if rules is None or names is None:
        return []
    allowed = {(entry.code, entry.about) for entry in rules.allowed}
    found = labels_of_nothing(rules, shown_names(rules))
    return [one for one in found if one.about not in names and (one.code, one.about) not in allowed]
