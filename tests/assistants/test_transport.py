"""Every line gets an answer, whatever it is, and the server lives on."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rulewright.assistants.transport import LONGEST, CheckedRequests, WholeLines
from tests.processes import Process

PING = b'{"jsonrpc": "2.0", "id": 3, "method": "ping"}\n'


def read(*lines: bytes) -> tuple[bytes, list[dict[str, Any]]]:
    """What the library is given of some lines, and what the others are answered."""
    told: list[bytes] = []
    stream = io.BufferedReader(CheckedRequests(io.BytesIO(b"".join(lines)), told.append))
    return stream.read(), [json.loads(line) for line in told]


WRONG = {
    b'{"jsonrpc": broken\n': (-32700, None, "Expecting value at column 13"),
    b'{"jsonrpc": "2.0", "id": 7, "method": "x", "params": {"a": "\\ud800"}}\n': (-32700, 7, "surrogate"),
    b'{"jsonrpc": "2.0", "id": "\\udfff", "method": "x"}\n': (-32700, None, "surrogate"),
    b'{"jsonrpc": "2.0", "id": 1, "method": "\xff"}\n': (-32700, None, "byte 40 is not UTF-8"),
    b"[" * 100_000 + b"\n": (-32700, None, "nested too deeply"),
    b"1" * 5000 + b"\n": (-32700, None, "a number is too long"),
    b"[" + PING.strip() + b"]\n": (-32600, None, "one a line"),
    b"42\n": (-32600, None, "not a message"),
    b'{"id": 4, "method": "ping"}\n': (-32600, 4, "not a message"),
    b'{"jsonrpc": "2.0", "id": 5, "method": 5}\n': (-32600, 5, "not a message"),
    b'{"jsonrpc": "2.0", "id": "six", "method": "x", "params": [1]}\n': (-32600, "six", "not a message"),
    b'{"jsonrpc": "2.0", "id": true, "method": "x"}\n': (-32600, None, "not a message"),
    b"x" * (2 * LONGEST + 10) + b"\n": (-32700, None, f"more than {LONGEST} bytes"),
    b"x" * (LONGEST + 1) + b"\n": (-32700, None, f"more than {LONGEST} bytes"),
}


@pytest.mark.parametrize("line", WRONG, ids=range(len(WRONG)))
def test_what_is_no_message_is_answered_and_the_next_line_read(line: bytes) -> None:
    code, about, part = WRONG[line]
    passed, (told,) = read(line, PING)
    assert passed == PING
    assert (told["jsonrpc"], told["id"], told["error"]["code"]) == ("2.0", about, code)
    assert part in told["error"]["message"]


@pytest.mark.parametrize(
    "line",
    [
        PING,
        b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n',
        b'{"jsonrpc": "2.0", "id": 1, "result": {}}\n',
        b'{"jsonrpc": "2.0", "id": "a", "error": {"code": 1, "message": "no"}}\n',
        '{"jsonrpc": "2.0", "id": 1, "method": "x", "params": {"a": "\\ud83c\\udfb2 ő"}}\n'.encode(),
    ],
)
def test_messages_pass_as_they_are(line: bytes) -> None:
    assert read(line) == (line, [])


def test_blank_lines_and_a_missing_line_end() -> None:
    assert read(b"\n", b"  \r\n", PING.strip()) == (PING, [])


def test_lines_are_written_whole() -> None:
    target = io.BytesIO()
    text = io.TextIOWrapper(WholeLines(target), encoding="utf-8")
    text.write("é" * 50_000 + "\n")
    text.flush()
    assert target.getvalue() == "é".encode() * 50_000 + b"\n"


def test_the_server_answers_broken_lines_and_then_a_request(tmp_path: Path) -> None:
    start = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "a test", "version": "1"},
        },
    }
    call = {
        "jsonrpc": "2.0",
        "id": 3,
        "method": "tools/call",
        "params": {"name": "read_docs", "arguments": {"page": "glossary", "heading": "Rulesets"}},
    }
    lines = [json.dumps(start).encode(), b'{"jsonrpc": broken', *list(WRONG)[1:2], json.dumps(call).encode()]
    command = [sys.executable, "-m", "rulewright", "mcp", str(tmp_path)]
    with Process(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        answers = {}
        for line in lines:
            server.stdin.write(line.strip() + b"\n")
            server.stdin.flush()
            answered = json.loads(server.stdout.readline())
            answers[answered["id"]] = answered
        server.stdin.close()
        assert server.wait(30) == 0
    assert answers[None]["error"]["code"] == -32700
    assert answers[7]["error"]["code"] == -32700
    assert not answers[3]["result"]["isError"]
