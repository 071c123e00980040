"""The protocol, strictly: each request is answered, also one that cannot be read or comes at a wrong time."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from cattrs import transform_error
from lsprotocol import types as lsp
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.language_server import lsp_method


@dataclass(frozen=True)
class UnreadableRequest:
    """A request whose parameters are not what its method asks for."""

    id: int | str
    error: JsonRpcException


class RulesProtocol(LanguageServerProtocol):
    """The protocol of pygls with an answer for requests that it drops, and without its faults for changes."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """A message, or a request that cannot be read. Raises `JsonRpcException` for other messages."""
        try:
            return super().structure_message(data)
        except JsonRpcException as failed:
            if "id" not in data or "method" not in data:
                raise
            cause = failed.__cause__
            why = "; ".join(transform_error(cause)) if isinstance(cause, Exception) else str(failed)
            return UnreadableRequest(data["id"], JsonRpcInvalidParams(f"{data['method']}: {why}"))

    def handle_message(self, message: Any) -> None:
        if isinstance(message, UnreadableRequest):
            self._send_response(message.id, error=message.error.to_response_error())
            return
        method = getattr(message, "method", None)
        refusal = self._refusal(method) if method is not None else None
        if refusal is None:
            super().handle_message(message)
        elif hasattr(message, "id"):
            self._send_response(message.id, error=refusal.to_response_error())

    def _refusal(self, method: str) -> JsonRpcException | None:
        """Why a message comes at a wrong time."""
        if method == lsp.EXIT:
            return None
        if self._shutdown:
            return JsonRpcInvalidRequest(f"{method}: the server is shutting down")
        if (self._workspace is None) != (method == lsp.INITIALIZE):
            if self._workspace is None:
                return JsonRpcServerNotInitialized(f"{method}: `initialize` must come first")
            return JsonRpcInvalidRequest(f"{method}: the server is initialized already")
        return None

    @lsp_method(lsp.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Generator[Any, Any, None]:
        """Cancel what is not answered yet. A request that ends leaves the list, so a copy is gone through."""
        for number, waiting in list(self._request_futures.items()):
            if number != self.msg_id and not waiting.done():
                waiting.cancel()
        yield from super().lsp_shutdown(*args)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(
        self, params: lsp.DidChangeTextDocumentParams
    ) -> Generator[Any, Any, None]:
        """Apply changes. A document that was not opened is opened by its whole text, and else left alone."""
        document = params.text_document
        if unquote(document.uri) not in self.workspace.text_documents:
            changes = params.content_changes
            if not any(isinstance(each, lsp.TextDocumentContentChangeWholeDocument) for each in changes):
                return
            self.workspace.put_text_document(lsp.TextDocumentItem(document.uri, "", document.version, ""))
        yield from super().lsp_text_document__did_change(params)
