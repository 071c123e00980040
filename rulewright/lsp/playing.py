"""Lenses on scenarios, definitions and clauses, and their commands, which play in another process."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from dsl.diagnostics import DiagnosticError
from dsl.document import Mapping, Scalar, Sequence, read
from dsl.document_recovery import read_recovering
from dsl.pieces import pieces
from dsl.source import Source, Span
from dsl.wording import counted
from rulewright.editors.open_rulesets import (
    SCENARIOS,
    Coverage,
    MutantShown,
    NamedScenario,
    OpenRuleset,
    path_of,
)
from rulewright.lsp.asserting import ASSERTING
from rulewright.lsp.findings import SOURCE
from rulewright.lsp.positions import span_range
from rulewright.lsp.server import REQUEST_FAILED, RulesServer
from rulewright.lsp.worker import ScenarioOutcome, WorkerAnswer, WorkerRequest

RUN, TRACE, MUTATE = "rulewright.runScenario", "rulewright.trace", "rulewright.mutate"
REST = 2.0
"""Seconds without an edit before counts are made anew."""
TIMEOUT = 300.0
"""Seconds after which the process that plays is killed."""


def register_playing(server: RulesServer) -> None:
    """Let a server show lenses, and carry out their commands."""

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    async def lenses(params: lsp.CodeLensParams) -> list[lsp.CodeLens] | None:
        uri = params.text_document.uri
        ruleset, path = server.rulesets.of(uri), path_of(uri)
        source = ruleset.text(ruleset.inner(path)) if ruleset is not None and path is not None else None
        if ruleset is None or path is None or source is None:
            return None
        return list(_lenses(ruleset, uri, ruleset.inner(path), source))

    @server.command(RUN)
    async def run(*arguments: Any) -> dict[str, Any]:
        ruleset, uri, name = _asked(server, arguments)
        await server.settled(ruleset)
        answer = await _played(server, ruleset, "run", _files(ruleset, uri), name)
        _note(ruleset, answer.outcomes)
        server.publish(ruleset)
        _tell(server, _summary(answer.outcomes), all(each.holds for each in answer.outcomes))
        await _refresh(server)
        return asdict(answer)

    @server.command(TRACE)
    async def trace(*arguments: Any) -> dict[str, Any]:
        ruleset, _, _ = _asked(server, arguments)
        ruleset.counted = True
        return asdict(await _counted(server, ruleset))

    @server.command(MUTATE)
    async def mutate(*arguments: Any) -> dict[str, Any]:
        ruleset, _, _ = _asked(server, arguments)
        await server.settled(ruleset)
        answer = await _played(server, ruleset, "mutate", _scenario_files(ruleset), None)
        ruleset.played.mutants = answer.mutants
        server.publish(ruleset)
        missed = sum(not each.noticed for each in answer.mutants)
        _tell(server, f"{missed} of {counted(len(answer.mutants), 'mistake')} not noticed", not missed)
        await _refresh(server)
        return asdict(answer)

    server.when_known = partial(_show_again, server)

    @server.feature(lsp.SHUTDOWN)
    async def shutdown(*_: Any) -> None:
        for ruleset in server.rulesets.rulesets.values():
            _kill(ruleset)


def _asked(server: RulesServer, arguments: tuple[Any, ...]) -> tuple[OpenRuleset, str, str | None]:
    """The ruleset, the document, and the name of a scenario if there is one. Raises `JsonRpcException`."""
    uri, name, *_ = (*arguments, None, None)
    if not isinstance(uri, str) or not isinstance(name, str | None) or len(arguments) > 2:
        raise JsonRpcInvalidParams("the arguments are the address of a document, and the name of a scenario")
    ruleset = server.rulesets.of(uri)
    if ruleset is None:
        raise JsonRpcException(f"{uri} belongs to no ruleset", REQUEST_FAILED)
    return ruleset, uri, name


# ---- playing


async def _counted(server: RulesServer, ruleset: OpenRuleset) -> WorkerAnswer:
    """Count the scenarios and the random matches that come by. Raises `JsonRpcException`."""
    await server.settled(ruleset)
    answer = await _played(server, ruleset, "trace", _scenario_files(ruleset), None)
    ruleset.played.coverage = answer.coverage
    await _refresh(server)
    return answer


def _show_again(server: RulesServer, ruleset: OpenRuleset) -> None:
    """All is known of a ruleset: show what playing these texts has shown, and count what is not counted."""
    if not ruleset.played.is_empty:
        server.begin(_refresh(server))
        server.publish_soon(ruleset)
    if ruleset.counted and not ruleset.played.coverage:
        server.begin(_count_at_rest(server, ruleset))


async def _count_at_rest(server: RulesServer, ruleset: OpenRuleset) -> None:
    """Count when nothing has been edited for a while, unless something else is played."""
    version = ruleset.version
    await asyncio.sleep(REST)
    busy = ruleset.playing is not None and ruleset.playing.returncode is None
    if version == ruleset.version and not busy and not ruleset.played.coverage:
        with suppress(JsonRpcException):  # what is wrong is among the findings
            await _counted(server, ruleset)


async def _played(
    server: RulesServer, ruleset: OpenRuleset, what: str, files: list[str], name: str | None
) -> WorkerAnswer:
    """What the process beside the server answers. Raises `JsonRpcException` if it does not, or was killed.

    What it played for this ruleset before is of no interest any more.
    """
    _kill(ruleset)
    version = ruleset.version
    request = WorkerRequest(str(ruleset.root), dict(ruleset.workspace.texts), what, files, name)
    pipe = asyncio.subprocess.PIPE
    process = ruleset.playing = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "rulewright.lsp.worker"), stdin=pipe, stdout=pipe, stderr=pipe
    )
    try:
        data = json.dumps(asdict(request)).encode()
        output, complaint = await asyncio.wait_for(process.communicate(data), TIMEOUT)
    except TimeoutError:
        raise JsonRpcException(f"nothing came of it in {TIMEOUT:.0f} seconds", REQUEST_FAILED) from None
    finally:
        with suppress(ProcessLookupError):
            process.kill()
    if version != ruleset.version:
        raise JsonRpcException("stopped: the rules have changed meanwhile", REQUEST_FAILED)
    if process.returncode:
        last = complaint.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise JsonRpcException(f"stopped: {last or 'something else was asked for'}", REQUEST_FAILED)
    answer = _read(json.loads(output))
    if answer.mistake:
        raise JsonRpcException(f"correct the mistakes first: {answer.mistake}", REQUEST_FAILED)
    return answer


def _kill(ruleset: OpenRuleset) -> None:
    if ruleset.playing is not None and ruleset.playing.returncode is None:
        with suppress(ProcessLookupError):
            ruleset.playing.kill()


def _read(found: dict[str, Any]) -> WorkerAnswer:
    outcomes = [ScenarioOutcome(**each) for each in found["outcomes"]]
    coverage = [
        Coverage(**{**each, "asserted": [NamedScenario(**one) for one in each["asserted"]]})
        for each in found["coverage"]
    ]
    return WorkerAnswer(
        outcomes, coverage, [MutantShown(**each) for each in found["mutants"]], found["mistake"]
    )


def _files(ruleset: OpenRuleset, uri: str) -> list[str]:
    """The scenario file of a document, or all of them."""
    path = path_of(uri)
    inner = ruleset.inner(path) if path is not None else ""
    return [inner] if inner.startswith(SCENARIOS) else _scenario_files(ruleset)


def _scenario_files(ruleset: OpenRuleset) -> list[str]:
    there = {*ruleset.workspace.list_tests(), *ruleset.workspace.texts}
    return sorted(path for path in there if path.startswith(SCENARIOS) and path.endswith(".yaml"))


# ---- what came out


def _note(ruleset: OpenRuleset, outcomes: list[ScenarioOutcome]) -> None:
    """Keep which scenarios hold, and why others do not, as diagnostics."""
    for each in outcomes:
        ruleset.played.holds[each.file, each.name] = each.holds
        source = ruleset.text(each.file)
        failures = [_failure(source, why) for why in each.why] if source is not None else []
        ruleset.played.failures[each.file, each.name] = failures


def _failure(source: Source, why: dict[str, Any]) -> lsp.Diagnostic:
    span = Span(source, why["start"], min(why["end"], len(source.text)))
    text = why["message"] + (f"\nhelp: {why['help']}" if why["help"] else "")
    return lsp.Diagnostic(span_range(span), text, lsp.DiagnosticSeverity.Error, why["code"], source=SOURCE)


def _summary(outcomes: list[ScenarioOutcome]) -> str:
    failed = [each.name for each in outcomes if not each.holds]
    number = counted(len(outcomes), "scenario")
    if not outcomes:
        return "there is no such scenario"
    if not failed:
        return f"{number}: all hold" if len(outcomes) > 1 else f"`{outcomes[0].name}` holds"
    return f"{len(failed)} of {number} failed: {', '.join(f'`{name}`' for name in failed[:3])}"


def _tell(server: RulesServer, text: str, good: bool) -> None:
    kind = lsp.MessageType.Info if good else lsp.MessageType.Warning
    server.window_show_message(lsp.ShowMessageParams(kind, text))


async def _refresh(server: RulesServer) -> None:
    """Ask the editor to show lenses anew, if it can."""
    workspace = server.client_capabilities.workspace
    if workspace is not None and workspace.code_lens is not None and workspace.code_lens.refresh_support:
        server.workspace_code_lens_refresh(None)


# ---- lenses


def _lenses(ruleset: OpenRuleset, uri: str, path: str, source: Source) -> Iterator[lsp.CodeLens]:
    if path.startswith(SCENARIOS):
        yield from _of_scenarios(ruleset, uri, path, source)
    elif path.endswith(".rules"):
        yield from _of_definitions(ruleset, uri, path, source)
    else:
        yield from _of_clauses(ruleset, uri, source)


def _of_scenarios(ruleset: OpenRuleset, uri: str, path: str, source: Source) -> Iterator[lsp.CodeLens]:
    names = list(_names(source))
    if names:
        yield _lens(source.beginning, f"run {counted(len(names), 'scenario')}", RUN, uri)
    for name in names:
        holds = ruleset.played.holds.get((path, name.text))
        shown = {None: "run", True: "holds: run again", False: "does not hold: run again"}[holds]
        yield _lens(name.span, shown, RUN, uri, name.text)


def _names(source: Source) -> Iterator[Scalar]:
    """The names of the scenarios in a file; none if it is no YAML."""
    try:
        document = read(source)
    except DiagnosticError:
        return
    for item in document.items if isinstance(document, Sequence) else ():
        name = item.get("scenario") if isinstance(item, Mapping) else None
        if isinstance(name, Scalar):
            yield name


def _of_definitions(ruleset: OpenRuleset, uri: str, path: str, source: Source) -> Iterator[lsp.CodeLens]:
    yield _lens(source.beginning, "count scenarios and random matches", TRACE, uri)
    yield _lens(source.beginning, "put mistakes in: which are not noticed?", MUTATE, uri)
    known = {each.start: each for each in ruleset.played.coverage if each.file == path}
    mutants = [each for each in ruleset.played.mutants if each.file == path]
    for piece in pieces(source):
        start, end = piece.span.start, piece.span.end
        if piece.header is not None and start in known:
            yield _of_coverage(piece.header[1], "", known[start], uri, start)
        inner = [each for each in mutants if start <= each.start < end]
        if piece.header is not None and inner:
            yield _lens(piece.header[1], _noticed(inner))


def _noticed(mutants: list[MutantShown]) -> str:
    """How many of some mistakes the scenarios notice."""
    return f"{sum(each.noticed for each in mutants)} of {counted(len(mutants), 'mistake')} noticed"


def _of_clauses(ruleset: OpenRuleset, uri: str, source: Source) -> Iterator[lsp.CodeLens]:
    known = {each.clause: each for each in ruleset.played.coverage if each.clause}
    if not known and not ruleset.played.mutants:
        return
    try:
        document, _ = read_recovering(source)
    except DiagnosticError:
        return
    clauses = document.get("clauses") if isinstance(document, Mapping) else None
    for key, _ in clauses.pairs if isinstance(clauses, Mapping) else ():
        if key.text in known:
            rendered = counted(known[key.text].lines, "place")
            yield _of_coverage(key.span, f"rendered in {rendered}, ", known[key.text], uri, key.text)
        inner = [each for each in ruleset.played.mutants if key.text in each.clauses]
        if inner:
            yield _lens(key.span, _noticed(inner))


def _shown(found: Coverage) -> str:
    executed = counted(found.executed, "scenario")
    played = (
        f", played in {found.played} of {found.matches} random matches" if found.played is not None else ""
    )
    return f"executed by {executed}, asserted by {len(found.asserted)}{played}"


def _of_coverage(span: Span, before: str, found: Coverage, uri: str, what: int | str) -> lsp.CodeLens:
    """What was counted; pressed, it shows the scenarios that assert it."""
    title = before + _shown(found)
    if not found.asserted:
        return _lens(span, title)
    at = span_range(span).start
    return _lens(span, title, ASSERTING, uri, what, {"line": at.line, "character": at.character})


def _lens(span: Span, title: str, command: str = "", *arguments: Any) -> lsp.CodeLens:
    return lsp.CodeLens(span_range(span), lsp.Command(title, command, arguments=list(arguments) or None))
