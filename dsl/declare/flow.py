"""The phases and their steps as they are written; `flow` of `game.yaml`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import cast

from dsl.declare.mapping_reader import MappingReader, entry
from dsl.declare.nodes import LONGEST_WORD, WORD, bounded, mapping, word, words
from dsl.declare.state_vars import check_lifetimes
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.domains import FLAG
from dsl.messages.game import BadFlow
from dsl.messages.shapes import WrongShape
from dsl.rules import Best, Strength
from dsl.source import Span
from dsl.wording import quoted, shortened

PHASE = ("seat", "do", "then", "score", "clause")
STRENGTHS: dict[str, Strength] = {"may keep doing": "keep", "may do": "may", "do one of": "must"}
OFFER = (*STRENGTHS, "at most", "with", "named", "if", "otherwise", "clause")
GROUP = ("if", "do", "otherwise", "clause")
EACH = re.compile(r"each seat in turn\b")
TOGETHER = re.compile(r"\btogether$")
TURN, ROTATES = ("first", "next", "where"), ("rotates",)
ROUND = ("if", "clause")
"""The keys of a round beside its header."""
BEST = ("highest", "lowest", "none")


@dataclass(frozen=True, slots=True)
class WrittenCall:
    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class WrittenOffer:
    name: str
    strength: Strength
    routines: tuple[str, ...]
    option: str | None
    condition: Scalar | None
    otherwise: tuple[WrittenStep, ...] | None
    most: Scalar | None
    span: Span
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WrittenGroup:
    """Steps under a condition: `{if: C, do: [...], otherwise: [...]}`."""

    condition: Scalar
    steps: tuple[WrittenStep, ...]
    otherwise: tuple[WrittenStep, ...]
    span: Span
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WrittenRound:
    """`each seat in turn from S by K where C: [...]`; `header` is the key."""

    header: Scalar
    condition: Scalar | None
    steps: tuple[WrittenStep, ...]
    clauses: tuple[str, ...]


WrittenStep = WrittenCall | WrittenOffer | WrittenGroup | WrittenRound


@dataclass(frozen=True, slots=True)
class WrittenTurn:
    """`seat: rotates`, or `seat: {first: S, next: S, where: C}`."""

    first: Scalar | None
    next: Scalar | None
    where: Scalar | None
    span: Span


@dataclass(frozen=True, slots=True)
class WrittenPhase:
    name: Scalar
    turn: WrittenTurn | None
    steps: tuple[WrittenStep, ...]
    then: tuple[tuple[Scalar | None, str], ...]
    scores: Best | None
    counted: tuple[Scalar, ...] | None
    clauses: tuple[str, ...]


def read_flow(symbols: SymbolTable, node: Node) -> dict[str, WrittenPhase]:
    """The phases in order; the game begins with the first one."""
    flow = mapping(node, "`flow`")
    phases = {name.text: symbols.attempt(_phase, symbols, name, value, flow) for name, value in flow.pairs}
    valid = {name: phase for name, phase in phases.items() if phase is not None}
    if len(valid) == len(phases):
        symbols.attempt(_check_phases, flow, list(valid.values()))
    turns = any(phase.turn is not None or _round_in(phase.steps) is not None for phase in valid.values())
    check_lifetimes(symbols, tuple(phases), turns or len(valid) < len(phases))
    return valid


def _check_phases(found: Mapping, phases: list[WrittenPhase]) -> None:
    """Raises `DiagnosticError` unless some phase scores, and all that score do so in the same way."""
    if not phases:
        raise DiagnosticError(BadFlow(found.span.first_line(), "missing phases", "add at least one phase"))
    scoring = [phase for phase in phases if phase.scores]
    if not scoring:
        hint = "add `final: {score: highest}`, and a `then` that leads there"
        raise DiagnosticError(BadFlow(phases[-1].name.span, "no phase scores", hint))
    for phase in scoring:
        if phase.scores != scoring[0].scores:
            why = f"`{scoring[0].name.text}` and `{phase.name.text}` score differently"
            raise DiagnosticError(
                BadFlow(phase.name.span, why, f"write `score: {scoring[0].scores}` in both")
            )


def _phase(symbols: SymbolTable, name: Scalar, node: Node, flow: Mapping) -> WrittenPhase:
    bounded(name.text, name.span, "this name", LONGEST_WORD)
    if not WORD.fullmatch(name.text):
        shown = f"the name of {shortened(name.text)}"
        raise DiagnosticError(WrongShape(name.span, shown, "a word of English letters, digits and `_`"))
    reader = entry(symbols, node, f"phase `{name.text}`", PHASE)
    turn = _turn(reader)
    scores, counted = _score(reader)
    steps = _steps(symbols, reader.needed("do"), reader.of("do")) if reader.has("do") else ()
    then = _then(symbols, reader, flow)
    if not then and scores is None:
        if unknown := reader.unknown_keys():
            raise DiagnosticError(unknown[0])
        hint = "add `then`, or `score` if the game ends with it"
        raise DiagnosticError(BadFlow(name.span, f"{reader.where} has no next phase", hint))
    if then and scores is not None:
        why = f"{reader.where} scores, so it cannot have a next phase"
        raise DiagnosticError(BadFlow(reader.needed("then").span.first_line(), why, "remove `then`"))
    return WrittenPhase(name, turn, steps, then, scores, counted, reader.marks())


def _score(reader: MappingReader) -> tuple[Best | None, tuple[Scalar, ...] | None]:
    """Which total wins, and the lines that count in it, if they are named."""
    node = reader.get("score")
    if not isinstance(node, Mapping):
        return cast(Best | None, reader.one_of("score", BEST)), None
    inner = entry(reader.symbols, node, reader.of("score"), BEST[:2])
    best = inner.only_one(BEST[:2])
    if best is None:
        hint = "write `score: highest`, or `score: {highest: [line, line]}`"
        raise DiagnosticError(WrongShape(node.span.first_line(), reader.of("score"), "a way to win", hint))
    lines = words(node.get(best), f"`{best}`")
    if not lines:
        hint = "name a score line, or write `score: none`"
        raise DiagnosticError(BadFlow(node.span.first_line(), f"`{best}` names no line", hint))
    return cast(Best, best), lines


def _turn(reader: MappingReader) -> WrittenTurn | None:
    """Whose turn the phase is, if it is one."""
    node = reader.get("seat")
    if not isinstance(node, Mapping):
        rotates = reader.one_of("seat", ROTATES) is not None
        return WrittenTurn(None, None, None, reader.needed("seat").span) if rotates else None
    inner = entry(reader.symbols, node, reader.of("seat"), TURN)
    if not node.pairs:
        hint = "write `seat: rotates`, or `seat: {first: SEAT, next: SEAT}`"
        raise DiagnosticError(BadFlow(node.span.first_line(), f"{reader.of('seat')} says nothing", hint))
    first, following, where = (_expression(inner, key) for key in TURN)
    return WrittenTurn(first, following, where, node.span)


def _expression(reader: MappingReader, key: str) -> Scalar | None:
    """The text of an expression."""
    node = reader.get(key)
    return word(node, reader.of(key), "an expression") if node is not None else None


def _then(
    symbols: SymbolTable, reader: MappingReader, flow: Mapping
) -> tuple[tuple[Scalar | None, str], ...]:
    """The next phases, each with the condition that leads to it; none for the last one."""
    node = reader.get("then")
    if node is None:
        return ()
    if isinstance(node, Scalar):
        return ((None, _next(symbols, node, flow)),)
    pairs = mapping(node, reader.of("then")).pairs
    if not pairs or pairs[-1][0].text != "otherwise":
        hint = "end it with `otherwise`"
        if any(key.text == "otherwise" for key, _ in pairs):
            hint = "move `otherwise` to the end"
        why = "`then` has no case for when no condition holds"
        raise DiagnosticError(BadFlow(node.span.first_line(), why, hint))
    cases = [(key, _next(symbols, word(value, "a phase"), flow)) for key, value in pairs]
    return tuple((None if key.text == "otherwise" else key, to) for key, to in cases)


def _next(symbols: SymbolTable, node: Scalar, flow: Mapping) -> str:
    names = [name.text for name, _ in flow.pairs]
    if node.text not in names:
        raise symbols.unknown(node, "phase", names, f"the phases are {quoted(names, 'and')}")
    return node.text


# ---- steps


def _steps(symbols: SymbolTable, node: Node, where: str) -> tuple[WrittenStep, ...]:
    if not isinstance(node, Sequence):
        raise DiagnosticError(
            WrongShape(node.span.first_line(), where, "a list of steps", "write `[step, step]`")
        )
    return tuple(_step(symbols, item) for item in node.items)


def _step(symbols: SymbolTable, node: Node) -> WrittenStep:
    """A procedure's name, an offer of actions, steps under a condition, or steps for each seat."""
    if isinstance(node, Scalar):
        return WrittenCall(node.text, node.span)
    found = mapping(node, "a step")
    for key, value in found.pairs:
        if key.text.startswith("each "):
            return _seats(symbols, found, key, value)
    verbs = [key for key, _ in found.pairs if key.text in STRENGTHS]
    if not verbs and found.get("if") is not None and found.get("do") is not None:
        return _group(entry(symbols, found, "the step", GROUP))
    if len(verbs) != 1:
        known = (*STRENGTHS, "each seat in turn")
        hint = did_you_mean(found.pairs[0][0].text, known) if found.pairs and not verbs else ""
        hint = hint or f"a step is the name of a procedure, or a mapping with one of {quoted(known, 'and')}"
        why = "this step offers actions in two ways" if verbs else "unknown kind of step"
        if not verbs and (lone := found.key("if") or found.key("do")) is not None:
            why = f"`{lone.text}` stands alone in this step"
            hint = "write `{if: CONDITION, do: [steps]}`, or `if` beside an offer"
            raise DiagnosticError(BadFlow(lone.span, why, hint))
        raise DiagnosticError(BadFlow((verbs[1] if verbs else found).span.first_line(), why, hint))
    return _offer(entry(symbols, found, "the step", OFFER), verbs[0])


def _group(reader: MappingReader) -> WrittenGroup:
    condition = _expression(reader, "if")
    assert condition is not None
    steps = _steps(reader.symbols, reader.needed("do"), reader.of("do"))
    return WrittenGroup(condition, steps, _otherwise(reader) or (), reader.span, reader.marks())


def _otherwise(reader: MappingReader) -> tuple[WrittenStep, ...] | None:
    node = reader.get("otherwise")
    return _steps(reader.symbols, node, reader.of("otherwise")) if node is not None else None


def _offer(reader: MappingReader, verb: Scalar) -> WrittenOffer:
    names = words(reader.get(verb.text), f"`{verb.text}`")
    if not names:
        why = f"`{verb.text}` lists no actions"
        raise DiagnosticError(BadFlow(verb.span, why, "list at least one action"))
    if verb.text == "may keep doing" and reader.has("otherwise"):
        hint = "steps after it run when the seat is done"
        at = reader.needed("otherwise").span.first_line()
        raise DiagnosticError(BadFlow(at, "`may keep doing` has no `otherwise`", hint))
    if reader.has("if") and reader.has("otherwise"):
        hint = "put the offer, with its `otherwise`, under `{if: CONDITION, do: [...], otherwise: [...]}`"
        why = "`otherwise` beside `if` and an offer belongs to either of them"
        raise DiagnosticError(BadFlow(reader.needed("otherwise").span.first_line(), why, hint))
    if verb.text != "may keep doing" and (most := reader.get("at most")) is not None:
        hint = "omit it: only `may keep doing` does something several times"
        raise DiagnosticError(BadFlow(most.span, f"`at most` beside `{verb.text}`", hint))
    named = reader.line("named") or names[0].text
    actions = tuple(n.text for n in names)
    return WrittenOffer(
        named,
        STRENGTHS[verb.text],
        actions,
        _option(reader),
        _expression(reader, "if"),
        _otherwise(reader),
        _expression(reader, "at most"),
        reader.span,
        reader.marks(),
    )


def _option(reader: MappingReader) -> str | None:
    """The option that a step depends on."""
    if not reader.has("with"):
        return None
    name, options = reader.word("with"), reader.symbols.options
    if name.text not in options or options[name.text].type != FLAG:
        flags = [o for o in options if options[o].type == FLAG]
        raise reader.symbols.unknown(name, "on-off option", flags)
    return name.text


def _seats(symbols: SymbolTable, found: Mapping, key: Scalar, value: Node) -> WrittenRound:
    if not EACH.match(key.text):
        hint = "write `each seat in turn`, with `from SEAT`, `by NUMBER` and `where CONDITION` if need be"
        if TOGETHER.search(key.text):
            hint = "write it into a procedure of the rules, and name that as the step"
        raise DiagnosticError(BadFlow(key.span, f"`{shortened(key.text)}` is not a kind of round", hint))
    reader = entry(symbols, found, "the step", (key.text, *ROUND))
    steps = _steps(symbols, value, "`each seat in turn`")
    if (inner := _round_in(steps)) is not None:
        why = "`each seat in turn` is nested in itself"
        raise DiagnosticError(BadFlow(inner.header.span, why, "use only one round"))
    return WrittenRound(key, _expression(reader, "if"), steps, reader.marks())


def _round_in(steps: tuple[WrittenStep, ...]) -> WrittenRound | None:
    """The first round in some steps, also in those under conditions."""
    for step in steps:
        match step:
            case WrittenRound():
                return step
            case WrittenGroup(steps=inner, otherwise=otherwise):
                found = _round_in((*inner, *otherwise))
            case WrittenOffer(otherwise=otherwise):
                found = _round_in(otherwise or ())
            case WrittenCall():
                found = None
        if found is not None:
            return found
    return None
