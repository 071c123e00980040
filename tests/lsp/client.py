"""A client of the language server: requests and notifications as JSON over its standard streams."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from typing import Any

PATIENCE = 60
"""Seconds to wait for an answer."""


class Client:
    """One running server."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "rulewright", "lsp"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.received: Queue[dict[str, Any]] = Queue()
        self.published: list[dict[str, Any]] = []
        self.said: list[str] = []
        self.questions: list[dict[str, Any]] = []
        """What the server has asked, and was not answered."""
        self.numbers = 0
        threading.Thread(target=self._receive, daemon=True).start()

    def _receive(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while header := stream.readline():
            length = int(header.split(b":")[1])
            while stream.readline().strip():
                pass
            self.received.put(json.loads(stream.read(length)))

    def send(self, method: str, params: Any, number: int | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if number is not None:
            message["id"] = number
        self._write(message)

    def _write(self, message: dict[str, Any]) -> None:
        data = json.dumps(message).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self.process.stdin.flush()

    def ask(self, method: str, params: Any) -> Any:
        """The result of a request. What is published meanwhile is kept."""
        self.numbers += 1
        self.send(method, params, self.numbers)
        while True:
            message = self.received.get(timeout=PATIENCE)
            if message.get("id") == self.numbers and "method" not in message:
                assert "error" not in message, message["error"]
                return message.get("result")
            self._keep(message)

    def _keep(self, message: dict[str, Any]) -> None:
        if message.get("method") == "textDocument/publishDiagnostics":
            self.published.append(message["params"])
        elif message.get("method") == "window/showMessage":
            self.said.append(message["params"]["message"])
        elif "method" in message and "id" in message:
            self.questions.append(message)

    def publication(self, uri: str, version: int | None) -> list[dict[str, Any]]:
        """The diagnostics that are published for a version of a document, none for one that is not open."""
        while True:
            for params in self.published:
                if params["uri"] == uri and params.get("version") == version:
                    found: list[dict[str, Any]] = params["diagnostics"]
                    return found
            self._keep(self.received.get(timeout=PATIENCE))

    def question(self, method: str) -> dict[str, Any]:
        """The next request of a method by the server."""
        while True:
            for message in self.questions:
                if message["method"] == method:
                    self.questions.remove(message)
                    return message
            self._keep(self.received.get(timeout=PATIENCE))

    def answer(self, request: dict[str, Any], result: Any) -> None:
        """Answer what the server has asked."""
        self._write({"jsonrpc": "2.0", "id": request["id"], "result": result})

    # ---- documents

    def open(self, path: Path) -> str:
        uri = path.as_uri()
        text = path.read_text("utf-8")
        document = {"uri": uri, "languageId": "rulewright", "version": 0, "text": text}
        self.send("textDocument/didOpen", {"textDocument": document})
        return uri

    def change(self, uri: str, version: int, text: str) -> None:
        params = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]}
        self.send("textDocument/didChange", params)

    def at(self, method: str, uri: str, line: int, character: int, **more: Any) -> Any:
        place = {"line": line, "character": character}
        return self.ask(f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": place, **more})


@contextmanager
def connected() -> Iterator[Client]:
    with started({}) as client:
        yield client


@contextmanager
def started(capabilities: dict[str, Any]) -> Iterator[Client]:
    """A server of an editor that can do so much."""
    client = Client()
    try:
        client.ask("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities})
        client.send("initialized", {})
        yield client
        client.ask("shutdown", None)
        client.send("exit", None)
        client.process.wait(PATIENCE)
    finally:
        client.process.kill()
        client.process.wait()
