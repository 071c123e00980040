"""The language server. A burst of edits is answered once, and only with what is known of the latest text."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any
from urllib.parse import unquote

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from dsl.diagnostics import Diagnostic
from dsl.source import NOWHERE
from dsl.workspace.snapshot import Snapshot, Workspace
from rulewright.editors.open_rulesets import OpenRuleset, OpenRulesets, findings, path_of, uri_of
from rulewright.lsp.findings import by_file, unnoticed
from rulewright.lsp.protocol import RulesProtocol
from rulewright.processes.garbage import clear_up, spare

REQUEST_FAILED = -32803
IDLE, AT_REST = 0.06, 2.0
"""Seconds without an edit that end a burst of edits, and before memory is cleared up."""

ENDINGS = ("rules", "yaml", "csv", "tsv", "xlsx", "ods", "svg", "png", "jpg", "jpeg", "lark")
"""Of the files that a ruleset reads."""
WATCHED = lsp.DidChangeWatchedFilesRegistrationOptions(
    [lsp.FileSystemWatcher(f"**/*.{{{','.join(ENDINGS)}}}")]
)


class RulesServer(LanguageServer):
    """A server with the rulesets that are open, and the publications that wait.

    Rulesets are read and indexed in a thread, one after the other, so that questions are answered meanwhile.
    """

    def __init__(self) -> None:
        super().__init__("rulewright", "0.1", protocol_cls=RulesProtocol)
        self.rulesets = OpenRulesets()
        self._working: set[asyncio.Task[None]] = set()
        self._reader = ThreadPoolExecutor(1, "reading")
        self._waiting: dict[OpenRuleset, asyncio.TimerHandle] = {}
        self._rest: asyncio.TimerHandle | None = None
        self.shows_places = False
        """Whether the editor shows a list of places by itself."""
        self.when_known: Callable[[OpenRuleset], None] = lambda ruleset: None
        """What is done when all is known of the latest version of a ruleset."""

    def edited(self, uri: str, text: str | None) -> None:
        """A document was opened, changed or closed. Its findings follow when nothing more is typed."""
        ruleset, path = self.rulesets.of(uri), path_of(uri)
        if ruleset is None or path is None:
            return
        ruleset.edit(ruleset.inner(path), text)
        self.publish_soon(ruleset)

    # ---- reading

    async def settled(self, ruleset: OpenRuleset) -> None:
        """Wait until all is known of a ruleset as it is now."""
        while ruleset.known != ruleset.version:
            if ruleset.reading is None or ruleset.reading.done():
                ruleset.reading = asyncio.create_task(self._read(ruleset))
            await asyncio.shield(ruleset.reading)

    async def _read(self, ruleset: OpenRuleset) -> None:
        """Read a ruleset as it is now, publish its findings if their time has come, and index it."""
        loop, version = asyncio.get_running_loop(), ruleset.version
        snapshot, found = await loop.run_in_executor(self._reader, _examined, ruleset.workspace)
        if version == ruleset.version:
            ruleset.findings, ruleset.found = found, version
            if ruleset not in self._waiting or version == ruleset.first_of_burst:
                self.publish(ruleset)
        await loop.run_in_executor(self._reader, _indexed, snapshot)
        ruleset.know(snapshot, version)
        spare()
        if version == ruleset.version:
            self.when_known(ruleset)

    # ---- publishing

    def publish_soon(self, ruleset: OpenRuleset) -> None:
        """Publish what is found after an edit: at once after the first of a burst, and after the last."""
        if (waiting := self._waiting.pop(ruleset, None)) is not None:
            waiting.cancel()
        elif ruleset.known != ruleset.version and (ruleset.reading is None or ruleset.reading.done()):
            ruleset.first_of_burst = ruleset.version
            ruleset.reading = asyncio.create_task(self._read(ruleset))
        ruleset.is_published = False
        loop = asyncio.get_running_loop()
        self._waiting[ruleset] = loop.call_later(IDLE, partial(self._due, ruleset))

    def _due(self, ruleset: OpenRuleset) -> None:
        """Nothing was typed for a while: publish what is found, or see to it that it is found."""
        self._waiting.pop(ruleset, None)
        if ruleset.found == ruleset.version:
            if not ruleset.is_published:
                self.publish(ruleset)
        else:
            self.begin(self.settled(ruleset))

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Let some work go on by itself."""
        task = asyncio.get_running_loop().create_task(work)
        self._working.add(task)
        task.add_done_callback(self._working.discard)

    def publish(self, ruleset: OpenRuleset) -> None:
        """Publish what was found in each file, and that nothing is found any more in others."""
        found = by_file(ruleset, ruleset.findings)
        for (path, _), failures in ruleset.played.failures.items():
            found[path] = [*found.get(path, []), *failures]
        for path, missed in unnoticed(ruleset):
            found[path] = [*found.get(path, []), *missed]
        for path in sorted(found.keys() | ruleset.reported | ruleset.workspace.texts.keys()):
            uri = uri_of(ruleset.outer(path))
            document = self.workspace.text_documents.get(unquote(uri))
            version = document.version if document is not None else None
            self.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(uri=uri, diagnostics=found.get(path, []), version=version)
            )
        ruleset.reported = set(found)
        ruleset.is_published = ruleset.found == ruleset.version
        self._clear_up_later()

    def _clear_up_later(self) -> None:
        """Search for garbage when nobody waits."""
        if self._rest is not None:
            self._rest.cancel()
        self._rest = asyncio.get_running_loop().call_later(AT_REST, clear_up)


def _examined(workspace: Workspace) -> tuple[Snapshot, tuple[Diagnostic, ...]]:
    """A ruleset as it is now, and what is wrong with it."""
    clear_up()
    snapshot = workspace.snapshot()
    return snapshot, tuple(findings(snapshot))


def _indexed(snapshot: Snapshot) -> None:
    """Build the index of a snapshot, which keeps it."""
    snapshot.whole_index.within(NOWHERE.source)


def register_documents(server: RulesServer) -> None:
    """Let a server follow the documents of an editor."""

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        server.edited(params.text_document.uri, params.text_document.text)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        if (document := server.workspace.text_documents.get(unquote(uri))) is not None:
            server.edited(uri, document.source)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        server.edited(params.text_document.uri, None)

    @server.feature(lsp.INITIALIZED)
    async def initialized(params: lsp.InitializedParams) -> None:
        """Ask an editor that can to tell of files that something else changes, as a spreadsheet program."""
        workspace = server.client_capabilities.workspace
        watching = workspace.did_change_watched_files if workspace is not None else None
        if watching is not None and watching.dynamic_registration:
            server.client_register_capability(
                lsp.RegistrationParams(
                    [lsp.Registration("files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, WATCHED)]
                ),
            )

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def files_changed(params: lsp.DidChangeWatchedFilesParams) -> None:
        touched = {
            found.root: found for change in params.changes if (found := server.rulesets.of(change.uri))
        }
        for ruleset in touched.values():
            ruleset.changed_outside()
            server.publish_soon(ruleset)
