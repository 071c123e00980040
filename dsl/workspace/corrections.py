"""Corrections: the edits that the help of a finding names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dsl.diagnostics import Diagnostic
from dsl.messages.files import CannotRead
from dsl.source import Span
from dsl.workspace.navigation import Edit
from dsl.workspace.snapshot import Snapshot

NEAR = re.compile(r"did you mean (.*)\?")
QUOTED = re.compile(r"`([^`]+)`")
USE = re.compile(r"use `([^`]+)`")
REMOVE = re.compile(r"remove (?:it|`([^`]+)`)$")
DEFINE = re.compile(r"define it: `([\w ()]+?)( = \.\.\.)?`")
FILE = re.compile(r"(?:\w[\w-]*/)*\w[\w-]*\.(?:rules|yaml|csv|tsv)")
ADD = re.compile(r"add the missing `([)\]])`")


@dataclass(frozen=True)
class Correction:
    """What is offered, and the edit that does it. `sure`: there is no other one."""

    title: str
    edit: Edit
    sure: bool


def all_corrections(snapshot: Snapshot, finding: Diagnostic) -> Iterator[Correction]:
    """The edits of any file that the help of a finding names, the likeliest first."""
    yield from corrections(finding)
    if (defined := definition(snapshot, finding)) is not None:
        yield defined


def corrections(finding: Diagnostic) -> Iterator[Correction]:
    """The edits at the place of a finding that its help names, the likeliest first."""
    span, help_text = finding.span, finding.help
    if not span.source.text or "\n" in span.text:
        return
    if (near := NEAR.search(help_text)) is not None:
        names = QUOTED.findall(near[1])
        for name in names:
            yield Correction(f"Replace by `{name}`", Edit(span, name), len(names) == 1)
    elif (use := USE.fullmatch(help_text)) is not None and span.text.strip():
        yield Correction(f"Use `{use[1]}`", Edit(span, use[1]), True)
    elif (removed := REMOVE.fullmatch(help_text)) is not None and removed[1] in (None, span.text):
        yield Correction(f"Remove `{span.text}`", Edit(_with_blank(span), ""), True)
    elif (added := ADD.search(help_text)) is not None:
        end = span.source.span_of_line(span.line)
        text = end.text.split("§")[0].rstrip()
        at = Span(span.source, end.start + len(text), end.start + len(text))
        yield Correction(f"Add `{added[1]}`", Edit(at, added[1]), False)


def definition(snapshot: Snapshot, finding: Diagnostic) -> Correction | None:
    """The definition that the help of a finding asks for, at the end of the first file of rules."""
    asked = DEFINE.fullmatch(finding.help)
    own = (s for path, s in sorted(snapshot.analysis.folder.sources.items()) if path.endswith(".rules"))
    rules = next((source for source in own if not snapshot.is_below(source)), None)
    if asked is None or rules is None:
        return None
    head, is_value = asked[1], asked[2] is not None
    number = head.startswith("score") or head.endswith("(seat)")
    text = f"{head} = {'0' if number else 'false'}" if is_value else f"{head}\n    nothing"
    end = len(rules.text)
    above = "\n" * (2 - rules.text[-1:].count("\n")) if rules.text.strip() else ""
    return Correction(f"Define `{head}`", Edit(Span(rules, end, end), f"{above}{text}\n"), False)


def missing_file(finding: Diagnostic) -> str | None:
    """The file that a finding misses and that could be made: its path within the ruleset."""
    named = finding.span.text.strip("'\"")
    if isinstance(finding, CannotRead) and finding.why.startswith("no such file") and FILE.fullmatch(named):
        return named
    return None


def _with_blank(span: Span) -> Span:
    """A place with the blank before it."""
    before = span.source.text[span.start - 1 : span.start] if span.start else ""
    return Span(span.source, span.start - (before == " "), span.end)
