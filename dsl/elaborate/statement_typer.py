"""The context in which statements are typed: scope, blocks, loops, stops, and what `together` may write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from dsl import rules as r, syntax as s
from dsl.diagnostics import Diagnostic, DiagnosticError
from dsl.domains import SEAT
from dsl.elaborate.expressions import expression_typer
from dsl.elaborate.scope import Scope
from dsl.messages.statements import NeedsTooLate, SharedWrite
from dsl.rules.visit import sources

Marks = tuple[str, ...]
"""The `§` marks of a statement."""
TypeStatement = Callable[["StatementTyper", s.Line], r.Statement | None]


class StatementTyper:
    """Types the statements of one routine, in order.

    `type_statement` dispatches on the kind of statement: the functions it calls type the blocks inside
    a statement with `block`. `needs` are the conditions of being offered so far.
    """

    def __init__(self, scope: Scope, type_statement: TypeStatement, in_trigger: bool = False) -> None:
        self.scope = scope
        self.symbols = scope.symbols
        self.exprs = expression_typer(scope)
        self.type_statement = type_statement
        self.in_trigger = in_trigger
        self.rewritten: frozenset[str] = frozenset()
        self.needs: list[s.Needs] = []

    # ---- blocks

    def block(self, lines: s.Block) -> r.Block:
        """The statements of a block; a mistake in one does not hide the next."""
        self.rewritten |= rewritten(lines)
        made: list[r.Statement] = []
        with self.scope.inner():
            for line in lines:
                try:
                    statement = self.type_statement(self, line)
                except DiagnosticError as failed:
                    self.symbols.fail(failed.diagnostic)
                    self._mark_poisoned(line, failed.diagnostic)
                else:
                    made.extend(() if statement is None else (statement,))
        return tuple(made)

    def _mark_poisoned(self, line: s.Line, diagnostic: Diagnostic) -> None:
        """The name that a failed line would have made is known to be broken, not unknown."""
        match line:
            case s.Let(name=word) | s.Draw(name=word) | s.Choose(name=word):
                if word.text not in self.scope.locals:
                    self.scope.broken[word.text] = diagnostic

    @contextmanager
    def loop(self, block: s.Block) -> Iterator[None]:
        """A block that runs again: what it writes is not known at its start, and its stops come before it."""
        self._forget_rounds(block)
        stops, needs = len(self.scope.stopped), len(self.needs)
        yield
        if len(self.scope.stopped) > stops and len(self.needs) > needs:
            what, at = self.scope.stopped[stops]
            self.symbols.fail(NeedsTooLate(self.needs[needs].span, f"{what} (of an earlier round)", at))
            del self.needs[needs:]

    def _forget_rounds(self, block: s.Block) -> None:
        """What an earlier round has written, moved or called is not known in the next one."""
        self.scope.forget(rewritten(block))
        for line in within(block):
            if isinstance(line, s.MovePiece) and isinstance(line.what, s.Name):
                self.scope.forget_about(line.what.text)
        kinds = {type(line) for line in within(block)}
        if kinds & {s.MovePiece, s.MoveAll, s.MoveCount, s.Draw, s.RollOver}:
            self.scope.forget(self.symbols.zones)
        if kinds & {s.CallLine, s.Offer}:
            self.forget_all()

    def marks(self, line: s.Line) -> Marks:
        for clause in line.clauses:
            self.symbols.cite(clause.text, clause.span)
        return tuple(c.text for c in line.clauses)

    def stops(self, what: str, line: s.Line) -> None:
        """From here on nobody can be refused."""
        self.scope.stopped.append((what, line.span))

    def seat(self, node: s.Expr) -> r.Expr:
        return self.exprs.fit(self.exprs.expr(node, SEAT), SEAT, node)

    # ---- what is written

    def forget_all(self) -> None:
        """Something was called that may have changed anything but the locals."""
        symbols = self.symbols
        stores: Iterable[str] = (*symbols.zones, *symbols.counters, *symbols.marks, *symbols.pointers)
        self.scope.forget((*stores, *self.scope.signatures.names()))

    def may_write(self, var: r.StateVar, of: object, node: s.Node, captured: bool = False) -> None:
        """Raises `DiagnosticError` if several seats may write the same at the same time.

        `captured`: `of` was worked out before all began to act, so that `me` in it is the same for all.
        """
        if not self.scope.together or var.shared is not None:
            return
        mine = isinstance(of, r.Special) and of.what == "me" and not self.scope.turned and not captured
        if var.of != "seat" or not mine:
            raise DiagnosticError(SharedWrite(node.span, var.name))

    def may_move(self, collection: r.Collection, node: s.Node, captured: bool = False) -> None:
        """The same for the zones that pieces leave or enter."""
        for source in sources(collection):
            if isinstance(source, r.InZone):
                self.may_write(self.symbols.zones[source.zone].var, source.of, node, captured)


def within(block: s.Block) -> Iterator[s.Line]:
    """All lines of a block, and of the blocks under them."""
    for line in block:
        yield line
        for part in (getattr(line, "block", None), getattr(line, "otherwise", None)):
            yield from within(part or ())


def rewritten(block: s.Block) -> frozenset[str]:
    """The names that some line of a block writes after they are made."""
    found: set[str] = set()
    for line in within(block):
        match line:
            case s.Assign(target=s.Name(text=text) | s.Address(head=s.Name(text=text))):
                found.add(text)
            case s.Clear(target=s.Name(text=text) | s.Address(head=s.Name(text=text))):
                found.add(text)
            case s.SetMark(mark=s.Name(text=text) | s.Address(head=s.Name(text=text))):
                found.add(text)
            case s.Gain(counter=s.Name(text=text) | s.Address(head=s.Name(text=text))):
                found.add(text)
            case s.Choose(name=word):
                found.add(word.text)
    return frozenset(found)
