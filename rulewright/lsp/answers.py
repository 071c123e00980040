"""The requests that the server answers, each by a function of `features`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from dsl.source import Source
from dsl.workspace.drift import Drift, TouchedByEdit
from dsl.workspace.navigation import CannotRename
from rulewright.editors.form import ENDINGS, in_form
from rulewright.editors.open_rulesets import OpenRuleset, path_of
from rulewright.lsp import features
from rulewright.lsp.server import REQUEST_FAILED, RulesServer

T = TypeVar("T")
About = Callable[[str, Callable[[OpenRuleset, Source], Any]], Awaitable[Any]]
"""What answers a question about a document, once all is known of it."""
MOST_SYMBOLS = 500
"""Names that are found in a workspace at once; an editor asks again when more is typed."""
TRIGGERS = (".", " ", "§", "{", "[")
"""The characters behind which something is offered."""


def register(server: RulesServer) -> None:
    """Let a server answer all requests that it knows."""

    async def about(uri: str, answer: Callable[[OpenRuleset, Source], T]) -> T | None:
        """The answer about a document, or nothing if it belongs to no ruleset or is not read by it."""
        ruleset = server.rulesets.of(uri)
        if ruleset is None:
            return None
        await server.settled(ruleset)
        source = features.source_of(ruleset, uri)
        return answer(ruleset, source) if source is not None else None

    _register_at_once(server, about)

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    async def references(params: lsp.ReferenceParams) -> list[lsp.Location] | None:
        declared = params.context.include_declaration
        return await about(
            params.text_document.uri, lambda r, s: features.references(r, s, params.position, declared)
        )

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    async def highlight(params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight] | None:
        return await about(params.text_document.uri, lambda r, s: features.highlights(r, s, params.position))

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare_rename(params: lsp.PrepareRenameParams) -> lsp.Range | None:
        with _refusing():
            return await about(
                params.text_document.uri, lambda r, s: features.renamable(r, s, params.position)
            )

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    async def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        name = params.new_name
        with _refusing():
            return await about(
                params.text_document.uri, lambda r, s: features.renamed(r, s, params.position, name)
            )

    @server.feature(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, lsp.SignatureHelpOptions(trigger_characters=["(", ","]))
    async def signature(params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        return await about(params.text_document.uri, lambda r, s: features.signatures(r, s, params.position))

    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix]),
    )
    async def actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction] | None:
        return await about(params.text_document.uri, lambda r, s: features.actions(r, s, params.range))

    _register_documents(server, about)
    _register_workspace(server)


def _register_at_once(server: RulesServer, about: About) -> None:
    """The requests that wait for nothing, if what is known of an earlier text answers them as well."""

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        uri, at = params.text_document.uri, params.position
        with suppress(TouchedByEdit):
            return _early(server, uri, lambda r, d: features.early_hover(r, d, at))
        later: lsp.Hover | None = await about(uri, lambda r, s: features.hovered(r, s, at))
        return later

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    async def definition(params: lsp.DefinitionParams) -> list[lsp.Location] | None:
        uri, at = params.text_document.uri, params.position
        with suppress(TouchedByEdit):
            return _early(server, uri, lambda r, d: features.early_definitions(r, d, at))
        later: list[lsp.Location] | None = await about(uri, lambda r, s: features.definitions(r, s, at))
        return later

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=list(TRIGGERS)))
    async def completion(params: lsp.CompletionParams) -> list[lsp.CompletionItem] | None:
        uri, at = params.text_document.uri, params.position
        with suppress(TouchedByEdit):
            return _early(server, uri, lambda r, d: features.completions(r, d.later, at))
        later: list[lsp.CompletionItem] | None
        later = await about(uri, lambda r, s: features.completions(r, s, at))
        return later


def _early(server: RulesServer, uri: str, answer: Callable[[OpenRuleset, Drift], T]) -> T:
    """An answer by what is known of an earlier text of a document. Raises `TouchedByEdit` without it."""
    ruleset, path = server.rulesets.of(uri), path_of(uri)
    if ruleset is None or path is None or ruleset.known == ruleset.version:
        raise TouchedByEdit
    drift = ruleset.drift(ruleset.inner(path))
    if drift is None:
        raise TouchedByEdit
    return answer(ruleset, drift)


def _register_documents(server: RulesServer, about: About) -> None:
    """The requests about whole documents."""

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(params: lsp.DocumentSymbolParams) -> object:
        return await about(params.text_document.uri, features.symbols)

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folding(params: lsp.FoldingRangeParams) -> object:
        return await about(params.text_document.uri, lambda r, s: features.foldings(s))

    @server.feature(
        lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
        lsp.SemanticTokensRegistrationOptions(legend=features.LEGEND, full=True),
    )
    async def tokens(params: lsp.SemanticTokensParams) -> object:
        return await about(params.text_document.uri, features.tokens)

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    async def formatting(params: lsp.DocumentFormattingParams) -> object:
        if not params.text_document.uri.endswith(ENDINGS):
            return None
        return await about(params.text_document.uri, lambda r, s: features.whole_edit(s, in_form(s)))

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    async def hints(params: lsp.InlayHintParams) -> object:
        return await about(params.text_document.uri, lambda r, s: features.inlay_hints(r, s, params.range))


def _register_workspace(server: RulesServer) -> None:
    """The requests about all rulesets with open files."""

    @server.feature(lsp.WORKSPACE_SYMBOL)
    async def symbols(params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        found: list[lsp.WorkspaceSymbol] = []
        for ruleset in tuple(server.rulesets.rulesets.values()):
            await server.settled(ruleset)
            found += features.workspace_symbols(ruleset, params.query)
        return found[:MOST_SYMBOLS]


@contextmanager
def _refusing() -> Iterator[None]:
    """Turns a refusal into the error that says why there is no answer."""
    try:
        yield
    except CannotRename as refusal:
        raise JsonRpcException(str(refusal), REQUEST_FAILED) from None
