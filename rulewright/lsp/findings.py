"""Findings as diagnostics of the protocol, by file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol import types as lsp

from dsl.diagnostics import Diagnostic, Severity
from dsl.messages.files import NotText
from dsl.messages.statements import NeverUsed
from dsl.source import Source, Span
from dsl.workspace.snapshot import encoded
from rulewright.editors.open_rulesets import MutantShown, OpenRuleset, inner_path, uri_of
from rulewright.lsp.positions import location, span_range
from validators.mutate.messages import Survived

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
        range=_range(ruleset, finding),
        message=text,
        severity=lsp.DiagnosticSeverity.Error if is_error else lsp.DiagnosticSeverity.Warning,
        code=finding.code,
        source=SOURCE,
        related_information=others or None,
        tags=[lsp.DiagnosticTag.Unnecessary] if isinstance(finding, NeverUsed) else None,
    )


def unnoticed(ruleset: OpenRuleset) -> Iterator[tuple[str, list[lsp.Diagnostic]]]:
    """The mistakes that no scenario notices, at the places where they were put, by file."""
    missed = [mutant for mutant in ruleset.played.mutants if not mutant.noticed]
    for path in dict.fromkeys(mutant.file for mutant in missed):
        source = ruleset.text(path)
        if source is not None:
            yield path, [_unnoticed(source, mutant) for mutant in missed if mutant.file == path]


def _unnoticed(source: Source, mutant: MutantShown) -> lsp.Diagnostic:
    span = Span(source, mutant.start, min(mutant.end, len(source.text)))
    text, kind = f"{mutant.says}\nhelp: {mutant.help}", lsp.DiagnosticSeverity.Information
    return lsp.Diagnostic(span_range(span), text, kind, Survived.code, source=SOURCE)


def _range(ruleset: OpenRuleset, finding: Diagnostic) -> lsp.Range:
    """Where a finding is shown. A file that is no text has no places; an editor can show the line."""
    if isinstance(finding, NotText):
        text = ruleset.workspace.texts.get(inner_path(ruleset, finding.span), "")
        line = encoded(text)[: finding.offset].count(b"\n")
        return lsp.Range(lsp.Position(line, 0), lsp.Position(line + 1, 0))
    return span_range(finding.span)
