"""Statements: what is done, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, assert_never

from dsl import rules as r
from dsl.rules.visit import walk
from rulewright.prose.choices import Choices
from rulewright.prose.document import Step
from rulewright.prose.english import capital, listed, sentence, times
from rulewright.prose.expressions import key_of
from rulewright.prose.moves import at_end, whole
from rulewright.prose.names import Noun
from rulewright.prose.nominals import Described, Things, narrowed
from rulewright.prose.steps import guarded, joined, marked, opened, said

ONCE_MORE = r.While | r.Repeat | r.For | r.EachTurn | r.Together


class Statements(Choices):
    """Says blocks as steps."""

    # ---- blocks

    def block(self, block: r.Block) -> tuple[Step, ...]:
        """The steps of a block, in order.

        What is set only to be used in the next line is said there; what nothing asks about is not said.
        """
        before = set(self.names)
        found = self._steps(list(self.folding.block(block)))
        for var in self.names.keys() - before:
            del self.names[var]
        return tuple(found)

    def _steps(self, lines: list[r.Statement]) -> list[Step]:
        found: list[Step] = []
        while lines:
            line = lines.pop(0)
            if isinstance(line, r.SetVar) and lines and self._is_used_once(line, lines):
                with self.given({line.var: line.value}):
                    lines[0] = self.folding.block((_with_marks(lines[0], line.clauses),))[0]
            elif self._is_idle(line):
                _pass_marks(line.clauses, lines, found)
            elif lines and (merged := self._merged(line, lines[0])):
                lines.pop(0)
                found.append(merged)
            else:
                found += self.line(line)
        return found

    def _is_used_once(self, line: r.SetVar, rest: Sequence[r.Statement]) -> bool:
        """Whether a new name is only asked about in the next line, once, and never changed."""
        if line.var in self.names or isinstance(line.value, r.PickOf) or isinstance(rest[0], ONCE_MORE):
            return False
        reads, here = (_reads(lines, line.var) for lines in (tuple(rest), (rest[0],)))
        return reads == here == 1 and not any(_writes(p, line.var) for p in walk((line.value, *rest)))

    def _is_idle(self, line: r.Statement) -> bool:
        """Whether a line only keeps the rules' own books, or calls what does no more."""
        match line:
            case r.Write(name=name):
                return name not in self.calls.read
            case r.CallLine(routine=name):
                return name in self.calls.idle
        return False

    def _merged(self, line: r.Statement, after: r.Statement) -> Step | None:
        """`Choose a card from your hand and put it on the discard pile.`"""
        match line, after:
            case r.Choose(strength="must", if_any=False, seat=None), r.MovePiece(piece=r.Read(var=var)) if (
                var is line.binder.var
            ):
                chosen = self.picked(line.binder)
                text = sentence(f"choose {chosen} and put it {self.place(after.to)}{at_end(after.end)}")
                return Step(text, joined(line.clauses, after.clauses))
        return None

    # ---- lines

    def line(self, line: r.Statement) -> list[Step]:
        """One statement; its marks stand behind its first sentence."""
        with self.citing() as marks:
            found = self._said(line)
        if found:
            found[0] = marked(found[0], (*line.clauses, *marks))
        return found

    def _said(self, line: r.Statement) -> list[Step]:
        match line:
            case r.SetVar():
                return [self._set(line)]
            case r.Write():
                return [self._written(line)]
            case r.Transfer():
                return [self._transfer(line)]
            case r.TurnDie(var=var, face=face):
                return [said(f"turn {self.name_of(var)} to {self.expr(face)}")]
            case r.MovePiece(piece=piece, to=to, end=end):
                return [said(f"put {self.expr(piece)} {self.place(to)}{at_end(end)}")]
            case r.MoveAll():
                return [said(self._moved_all(line))]
            case r.MoveCount():
                return [said(self._moved(line))]
            case r.MoveAlike():
                return [said(self._moved_alike(line))]
            case r.RollPiece(piece=piece):
                return [said(f"roll {self.expr(piece)}")]
            case r.RollZone():
                return [said(self._rolled(line))]
            case r.Shuffle(zone=zone):
                return [said(f"shuffle {whole(self.zone(zone))}")]
            case r.Show(zone=zone, to=to):
                return [said(self._shown(zone, to))]
            case r.Need(condition=condition):
                return [said(f"this is only allowed if {self.condition(condition)}")]
            case r.EndGame():
                return [said("the game ends at once")]
            case r.Win(seat=seat):
                return [said(self._won(seat))]
            case r.Choose():
                return self._choose(line)
            case r.Offer():
                return self._offer(line)
            case r.CallLine():
                return self._call(line)
            case r.If():
                return self._if(line)
            case r.While(condition=condition, block=block):
                return [opened(f"As long as {self.condition(condition)}", self.block(block))]
            case r.Repeat(number=number, block=block):
                return [opened(f"Do this {times(self.expr(number))}", self.block(block))]
            case r.For():
                return self._for(line)
            case r.EachTurn():
                return self._each(line)
            case r.Together():
                return [self._together(line)]
        assert_never(line)

    # ---- calls

    def _call(self, line: r.CallLine) -> list[Step]:
        routine = self.rules.routines[line.routine]
        if not self.calls.is_told_in_place(line.routine):
            return [said(self.reference(line.routine, line.arguments))]
        self.places[line.routine] = self.here
        given = {p.var: a for p, a in zip(routine.parameters, line.arguments, strict=True)}
        with self.given(given):
            steps = list(self.block(routine.block))
        if steps:
            steps[0] = replace(steps[0], clauses=joined(routine.clauses, steps[0].clauses))
        return steps

    # ---- branches and rounds

    def _if(self, line: r.If) -> list[Step]:
        found = (
            [guarded(f"If {self.condition(line.condition)}", self.block(line.block))] if line.block else []
        )
        rest = line.otherwise
        if not line.block:
            return [guarded(f"If {self.condition(line.condition, False)}", self.block(rest))]
        while len(rest) == 1 and isinstance(rest[0], r.If) and rest[0].block:
            inner = rest[0]
            if not inner.otherwise and self._is_rest(line, inner):
                rest = (_with_marks(inner.block[0], inner.clauses), *inner.block[1:])
                break
            words = f"Otherwise, if {self.condition(inner.condition)}"
            found.append(replace(guarded(words, self.block(inner.block)), clauses=inner.clauses))
            rest = inner.otherwise
        return found + self._otherwise("Otherwise", rest)

    def _is_rest(self, line: r.If, inner: r.If) -> bool:
        """Whether what the second asks is just what the first denies."""
        return self.condition(inner.condition) == self.condition(line.condition, False)

    def _for(self, line: r.For) -> list[Step]:
        binder = self.folding.tree(line.binder)
        things = self.bound(binder)
        order = ""
        if line.keys:
            with self.marked(binder.var) as mark:
                order = f", {self.order(mark, line.keys, things)}"
        name = self.name_of(binder.var)
        words = f"For {things.every()}{self._called(things, binder.var, name)}{order}"
        steps = self.block(line.block)
        self.names.pop(binder.var, None)
        return [guarded(words, steps)]

    def _each(self, line: r.EachTurn) -> list[Step]:
        things: Described = Things(Noun("player", "players"), person=True)
        if line.opponents:
            things = Things(Noun("other player", "other players"), person=True)
        with self.marked(line.probe) as mark:
            order = f", {self.order(mark, line.keys, things)}" if line.keys else " in turn"
            said = self.clauses(line.where) if line.where is not None else []
        who = f"each {things.noun.one}"
        if said:
            who = narrowed(mark, things, said).every()
        start = f", beginning with {self.expr(line.start)}," if line.start is not None else ""
        return [opened(capital(f"{who}{order}{start}"), self.block(line.block))]

    def order(self, mark: str, keys: tuple[r.Expr, ...], things: Described) -> str:
        """`in the order of price, the lowest first`"""
        said = []
        for key in keys:
            folded, first = self.folding.expr(key), "lowest"
            match folded:
                case r.Arith(op="-", left=r.Const(value=0), right=right):
                    folded, first = right, "highest"
            said.append(f"{key_of(mark, self.expr(folded), things)} ({first} first)")
        return f"in the order of {listed(said, 'and then')}"

    def _together(self, line: r.Together) -> Step:
        return opened("All players at the same time, in secret", self.block(line.block))


def _with_marks(line: r.Statement, clauses: tuple[str, ...]) -> r.Statement:
    return replace(line, clauses=joined(clauses, line.clauses)) if clauses else line


def _pass_marks(clauses: tuple[str, ...], lines: list[r.Statement], found: list[Step]) -> None:
    """The marks of a line that is not said go to the next one, or to the last that was said."""
    if lines:
        lines[0] = _with_marks(lines[0], clauses)
    elif found:
        found[-1] = replace(found[-1], clauses=joined(found[-1].clauses, clauses))


def _writes(part: Any, var: r.Var) -> bool:
    match part:
        case r.SetVar(var=written) | r.TurnDie(var=written):
            return written is var
        case r.Choose(binder=binder):
            return binder.var is var
    return False


def _reads(lines: tuple[r.Statement, ...], var: r.Var) -> int:
    return sum(1 for p in walk(lines) if isinstance(p, r.Read) and p.var is var)
