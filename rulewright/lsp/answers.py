"""The requests that the server answers, each by a function of `features`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from dsl.source import Source
from dsl.workspace.formatting import formatted
from dsl.workspace.navigation import CannotRename
from rulewright.lsp import features
from rulewright.lsp.rulesets import OpenRuleset
from rulewright.lsp.server import RulesServer

T = TypeVar("T")
TRIGGERS = (".", " ", "§")
"""The characters behind which something is offered."""
REQUEST_FAILED = -32803


def register(server: RulesServer) -> None:
    """Let a server answer all requests that it knows."""

    def about(uri: str, answer: Callable[[OpenRuleset, Source], T]) -> T | None:
        """The answer about a document, or nothing if it belongs to no ruleset or is not read by it."""
        ruleset = server.rulesets.of(uri)
        source = features.source_of(ruleset, uri) if ruleset is not None else None
        return answer(ruleset, source) if ruleset is not None and source is not None else None

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        return about(params.text_document.uri, lambda r, s: features.hovered(r, s, params.position))

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    async def definition(params: lsp.DefinitionParams) -> list[lsp.Location] | None:
        return about(params.text_document.uri, lambda r, s: features.definitions(r, s, params.position))

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    async def references(params: lsp.ReferenceParams) -> list[lsp.Location] | None:
        declared = params.context.include_declaration
        return about(
            params.text_document.uri, lambda r, s: features.references(r, s, params.position, declared)
        )

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    async def highlight(params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight] | None:
        return about(params.text_document.uri, lambda r, s: features.highlights(r, s, params.position))

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare_rename(params: lsp.PrepareRenameParams) -> lsp.Range | None:
        return _refusing(
            lambda: about(params.text_document.uri, lambda r, s: features.renamable(r, s, params.position))
        )

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    async def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        name = params.new_name
        return _refusing(
            lambda: about(
                params.text_document.uri, lambda r, s: features.renamed(r, s, params.position, name)
            )
        )

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=list(TRIGGERS)))
    async def completion(params: lsp.CompletionParams) -> list[lsp.CompletionItem] | None:
        return about(params.text_document.uri, lambda r, s: features.completions(r, s, params.position))

    @server.feature(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, lsp.SignatureHelpOptions(trigger_characters=["(", ","]))
    async def signature(params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        return about(params.text_document.uri, lambda r, s: features.signatures(r, s, params.position))

    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix]),
    )
    async def actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction] | None:
        return about(params.text_document.uri, lambda r, s: features.actions(r, s, params.range))

    _register_documents(server, about)


def _register_documents(server: RulesServer, about: Callable[..., T | None]) -> None:
    """The requests about whole documents."""

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(params: lsp.DocumentSymbolParams) -> object:
        return about(params.text_document.uri, features.symbols)

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folding(params: lsp.FoldingRangeParams) -> object:
        return about(params.text_document.uri, lambda r, s: features.foldings(s))

    @server.feature(
        lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
        lsp.SemanticTokensRegistrationOptions(legend=features.LEGEND, full=True),
    )
    async def tokens(params: lsp.SemanticTokensParams) -> object:
        return about(params.text_document.uri, features.tokens)

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    async def formatting(params: lsp.DocumentFormattingParams) -> object:
        if not params.text_document.uri.endswith(".rules"):
            return None
        return about(params.text_document.uri, lambda r, s: features.whole_edit(s, formatted(s)))

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    async def hints(params: lsp.InlayHintParams) -> object:
        return about(params.text_document.uri, lambda r, s: features.inlay_hints(r, s, params.range))


def _refusing(answer: Callable[[], T]) -> T:
    """An answer, or the error that says why there is none."""
    try:
        return answer()
    except CannotRename as refusal:
        raise JsonRpcException(str(refusal), REQUEST_FAILED) from None
