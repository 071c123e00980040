"""Findings as diagnostics of the protocol, by file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol import types as lsp

from dsl.diagnostics import Diagnostic, Severity
from dsl.load import GAME
from dsl.messages.files import NotText
from dsl.messages.statements import NeverUsed
from dsl.source import Span
from dsl.workspace.snapshot import Snapshot, encoded
from rulewright.lsp.positions import location, span_range
from rulewright.lsp.rulesets import OpenRuleset, uri_of
from validators.scenarios.reading import read_file

SOURCE = "rulewright"
SCENARIOS = "scenarios/"


def findings(snapshot: Snapshot) -> Iterator[Diagnostic]:
    """What is wrong with a ruleset, and with the form of its scenarios if its rules are known."""
    yield from snapshot.findings
    if snapshot.analysis.rules is None:
        return
    for source in snapshot.tests:
        if (snapshot.path_of(source) or "").startswith(SCENARIOS):
            for faulty in read_file(source, snapshot.analysis.rules).faulty:
                yield from faulty.diagnostics


def by_file(ruleset: OpenRuleset, findings: Iterable[Diagnostic]) -> dict[str, list[lsp.Diagnostic]]:
    """The diagnostics of each file by its path in the folder. What lies nowhere is shown in `game.yaml`."""
    found: dict[str, list[lsp.Diagnostic]] = {}
    for finding in findings:
        path = inner_path(ruleset, finding.span)
        found.setdefault(path, []).append(as_diagnostic(ruleset, finding))
    return found


def inner_path(ruleset: OpenRuleset, span: Span) -> str:
    """The path in the folder of the file of a place; `game.yaml` for a place in none of its files."""
    name, prefix = span.source.name, f"{ruleset.workspace.name}/"
    path = name.removeprefix(prefix)
    if path == name:
        return GAME
    return path if path in ruleset.workspace.texts or ruleset.outer(path).is_file() else GAME


def as_diagnostic(ruleset: OpenRuleset, finding: Diagnostic) -> lsp.Diagnostic:
    others = [
        lsp.DiagnosticRelatedInformation(
            location(uri_of(ruleset.outer(inner_path(ruleset, label.span))), label.span), label.text
        )
        for label in finding.others
    ]
    text = finding.message + (f"\nhelp: {finding.help}" if finding.help else "")
    is_error = finding.severity is Severity.ERROR
    return lsp.Diagnostic(
        range=_range(ruleset, finding),
        message=text,
        severity=lsp.DiagnosticSeverity.Error if is_error else lsp.DiagnosticSeverity.Warning,
        code=finding.code,
        source=SOURCE,
        related_information=others or None,
        tags=[lsp.DiagnosticTag.Unnecessary] if isinstance(finding, NeverUsed) else None,
    )


def _range(ruleset: OpenRuleset, finding: Diagnostic) -> lsp.Range:
    """Where a finding is shown. A file that is no text has no places; an editor can show the line."""
    if isinstance(finding, NotText):
        text = ruleset.workspace.texts.get(inner_path(ruleset, finding.span), "")
        line = encoded(text)[: finding.offset].count(b"\n")
        return lsp.Range(lsp.Position(line, 0), lsp.Position(line + 1, 0))
    return span_range(finding.span)
