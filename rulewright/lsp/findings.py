"""Findings as diagnostics of the protocol, by file."""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types as lsp

from dsl.diagnostics import Diagnostic, Severity
from dsl.messages.statements import NeverUsed
from rulewright.lsp.positions import location, span_range
from rulewright.lsp.rulesets import OpenRuleset, inner_path, uri_of

SOURCE = "rulewright"


def by_file(ruleset: OpenRuleset, findings: Iterable[Diagnostic]) -> dict[str, list[lsp.Diagnostic]]:
    """The diagnostics of each file by its path in the folder. What lies nowhere is shown in `game.yaml`."""
    found: dict[str, list[lsp.Diagnostic]] = {}
    for finding in findings:
        path = inner_path(ruleset, finding.span)
        found.setdefault(path, []).append(as_diagnostic(ruleset, finding))
    return found


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
        range=span_range(finding.span),
        message=text,
        severity=lsp.DiagnosticSeverity.Error if is_error else lsp.DiagnosticSeverity.Warning,
        code=finding.code,
        source=SOURCE,
        related_information=others or None,
        tags=[lsp.DiagnosticTag.Unnecessary] if isinstance(finding, NeverUsed) else None,
    )
