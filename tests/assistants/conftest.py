"""A server of tools, in a folder of its own, and a client that speaks the protocol with it."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters, stdio_client

from rulewright.assistants.folder import AssistantFolder
from rulewright.assistants.toolbox import Toolbox


@pytest.fixture
def toolbox(tmp_path: Path) -> Toolbox:
    return Toolbox(AssistantFolder(tmp_path))


class Assistant:
    """What an assistant's program does: calls tools, and reads their structured answers."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def __call__(self, tool: str, **arguments: object) -> dict[str, Any]:
        result = await self.client.call_tool(tool, arguments)
        assert not result.is_error, result
        assert result.structured_content is not None
        return dict(result.structured_content)


@asynccontextmanager
async def assistant(folder: Path, *words: str) -> AsyncIterator[Assistant]:
    command = [*("-m", "rulewright", "mcp", str(folder)), *words]
    async with Client(stdio_client(StdioServerParameters(command=sys.executable, args=command))) as client:
        yield Assistant(client)
