"""A page that talks to a session of the studio, without a browser."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from rulewright.studio.methods import METHODS
from rulewright.studio.session import StudioSession
from rulewright.studio.testers import Testers

T = TypeVar("T")
PATIENCE = 30.0


@dataclass
class Talk:
    """A page that talks to a session: what it was told, and its questions."""

    root: Path
    told: list[dict[str, Any]] = field(default_factory=list)
    session: StudioSession = field(init=False)
    version: int = 0

    def begin(self) -> None:
        self.session = StudioSession(
            self.root, lambda text: self.told.append(json.loads(text)), Testers(self.root), METHODS
        )

    def tell(self, method: str, **params: Any) -> None:
        self.session.hear(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}))

    async def ask(self, method: str, **params: Any) -> Any:
        """The result, or the error as `{"refused": data}`."""
        number = len(self.told) + 1_000_000
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        self.session.hear(json.dumps(message))
        answer = await self.until(lambda told: told.get("id") == number)
        if "error" in answer:
            return {"refused": answer["error"].get("data") or answer["error"]}
        return answer["result"]

    async def until(self, fits: Callable[[dict[str, Any]], bool], since: int = 0) -> dict[str, Any]:
        """The first message of this kind from number `since` on, waited for."""
        loop = asyncio.get_running_loop()
        end = loop.time() + PATIENCE
        while loop.time() < end:
            for told in self.told[since:]:
                if fits(told):
                    return told
            await asyncio.sleep(0.005)
        raise AssertionError([told.get("method") for told in self.told])

    async def told_of(self, method: str, since: int = 0) -> dict[str, Any]:
        found = await self.until(lambda told: told.get("method") == method, since)
        params: dict[str, Any] = found["params"]
        return params

    async def edit(self, path: str, old: str, new: str) -> int:
        """Replace a part of a file, unsaved. Returns from which message on its consequences are told."""
        text = self.session.ruleset.workspace.texts.get(path) or (self.root / path).read_text("utf-8")
        assert old in text
        since = len(self.told)
        self.version += 1
        self.tell("edit", path=path, text=text.replace(old, new, 1), version=self.version)
        await asyncio.sleep(0)
        return since

    def match(self) -> dict[str, Any]:
        """The match as the page knows it."""
        found: dict[str, Any] = [told for told in self.told if told.get("method") == "match"][-1]["params"]
        return found

    async def choose(self, words: str) -> Any:
        return await self.ask("choose", seat=self.match()["waiting"][0], words=words)


def talking(game: Path, act: Callable[[Talk], Awaitable[T]], **opened: Any) -> T:
    """Let a page open a session, and talk to it."""

    async def talk() -> T:
        page = Talk(game)
        page.begin()
        try:
            await page.ask("open", **opened)
            return await act(page)
        finally:
            page.session.close()

    return asyncio.run(talk())
