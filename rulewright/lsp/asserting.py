"""The scenarios that assert a definition or a clause: said on hover, and shown by a lens when it is pressed.

An editor that can show a list of places by itself says so when it starts, `initializationOptions:
{showsPlaces: true}`; others ask which of the scenarios to open.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams

from dsl.pieces import pieces
from dsl.source import Source, Span
from dsl.wording import counted
from dsl.workspace.navigation import definition
from rulewright.editors.open_rulesets import Coverage, OpenRuleset, inner_path, path_of, uri_of
from rulewright.lsp.positions import offset, span_range
from rulewright.lsp.server import RulesServer

ASSERTING = "rulewright.asserting"
MOST_ASKED = 8
"""The most scenarios between which an editor is asked to choose."""
MOST_NAMED = 12
"""The most scenarios that a hover names."""


@dataclass(frozen=True)
class AssertingScenario:
    """A scenario, and where it stands."""

    name: str
    uri: str
    range: lsp.Range


def register_asserting(server: RulesServer) -> None:
    """Let a server show the scenarios that assert something."""

    @server.feature(lsp.INITIALIZE)
    async def began(params: lsp.InitializeParams) -> None:
        server.shows_places = _says(params.initialization_options, "showsPlaces")

    @server.command(ASSERTING)
    async def asserting(*arguments: Any) -> list[AssertingScenario]:
        ruleset, found = _asked(server, arguments)
        scenarios = _scenarios(ruleset, found) if ruleset is not None and found is not None else []
        if not server.shows_places:
            server.begin(_open_one(server, scenarios))
        return scenarios


def _says(options: object, key: str) -> bool:
    """Whether the options of an editor, which are a mapping or an object, have a key that is true."""
    return bool(options.get(key) if isinstance(options, dict) else getattr(options, key, False))


def _asked(
    server: RulesServer, arguments: tuple[Any, ...]
) -> tuple[OpenRuleset, Coverage | None] | tuple[None, None]:
    """What a lens is about: a document with a clause, or with the offset of a definition."""
    uri, what, *_ = (*arguments, None, None)
    if not isinstance(uri, str) or not isinstance(what, int | str):
        raise JsonRpcInvalidParams("the arguments are the address of a document, and a clause or an offset")
    ruleset, path = server.rulesets.of(uri), path_of(uri)
    if ruleset is None or path is None:
        return None, None
    return ruleset, covered(ruleset, ruleset.inner(path), what)


def covered(ruleset: OpenRuleset, path: str, what: int | str) -> Coverage | None:
    """What was counted of a clause, or of the definition that begins at an offset of a file."""
    for each in ruleset.played.coverage:
        if each.clause == what if isinstance(what, str) else (each.file, each.start) == (path, what):
            return each
    return None


def _scenarios(ruleset: OpenRuleset, found: Coverage) -> list[AssertingScenario]:
    shown = []
    for each in found.asserted:
        source = ruleset.text(each.file)
        if source is not None:
            at = span_range(Span(source, each.start, each.end))
            shown.append(AssertingScenario(each.name, uri_of(ruleset.outer(each.file)), at))
    return shown


async def _open_one(server: RulesServer, scenarios: list[AssertingScenario]) -> None:
    """Let somebody choose a scenario, and open it. What cannot be opened is only said."""
    window = server.client_capabilities.window
    if window is None or window.show_document is None or not window.show_document.support:
        said = ", ".join(f"`{each.name}`" for each in scenarios[:MOST_ASKED])
        server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Info, f"asserted by {said}"))
        return
    chosen = scenarios[0] if len(scenarios) == 1 else await _chosen(server, scenarios)
    if chosen is not None:
        await server.window_show_document_async(
            lsp.ShowDocumentParams(chosen.uri, take_focus=True, selection=chosen.range)
        )


async def _chosen(server: RulesServer, scenarios: list[AssertingScenario]) -> AssertingScenario | None:
    offered = scenarios[:MOST_ASKED]
    text = f"asserted by {counted(len(scenarios), 'scenario')}"
    actions = [lsp.MessageActionItem(each.name) for each in offered]
    answer = await server.window_show_message_request_async(
        lsp.ShowMessageRequestParams(lsp.MessageType.Info, text, actions)
    )
    return next((each for each in offered if answer is not None and each.name == answer.title), None)


# ---- hover


def asserted_by(ruleset: OpenRuleset, source: Source, at: lsp.Position, span: Span) -> str:
    """The scenarios that assert the definition or clause at a place, as Markdown with links; empty if they
    were not counted, or if it is something else."""
    found = _covered_at(ruleset, source, at, span)
    if found is None:
        return ""
    if not found.asserted:
        return "\n\nasserted by no scenario"
    shown = _scenarios(ruleset, found)
    lines = [f"* [{each.name}]({each.uri}#L{each.range.start.line + 1})" for each in shown[:MOST_NAMED]]
    more = [f"* and {len(shown) - MOST_NAMED} more"] if len(shown) > MOST_NAMED else []
    return "\n".join([f"\n\nasserted by {counted(len(shown), 'scenario')}", *lines, *more])


def _covered_at(ruleset: OpenRuleset, source: Source, at: lsp.Position, span: Span) -> Coverage | None:
    word = span.text
    if word.startswith("§"):
        return covered(ruleset, "", word)
    for place in definition(ruleset.snapshot, source, offset(source, at)):
        path = inner_path(ruleset, place)
        if path.endswith(".rules"):
            around = (p.span for p in pieces(place.source) if p.header is not None and p.header[1] == place)
            return next((covered(ruleset, path, piece.start) for piece in around), None)
    return None
