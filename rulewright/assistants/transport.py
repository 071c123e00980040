"""The lines between an assistant and the library of its protocol.

The library ignores a line that is not a message, so that whoever waits for its answer waits for ever. Here
such a line is answered, with an error of JSON-RPC 2.0, and the library does not see it.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

LONGEST = 4_000_000
"""The most bytes of a line: the largest file that may be written, with every character escaped, and more."""
NOT_JSON, NO_MESSAGE = -32700, -32600
"""Codes of errors of JSON-RPC 2.0."""


def problem(line: bytes) -> bytes | None:
    """The answer to a line that is not a message, or none if it is one."""
    if len(line) > LONGEST:
        return answer(NOT_JSON, f"the line has more than {LONGEST} bytes")
    try:
        value = json.loads(line.decode())
    except (ValueError, RecursionError) as error:
        return answer(NOT_JSON, f"the line is not JSON in UTF-8: {_reason(error)}")
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return answer(
            NOT_JSON, "a text has half of a surrogate pair, which is not a character", _id_of(value)
        )
    if not _is_message(value):
        return answer(NO_MESSAGE, "the line is not a message of JSON-RPC 2.0, one a line", _id_of(value))
    return None


def answer(code: int, message: str, about: int | str | None = None) -> bytes:
    """An error of JSON-RPC as a line; `about` is the id of the request if it can be read."""
    error = {"code": code, "message": message}
    return json.dumps({"jsonrpc": "2.0", "id": about, "error": error}).encode() + b"\n"


def _reason(error: Exception) -> str:
    match error:
        case json.JSONDecodeError():
            return f"{error.msg} at column {error.colno}"
        case UnicodeDecodeError():
            return f"byte {error.start + 1} is not UTF-8"
        case RecursionError():
            return "it is nested too deeply"
        case _:
            return "a number is too long"


def _is_message(value: Any) -> bool:
    """Whether a value is a request, a notification or an answer."""
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        return False
    if "method" not in value:
        return "result" in value or "error" in value
    named = isinstance(value["method"], str) and isinstance(value.get("params", {}), dict)
    return named and ("id" not in value or _is_id(value["id"]))


def _id_of(value: Any) -> int | str | None:
    id_ = value.get("id") if isinstance(value, dict) else None
    return id_ if _is_id(id_) and str(id_).isprintable() else None


def _is_id(value: Any) -> bool:
    return isinstance(value, int | str) and not isinstance(value, bool)


class CheckedRequests(io.RawIOBase):
    """The lines of a stream that are messages; each other one is answered by `tell`."""

    def __init__(self, source: BinaryIO, tell: Callable[[bytes], object]) -> None:
        self.source = source
        self.tell_problem = tell
        self.rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer)
        if not self.rest:
            self.rest = self._message()
        part, self.rest = self.rest[: len(view)], self.rest[len(view) :]
        view[: len(part)] = part
        return len(part)

    def _message(self) -> bytes:
        """The next line that is a message; none at the end."""
        while line := self.source.readline(LONGEST + 1):
            self._pass_over(line)
            if not line.strip():
                continue
            refusal = problem(line)
            if refusal is None:
                return line if line.endswith(b"\n") else line + b"\n"
            self.tell_problem(refusal)
        return b""

    def _pass_over(self, line: bytes) -> None:
        """Reads a line that is too long to its end, a part at a time."""
        while len(line) > LONGEST and not line.endswith(b"\n"):
            line = self.source.readline(LONGEST + 1)
            if len(line) <= LONGEST:
                return


class WholeLines(io.BufferedIOBase):
    """A stream to which several threads write, each its lines whole."""

    def __init__(self, target: BinaryIO) -> None:
        self.target = target
        self.lock = Lock()

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer) -> int:
        with self.lock:
            self.target.write(data)
            self.target.flush()
        return memoryview(data).nbytes


@contextmanager
def checked_streams() -> Iterator[None]:
    """Standard input without what is not a message, and standard output, for the library.

    What else the process reads and prints meanwhile goes to the null device and to standard error.
    """
    before = sys.stdin, sys.stdout
    incoming, outgoing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    lines = WholeLines(outgoing)
    requests = io.BufferedReader(CheckedRequests(incoming, lines.write))
    sys.stdin = io.TextIOWrapper(requests, encoding="utf-8")
    sys.stdout = io.TextIOWrapper(lines, encoding="utf-8")
    try:
        yield
    finally:
        sys.stdin, sys.stdout = before
