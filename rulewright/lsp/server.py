"""The language server. A burst of edits is answered once, and only with what is known of the latest text."""

from __future__ import annotations

import asyncio
import gc
from functools import partial

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from rulewright.lsp.findings import by_file
from rulewright.lsp.rulesets import OpenRuleset, OpenRulesets, findings, path_of, uri_of

IDLE, AT_REST = 0.06, 2.0
"""Seconds without an edit before findings are published, and before memory is cleared up."""


class RulesServer(LanguageServer):
    """A server with the rulesets that are open, and the publications that wait."""

    def __init__(self) -> None:
        super().__init__("rulewright", "0.1")
        self.rulesets = OpenRulesets()
        self._waiting: dict[OpenRuleset, asyncio.TimerHandle] = {}
        self._rest: asyncio.TimerHandle | None = None

    def edited(self, uri: str, text: str | None) -> None:
        """A document was opened, changed or closed. Its findings follow when nothing more is typed."""
        ruleset, path = self.rulesets.of(uri), path_of(uri)
        if ruleset is None or path is None:
            return
        ruleset.edit(ruleset.inner(path), text)
        self.publish_soon(ruleset)

    def publish_soon(self, ruleset: OpenRuleset) -> None:
        if (waiting := self._waiting.pop(ruleset, None)) is not None:
            waiting.cancel()
        loop = asyncio.get_running_loop()
        self._waiting[ruleset] = loop.call_later(IDLE, partial(self._publish, ruleset))

    def _publish(self, ruleset: OpenRuleset) -> None:
        """Publish what was found in each file, and that nothing is found any more in others."""
        self._waiting.pop(ruleset, None)
        found = by_file(ruleset, findings(ruleset))
        for path in sorted(found.keys() | ruleset.reported | ruleset.workspace.texts.keys()):
            uri = uri_of(ruleset.outer(path))
            document = self.workspace.text_documents.get(uri)
            version = document.version if document is not None else None
            self.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(uri=uri, diagnostics=found.get(path, []), version=version)
            )
        ruleset.reported = set(found)
        self._clear_up_later()

    def _clear_up_later(self) -> None:
        """Search for garbage when nobody waits: within an answer it would take longer than the answer."""
        gc.disable()
        if self._rest is not None:
            self._rest.cancel()
        self._rest = asyncio.get_running_loop().call_later(AT_REST, gc.collect)


def register_documents(server: RulesServer) -> None:
    """Let a server follow the documents of an editor."""

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        server.edited(params.text_document.uri, params.text_document.text)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        server.edited(uri, server.workspace.get_text_document(uri).source)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        server.edited(params.text_document.uri, None)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def files_changed(params: lsp.DidChangeWatchedFilesParams) -> None:
        touched = {
            found.root: found for change in params.changes if (found := server.rulesets.of(change.uri))
        }
        for ruleset in touched.values():
            ruleset.version += 1
            server.publish_soon(ruleset)
