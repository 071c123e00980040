"""Lines that ask and call: conditions of being offered, choices, offers, calls of procedures."""

from __future__ import annotations

from dsl import rules as r, syntax as s
from dsl.diagnostics import DiagnosticError
from dsl.domains import certain
from dsl.elaborate import collections, offers
from dsl.elaborate.scope import facts
from dsl.elaborate.signatures import check_bounded
from dsl.elaborate.statement_typer import Marks, StatementTyper
from dsl.messages.statements import CannotOffer, NeedsTooLate, WrongStatement
from dsl.messages.types import WrongArguments, WrongType
from dsl.rules.visit import substitute
from dsl.wording import article, given, quoted


class Choices(StatementTyper):
    """The part of typing statements that deals with decisions and calls. `Statements` completes it."""

    # ---- conditions of being offered

    def need(self, line: s.Needs, marks: Marks) -> r.Statement:
        if self.in_trigger:
            raise DiagnosticError(
                WrongStatement(line.span, "`needs` cannot refuse anything in a trigger", "use `if`")
            )
        if self.scope.stopped:
            what, at = self.scope.stopped[0]
            raise DiagnosticError(NeedsTooLate(line.span, what, at))
        self.needs.append(line)
        condition = self.typer.condition(line.condition)
        self.scope.learn(facts(line.condition))
        return r.Precondition(line.span, marks, condition)

    # ---- choices

    def choose(self, line: s.Choose, marks: Marks) -> r.Statement:
        self._check_choice(line)
        seat = self.seat(line.subject) if line.subject is not None else None
        if line.strength == "must" and not line.if_any:
            old = self.scope.locals.get(line.name.text)
            binder = self._rechoose(line, old) if old is not None else self._choice(line)
            self.stops("choice", line)
            return r.Choose(line.span, marks, "must", seat, binder, False, (), ())
        with self.scope.inner():
            binder = self._choice(line)
            self.stops("choice", line)
            block = self._repeated(line.strength, line.block or ())
        otherwise = self.block(line.otherwise or ())
        return r.Choose(line.span, marks, line.strength, seat, binder, line.if_any, block, otherwise)

    def _repeated(self, strength: s.Strength, block: s.Block) -> r.Block:
        """The block under a choice or offer, which runs again if more can be chosen."""
        if strength != "keep":
            return self.block(block)
        with self.loop(block):
            return self.block(block)

    def _check_choice(self, line: s.Choose) -> None:
        """Raises `DiagnosticError` if a choice has a block that it cannot have, or lacks one."""
        plain = line.strength == "must" and not line.if_any
        if plain and line.block is not None:
            hint = "add `if any`, or unindent the lines below it"
            raise DiagnosticError(WrongStatement(line.span, "a plain `choose` has no block", hint))
        if line.strength == "keep" and line.otherwise is not None:
            hint = "lines after it run when no more is chosen"
            raise DiagnosticError(WrongStatement(line.span, "`may keep choosing` has no `else`", hint))
        if not plain and line.block is None:
            why = "missing block for what is done with the choice"
            raise DiagnosticError(WrongStatement(line.span, why, "indent a block under it"))

    def _choice(self, line: s.Choose) -> r.Binder:
        binder = collections.bound(self.typer, s.Binder(line.span, line.name, line.collection, line.where))
        check_bounded(binder.collection)
        return binder

    def _rechoose(self, line: s.Choose, old: r.Var) -> r.Binder:
        """A choice into a name that exists already."""
        with self.scope.inner():
            del self.scope.locals[line.name.text]
            binder = self._choice(line)
        if not self.typer.related(binder.var.type, old.type):
            hint = f"`{old.name}` is declared with another type; choose another name"
            raise DiagnosticError(WrongType(line.span, str(certain(old.type)), str(binder.var.type), hint))
        self.scope.forget([old.name])
        self.scope.learn(frozenset({old.name}) | facts(line.where))
        self.scope.origins[old] = binder.collection
        return r.Binder(old, binder.collection, substitute(binder.where, binder.var, old))

    # ---- offers

    def offer(self, line: s.Offer, marks: Marks) -> r.Statement:
        self._check_offer(line)
        seat = self.seat(line.subject) if line.subject is not None else None
        targets = tuple(offers.target(self.typer, t, line.actor) for t in line.targets)
        cell = line.strength == "must" and len(targets) == 1 and isinstance(targets[0], r.DoCell)
        self.stops("effect that may ask or roll" if cell else "choice", line)
        self.forget_all()
        block = self._repeated(line.strength, line.block or ())
        otherwise = self.block(line.otherwise or ())
        return r.Offer(line.span, marks, line.strength, seat, targets, block, otherwise)

    def _check_offer(self, line: s.Offer) -> None:
        if line.strength == "must" and line.block is not None:
            hint = "lines after it always run; `may do` has a block"
            raise DiagnosticError(WrongStatement(line.span, "a plain `do` has no block", hint))
        if line.strength == "keep" and line.otherwise is not None:
            hint = "lines after it run when the seat is done"
            raise DiagnosticError(WrongStatement(line.span, "`may keep doing` has no `else`", hint))

    # ---- calls

    def call(self, line: s.CallLine, marks: Marks) -> r.Statement:
        word, arguments = _as_routine(line.call)
        signature = self.scope.signatures.routine(word.text)
        if signature is None:
            raise self._no_procedure(line, word)
        kind, parameters = signature
        if kind != "procedure":
            hint = (
                f"use `do {word.text}`"
                if kind == "action"
                else f"use `do {word.text}`, or make it a procedure"
            )
            raise DiagnosticError(
                CannotOffer(word.span, word.text, f"{article(kind)} and cannot be called", hint)
            )
        if len(arguments) != len(parameters):
            hint = "give all arguments, or make it an action: a procedure chooses nothing"
            names = quoted([p.var.name for p in parameters], "and") or "nothing"
            raise DiagnosticError(WrongArguments(line.span, word.text, names, given(len(arguments)), hint))
        made = tuple(self.typer.argument(a, p.var.type) for a, p in zip(arguments, parameters, strict=True))
        self.forget_all()
        return r.CallLine(line.span, marks, word.text, made)

    def _no_procedure(self, line: s.CallLine, word: s.Word) -> DiagnosticError:
        """A name on a line of its own that is no routine: a value does nothing, or nothing is known of it."""
        if word.text in self.scope.locals or word.text in self.symbols.names:
            hint = "start a line with a verb, such as `gain`, `move` or `choose`, or call a procedure"
            return DiagnosticError(WrongStatement(line.span, "this line is a value without effect", hint))
        return self.scope.unknown(word.text, word.span, "procedure")


def _as_routine(node: s.Expr) -> tuple[s.Word, tuple[s.Expr, ...]]:
    """`settle(card, disc)` or `rebuild`, as a name and arguments.

    Raises `DiagnosticError` for anything else.
    """
    if isinstance(node, s.Call):
        return node.name, node.arguments
    if isinstance(node, s.Name):
        return s.Word(node.span, node.text), ()
    hint = "start a line with a verb, such as `gain`, `move` or `choose`, or call a procedure"
    raise DiagnosticError(WrongStatement(node.span, "this line is a value without effect", hint))
