"""The reader of scenario files: YAML to scenarios, with the errors in their form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal, assert_never

from dsl.characters import visible
from dsl.declare.enumerations import LETTERS
from dsl.declare.nodes import WORD, flag, line, mapping, one_of, word, words
from dsl.declare.symbol_table import SymbolTable, keys
from dsl.diagnostics import Diagnostic, DiagnosticError, Report, did_you_mean
from dsl.document import KEPT, Mapping, Node, Scalar, Sequence, read, read_part
from dsl.folder import NO_FILES
from dsl.messages.files import DuplicateKey
from dsl.numbers import whole
from dsl.rules import NOTHING, Clause, Rules, TypeDecl
from dsl.source import NOWHERE, Source, Span
from dsl.wording import quoted
from interpreter.messages import BadScenario
from interpreter.position import UNDER
from validators.scenarios.scenario import (
    ALLOWANCES,
    Active,
    Allowance,
    Asked,
    Assertion,
    ChangedBy,
    Choose,
    Claim,
    Expect,
    Happened,
    InPhase,
    InStep,
    Line,
    NotHappened,
    NotOffered,
    Offered,
    Only,
    Order,
    Over,
    Possible,
    Refused,
    Repeat,
    RestUnchanged,
    Scenario,
    ScoreClaim,
    Sees,
    Unchanged,
    Value,
    Winner,
    bad_scenario,
)

KEYS = ("scenario", "cites", "given", "chance", "allow", "when", "then")
GIVEN = ("seats", "options", "at", "seat", "prepared", "set", "carried", "spare")
ORDERS: dict[str, Order] = {"from top": "from top", "from bottom": "from bottom", "in any order": "any"}
MOST_TIMES = 1000
SEAT = re.compile(r"[A-Z]")
LETTERED = "one of A, B, C, ... and no team"
LINES = ("refused", "expect", "possible", "impossible", "times")
BY = re.compile(r"\+(\d{1,9})|(up|down) (\d{1,9})")
TO_SEAT = re.compile(r"(offered|not offered) to (\S+)")
ACCOUNT = re.compile(r"(score|tiebreak)(?: (\S+))? of (\S+)")


@dataclass(frozen=True, slots=True)
class Faulty:
    """A scenario that cannot be read: its name, as far as it has one, and what is wrong with it."""

    name: str
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class ScenarioFile:
    """The scenarios of one file, and those that cannot be read."""

    scenarios: tuple[Scenario, ...]
    faulty: tuple[Faulty, ...]


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    """What the form of a scenario depends on beside its text: the marks of clauses, the names of seats."""

    marks: tuple[str, ...]
    names: tuple[str, ...]
    clauses: dict[str, Clause] = field(compare=False, repr=False)
    seat: TypeDecl = field(compare=False, repr=False)


def read_scenarios(source: Source, rules: Rules) -> list[Scenario]:
    """All scenarios of one file. Raises `ErrorsReported` with every error in their form."""
    found = read_file(source, rules)
    Report(diagnostic for one in found.faulty for diagnostic in one.diagnostics).stop_on_errors()
    return list(found.scenarios)


def read_file(source: Source, rules: Rules) -> ScenarioFile:
    """The scenarios of one file; a faulty one does not hide the others. Raises nothing.

    Cached for the last few: of a ruleset that is edited, most files are as they were.
    """
    seat = rules.types["seat"]
    return _read_file(source, _Vocabulary(tuple(rules.clauses), seat.names, rules.clauses, seat))


@lru_cache(maxsize=KEPT)
def _read_file(source: Source, known: _Vocabulary) -> ScenarioFile:
    try:
        items = _listed(read(source))
    except DiagnosticError as failed:
        parts = list(_parts(source))
        if len(parts) < 2:
            return ScenarioFile((), (Faulty("", (_with_comma(failed.diagnostic),)),))
        return _joined([_read_part(part, known) for part in parts])
    return _read_items(items, known)


def _read_part(part: Span, known: _Vocabulary) -> ScenarioFile:
    """One of the scenarios of a broken file. If it is not YAML, its first line names it."""
    try:
        found = _read_items(_listed(read_part(part)), known)
    except DiagnosticError as failed:
        found = ScenarioFile((), (Faulty("", (_with_comma(failed.diagnostic),)),))
    faulty = (replace(one, name=one.name or _first_line(part)) for one in found.faulty)
    return replace(found, faulty=tuple(faulty))


def _read_items(items: Iterable[Node], known: _Vocabulary) -> ScenarioFile:
    scenarios: list[Scenario] = []
    faulty: list[Faulty] = []
    for item in items:
        report = Report()
        symbols = SymbolTable(report, frozenset(), NO_FILES)
        symbols.clauses = known.clauses or None
        symbols.types["seat"] = known.seat
        scenario = symbols.attempt(_scenario, symbols, item)
        if scenario is not None and not report.has_errors:
            scenarios.append(scenario)
        else:
            faulty.append(Faulty(_name_of(item), tuple(report)))
    return ScenarioFile(tuple(scenarios), tuple(faulty))


def _listed(document: Node) -> tuple[Node, ...]:
    if isinstance(document, Sequence):
        return document.items
    if isinstance(document, Mapping) and not document.pairs:
        return ()  # nothing but comments, if anything
    raise bad_scenario(document.span, "a scenario file must be a list", "start it with `- scenario:`")


def _parts(source: Source) -> Iterator[Span]:
    """The scenarios of a file that cannot be read as a whole, each alone."""
    text = source.text
    starts = [found.start() for found in re.finditer(r"^- scenario:", text, re.MULTILINE)]
    for start, end in pairwise([*starts, len(text)]):
        yield Span(source, start, start + len(text[start:end].rstrip()))


def _joined(files: Iterable[ScenarioFile]) -> ScenarioFile:
    found = list(files)
    scenarios = tuple(scenario for file in found for scenario in file.scenarios)
    return ScenarioFile(scenarios, tuple(one for file in found for one in file.faulty))


def _first_line(part: Span) -> str:
    """The name after the `- scenario:` with which a part begins."""
    return visible(part.first_line().text.removeprefix("- scenario:").strip())


def _with_comma(diagnostic: Diagnostic) -> Diagnostic:
    """A duplicate key that a comma has cut off gets a hint about the comma."""
    if isinstance(diagnostic, DuplicateKey) and diagnostic.key.count("(") != diagnostic.key.count(")"):
        return BadScenario(diagnostic.span, diagnostic.message, _comma(diagnostic.key))
    return diagnostic


def _name_of(node: Node) -> str:
    name = node.get("scenario") if isinstance(node, Mapping) else None
    return name.text if isinstance(name, Scalar) else ""


def _scenario(symbols: SymbolTable, node: Node) -> Scenario:
    entry = keys(symbols, node, "a scenario", KEYS)
    name = entry.get("scenario")
    if name is None:
        hint = "start it with `- scenario: what it shows`"
        raise bad_scenario(entry.span, "missing name of the scenario", hint)
    given = _present(entry.get("given"))
    setting = keys(symbols, given, "`given`", GIVEN) if given is not None else Mapping((), entry.span)
    carried = _carried(setting)
    seats, at, seat = setting.get("seats"), setting.get("at"), setting.get("seat")
    return Scenario(
        name=line(name, "`scenario`").text,
        cites=_cites(symbols, entry.get("cites"), entry.span),
        seats=_count(seats, "`seats`", 99) if seats is not None else None,
        options=options_of(setting.get("options")),
        at=word(at, "`at`") if at is not None else None,
        seat=word(seat, "`seat`").text if seat is not None else None,
        turn=seat.span if seat is not None else None,
        prepared=_flag(setting.get("prepared"), "`prepared`"),
        carried=carried is not None,
        position=tuple(each_set(_pairs(carried or setting.get("set"), "`carried`" if carried else "`set`"))),
        allow=_allowed(entry.get("allow")) | _spare(setting.get("spare")),
        chance={k.text: texts(v) for k, v in _pairs(entry.get("chance"), "`chance`")},
        lines=tuple(_line(symbols, item) for item in _items(entry.get("when"), "`when`")),
        then=tuple(_assertions(entry.get("then"), "`then`")),
        span=word(name, "the name").span,
        node=node,
    )


def _carried(setting: Mapping) -> Node | None:
    """What has carried over; then the match begins with its set-up. Raises `DiagnosticError`."""
    found = setting.get("carried")
    other = next((key for key, _ in setting.pairs if key.text in ("at", "seat", "prepared", "set")), None)
    if found is not None and other is not None:
        hint = f"leave out `{other.text}`, or write what has carried over under `set`"
        raise bad_scenario(
            other.span, f"`{other.text}` beside `carried`: the match begins at its start", hint
        )
    return found


def _flag(node: Node | None, where: str) -> bool:
    return node is not None and flag(node, where)


def _spare(node: Node | None) -> frozenset[Allowance]:
    return frozenset({"spare pieces"} if _flag(node, "`spare`") else ())


def _allowed(node: Node | None) -> frozenset[Allowance]:
    items = node.items if isinstance(node, Sequence) else (node,) if node is not None else ()
    for item in items:
        one_of(item, "`allow`", ALLOWANCES)
    return frozenset(found for found in ALLOWANCES for item in items if _text(item) == found)


def _cites(symbols: SymbolTable, node: Node | None, span: Span) -> tuple[str, ...]:
    marks = texts(node) if node is not None else []
    for mark in marks:
        symbols.cite(mark, node.span if node is not None else span)
    return tuple(marks)


# ---- shapes


def _present(node: Node | None) -> Node | None:
    """A node, unless its key has no value."""
    return None if isinstance(node, Scalar) and not node.text and not node.quoted else node


def _pairs(node: Node | None, where: str) -> tuple[tuple[Scalar, Node], ...]:
    node = _present(node)
    return mapping(node, where).pairs if node is not None else ()


def options_of(node: Node | None) -> dict[str, str]:
    """The options of a position, each a word, or a list of those in a set. Raises `DiagnosticError`."""
    return {key.text: _option(value) for key, value in _pairs(node, "`options`")}


def _option(node: Node) -> str:
    if not isinstance(node, Sequence):
        return word(node, "an option").text
    return ",".join(item.text for item in words(node, "an option")) or NOTHING


def each_set(pairs: Iterable[tuple[Scalar, Node]]) -> Iterator[tuple[Scalar, Node]]:
    """What is set at each address; what a mapping sets, `slot of A: {4: rose}`, one by one."""
    for address, value in pairs:
        if isinstance(value, Mapping):
            inner = ((Scalar(f"{address.text}{UNDER}{k.text}", k.span), v) for k, v in value.pairs)
            yield from each_set(inner)
        else:
            yield address, value


def _items(node: Node | None, where: str) -> tuple[Node, ...]:
    node = _present(node)
    if node is None:
        return ()
    if not isinstance(node, Sequence):
        raise bad_scenario(node.span, f"{where} must be a list", "one line per decision: `- A: lay oak`")
    return node.items


def texts(node: Node) -> list[str]:
    """One word or a list of words. Raises `DiagnosticError`."""
    if isinstance(node, Scalar):
        return [node.text]
    if isinstance(node, Sequence):
        return [word(item, "an item").text for item in node.items]
    raise bad_scenario(node.span, "expected a word or a list of words")


def _text(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) else ""


def _count(node: Node, where: str, most: int) -> int:
    number = whole(word(node, where).text)
    if number is None or not 1 <= number <= most:
        raise bad_scenario(node.span, f"{where} is not a whole number of 1..{most}")
    return number


# ---- lines


def _line(symbols: SymbolTable, node: Node) -> Line:
    pairs = mapping(node, "a line of `when`").pairs
    names = [key.text for key, _ in pairs]
    if "times" in names:
        return _repeat(symbols, node, dict(zip(names, (value for _, value in pairs), strict=True)))
    if len(pairs) != 1:
        raise bad_scenario(node.span, "a line of `when` must have one key", "write `- A: lay oak`")
    key, value = pairs[0]
    match key.text:
        case "refused":
            return _refused(symbols, node.span, mapping(value, "`refused`").pairs)
        case "expect":
            return Expect(tuple(_assertions(value, "`expect`")), node.span)
        case "possible" | "impossible":
            return _possible(key.text == "possible", mapping(value, f"`{key.text}`").pairs, node.span)
    if not _is_seat(symbols, key.text):
        start = f"start a line with a seat, {_seats(symbols)}, or with {quoted(LINES, 'or')}"
        hint = did_you_mean(key.text, LINES) or start
        raise bad_scenario(key.span, f"unknown line `{key.text}`", hint)
    return Choose(key.text, word(value, "the words of a choice").text, key.span.to(value.span))


def _is_seat(symbols: SymbolTable, written: str) -> bool:
    """Whether a word is a seat; of seats without names of their own also one that does not play."""
    names = symbols.types["seat"].names
    return written in names or (_lettered(names) and SEAT.fullmatch(written) is not None)


def _lettered(names: tuple[str, ...]) -> bool:
    return "".join(names) == LETTERS[: len(names)]


def _seats(symbols: SymbolTable) -> str:
    names = symbols.types["seat"].names
    return LETTERED if _lettered(names) else quoted(names, "or")


def _repeat(symbols: SymbolTable, node: Node, found: dict[str, Node]) -> Repeat:
    if set(found) != {"times", "lines"}:
        hint = "write `- {times: 3, lines: [{A: throw}]}`"
        why = "unexpected key in a repeated line: only `times` and `lines` are allowed"
        raise bad_scenario(node.span, why, hint)
    times = _count(found["times"], "`times`", MOST_TIMES)
    lines = tuple(_line(symbols, item) for item in _items(found["lines"], "`lines`"))
    if not lines:
        raise bad_scenario(node.span, "missing lines to repeat")
    return Repeat(times, lines, node.span)


def _refused(symbols: SymbolTable, span: Span, pairs: tuple[tuple[Scalar, Node], ...]) -> Line:
    for key, _ in pairs:
        if key.text != "because" and not _is_seat(symbols, key.text):
            example = f"`{{{symbols.types['seat'].names[0]}: lay oak, because: §4.3}}`"
            hint = did_you_mean(key.text, ("because",)) or f"write {example}, {_seats(symbols)}"
            raise bad_scenario(key.span, f"unknown key `{key.text}`: neither a seat nor `because`", hint)
    reasons = tuple(text for key, value in pairs if key.text == "because" for text in texts(value))
    refused = [
        Refused(key.text, written, reasons, key.span.to(value.span))
        for key, value in pairs
        if key.text != "because"
        for written in texts(value)
    ]
    if not refused:
        hint = "write `- refused: {A: lay oak, because: §4.3}`"
        raise bad_scenario(span, "missing choice in `refused`", hint)
    return refused[0] if len(refused) == 1 else Repeat(1, tuple(refused), span)


def _possible(exactly: bool, pairs: tuple[tuple[Scalar, Node], ...], span: Span) -> Line:
    if len(pairs) != 1:
        raise bad_scenario(span, "expected one stream of chance", "write `{die: [0, 7]}`")
    key, value = pairs[0]
    if not texts(value):
        raise bad_scenario(span, "missing outcomes", "write `{die: [0, 7]}`")
    return Possible(key.text, tuple(texts(value)), exactly, key.span.to(value.span))


# ---- assertions


def _assertions(node: Node | None, where: str) -> Iterator[Assertion]:
    pairs = _pairs(node, where)
    if where == "`expect`" and not pairs:
        raise bad_scenario(node.span if node is not None else NOWHERE, "`expect` is empty")
    for key, value in pairs:
        claim = _claim(key, value, where)
        if isinstance(claim, NEED_ITEMS) and not _claim_items(claim):
            raise bad_scenario(key.span.to(value.span), f"`{key.text}: []` asserts nothing")
        if isinstance(claim, RestUnchanged):
            claim = replace(claim, named=tuple(_named(pairs)))
        yield Assertion(key.text, claim, key.span.to(value.span))


NEED_ITEMS = (NotOffered, Happened, NotHappened, Unchanged)
"""Claims that always hold with an empty list."""


def _claim_items(claim: NotOffered | Happened | NotHappened | Unchanged) -> tuple[str, ...]:
    match claim:
        case NotOffered(choices=choices):
            return choices
        case Unchanged(questions=questions):
            return questions
        case Happened(events=events) | NotHappened(events=events):
            return events
    assert_never(claim)


def _named(pairs: tuple[tuple[Scalar, Node], ...]) -> Iterator[str]:
    """The addresses that a block names: as keys, and in the lists of `unchanged`."""
    for key, value in pairs:
        yield from texts(value) if key.text == "unchanged" else (_order(key.text)[0],)


def _claim(key: Scalar, value: Node, where: str) -> Claim:
    """The claim of one key and its value. Raises `DiagnosticError`."""
    text = key.text
    match text:
        case "over":
            if (
                isinstance(value, Scalar)
                and WORD.fullmatch(value.text)
                and value.text not in ("true", "false")
            ):
                return Over(True, value.text)
            return Over(flag(value, "`over`"))
        case "winner":
            return Winner(_names(value))
        case "active":
            return Active(word(value, "`active`").text)
        case "phase":
            return InPhase(word(value, "`phase`").text)
        case "step":
            return InStep(word(value, "`step`").text)
        case "asked":
            return Asked(_asked(value))
        case "offered":
            return Offered(None, _names(value))
        case "not offered":
            return NotOffered(None, tuple(texts(value)))
        case "events":
            return Happened(tuple(texts(value)))
        case "no events":
            return NotHappened(tuple(texts(value)))
        case "unchanged":
            return Unchanged(tuple(texts(value)))
        case "rest":
            one_of(value, "`rest`", ("unchanged",))
            return RestUnchanged(())
    return _addressed(key, value)


def _names(value: Node) -> tuple[str, ...]:
    found = texts(value)
    return () if found == ["none"] else tuple(found)


def _asked(value: Node) -> tuple[tuple[str, str], ...]:
    if isinstance(value, Mapping):
        return tuple((seat.text, word(name, "a decision").text) for seat, name in value.pairs)
    return tuple((seat, "") for seat in _names(value))


def _addressed(key: Scalar, value: Node) -> Claim:
    text = key.text
    if (found := TO_SEAT.fullmatch(text)) is not None:
        kind = Offered if found[1] == "offered" else NotOffered
        return kind(found[2], _names(value) if kind is Offered else tuple(texts(value)))
    if text.startswith(("score ", "tiebreak ")):
        return _account(key, value)
    if isinstance(value, Mapping):
        return Only(text, tuple((k.text, tuple(texts(v))) for k, v in value.pairs))
    address, order = _order(text)
    seat, sees, seen = address.partition(" sees ")
    if sees:
        return Sees(seat, seen, tuple(texts(value)), order)
    if isinstance(value, Scalar) and not value.quoted:
        if value.text == "unchanged":
            return Unchanged((address,))
        if (by := BY.fullmatch(value.text)) is not None:
            amount = int(by[1] or by[3])
            return ChangedBy(address, -amount if by[2] == "down" else amount)
    if not _present(value):
        raise bad_scenario(key.span, f"missing value after `{text}`", _comma(text))
    return Value(address, tuple(texts(value)), isinstance(value, Scalar), order)


def _comma(text: str) -> str:
    """A hint for a key that YAML has cut at a comma within brackets."""
    if text.count("(") != text.count(")"):
        return "put the whole key in quotes: in `{...}` a comma ends it"
    return ""


def _order(text: str) -> tuple[str, Order]:
    for suffix, order in ORDERS.items():
        if text.endswith(f" {suffix}"):
            return text.removesuffix(f" {suffix}"), order
    return text, "unsaid"


def _account(key: Scalar, value: Node) -> ScoreClaim:
    found = ACCOUNT.fullmatch(key.text)
    if found is None:
        raise bad_scenario(key.span, f"`{key.text}` is not a line of a score", "write `score of A`")
    kind: Literal["score", "tiebreak"] = "score" if found[1] == "score" else "tiebreak"
    if kind == "tiebreak" and not found[2]:
        raise bad_scenario(key.span, "missing name of the tie-break", "write `tiebreak NAME of A`")
    return ScoreClaim(kind, found[2] or "", found[3], word(value, "a score").text)
