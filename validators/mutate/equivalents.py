"""The reader of `mutants.yaml`: mutants that make no difference to play, with reasons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dsl.declare.mapping_reader import entry
from dsl.declare.nodes import number
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import Diagnostic, DiagnosticError, Report, did_you_mean
from dsl.document import Node, Sequence as Items, read
from dsl.folder import NO_FILES
from dsl.messages.shapes import MissingKey, WrongShape
from dsl.source import Source, Span
from validators.mutate.messages import NoSuchMutant, NotEquivalent
from validators.mutate.mutant import Mutant, plain
from validators.mutate.operators import OPERATORS
from validators.mutate.running import MutantVerdict, Outcome

FILE = "mutants.yaml"
KEYS = ("in", "clause", "operator", "old", "new", "nth", "why")


@dataclass(frozen=True, slots=True)
class Equivalent:
    """An entry of `mutants.yaml`: which mutants it matches, and why they make no difference.

    A missing key matches every mutant; a header matches those whose header begins with it. `nth` chooses one
    of those that match, counting from 1.
    """

    header: str | None
    clause: str | None
    operator: str
    old: str | None
    new: str | None
    nth: int | None
    why: str
    span: Span

    @property
    def where(self) -> str:
        return f"`{self.header or self.clause}`"

    def fits(self, mutant: Mutant) -> bool:
        return (
            mutant.operator == self.operator
            and (self.header is None or f"{mutant.header} ".startswith(f"{self.header} "))
            and (self.clause is None or self.clause in mutant.clauses)
            and self.old in (None, mutant.old)
            and self.new in (None, mutant.new)
        )

    def among(self, mutants: Sequence[Mutant]) -> tuple[int, ...]:
        """The numbers of the mutants that match."""
        found = tuple(i for i, mutant in enumerate(mutants) if self.fits(mutant))
        return found if self.nth is None else found[self.nth - 1 : self.nth]


# ---- reading


def read_equivalents(source: Source) -> tuple[Equivalent, ...]:
    """All entries of the file. Raises `ErrorsReported` with every error in their form."""
    report = Report()
    symbols = SymbolTable(report, frozenset(), NO_FILES)
    items = symbols.attempt(_items, source) or ()
    found = [symbols.attempt(_equivalent, symbols, item) for item in items]
    report.stop_on_errors()
    return tuple(one for one in found if one is not None)


def _items(source: Source) -> tuple[Node, ...]:
    document = read(source)
    if not isinstance(document, Items):
        hint = "start each entry with `- in:`"
        raise DiagnosticError(WrongShape(document.span.first_line(), f"`{FILE}`", "a list", hint))
    return document.items


def _equivalent(symbols: SymbolTable, node: Node) -> Equivalent:
    found = entry(symbols, node, "an entry", KEYS)
    if not found.has("in") and not found.has("clause"):
        hint = "give the place of the mutant, as `rulewright mutate` prints it"
        raise DiagnosticError(MissingKey(found.span, found.where, "`in`", hint))
    names = [operator.name for operator in OPERATORS]
    operator, why, nth = found.word("operator"), found.word("why"), found.get("nth")
    if operator.text not in names:
        hint = did_you_mean(operator.text, names) or "`rulewright mutate --help` lists them"
        raise DiagnosticError(WrongShape(operator.span, found.of("operator"), "a kind of mistake", hint))
    if not why.text.strip():
        raise DiagnosticError(WrongShape(why.span, found.of("why"), "a reason"))
    old, new = (text if text is None else plain(text) for text in (found.text("old"), found.text("new")))
    which = number(nth, found.of("nth")) if nth is not None else None
    if nth is not None and (which or 0) < 1:
        raise DiagnosticError(WrongShape(nth.span, found.of("nth"), "a number from 1 on"))
    return Equivalent(
        found.text("in"), found.text("clause"), operator.text, old, new, which, why.text, found.span
    )


# ---- matching


def excused(entries: Sequence[Equivalent], mutants: Sequence[Mutant]) -> dict[int, Equivalent]:
    """The mutants with an entry, by number."""
    return {i: one for one in entries for i in one.among(mutants)}


def mistaken(
    entries: Sequence[Equivalent], mutants: Sequence[Mutant], verdicts: Mapping[int, MutantVerdict]
) -> Iterator[Diagnostic]:
    """Errors in entries: no mutant matches, one is detected, or none of those judged is a valid game that
    could play differently.
    """
    for one in entries:
        matched = one.among(mutants)
        if not matched:
            yield NoSuchMutant(one.span, one.where, _hint(one, mutants))
        judged = {i: verdicts[i] for i in matched if i in verdicts}
        idle = not any(verdict.survived for verdict in judged.values())
        for i, verdict in judged.items():
            if verdict.noticed or idle:
                yield NotEquivalent(one.span, _why(verdict), mutants[i].span)


def _hint(one: Equivalent, mutants: Sequence[Mutant]) -> str:
    headers = {mutant.header for mutant in mutants}
    if one.header is not None and not any(f"{header} ".startswith(f"{one.header} ") for header in headers):
        near = did_you_mean(one.header, headers)
        return near or "write `in` as `rulewright mutate` prints it"
    return "compare `operator`, `old`, `new` and `nth` with what `rulewright mutate --json` lists"


def _why(verdict: MutantVerdict) -> str:
    match verdict.outcome:
        case Outcome.SAME:
            return "it compiles to the same machine"
        case Outcome.NO_GAME:
            return "it is not a game"
        case _:
            return f"`{verdict.by}` detects it"
