"""JSON-RPC 2.0: requests, notifications and answers as texts (https://www.jsonrpc.org/specification)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]
PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS, INTERNAL = -32700, -32600, -32601, -32602, -32603
REFUSED = -32000
"""What is asked for cannot be done; `data` has a `code` that the page knows."""


class RpcError(Exception):
    """An answer that says why there is no result. `data` goes to the page as it is."""

    def __init__(self, code: int, message: str, data: Json | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


def refused(code: str, message: str, **more: Any) -> RpcError:
    """A refusal with a code that the page knows."""
    return RpcError(REFUSED, message, {"code": code, **more})


@dataclass(frozen=True)
class Call:
    """What a page asks for; without `id` it wants no answer."""

    method: str
    params: Json = field(default_factory=dict)
    id: int | str | None = None

    def text(self, name: str) -> str:
        """A parameter that is a text. Raises `RpcError`."""
        found = self.params.get(name)
        if not isinstance(found, str):
            raise RpcError(INVALID_PARAMS, f"`{name}` is a text")
        return found

    def number(self, name: str) -> int:
        """A parameter that is a whole number. Raises `RpcError`."""
        found = self.params.get(name)
        if not isinstance(found, int) or isinstance(found, bool):
            raise RpcError(INVALID_PARAMS, f"`{name}` is a whole number")
        return found

    def within(self, name: str, least: int, most: int) -> int:
        """A parameter that is a whole number within bounds. Raises `RpcError`."""
        found = self.number(name)
        if not least <= found <= most:
            raise RpcError(INVALID_PARAMS, f"`{name}` is from {least} to {most}, and not {found}")
        return found

    def texts(self, name: str) -> dict[str, str]:
        """A parameter that maps texts to texts; empty if it is not there. Raises `RpcError`."""
        found = self.params.get(name) or {}
        if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
            raise RpcError(INVALID_PARAMS, f"`{name}` maps texts to texts")
        return found


def read_call(text: str) -> Call:
    """The call in a message. Raises `RpcError` if it is none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise RpcError(PARSE_ERROR, "the message is not JSON") from None
    match found:
        case {"jsonrpc": "2.0", "method": str(method)}:
            params, id = found.get("params", {}), found.get("id")
            if isinstance(params, dict) and (id is None or isinstance(id, int | str)):
                return Call(method, params, id)
    raise RpcError(INVALID_REQUEST, "the message is no request of JSON-RPC 2.0")


def notification(method: str, params: Json) -> str:
    """A message that wants no answer."""
    return _encoded({"jsonrpc": "2.0", "method": method, "params": params})


def result(id: int | str, found: Any) -> str:
    """The answer to a call."""
    return _encoded({"jsonrpc": "2.0", "id": id, "result": found})


def error(id: int | str | None, why: RpcError) -> str:
    """The answer to a call that failed."""
    about: Json = {"code": why.code, "message": why.message}
    if why.data is not None:
        about["data"] = why.data
    return _encoded({"jsonrpc": "2.0", "id": id, "error": about})


def _encoded(message: Json) -> str:
    return json.dumps(message, separators=(",", ":"))  # in ASCII: a text may have half of a character
