"""What the records of a folder show about a game, and which of them could not be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dsl import rules as r
from dsl.diagnostics import Diagnostic, DiagnosticError
from dsl.source import NOWHERE
from rulewright.experiments.playtests import Summary, actions_of, by_rules, summary
from rulewright.experiments.playtests_compared import ComparedRules, compared
from rulewright.experiments.playtests_object import comparison_object, summary_object
from rulewright.matches.playtests import PREFIX, SUFFIX, PlaytestRecord, read_folder
from rulewright.messages import BadPlaytest


@dataclass(frozen=True, slots=True)
class FolderShown:
    """What records show in all, for each version of the rules by its digest, and between versions."""

    rules: r.Rules
    total: Summary
    versions: Mapping[str, Summary]
    comparisons: tuple[ComparedRules, ...]
    unread: tuple[Diagnostic, ...]
    """An error for each record that could not be read, or is of another game."""

    def as_json(self) -> dict[str, object]:
        """All but what could not be read."""
        return {
            "game": self.rules.name,
            "rules": self.rules.digest,
            "all": summary_object(self.total, self.rules),
            "versions": {digest: summary_object(part, self.rules) for digest, part in self.versions.items()},
            "comparisons": [comparison_object(one) for one in self.comparisons],
        }


def shown_by(folder: Path, rules: r.Rules) -> FolderShown:
    """What the records of a folder show. Raises `DiagnosticError` if there are none."""
    actions = actions_of(rules)
    records, errors = read_folder(folder)
    if not records and not errors:
        raise DiagnosticError(BadPlaytest(NOWHERE, str(folder), "it has no record"))
    own: dict[str, PlaytestRecord] = {}
    for match, record in records.items():
        if record.game == rules.name:
            own[match] = record
        else:
            path = str(folder / f"{PREFIX}{match}{SUFFIX}")
            errors.append(BadPlaytest(NOWHERE, path, f"it is of the game `{record.game}`"))
    versions = by_rules(own, rules.digest)
    return FolderShown(
        rules,
        summary(own, actions),
        {digest: summary(some, actions) for digest, some in versions.items()},
        tuple(compared(versions, actions)) if versions else (),
        tuple(errors),
    )
