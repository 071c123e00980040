"""Statements as steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, assert_never

from dsl import rules as r
from dsl.rules.visit import walk
from rulewright.rulebook.changes import set_step, transfer, write_step
from rulewright.rulebook.choices import (
    choose_steps,
    named,
    offer_steps,
    otherwise_steps,
    picked_from,
    reference_to,
)
from rulewright.rulebook.collections import bound_things, other_players
from rulewright.rulebook.conditions import condition
from rulewright.rulebook.context import BookContext
from rulewright.rulebook.document import Step, merge_clauses
from rulewright.rulebook.english import capital, times
from rulewright.rulebook.moves import (
    moved,
    moved_alike,
    moved_all,
    moved_some,
    put_into,
    rolled,
    shown,
    whole,
)
from rulewright.rulebook.noun_phrases import Described, Things, leading, narrowed
from rulewright.rulebook.numbers import counted_key, key_of, sign_of
from rulewright.rulebook.partial_eval import also_citing
from rulewright.rulebook.realise import spell
from rulewright.rulebook.state_vars import pieces_at
from rulewright.rulebook.steps import guarded, to_step, with_clauses, with_parts
from rulewright.rulebook.syntax import Genitive, Node, Referent, clause, phrase, series, the
from rulewright.rulebook.usage import is_idle

LOOPS = r.While | r.Repeat | r.For | r.EachTurn | r.Together


# ---- blocks


def block_steps(ctx: BookContext, block: r.Block) -> tuple[Step, ...]:
    """The steps of a block, in order.

    A local that is read once, in the next statement, is written there. What nothing reads is left out; its
    clauses go to the next statement, or to the last step.
    """
    before = set(ctx.names)
    steps = _steps(ctx, list(ctx.folding.block(block)))
    for var in ctx.names.keys() - before:
        del ctx.names[var]
    return tuple(steps)


def _steps(ctx: BookContext, lines: list[r.Statement]) -> list[Step]:
    steps: list[Step] = []
    while lines:
        line = lines.pop(0)
        if isinstance(line, r.SetVar) and lines and _is_used_once(ctx, line, lines):
            with ctx.given({line.var: line.value}):
                lines[0] = ctx.folding.block((also_citing(lines[0], line.clauses),))[0]
        elif is_idle(line, ctx.usage.read, ctx.usage.idle):
            if lines:
                lines[0] = also_citing(lines[0], line.clauses)
            elif steps:
                steps[-1] = with_clauses(steps[-1], line.clauses)
        elif lines and (merged := _merged(ctx, line, lines[0])):
            lines.pop(0)
            steps.append(merged)
        else:
            steps += line_steps(ctx, line)
    return steps


def _is_used_once(ctx: BookContext, line: r.SetVar, rest: Sequence[r.Statement]) -> bool:
    """Whether a new local is read once, in the next statement, and never written again."""
    if line.var in ctx.names or isinstance(line.value, r.PickOf) or isinstance(rest[0], LOOPS):
        return False
    reads, here = (_reads(lines, line.var) for lines in (tuple(rest), (rest[0],)))
    return reads == here == 1 and not any(_writes(p, line.var) for p in walk((line.value, *rest)))


def _merged(ctx: BookContext, line: r.Statement, after: r.Statement) -> Step | None:
    """`Choose a card from your hand and put it on the discard pile.`"""
    match line, after:
        case r.Choose(strength="must", if_any=False, seat=None), r.MovePiece(piece=r.Read(var=var)) if (
            var is line.binder.var
        ):
            chosen = picked_from(ctx, line.binder)
            step = to_step("choose", chosen, "and put it", *put_into(ctx, after.to, after.end))
            return replace(step, clauses=merge_clauses(line.clauses, after.clauses))
    return None


# ---- lines


def line_steps(ctx: BookContext, line: r.Statement) -> list[Step]:
    """The steps of one statement; the first cites its clauses."""
    with ctx.citing() as clauses:
        steps = _line_steps(ctx, line)
    if steps:
        steps[0] = with_clauses(steps[0], (*line.clauses, *clauses))
    return steps


def _line_steps(ctx: BookContext, line: r.Statement) -> list[Step]:
    match line:
        case r.SetVar():
            return [set_step(ctx, line)]
        case r.Write():
            return [write_step(ctx, line)]
        case r.Transfer():
            return [transfer(ctx, line)]
        case r.TurnDie(var=var, face=face):
            return [to_step("turn", ctx.name_of(var), "to", ctx.expr(face))]
        case r.MovePiece():
            return [to_step(moved(ctx, line))]
        case r.MoveAll():
            return [to_step(moved_all(ctx, line))]
        case r.MoveCount():
            return [to_step(moved_some(ctx, line))]
        case r.MoveAlike():
            return [to_step(moved_alike(ctx, line))]
        case r.RollPiece(piece=piece):
            return [to_step("roll", ctx.expr(piece))]
        case r.RollZone():
            return [to_step(rolled(ctx, line))]
        case r.Shuffle(zone=zone):
            return [to_step("shuffle", whole(pieces_at(ctx, zone)))]
        case r.Show(zone=zone, to=to):
            return [to_step(shown(ctx, zone, to))]
        case r.Precondition(condition=asked):
            return [to_step("this is only allowed if", condition(ctx, asked))]
        case r.EndGame():
            return [to_step("the game ends at once")]
        case r.Win(seat=seat):
            return [to_step(clause(ctx.expr(seat), "wins", "the game at once"))]
        case r.Choose():
            return choose_steps(ctx, line)
        case r.Offer():
            return offer_steps(ctx, line)
        case r.CallLine():
            return _call(ctx, line)
        case r.If():
            return _if(ctx, line)
        case r.While(condition=asked, block=block):
            step = with_parts(phrase("As long as", condition(ctx, asked)), ctx.block(block))
            return [replace(step, guarded=True)]
        case r.Repeat(number=number, block=block):
            return [with_parts(phrase("Do this", _times(ctx, number)), ctx.block(block))]
        case r.For():
            return [_for(ctx, line)]
        case r.EachTurn():
            return [_each(ctx, line)]
        case r.Together(block=block):
            return [
                with_parts(f"All {ctx.lexicon.player.many} at the same time, in secret", ctx.block(block))
            ]
    assert_never(line)


def _times(ctx: BookContext, number: r.Expr) -> Node:
    number = ctx.folding.expr(number)
    if isinstance(number, r.Const):
        return times(number.value)
    return phrase("as many times as", ctx.expr(number))


# ---- calls


def _call(ctx: BookContext, line: r.CallLine) -> list[Step]:
    routine = ctx.rules.routines[line.routine]
    if not ctx.usage.is_inlined(line.routine):
        return [to_step(reference_to(ctx, line.routine, line.arguments))]
    ctx.section_of[line.routine] = ctx.section
    with ctx.given({p.var: a for p, a in zip(routine.parameters, line.arguments, strict=True)}):
        steps = list(ctx.block(routine.block))
    if steps:
        steps[0] = replace(steps[0], clauses=merge_clauses(routine.clauses, steps[0].clauses))
    return steps


# ---- branches and loops


def _if(ctx: BookContext, line: r.If) -> list[Step]:
    if not line.block:
        return [guarded(phrase("If", condition(ctx, line.condition, False)), ctx.block(line.otherwise))]
    steps = [guarded(phrase("If", condition(ctx, line.condition)), ctx.block(line.block))]
    rest = line.otherwise
    while len(rest) == 1 and isinstance(rest[0], r.If) and rest[0].block:
        inner = rest[0]
        if not inner.otherwise and _is_negation(ctx, inner.condition, line.condition):
            rest = (also_citing(inner.block[0], inner.clauses), *inner.block[1:])
            break
        with ctx.citing() as clauses:
            guard = phrase("Otherwise, if", condition(ctx, inner.condition))
        steps.append(with_clauses(guarded(guard, ctx.block(inner.block)), (*inner.clauses, *clauses)))
        rest = inner.otherwise
    return steps + otherwise_steps(ctx, "Otherwise", rest)


def _is_negation(ctx: BookContext, second: r.Expr, first: r.Expr) -> bool:
    return spell(condition(ctx, second)) == spell(condition(ctx, first, False))


def _for(ctx: BookContext, line: r.For) -> Step:
    binder = ctx.folding.tree(line.binder)
    things = bound_things(ctx, binder)
    order: Node = ""
    if line.keys:
        with ctx.referent(binder.var) as ref:
            order = phrase(",", _in_order_of(ctx, ref, line.keys, things))
    guard = phrase("For", things.every(), named(ctx, things, binder.var), order)
    steps = ctx.block(line.block)
    ctx.names.pop(binder.var, None)
    return guarded(guard, steps)


def _each(ctx: BookContext, line: r.EachTurn) -> Step:
    things: Described = Things(other_players(ctx) if line.opponents else ctx.lexicon.player, person=True)
    with ctx.referent(line.probe) as ref:
        order = phrase(",", _in_order_of(ctx, ref, line.keys, things)) if line.keys else "in turn"
        asked = ctx.clauses(line.where) if line.where is not None else []
    who = narrowed(ref, things, asked).every()
    start = phrase(", beginning with", ctx.expr(line.start), ",") if line.start is not None else ""
    return with_parts(capital(spell(who, order, start)), ctx.block(line.block))


def _in_order_of(ctx: BookContext, ref: Referent, keys: tuple[r.Expr, ...], things: Described) -> Node:
    """`in the order of price (lowest first)`"""
    orders: list[Node] = []
    for key in keys:
        by, negated = sign_of(ctx, key)
        first = "(highest first)" if negated else "(lowest first)"
        key_phrase = counted_key(key_of(ref, ctx.expr(by), things))
        orders.append(
            phrase(key_phrase if isinstance(leading(key_phrase), Genitive) else the(key_phrase), first)
        )
    return phrase("in the order of", series(orders, "and then"))


def _writes(part: Any, var: r.Var) -> bool:
    match part:
        case r.SetVar(var=written) | r.TurnDie(var=written):
            return written is var
        case r.Choose(binder=binder):
            return binder.var is var
    return False


def _reads(lines: tuple[r.Statement, ...], var: r.Var) -> int:
    return sum(1 for p in walk(lines) if isinstance(p, r.Read) and p.var is var)
