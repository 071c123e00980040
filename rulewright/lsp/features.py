"""What an editor asks for, as functions of an open ruleset, in the types of the protocol."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from lsprotocol import types as lsp

from dsl.diagnostics import Diagnostic
from dsl.source import Source, Span
from dsl.workspace import corrections, navigation, outline
from dsl.workspace.calls import signature
from dsl.workspace.completion import Completion
from dsl.workspace.drift import Drift
from dsl.workspace.highlighting import KINDS, hints, semantic_tokens
from dsl.workspace.navigation import Edit
from rulewright.editors import writing
from rulewright.editors.open_rulesets import OpenRuleset, inner_path, path_of, uri_of
from rulewright.lsp.asserting import asserted_by
from rulewright.lsp.findings import as_diagnostic
from rulewright.lsp.positions import location, offset, position, span_range

LEGEND = lsp.SemanticTokensLegend(token_types=list(KINDS), token_modifiers=[])
COMPLETED = {
    "keyword": lsp.CompletionItemKind.Keyword,
    "key": lsp.CompletionItemKind.Property,
    "local": lsp.CompletionItemKind.Variable,
    "column": lsp.CompletionItemKind.Property,
    "value": lsp.CompletionItemKind.EnumMember,
    "type": lsp.CompletionItemKind.Class,
    "board": lsp.CompletionItemKind.Class,
    "component": lsp.CompletionItemKind.Class,
    "action": lsp.CompletionItemKind.Function,
    "effect": lsp.CompletionItemKind.Function,
    "procedure": lsp.CompletionItemKind.Function,
    "clause": lsp.CompletionItemKind.Reference,
}
OUTLINED = {
    "action": lsp.SymbolKind.Function,
    "effect": lsp.SymbolKind.Function,
    "procedure": lsp.SymbolKind.Function,
    "value": lsp.SymbolKind.Constant,
    "modify": lsp.SymbolKind.Operator,
    "type": lsp.SymbolKind.Enum,
    "board": lsp.SymbolKind.Enum,
    "component": lsp.SymbolKind.Class,
    "phase": lsp.SymbolKind.Namespace,
    "when": lsp.SymbolKind.Event,
}


def source_of(ruleset: OpenRuleset, uri: str) -> Source | None:
    """The text of a document, as the latest snapshot has it."""
    path = path_of(uri)
    return ruleset.snapshot.source(ruleset.inner(path)) if path is not None else None


def _uri(ruleset: OpenRuleset, span: Span) -> str:
    return uri_of(ruleset.outer(inner_path(ruleset, span)))


def _locations(ruleset: OpenRuleset, spans: Iterable[Span]) -> list[lsp.Location]:
    return [location(_uri(ruleset, span), span) for span in spans]


# ---- about the name at a place


def hovered(ruleset: OpenRuleset, source: Source, at: lsp.Position) -> lsp.Hover | None:
    found = writing.hovered(ruleset.snapshot, source, offset(source, at))
    if found is None:
        return None
    text = found.text + asserted_by(ruleset, source, at, found.span)
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), span_range(found.span))


def definitions(ruleset: OpenRuleset, source: Source, at: lsp.Position) -> list[lsp.Location]:
    return _locations(ruleset, navigation.definition(ruleset.snapshot, source, offset(source, at)))


def early_hover(ruleset: OpenRuleset, drift: Drift, at: lsp.Position) -> lsp.Hover | None:
    """What was known of a word before the last edits. Raises `TouchedByEdit`."""
    found = writing.hovered(ruleset.snapshot, drift.known, drift.unchanged(offset(drift.later, at)))
    if found is None:
        return None
    content = lsp.MarkupContent(lsp.MarkupKind.Markdown, found.text)
    return lsp.Hover(content, span_range(drift.forward(found.span)))


def early_definitions(ruleset: OpenRuleset, drift: Drift, at: lsp.Position) -> list[lsp.Location]:
    """Where a name is declared, by what was known before the last edits. Raises `TouchedByEdit`."""
    place = drift.unchanged(offset(drift.later, at))
    spans = navigation.definition(ruleset.snapshot, drift.known, place)
    return _locations(ruleset, [_now(ruleset, span) for span in spans])


def _now(ruleset: OpenRuleset, span: Span) -> Span:
    """Where a place that is known lies after the last edits. Raises `TouchedByEdit`."""
    path = ruleset.snapshot.path_of(span.source)
    drift = ruleset.drift(path) if path is not None else None
    return drift.forward(span) if drift is not None else span


def references(ruleset: OpenRuleset, source: Source, at: lsp.Position, declared: bool) -> list[lsp.Location]:
    found = navigation.references(ruleset.snapshot, source, offset(source, at), declared)
    return _locations(ruleset, found)


def highlights(ruleset: OpenRuleset, source: Source, at: lsp.Position) -> list[lsp.DocumentHighlight]:
    found = navigation.references(ruleset.snapshot, source, offset(source, at))
    return [lsp.DocumentHighlight(range=span_range(span)) for span in found if span.source is source]


def renamable(ruleset: OpenRuleset, source: Source, at: lsp.Position) -> lsp.Range:
    """Raises `CannotRename`."""
    return span_range(navigation.renamable(ruleset.snapshot, source, offset(source, at)))


def renamed(ruleset: OpenRuleset, source: Source, at: lsp.Position, name: str) -> lsp.WorkspaceEdit:
    """Raises `CannotRename`."""
    return edits(ruleset, navigation.rename(ruleset.snapshot, source, offset(source, at), name))


def edits(ruleset: OpenRuleset, found: Iterable[Edit]) -> lsp.WorkspaceEdit:
    """Edits of several files."""
    changes: dict[str, list[lsp.TextEdit]] = defaultdict(list)
    for edit in found:
        changes[_uri(ruleset, edit.span)].append(lsp.TextEdit(span_range(edit.span), edit.text))
    return lsp.WorkspaceEdit(changes=dict(changes))


# ---- while writing


def completions(ruleset: OpenRuleset, source: Source, at: lsp.Position) -> list[lsp.CompletionItem]:
    place = offset(source, at)
    return [_item(source, place, each) for each in writing.completions(ruleset.snapshot, source, place)]


def _item(source: Source, place: int, found: Completion) -> lsp.CompletionItem:
    """What is offered. Words of a key of several words are replaced together."""
    edit = None
    if found.replaces:
        written = Span(source, place - found.replaces, place)
        edit = lsp.TextEdit(span_range(written), found.inserted or found.text)
    return lsp.CompletionItem(
        label=found.text,
        kind=COMPLETED.get(found.kind, lsp.CompletionItemKind.Field),
        detail=found.detail or None,
        documentation=lsp.MarkupContent(lsp.MarkupKind.Markdown, found.meaning) if found.meaning else None,
        insert_text=found.inserted or None,
        text_edit=edit,
        sort_text=f"{found.rank}{found.text}",
    )


def signatures(ruleset: OpenRuleset, source: Source, at: lsp.Position) -> lsp.SignatureHelp | None:
    found = signature(ruleset.snapshot, source, offset(source, at))
    if found is None:
        return None
    parameters = [lsp.ParameterInformation(label=each) for each in found.parameters]
    label = f"{found.name}({', '.join(found.parameters)})"
    return lsp.SignatureHelp(
        signatures=[lsp.SignatureInformation(label=label, parameters=parameters)],
        active_signature=0,
        active_parameter=min(found.active, max(0, len(parameters) - 1)),
    )


def actions(ruleset: OpenRuleset, source: Source, wanted: lsp.Range) -> list[lsp.CodeAction]:
    """The corrections of the findings in a range."""
    found = []
    first, last = offset(source, wanted.start), offset(source, wanted.end)
    for finding in ruleset.snapshot.findings:
        if finding.span.source is not source or finding.span.start > last or finding.span.end < first:
            continue
        if (path := corrections.missing_file(finding)) is not None:
            edit = lsp.WorkspaceEdit(document_changes=[_created(uri_of(ruleset.outer(path)))])
            found.append(_action(ruleset, finding, f"Create `{path}`", True, edit))
        for each in corrections.all_corrections(ruleset.snapshot, finding):
            found.append(_action(ruleset, finding, each.title, each.sure, edits(ruleset, [each.edit])))
    return found


def _action(
    ruleset: OpenRuleset, finding: Diagnostic, title: str, sure: bool, edit: lsp.WorkspaceEdit
) -> lsp.CodeAction:
    return lsp.CodeAction(
        title=title,
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=[as_diagnostic(ruleset, finding)],
        is_preferred=sure,
        edit=edit,
    )


def _created(uri: str) -> lsp.CreateFile:
    return lsp.CreateFile(uri=uri, options=lsp.CreateFileOptions(ignore_if_exists=True))


# ---- about a document


def symbols(ruleset: OpenRuleset, source: Source) -> list[lsp.DocumentSymbol]:
    return [
        lsp.DocumentSymbol(
            name=each.name,
            detail=each.what,
            kind=OUTLINED.get(each.what, lsp.SymbolKind.Variable),
            range=span_range(each.whole),
            selection_range=span_range(each.at),
        )
        for each in outline.outline(ruleset.snapshot, source)
    ]


def workspace_symbols(ruleset: OpenRuleset, query: str) -> list[lsp.WorkspaceSymbol]:
    """The declarations of a ruleset whose names have the letters of a query in this order."""
    snapshot = ruleset.snapshot
    return [
        lsp.WorkspaceSymbol(
            name=each.name,
            kind=OUTLINED.get(each.what, lsp.SymbolKind.Variable),
            location=location(_uri(ruleset, each.at), each.at),
            container_name=f"{each.what} of {ruleset.root.name}",
        )
        for source in (*snapshot.analysis.folder.sources.values(), *snapshot.tests)
        for each in outline.outline(snapshot, source)
        if _has_letters(each.name, query)
    ]


def _has_letters(name: str, query: str) -> bool:
    letters = iter(name.casefold())
    return all(letter in letters for letter in query.casefold() if not letter.isspace())


def whole_edit(source: Source, text: str) -> list[lsp.TextEdit]:
    """The edit that replaces a document, if it is another one; lines that stay are left out."""
    if text == source.text:
        return []
    old, new = source.text.split("\n"), text.split("\n")
    shorter = min(len(old), len(new))
    first = next((n for n in range(shorter) if old[n] != new[n]), shorter)
    last = 0
    while last < shorter - first and old[-1 - last] == new[-1 - last]:
        last += 1
    if not last:
        where = lsp.Range(lsp.Position(first, 0), position(source, len(source.text)))
        return [lsp.TextEdit(where, "\n".join(new[first:]))]
    where = lsp.Range(lsp.Position(first, 0), lsp.Position(len(old) - last, 0))
    return [lsp.TextEdit(where, "".join(f"{line}\n" for line in new[first : len(new) - last]))]


def foldings(source: Source) -> list[lsp.FoldingRange]:
    return [lsp.FoldingRange(first, last) for first, last in outline.foldings(source)]


def tokens(ruleset: OpenRuleset, source: Source) -> lsp.SemanticTokens:
    """The names of a document, each as differences to the one before."""
    data: list[int] = []
    line = character = 0
    for span, kind in semantic_tokens(ruleset.snapshot, source):
        start, end = position(source, span.start), position(source, span.end)
        same = start.line == line
        data += [start.line - line, start.character - (character if same else 0)]
        data += [end.character - start.character, KINDS.index(kind), 0]
        line, character = start.line, start.character
    return lsp.SemanticTokens(data=data)


def inlay_hints(ruleset: OpenRuleset, source: Source, wanted: lsp.Range) -> list[lsp.InlayHint]:
    part = Span(source, offset(source, wanted.start), offset(source, wanted.end))
    return [
        lsp.InlayHint(position=position(source, each.offset), label=each.text, kind=lsp.InlayHintKind.Type)
        for each in hints(ruleset.snapshot, part)
    ]
