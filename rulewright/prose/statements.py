"""Statements: what is done, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, assert_never

from dsl import rules as r
from dsl.rules.walk import walk
from rulewright.prose.changes import set_step, transfer, written
from rulewright.prose.choices import (
    called,
    choose_steps,
    offer_steps,
    otherwise_steps,
    picked_from,
    reference_to,
)
from rulewright.prose.collections import bound_things
from rulewright.prose.conditions import condition_text
from rulewright.prose.document import Step
from rulewright.prose.english import capital, listed, sentence, times
from rulewright.prose.expressions import key_of
from rulewright.prose.moves import at_end, moved, moved_alike, moved_all, rolled, shown, whole, won
from rulewright.prose.names import Noun
from rulewright.prose.nominals import Described, Things, narrowed
from rulewright.prose.steps import guarded, joined, marked, opened, said
from rulewright.prose.stores import into_place, pieces_at
from rulewright.prose.voice import Voice

ONCE_MORE = r.While | r.Repeat | r.For | r.EachTurn | r.Together


# ---- blocks


def block_steps(voice: Voice, block: r.Block) -> tuple[Step, ...]:
    """The steps of a block, in order.

    What is set only to be used in the next line is said there; what nothing asks about is not said.
    """
    before = set(voice.names)
    found = _steps(voice, list(voice.folding.block(block)))
    for var in voice.names.keys() - before:
        del voice.names[var]
    return tuple(found)


def _steps(voice: Voice, lines: list[r.Statement]) -> list[Step]:
    found: list[Step] = []
    while lines:
        line = lines.pop(0)
        if isinstance(line, r.SetVar) and lines and _is_used_once(voice, line, lines):
            with voice.given({line.var: line.value}):
                lines[0] = voice.folding.block((_with_marks(lines[0], line.clauses),))[0]
        elif _is_idle(voice, line):
            _pass_marks(line.clauses, lines, found)
        elif lines and (merged := _merged(voice, line, lines[0])):
            lines.pop(0)
            found.append(merged)
        else:
            found += line_steps(voice, line)
    return found


def _is_used_once(voice: Voice, line: r.SetVar, rest: Sequence[r.Statement]) -> bool:
    """Whether a new name is only asked about in the next line, once, and never changed."""
    if line.var in voice.names or isinstance(line.value, r.PickOf) or isinstance(rest[0], ONCE_MORE):
        return False
    reads, here = (_reads(lines, line.var) for lines in (tuple(rest), (rest[0],)))
    return reads == here == 1 and not any(_writes(p, line.var) for p in walk((line.value, *rest)))


def _is_idle(voice: Voice, line: r.Statement) -> bool:
    """Whether a line only keeps the rules' own books, or calls what does no more."""
    match line:
        case r.Write(name=name):
            return name not in voice.calls.read
        case r.CallLine(routine=name):
            return name in voice.calls.idle
    return False


def _merged(voice: Voice, line: r.Statement, after: r.Statement) -> Step | None:
    """`Choose a card from your hand and put it on the discard pile.`"""
    match line, after:
        case r.Choose(strength="must", if_any=False, seat=None), r.MovePiece(piece=r.Read(var=var)) if (
            var is line.binder.var
        ):
            chosen = picked_from(voice, line.binder)
            text = sentence(f"choose {chosen} and put it {into_place(voice, after.to)}{at_end(after.end)}")
            return Step(text, joined(line.clauses, after.clauses))
    return None


# ---- lines


def line_steps(voice: Voice, line: r.Statement) -> list[Step]:
    """One statement; its marks stand behind its first sentence."""
    with voice.citing() as marks:
        found = _line_steps(voice, line)
    if found:
        found[0] = marked(found[0], (*line.clauses, *marks))
    return found


def _line_steps(voice: Voice, line: r.Statement) -> list[Step]:
    match line:
        case r.SetVar():
            return [set_step(voice, line)]
        case r.Write():
            return [written(voice, line)]
        case r.Transfer():
            return [transfer(voice, line)]
        case r.TurnDie(var=var, face=face):
            return [said(f"turn {voice.name_of(var)} to {voice.expr(face)}")]
        case r.MovePiece(piece=piece, to=to, end=end):
            return [said(f"put {voice.expr(piece)} {into_place(voice, to)}{at_end(end)}")]
        case r.MoveAll():
            return [said(moved_all(voice, line))]
        case r.MoveCount():
            return [said(moved(voice, line))]
        case r.MoveAlike():
            return [said(moved_alike(voice, line))]
        case r.RollPiece(piece=piece):
            return [said(f"roll {voice.expr(piece)}")]
        case r.RollZone():
            return [said(rolled(voice, line))]
        case r.Shuffle(zone=zone):
            return [said(f"shuffle {whole(pieces_at(voice, zone))}")]
        case r.Show(zone=zone, to=to):
            return [said(shown(voice, zone, to))]
        case r.Need(condition=condition):
            return [said(f"this is only allowed if {condition_text(voice, condition)}")]
        case r.EndGame():
            return [said("the game ends at once")]
        case r.Win(seat=seat):
            return [said(won(voice, seat))]
        case r.Choose():
            return choose_steps(voice, line)
        case r.Offer():
            return offer_steps(voice, line)
        case r.CallLine():
            return _call(voice, line)
        case r.If():
            return _if(voice, line)
        case r.While(condition=condition, block=block):
            return [opened(f"As long as {condition_text(voice, condition)}", voice.block(block))]
        case r.Repeat(number=number, block=block):
            return [opened(f"Do this {times(voice.expr(number))}", voice.block(block))]
        case r.For():
            return _for(voice, line)
        case r.EachTurn():
            return _each(voice, line)
        case r.Together():
            return [_together(voice, line)]
    assert_never(line)


# ---- calls


def _call(voice: Voice, line: r.CallLine) -> list[Step]:
    routine = voice.rules.routines[line.routine]
    if not voice.calls.is_told_in_place(line.routine):
        return [said(reference_to(voice, line.routine, line.arguments))]
    voice.places[line.routine] = voice.here
    given = {p.var: a for p, a in zip(routine.parameters, line.arguments, strict=True)}
    with voice.given(given):
        steps = list(voice.block(routine.block))
    if steps:
        steps[0] = replace(steps[0], clauses=joined(routine.clauses, steps[0].clauses))
    return steps


# ---- branches and rounds


def _if(voice: Voice, line: r.If) -> list[Step]:
    found = (
        [guarded(f"If {condition_text(voice, line.condition)}", voice.block(line.block))]
        if line.block
        else []
    )
    rest = line.otherwise
    if not line.block:
        return [guarded(f"If {condition_text(voice, line.condition, False)}", voice.block(rest))]
    while len(rest) == 1 and isinstance(rest[0], r.If) and rest[0].block:
        inner = rest[0]
        if not inner.otherwise and _is_rest(voice, line, inner):
            rest = (_with_marks(inner.block[0], inner.clauses), *inner.block[1:])
            break
        words = f"Otherwise, if {condition_text(voice, inner.condition)}"
        found.append(replace(guarded(words, voice.block(inner.block)), clauses=inner.clauses))
        rest = inner.otherwise
    return found + otherwise_steps(voice, "Otherwise", rest)


def _is_rest(voice: Voice, line: r.If, inner: r.If) -> bool:
    """Whether what the second asks is just what the first denies."""
    return condition_text(voice, inner.condition) == condition_text(voice, line.condition, False)


def _for(voice: Voice, line: r.For) -> list[Step]:
    binder = voice.folding.tree(line.binder)
    things = bound_things(voice, binder)
    order = ""
    if line.keys:
        with voice.marked(binder.var) as mark:
            order = f", {in_order_of(voice, mark, line.keys, things)}"
    name = voice.name_of(binder.var)
    words = f"For {things.every()}{called(voice, things, binder.var, name)}{order}"
    steps = voice.block(line.block)
    voice.names.pop(binder.var, None)
    return [guarded(words, steps)]


def _each(voice: Voice, line: r.EachTurn) -> list[Step]:
    things: Described = Things(Noun("player", "players"), person=True)
    if line.opponents:
        things = Things(Noun("other player", "other players"), person=True)
    with voice.marked(line.probe) as mark:
        order = f", {in_order_of(voice, mark, line.keys, things)}" if line.keys else " in turn"
        said = voice.clauses(line.where) if line.where is not None else []
    who = f"each {things.noun.one}"
    if said:
        who = narrowed(mark, things, said).every()
    start = f", beginning with {voice.expr(line.start)}," if line.start is not None else ""
    return [opened(capital(f"{who}{order}{start}"), voice.block(line.block))]


def in_order_of(voice: Voice, mark: str, keys: tuple[r.Expr, ...], things: Described) -> str:
    """`in the order of price, the lowest first`"""
    said = []
    for key in keys:
        folded, first = voice.folding.expr(key), "lowest"
        match folded:
            case r.Arith(op="-", left=r.Const(value=0), right=right):
                folded, first = right, "highest"
        said.append(f"{key_of(mark, voice.expr(folded), things)} ({first} first)")
    return f"in the order of {listed(said, 'and then')}"


def _together(voice: Voice, line: r.Together) -> Step:
    return opened("All players at the same time, in secret", voice.block(line.block))


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
