"""The phases and their steps; `flow` of `game.yaml`."""

from __future__ import annotations

import re
from typing import cast

from dsl.declare.mapping_reader import MappingReader, entry
from dsl.declare.nodes import WORD, mapping, word, words
from dsl.declare.state_vars import check_lifetimes
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.domains import FLAG
from dsl.messages.game import BadFlow
from dsl.messages.shapes import WrongShape
from dsl.rules import Best, CallStep, FlowStep, OfferStep, Phase, SeatsStep, Strength
from dsl.wording import quoted, shortened

PHASE = ("seat", "do", "then", "score", "clause")
STRENGTHS: dict[str, Strength] = {"may keep doing": "keep", "may do": "may", "do one of": "must"}
EACH = re.compile(r"each seat in turn(?: +by +(\S+))?")
BEST = ("highest", "lowest", "none")


def read_flow(symbols: SymbolTable, node: Node) -> dict[str, Phase]:
    """The phases in order; the game begins with the first one."""
    found = mapping(node, "`flow`")
    phases = {name.text: symbols.attempt(_phase, symbols, name, value, found) for name, value in found.pairs}
    valid = {name: phase for name, phase in phases.items() if phase is not None}
    if len(valid) == len(phases):
        symbols.attempt(_check_phases, found, list(valid.values()))
    check_lifetimes(symbols, tuple(phases))
    return valid


def _check_phases(found: Mapping, phases: list[Phase]) -> None:
    """Raises `DiagnosticError` unless some phase scores, and all that score do so in the same way."""
    if not phases:
        raise DiagnosticError(BadFlow(found.span.first_line(), "missing phases", "add at least one phase"))
    scoring = [phase for phase in phases if phase.scores]
    if not scoring:
        hint = "add `final: {score: highest}`, and a `then` that leads there"
        raise DiagnosticError(BadFlow(phases[-1].span, "no phase scores", hint))
    for phase in scoring:
        if phase.scores != scoring[0].scores:
            why = f"`{scoring[0].name}` and `{phase.name}` score differently"
            raise DiagnosticError(BadFlow(phase.span, why, f"write `score: {scoring[0].scores}` in both"))


def _phase(symbols: SymbolTable, name: Scalar, node: Node, flow: Mapping) -> Phase:
    if not WORD.fullmatch(name.text):
        shown = f"the name of {shortened(name.text)}"
        raise DiagnosticError(WrongShape(name.span, shown, "a word of letters, digits and `_`"))
    reader = entry(symbols, node, f"phase `{name.text}`", PHASE)
    rotates = reader.one_of("seat", ("rotates",)) is not None
    scores = cast(Best | None, reader.one_of("score", BEST))
    steps = _steps(symbols, reader.needed("do"), reader.of("do")) if reader.has("do") else ()
    then = _then(symbols, reader, flow)
    if not then and scores is None:
        hint = "add `then`, or `score` if the game ends with it"
        raise DiagnosticError(BadFlow(name.span, f"{reader.where} has no next phase", hint))
    if then and scores is not None:
        why = f"{reader.where} scores, so it cannot have a next phase"
        raise DiagnosticError(BadFlow(reader.needed("then").span.first_line(), why, "remove `then`"))
    return Phase(name.text, rotates, steps, then, scores, name.span, reader.marks())


def _then(symbols: SymbolTable, reader: MappingReader, flow: Mapping) -> tuple[tuple[str | None, str], ...]:
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
    symbols.conditions += [key for key, _ in cases[:-1]]
    return tuple((None if key.text == "otherwise" else key.text, to) for key, to in cases)


def _next(symbols: SymbolTable, node: Scalar, flow: Mapping) -> str:
    names = [name.text for name, _ in flow.pairs]
    if node.text not in names:
        raise symbols.unknown(node, "phase", names, f"the phases are {quoted(names, 'and')}")
    return node.text


# ---- steps


def _steps(symbols: SymbolTable, node: Node, where: str) -> tuple[FlowStep, ...]:
    if not isinstance(node, Sequence):
        raise DiagnosticError(
            WrongShape(node.span.first_line(), where, "a list of steps", "write `[step, step]`")
        )
    return tuple(_step(symbols, item) for item in node.items)


def _step(symbols: SymbolTable, node: Node) -> FlowStep:
    """A procedure's name, an offer of actions, or a list of steps for each seat."""
    if isinstance(node, Scalar):
        return CallStep(node.text, node.text, node.span)
    found = mapping(node, "a step")
    for key, value in found.pairs:
        if key.text.startswith("each "):
            return _seats(symbols, found, key, value)
    verbs = [key for key, _ in found.pairs if key.text in STRENGTHS]
    if len(verbs) != 1:
        known = (*STRENGTHS, "each seat in turn")
        hint = did_you_mean(found.pairs[0][0].text, known) if found.pairs and not verbs else ""
        hint = hint or f"a step is the name of a procedure, or a mapping with one of {quoted(known, 'and')}"
        why = "this step offers actions in two ways" if verbs else "unknown kind of step"
        raise DiagnosticError(BadFlow((verbs[1] if verbs else found).span.first_line(), why, hint))
    return _offer(entry(symbols, found, "the step", (*STRENGTHS, "with", "named", "clause")), verbs[0])


def _offer(reader: MappingReader, verb: Scalar) -> OfferStep:
    names = words(reader.get(verb.text), f"`{verb.text}`")
    if not names:
        why = f"`{verb.text}` lists no actions"
        raise DiagnosticError(BadFlow(verb.span, why, "list at least one action"))
    named = reader.text("named") or names[0].text
    actions = tuple(n.text for n in names)
    return OfferStep(named, STRENGTHS[verb.text], actions, _option(reader), reader.span, reader.marks())


def _option(reader: MappingReader) -> str | None:
    """The option that a step depends on."""
    if not reader.has("with"):
        return None
    name, options = reader.word("with"), reader.symbols.options
    if name.text not in options or options[name.text].type != FLAG:
        flags = [o for o in options if options[o].type == FLAG]
        raise reader.symbols.unknown(name, "on-off option", flags)
    return name.text


def _seats(symbols: SymbolTable, found: Mapping, key: Scalar, value: Node) -> SeatsStep:
    form = EACH.fullmatch(key.text)
    if form is None:
        hint = "write `each seat in turn` or `each seat in turn by VALUE`"
        raise DiagnosticError(BadFlow(key.span, f"`{shortened(key.text)}` is not a kind of round", hint))
    marks = entry(symbols, found, "the step", (key.text, "clause")).marks()
    steps: list[CallStep | OfferStep] = []
    for step in _steps(symbols, value, "`each seat in turn`"):
        if isinstance(step, SeatsStep):
            why = "`each seat in turn` is nested in itself"
            raise DiagnosticError(BadFlow(step.span, why, "use only one round"))
        steps.append(step)
    return SeatsStep(tuple(steps), form[1], key.span, marks)
