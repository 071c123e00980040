"""What an editor shows of a ruleset, by the functions of `dsl/workspace`, as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dsl.diagnostics import Diagnostic, Severity
from dsl.source import Source, Span
from dsl.workspace import navigation
from dsl.workspace.calls import signature
from dsl.workspace.completion import Completion
from dsl.workspace.corrections import all_corrections
from dsl.workspace.formatting import formatted
from dsl.workspace.highlighting import hints, semantic_tokens
from dsl.workspace.navigation import CannotRename, Edit
from dsl.workspace.outline import outline
from rulewright.editors import writing
from rulewright.editors.open_rulesets import OpenRuleset, findings, inner_path
from rulewright.studio.offsets import Range, character, span_range, units
from rulewright.studio.rpc import Json, refused

MOST_COMPLETIONS = 200


def place(ruleset: OpenRuleset, span: Span) -> Range:
    """A span with the path of its file. What lies nowhere is shown in `game.yaml`."""
    path = inner_path(ruleset, span)
    if ruleset.read().path_of(span.source) is None:
        return {"path": path, "start": 0, "end": 0}
    return span_range(path, span)


def found_mistakes(ruleset: OpenRuleset) -> list[Json]:
    """The findings of all files, each with its place and what would correct it."""
    return [finding_json(ruleset, finding) for finding in findings(ruleset.read())]


def finding_json(ruleset: OpenRuleset, finding: Diagnostic) -> Json:
    """A finding: its place, code, text and help, other places, and its corrections."""
    return {
        **place(ruleset, finding.span),
        "severity": "error" if finding.severity is Severity.ERROR else "warning",
        "code": finding.code,
        "message": finding.message,
        "help": finding.help,
        "others": [{**place(ruleset, label.span), "text": label.text} for label in finding.others],
        "corrections": [
            {"title": each.title, "edits": edits_json(ruleset, [each.edit])}
            for each in all_corrections(ruleset.read(), finding)
        ],
    }


def edits_json(ruleset: OpenRuleset, edits: Iterable[Edit]) -> list[Json]:
    """Edits of files: where, and what stands there instead."""
    return [{**place(ruleset, edit.span), "text": edit.text} for edit in edits]


# ---- about the name at a place


def hovered(ruleset: OpenRuleset, source: Source, at: int) -> Json | None:
    found = writing.hovered(ruleset.read(), source, character(source.text, at))
    return None if found is None else {**place(ruleset, found.span), "text": found.text}


def defined(ruleset: OpenRuleset, source: Source, at: int) -> list[Range]:
    spans = navigation.definition(ruleset.read(), source, character(source.text, at))
    return [place(ruleset, span) for span in spans]


def referred(ruleset: OpenRuleset, source: Source, at: int) -> list[Json]:
    """All places of a name, each with its line."""
    spans = navigation.references(ruleset.read(), source, character(source.text, at))
    return [{**place(ruleset, span), **_line_of(span)} for span in spans]


def _line_of(span: Span) -> Json:
    line = span.line
    return {"line": line, "text": span.source.line(line).strip()}


def renamed(ruleset: OpenRuleset, source: Source, at: int, name: str) -> list[Json]:
    """The edits of all files that give a name another one. Raises `RpcError` with the reason."""
    offset = character(source.text, at)
    try:
        return edits_json(ruleset, navigation.rename(ruleset.read(), source, offset, name))
    except CannotRename as why:
        raise refused("not-renamed", str(why)) from None


def renamable(ruleset: OpenRuleset, source: Source, at: int) -> Range:
    """The name at a place, if it can be renamed. Raises `RpcError` with the reason."""
    try:
        return place(ruleset, navigation.renamable(ruleset.read(), source, character(source.text, at)))
    except CannotRename as why:
        raise refused("not-renamed", str(why)) from None


# ---- while writing


def completed(ruleset: OpenRuleset, source: Source, at: int) -> list[Json]:
    found = writing.completions(ruleset.read(), source, character(source.text, at))
    return [_completion(source, character(source.text, at), each) for each in found[:MOST_COMPLETIONS]]


def _completion(source: Source, place: int, found: Completion) -> Json:
    """What is offered, and from where it is written if more than a word is replaced."""
    shown = {"text": found.text, "kind": found.kind, "detail": found.detail, "rank": found.rank}
    more = {"inserted": found.inserted, "meaning": found.meaning}
    shown |= {name: text for name, text in more.items() if text}
    return shown | ({"from": units(source.text, place - found.replaces)} if found.replaces else {})


def called(ruleset: OpenRuleset, source: Source, at: int) -> Json | None:
    """The call around a place: its name, its parameters, and which of them is written."""
    found = signature(ruleset.read(), source, character(source.text, at))
    if found is None:
        return None
    return {"name": found.name, "parameters": list(found.parameters), "active": found.active}


# ---- about a file


def coloured(ruleset: OpenRuleset, source: Source) -> Json:
    """The names of a file, each with its kind, and the ranges of numbers that are shown beside them."""
    text = source.text
    tokens: list[list[Any]] = [
        [units(text, span.start), units(text, span.end), kind]
        for span, kind in semantic_tokens(ruleset.read(), source)
    ]
    shown = [
        [units(text, each.offset), each.text] for each in hints(ruleset.read(), Span(source, 0, len(text)))
    ]
    return {"tokens": tokens, "hints": shown}


def outlined(ruleset: OpenRuleset, source: Source) -> list[Json]:
    return [
        {**place(ruleset, each.at), "name": each.name, "what": each.what}
        for each in outline(ruleset.read(), source)
    ]


def reformatted(ruleset: OpenRuleset, source: Source) -> str:
    """The text of a file of rules in its one form; other files stay as they are."""
    return formatted(source) if source.name.endswith(".rules") else source.text
