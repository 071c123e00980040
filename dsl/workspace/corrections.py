"""Corrections: the edits that the help of a finding names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dsl.diagnostics import Diagnostic
from dsl.source import Span
from dsl.workspace.navigation import Edit

NEAR = re.compile(r"did you mean (.*)\?")
QUOTED = re.compile(r"`([^`]+)`")
USE = re.compile(r"use `([^`]+)`")
REMOVE = re.compile(r"remove (?:it|`([^`]+)`)$")
ADD = re.compile(r"add the missing `([)\]])`")


@dataclass(frozen=True)
class Correction:
    """What is offered, and the edit that does it. `sure`: there is no other one."""

    title: str
    edit: Edit
    sure: bool


def corrections(finding: Diagnostic) -> Iterator[Correction]:
    """The edits that the help of a finding names, the likeliest first."""
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


def _with_blank(span: Span) -> Span:
    """A place with the blank before it."""
    before = span.source.text[span.start - 1 : span.start] if span.start else ""
    return Span(span.source, span.start - (before == " "), span.end)
