"""The lines of a definition, each with its form, and the alignment of two versions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dsl import rules as r
from dsl.sequences import differences
from dsl.source import Span
from validators.diff.changes import FactChange, LineEdit
from validators.diff.forms import Reader
from validators.diff.names import Form
from validators.diff.version_view import VersionView

CONTINUES = re.compile(r"\s*(where\b|and\b|or\b|[+\-])")
WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line: its form, in which variables are numbered in their order, and these variables."""

    depth: int
    form: Form
    vars: tuple[r.Var, ...]
    text: str
    span: Span
    clauses: tuple[str, ...]

    @property
    def shape(self) -> tuple[int, Form]:
        return self.depth, self.form


def line(
    side: VersionView, parts: object, span: Span, clauses: tuple[str, ...] = (), depth: int = 0
) -> DiffLine:
    """The line that begins at a span, with the form of the given parts."""
    reader = Reader(side)
    form = reader.read(parts)
    return DiffLine(depth, form, tuple(reader.vars), written(span), span, clauses)


def expressed(
    side: VersionView,
    parts: object,
    text: str,
    span: Span,
    clauses: tuple[str, ...] = (),
    depth: int = 0,
) -> DiffLine:
    """A line with the form of the given parts, and a text of its own."""
    reader = Reader(side)
    form = reader.read(parts)
    return DiffLine(depth, form, tuple(reader.vars), text, span, clauses)


def one_line(span: Span) -> str:
    """The text of a span on one line."""
    return " ".join(span.text.split())


def written(span: Span) -> str:
    """The logical line of a span, joined, without comments and clause marks."""
    source = span.source
    if not source.text:
        return span.text
    number, _ = source.position(span.start)
    parts = [_bare(source.line(number))]
    while number < len(source.lines) and (_open(parts) or CONTINUES.match(source.line(number + 1))):
        number += 1
        parts.append(_bare(source.line(number)))
    return " ".join(part for part in parts if part)


def _bare(text: str) -> str:
    """A line without its comment and the clause marks at its end."""
    text, kept = text.split("#", 1)[0], 0
    for word in WORD.finditer(text):
        before, _, _ = word[0].partition("§")
        kept = word.start() + len(before) if before else kept
    return text[:kept].strip()


def _open(parts: Sequence[str]) -> bool:
    text = "".join(parts)
    return sum(text.count(sign) for sign in "([{") > sum(text.count(sign) for sign in ")]}")


# ---- blocks


def block_lines(side: VersionView, block: r.Block, depth: int = 1) -> Iterator[DiffLine]:
    """The statements of a block with those nested in them, in order."""
    for statement in block:
        yield line(side, statement, statement.span, statement.clauses, depth)
        yield from block_lines(side, _under(statement), depth + 1)
        yield from _otherwise(side, statement, depth)


def _under(statement: r.Statement) -> r.Block:
    return getattr(statement, "block", ())


def _otherwise(side: VersionView, statement: r.Statement, depth: int) -> Iterator[DiffLine]:
    """`else` and its block; `else if` is one line."""
    block: r.Block = getattr(statement, "otherwise", ())
    if not block:
        return
    first = block[0]
    if len(block) == 1 and isinstance(first, r.If) and written(first.span).startswith("else if"):
        yield line(side, ("else", first), first.span, first.clauses, depth)
        yield from block_lines(side, first.block, depth + 1)
        yield from _otherwise(side, first, depth)
        return
    yield DiffLine(depth, "else", (), "else", first.span, ())
    yield from block_lines(side, block, depth + 1)


# ---- two versions


def meaning(lines: Sequence[DiffLine]) -> Form:
    """The form of a whole definition, with variables numbered in their order."""
    numbers: dict[r.Var, int] = {}
    return tuple(
        (one.depth, one.form, tuple(numbers.setdefault(v, len(numbers)) for v in one.vars)) for one in lines
    )


@dataclass(frozen=True, slots=True)
class Aligned:
    """The edits between two versions, and facts about lines of which only the clauses have changed."""

    edits: tuple[LineEdit, ...]
    facts: tuple[FactChange, ...]


def align(old: Sequence[DiffLine], new: Sequence[DiffLine]) -> Aligned:
    """Aligns the lines of two versions of a definition."""
    pairs = Variables()
    edits: list[LineEdit] = []
    facts: list[FactChange] = []
    for same, i, j in differences([x.shape for x in old], [x.shape for x in new]):
        first, second = old[i.start : i.stop], new[j.start : j.stop]
        if not same:
            edits.extend(_replaced(first, second))
            continue
        for before, now in zip(first, second, strict=True):
            if not pairs.fit(before, now):
                edits.extend((_edit("-", before), _edit("+", now)))
            elif before.clauses != now.clauses:
                facts.append(_cites(before, now))
    return Aligned(tuple(edits), tuple(facts))


class Variables:
    """A one-to-one map between the variables of two versions."""

    def __init__(self) -> None:
        self.now: dict[r.Var, r.Var] = {}
        self.before: dict[r.Var, r.Var] = {}

    def fit(self, old: DiffLine, new: DiffLine) -> bool:
        """Whether two lines of the same form use the same variables."""
        return all(self._same(a, b) for a, b in zip(old.vars, new.vars, strict=True))

    def _same(self, a: r.Var, b: r.Var) -> bool:
        if a not in self.now and b not in self.before:
            self.now[a], self.before[b] = b, a
        return self.now.get(a) is b


def _replaced(old: Sequence[DiffLine], new: Sequence[DiffLine]) -> Iterator[LineEdit]:
    """Old and new lines in turn if there are as many, else the old ones first."""
    if len(old) != len(new):
        yield from (_edit("-", x) for x in old)
        yield from (_edit("+", x) for x in new)
        return
    for before, now in zip(old, new, strict=True):
        yield _edit("-", before)
        yield _edit("+", now)


def all_edits(sign: str, lines: Sequence[DiffLine]) -> tuple[LineEdit, ...]:
    """All lines of a definition that is added or removed."""
    return tuple(_edit(sign, one) for one in lines)


def _edit(sign: str, one: DiffLine) -> LineEdit:
    return LineEdit("-" if sign == "-" else "+", one.text, one.depth, one.span, one.clauses)


def _cites(old: DiffLine, new: DiffLine) -> FactChange:
    return FactChange(f"`{new.text}` cites", " ".join(old.clauses), " ".join(new.clauses))
