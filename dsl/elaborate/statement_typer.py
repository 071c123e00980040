"""The context in which statements are typed: scope, blocks, loops, commits, and writes inside `together`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from dsl import rules as r, syntax as s
from dsl.diagnostics import Diagnostic, DiagnosticError
from dsl.domains import SEAT, is_optional
from dsl.elaborate.expressions import expression_typer
from dsl.elaborate.poisoning import check_mentions
from dsl.elaborate.presence import Cause, key_of
from dsl.elaborate.scope import Scope, address_parts
from dsl.elaborate.unknown_names import report_unknown
from dsl.messages.statements import NeedsTooLate, SharedWrite
from dsl.rules.visit import sources
from dsl.source import Span

Marks = tuple[str, ...]
"""The `§` marks of a statement."""
TypeStatement = Callable[["StatementTyper", s.Line], r.Statement | None]


class StatementTyper:
    """Types the statements of one routine, in order.

    `type_statement` dispatches on the kind of a statement; the functions that it calls type the blocks
    inside the statement with `block`.
    """

    def __init__(self, scope: Scope, type_statement: TypeStatement, in_trigger: bool = False) -> None:
        self.scope = scope
        self.symbols = scope.symbols
        self.exprs = expression_typer(scope)
        self.type_statement = type_statement
        self.in_trigger = in_trigger
        self.in_together = False
        self.captured: frozenset[str] = frozenset()
        """The locals from outside `together`, of which each of its branches has a copy."""
        self.in_round = False
        """Inside `each seat in turn`, where `me` is any of several seats."""
        self.commits: list[tuple[str, Span]] = []
        """The points so far after which the action cannot be refused."""
        self.needs: list[s.Needs] = []
        """The preconditions so far."""
        self.rewritten: frozenset[str] = frozenset()
        """The names that are written after they are bound."""

    # ---- blocks

    def block(self, lines: s.Block) -> r.Block:
        """The typed statements of a block. Errors go to the report, and the next statement follows."""
        self.rewritten |= rewritten(lines)
        typed: list[r.Statement] = []
        with self.scope.inner():
            for line in lines:
                try:
                    check_mentions(self.symbols, line)
                    if (statement := self.type_statement(self, line)) is not None:
                        typed.append(statement)
                except DiagnosticError as failed:
                    self.symbols.fail(failed.diagnostic)
                    report_unknown(self.scope, failed.diagnostic, line)
                    self._mark_poisoned(line, failed.diagnostic)
        return tuple(typed)

    def _mark_poisoned(self, line: s.Line, diagnostic: Diagnostic) -> None:
        """The name that a failed statement would have bound is broken, not unknown."""
        match line:
            case s.Choose(several=s.Several(group=word)) if word is not None:
                self.scope.broken[word.text] = diagnostic
            case s.Let(name=word) | s.Draw(name=word) | s.Choose(name=word) | s.ChanceChooses(name=word):
                if word.text not in self.scope.locals:
                    self.scope.broken[word.text] = diagnostic

    @contextmanager
    def loop(self, block: s.Block) -> Iterator[None]:
        """A block that runs again: facts about what it writes do not hold at its start.

        A commit in it precedes the `needs` of its next round, and that is reported.
        """
        self._forget_rounds(block)
        commits, needs = len(self.commits), len(self.needs)
        yield
        if len(self.commits) > commits and len(self.needs) > needs:
            what, at = self.commits[commits]
            self.symbols.fail(NeedsTooLate(self.needs[needs].span, f"{what} (of an earlier round)", at))
            del self.needs[needs:]

    def _forget_rounds(self, block: s.Block) -> None:
        """Drop the facts that an earlier round may have invalidated by a write, a move or a call."""
        self.scope.forget(rewritten(block), "round")
        for line in within(block):
            if isinstance(line, s.MovePiece) and isinstance(line.what, s.Name):
                self.scope.forget_about(line.what.text, "round")
        kinds = {type(line) for line in within(block)}
        if kinds & {s.MovePiece, s.MoveAll, s.MoveCount, s.Draw, s.RollOver, s.Swap}:
            self.scope.forget(self.symbols.zones, "round")
        if kinds & {s.Choose, s.Offer, s.ChanceChooses, s.Draw}:
            self.scope.forget(self.symbols.scratch, "moment")
        if kinds & {s.CallLine, s.Offer}:
            self.forget_all("round")

    def commit(self, what: str, line: s.Line) -> None:
        """From here on the action cannot be refused, because of this statement."""
        self.commits.append((what, line.span))
        self.scope.forget(self.symbols.scratch, "moment")

    def seat(self, node: s.Expr) -> r.Expr:
        """Raises `DiagnosticError` if an expression is not a seat."""
        return self.exprs.argument(node, SEAT)

    def maybe_seat(self, node: s.Expr | None) -> r.Expr | None:
        return self.seat(node) if node is not None else None

    def chooser(self, node: s.Expr | None, strength: s.Strength) -> tuple[r.Expr | None, frozenset[str]]:
        """The seat that chooses, if it is not the acting one, and what is known in the block under it.

        A seat that may be none is skipped where it may pass. Raises `DiagnosticError` if it is not a seat, or
        may be none and must choose.
        """
        if node is None:
            return None, frozenset()
        if strength == "must":
            return self.seat(node), frozenset()
        seat = self.exprs.argument(node, replace(SEAT, optional=True))
        return seat, frozenset({key_of(node)}) if is_optional(seat.type) else frozenset()

    # ---- writes

    def forget_all(self, cause: Cause = "call") -> None:
        """Drop the facts about everything but locals: a call may have changed it."""
        symbols = self.symbols
        state = (*symbols.zones, *symbols.counters, *symbols.marks, *symbols.pointers)
        self.scope.forget((*state, *self.scope.signatures.names()), cause)

    def may_write(self, var: r.StateVar, of: object, node: s.Node, captured: bool = False) -> None:
        """Raises `DiagnosticError` if several seats may write the same variable inside `together`.

        `captured`: `of` was evaluated before `together`, so `me` in it is the same seat for all.
        """
        if not self.in_together or var.shared is not None or var.is_scratch:
            return
        mine = isinstance(of, r.Special) and of.what == "me" and not self.in_round and not captured
        if var.of != "seat" or not mine:
            raise DiagnosticError(SharedWrite(node.span, var.name))

    def may_move(self, collection: r.Collection, node: s.Node, captured: bool = False) -> None:
        """`may_write` for the zones that pieces leave or enter."""
        for source in sources(collection):
            if isinstance(source, r.InZone):
                self.may_write(self.symbols.zones[source.zone].var, source.of, node, captured)


def within(block: s.Block) -> Iterator[s.Line]:
    """All statements of a block, and of the blocks inside them."""
    for line in block:
        yield line
        for part in (getattr(line, "block", None), getattr(line, "otherwise", None)):
            yield from within(part or ())


def rewritten(block: s.Block) -> frozenset[str]:
    """The names that some statement of a block writes after they are bound."""
    return frozenset(name for line in within(block) for name in _written(line))


def _written(line: s.Line) -> Iterator[str]:
    match line:
        case s.Choose(name=word, several=None) | s.ChanceChooses(name=word):
            yield word.text
        case s.Swap(one=one, other=other):
            yield from (key_of(address_parts(node)[0]) for node in (one, other))
        case (
            s.Assign(target=target) | s.Clear(target=target) | s.SetMark(mark=target) | s.Gain(counter=target)
        ):
            head, _, _ = address_parts(target)
            if isinstance(head, s.Name):
                yield head.text
