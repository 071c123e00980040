"""Comparison of routines, values, triggers, score lines and promises."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dsl import rules as r
from validators.diff.kinds import Facet, WrittenKind, facet
from validators.diff.lines import DiffLine, block_lines, line, written
from validators.diff.version_view import VersionView

# ---- routines


class Routines(WrittenKind[r.Routine]):
    """Routines of one kind."""

    def __init__(self, section: str, kind: str) -> None:
        self.section, self.word = section, kind

    def found(self, rules: r.Rules) -> dict[str, r.Routine]:
        return {n: x for n, x in rules.routines.items() if x.kind == self.word}

    def facets(self, side: VersionView, decl: r.Routine) -> Iterator[Facet]:
        if decl.nests is not None:
            yield facet("nests up to", decl.nests)

    def lines(self, side: VersionView, decl: r.Routine) -> Iterator[DiffLine]:
        """The header with its parameters, and the statements."""
        given = tuple(_parameter(side, p) for p in decl.parameters)
        yield line(side, (decl.kind, *given), decl.span, decl.clauses)
        yield from block_lines(side, decl.block)


def _parameter(side: VersionView, parameter: r.Parameter) -> tuple[object, ...]:
    """The form of a parameter: by its collection if it is chosen, by its type if it is given."""
    if parameter.binder is None:
        return ("given", parameter.var, side.type(parameter.var.type))
    if parameter.several is not None:
        return ("chosen", parameter.binder, parameter.several)
    return ("chosen", parameter.binder)


# ---- values


class Values(WrittenKind[r.Value]):
    section = "routines"
    word = "value"

    def found(self, rules: r.Rules) -> Mapping[str, r.Value]:
        return rules.values

    def lines(self, side: VersionView, decl: r.Value) -> Iterator[DiffLine]:
        """The header and the cases, perhaps in one line; then the modifiers."""
        given = tuple((p, side.type(p.type)) for p in decl.parameters)
        first = decl.cases[0]
        if written(first.span) == written(decl.span):
            yield line(side, (given, _case(first)), decl.span, decl.clauses)
        else:
            yield line(side, given, decl.span, decl.clauses)
            for let in decl.lets:
                yield line(side, (let.var, let.value), let.span, let.clauses, 1)
            for case in decl.cases:
                yield line(side, _case(case), case.span, case.clauses, 1)
        for modifier in decl.modifiers:
            given = tuple((p, side.type(p.type)) for p in modifier.parameters)
            parts = ("modify", given, modifier.mode, modifier.amount, modifier.condition)
            yield line(side, parts, modifier.span, modifier.clauses)


class Collections(WrittenKind[r.NamedCollection]):
    section = "routines"
    word = "value"

    def found(self, rules: r.Rules) -> Mapping[str, r.NamedCollection]:
        return rules.collections

    def lines(self, side: VersionView, decl: r.NamedCollection) -> Iterator[DiffLine]:
        """The header with the parameters and the collection."""
        given = tuple((p, side.type(p.type)) for p in decl.parameters)
        yield line(side, (given, decl.collection), decl.span, decl.clauses)


def _case(case: r.ValueCase) -> tuple[object, ...]:
    return (case.condition, case.value)


# ---- triggers


def trigger_lines(side: VersionView, trigger: r.Trigger) -> Iterator[DiffLine]:
    """The header, with the free variables first, and the block."""
    free = tuple((v, side.type(v.type)) for v in trigger.free)
    header = ("when", free, trigger.condition, trigger.event, trigger.zone, trigger.piece)
    yield line(side, header, trigger.span, trigger.clauses)
    yield from block_lines(side, trigger.block)


# ---- the account and promises


class Scores(WrittenKind[r.ScoreLine]):
    section = "scores"

    def noun(self, decl: r.ScoreLine) -> str:
        return "score" if decl.kind == "score" else "tie-break"

    def found(self, rules: r.Rules) -> dict[str, r.ScoreLine]:
        return {f"{score.kind}:{score.name}": score for score in rules.scores}

    def name(self, key: str, decl: r.ScoreLine) -> str:
        return decl.name

    def lines(self, side: VersionView, decl: r.ScoreLine) -> Iterator[DiffLine]:
        yield line(side, (decl.kind, decl.value), decl.span, decl.clauses)


def promise_lines(side: VersionView, promise: r.Invariant) -> Iterator[DiffLine]:
    yield line(side, promise.condition, promise.span, promise.clauses)
