"""Statements as steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, assert_never

from dsl import rules as r
from dsl.domains import FLAG, NONE, NoneType, is_optional
from dsl.rules.visit import walk
from rulewright.sentences.changes import IF_THERE, set_step, swapped, transfer, write_step
from rulewright.sentences.choices import (
    chained_offer,
    choose_steps,
    chosen_by_chance,
    named,
    offer_steps,
    often,
    picked_from,
    reference_to,
)
from rulewright.sentences.collections import bound_things, other_players
from rulewright.sentences.conditions import condition
from rulewright.sentences.context import BookContext
from rulewright.sentences.english import capital
from rulewright.sentences.expressions import SHORT, weight
from rulewright.sentences.moves import (
    moved,
    moved_alike,
    moved_all,
    moved_some,
    put_into,
    rolled,
    shown,
    told,
    whole,
)
from rulewright.sentences.names import Noun
from rulewright.sentences.noun_phrases import RELATIVE, Described, Things, leading, narrowed
from rulewright.sentences.numbers import counted_key, key_of, sign_of
from rulewright.sentences.partial_eval import also_citing
from rulewright.sentences.realise import conjugated, spell
from rulewright.sentences.scratch import clauses_inside, keeps_scratch
from rulewright.sentences.state_vars import pieces_at
from rulewright.sentences.steps import citing_steps, guarded, to_step, with_clauses, with_parts
from rulewright.sentences.summaries import Part, summarised, summary_step, told_alone
from rulewright.sentences.syntax import (
    Adjunct,
    Genitive,
    Node,
    Referent,
    bracketed,
    clause,
    has_word,
    phrase,
    quoted,
    series,
    the,
    undetermined,
)
from rulewright.sentences.text import Step, merge_clauses
from rulewright.sentences.usage import is_idle

LOOPS = r.While | r.Recall | r.Repeat | r.RepeatUntil | r.For | r.EachTurn | r.Together


# ---- blocks


def block_steps(ctx: BookContext, block: r.Block, clauses: tuple[str, ...]) -> tuple[Step, ...]:
    """The steps of a block, in order; `clauses` are those of the routine whose whole block it is.

    A local that is read once, in the next statement, is written there. What nothing reads is left out; its
    clauses go to the next statement, or to the last step.
    """
    before = set(ctx.names)
    steps = summarised(ctx, parts_of(ctx, list(ctx.folding.block(block))), clauses)
    for var in ctx.names.keys() - before:
        del ctx.names[var]
    return tuple(steps)


def parts_of(ctx: BookContext, lines: list[r.Statement]) -> list[Part]:
    """Statements with their steps, those together that are told together."""
    parts: list[Part] = []
    while lines:
        line = lines.pop(0)
        if isinstance(line, r.SetVar) and lines and _is_used_once(ctx, line, lines):
            with ctx.given({line.var: line.value}):
                lines[0] = ctx.folding.block((also_citing(lines[0], line.clauses),))[0]
        elif isinstance(line, r.SetVar) and lines and _is_lasting(ctx, line, lines):
            with ctx.given({line.var: line.value}):
                lines[:] = ctx.folding.block((also_citing(lines[0], line.clauses), *lines[1:]))
        elif ctx.scratch and not isinstance(line, r.SetVar) and keeps_scratch(line, ctx.scratch, ctx.rules):
            if step := summary_step(ctx, clauses_inside(line, ctx.rules)):
                parts.append(Part((line,), (step,)))
        elif is_idle(line, ctx.usage.told, ctx.usage.idle):
            if lines:
                lines[0] = also_citing(lines[0], line.clauses)
            elif parts and parts[-1].steps:
                *others, last = parts[-1].steps
                parts[-1] = replace(parts[-1], steps=(*others, with_clauses(last, line.clauses)))
        elif (pair := exchanged((line, *lines[:2]))) and not _reads(tuple(lines[2:]), pair[2]):
            one, other = (ctx.name_of(var) for var in pair[:2])
            part = Part((line, lines.pop(0), lines.pop(0)), ())
            step = with_clauses(to_step(one, "and", other, "change roles"), part.clauses)
            parts.append(replace(part, steps=(step,)))
        elif lines and (merged := _merged(ctx, line, lines[0])):
            parts.append(Part((line, lines.pop(0)), merged))
        elif isinstance(line, r.MoveAll) and parts and took_one(ctx, parts[-1].lines, line.source):
            step = with_clauses(to_step(moved_all(ctx, line, rest=True)), line.clauses)
            parts.append(Part((line,), (step,)))
        else:
            parts.append(Part((line,), tuple(line_steps(ctx, line))))
    return parts


def exchanged(lines: Sequence[r.Statement]) -> tuple[r.Var, r.Var, r.Var] | None:
    """The two locals that exchange their values by means of a third one, and that."""
    match lines:
        case (
            r.SetVar(var=third, value=r.Read(var=one)),
            r.SetVar(var=first, value=r.Read(var=other)),
            r.SetVar(var=second, value=r.Read(var=last)),
        ) if first is one and second is other and last is third and third not in (one, other):
            return one, other, third
    return None


def took_one(ctx: BookContext, lines: Sequence[r.Statement], source: r.Collection) -> bool:
    """Whether one of the pieces of a place was chosen and put elsewhere."""
    match lines, source:
        case (
            r.Choose(binder=r.Binder(var=var, collection=r.InZone() as zone)),
            r.MovePiece(piece=r.Read(var=moved_var), to=to),
        ), r.InZone() if moved_var is var and zone.zone == source.zone != to.zone:
            return pieces_at(ctx, zone) == pieces_at(ctx, source)
    return False


def _is_used_once(ctx: BookContext, line: r.SetVar, rest: Sequence[r.Statement]) -> bool:
    """Whether a new local is read once, in the next statement, and never written again."""
    if line.var in ctx.names or isinstance(line.value, r.PickOf) or isinstance(rest[0], LOOPS):
        return False
    asked = getattr(rest[0], "seat", None)
    if isinstance(asked, r.Read) and asked.var is line.var and isinstance(line.value, r.Cond):
        return False
    reads, here = (_reads(lines, line.var) for lines in (tuple(rest), (rest[0],)))
    return reads == here == 1 and not any(_writes(p, line.var) for p in walk((line.value, *rest)))


def _is_lasting(ctx: BookContext, line: r.SetVar, rest: Sequence[r.Statement]) -> bool:
    """Whether a new local is what is printed on a thing, so that it can be said wherever it is read."""
    match line.value:
        case r.ColumnOf(owner=r.Read(var=owner), key=None):
            written = (p for p in walk(tuple(rest)) if _writes(p, line.var) or _writes(p, owner))
            return line.var not in ctx.names and not any(written)
    return False


def _merged(ctx: BookContext, line: r.Statement, after: r.Statement) -> tuple[Step, ...]:
    """Two statements told together: `Choose a card from your hand and put it on the discard pile.`"""
    match line, after:
        case r.Choose(strength="must", if_any=False, if_several=False, seat=None, several=None), r.MovePiece(
            piece=r.Read(var=var)
        ) if var is line.binder.var:
            chosen = picked_from(ctx, line.binder)
            step = to_step("choose", chosen, "and put it", *put_into(ctx, after.to, after.end))
            return (replace(step, clauses=merge_clauses(line.clauses, after.clauses)),)
        case r.SetVar(var=var), r.If(condition=r.Cmp() as asked, otherwise=()) if (
            var not in ctx.names and _is_existence(asked, var)
        ):
            if is_found(asked, line):
                step = guarded(phrase("If", found_clause(ctx, asked, line)), ctx.block(after.block))
                return (with_clauses(replace(step, clauses=(*line.clauses, *after.clauses)), step.clauses),)
            (first,) = line_steps(ctx, line)
            first = replace(first, text=first.text.replace(IF_THERE, ""))
            step = guarded("If there is one", ctx.block(after.block))
            return (first, replace(step, clauses=merge_clauses(after.clauses, step.clauses)))
    return ()


def is_found(asked: r.Expr, line: r.SetVar) -> bool:
    """Whether a condition is that there is what a variable is set to, which a clause can say."""
    match line.value:
        case r.SlotPiece() | r.ReadStateVar(kind="pointer") | r.DirectedStep() | r.PickOf(keys=()):
            return _is_existence(asked, line.var)
    return False


def _is_existence(asked: r.Expr, var: r.Var) -> bool:
    """Whether a condition is that a variable is not none."""
    match asked:
        case r.Cmp(op="is not", left=r.Read(var=read), right=r.Const(value=value)):
            return read is var and value == NONE
    return False


def found_clause(ctx: BookContext, asked: r.Expr, line: r.SetVar) -> Node:
    """`you have a ship at the berth`, with what it is called from now on, if that is new."""
    none = r.Const(NoneType(), line.span, NONE)
    exists = condition(ctx, r.Cmp(FLAG, asked.span, "is not", line.value, none))
    called = undetermined(ctx.name_of(line.var))
    known = f" {spell(called)} " in f" {spell(exists)} "
    return exists if known else phrase(exists, bracketed(quoted(called)))


# ---- lines


def line_steps(ctx: BookContext, line: r.Statement) -> list[Step]:
    """The steps of one statement; the first cites its clauses."""
    return citing_steps(ctx, line, _line_steps)


def _line_steps(ctx: BookContext, line: r.Statement) -> list[Step]:
    match line:
        case r.SetVar():
            return [set_step(ctx, line)]
        case r.Write(value=r.Cond(condition=asked, then=then, otherwise=otherwise)) if _is_split(line):
            one, other = replace(line, value=then, clauses=()), replace(line, value=otherwise, clauses=())
            return _if(ctx, r.If(line.span, (), asked, (one,), (other,)))
        case r.Write():
            return [write_step(ctx, line)]
        case r.Swap():
            return [swapped(ctx, line)]
        case r.SwapPieces(one=one, other=other):
            return [
                to_step("exchange", whole(pieces_at(ctx, one)), Adjunct("with", whole(pieces_at(ctx, other))))
            ]
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
        case r.ChanceChooses():
            return [to_step(chosen_by_chance(ctx, line))]
        case r.Show():
            return [to_step(shown(ctx, line))]
        case r.ShowValue():
            return [to_step(told(ctx, line))]
        case r.Record(history=history):
            return [to_step("note", the(ctx.lexicon.label(history)))]
        case r.ClearHistory(history=history):
            return [to_step("strike out what was noted of the", ctx.lexicon.label(history), "before")]
        case r.Precondition(condition=asked):
            return [to_step("this is only allowed if", condition(ctx, asked))]
        case r.EndGame() | r.Win() | r.WinTogether() | r.Lose():
            return [to_step(ending_clause(ctx, line), *named_ending(ctx, line))]
        case r.Choose():
            return _if_there(ctx, line.seat, choose_steps(ctx, line))
        case r.Offer():
            return _if_there(ctx, line.seat, offer_steps(ctx, line))
        case r.CallLine():
            return _call(ctx, line)
        case r.If():
            return _if(ctx, line)
        case r.While(condition=asked, block=block):
            step = with_parts(phrase("As long as", condition(ctx, asked)), ctx.block(block))
            return [replace(step, guarded=True)]
        case r.RepeatUntil(condition=until, block=block):
            ended = condition(ctx, until) if until is not None else "it changes nothing more"
            return [with_parts(phrase("Do this again and again, until", ended), ctx.block(block), False)]
        case r.Recall(history=history, worth=worth, block=block):
            noted = phrase("For each of the", ctx.lexicon.label(history), "noted that together have the most")
            alone = ", with no mark in two of them"
            return [with_parts(phrase(noted, ctx.lexicon.label(worth) + alone), ctx.block(block))]
        case r.Repeat(number=number, block=block):
            return [with_parts(phrase("Do this", often(ctx, number)), ctx.block(block), False)]
        case r.For():
            return [_for(ctx, line)]
        case r.EachTurn():
            return [_each(ctx, line)]
        case r.Together(block=block):
            return [
                with_parts(f"All {ctx.lexicon.player.many} at the same time, in secret", ctx.block(block))
            ]
    assert_never(line)


def _is_split(line: r.Write) -> bool:
    """Whether a write of one of two values is told as two: all but a number that is added only sometimes."""
    value = line.value
    nothing = isinstance(value, r.Cond) and isinstance(value.otherwise, r.Const) and not value.otherwise.value
    return line.kind != "mark" and not (line.op != "=" and nothing)


def ending_clause(ctx: BookContext, line: r.Ending) -> Node:
    """Who wins, or that the game ends."""
    match line:
        case r.EndGame():
            return phrase("the game ends at once")
        case r.Win(seat=seat):
            return clause(ctx.expr(seat), "wins", "the game at once")
        case r.WinTogether(seats=None):
            return phrase("the game ends at once, and nobody wins")
        case r.WinTogether(seats=r.Opponents()) if ctx.rules.seats[1] == 2:
            return clause(the(other_players(ctx).one), "wins", "the game at once")
        case r.WinTogether(seats=seats) if seats is not None:
            return phrase(ctx.collection(seats).all(), "win the game at once")
        case r.Lose(seat=seat):
            who = ctx.expr(seat)
            return phrase(who, conjugated(who, "loses"), "the game at once, and everybody else wins")
    raise AssertionError(line)


def named_ending(ctx: BookContext, line: r.Ending) -> tuple[Node, ...]:
    """What this end is called, if it has a name."""
    return (bracketed(ctx.lexicon.label(line.outcome)),) if line.outcome is not None else ()


def _if_there(ctx: BookContext, seat: r.Expr | None, steps: list[Step]) -> list[Step]:
    """A decision that is skipped if nobody is there to make it."""
    if seat is None or not is_optional(seat.type):
        return steps
    there = r.Cmp(FLAG, seat.span, "is not", seat, r.Const(NoneType(), seat.span, NONE))
    return [guarded(phrase("If", condition(ctx, there)), (steps[0],)), *steps[1:]]


# ---- calls


def _call(ctx: BookContext, line: r.CallLine) -> list[Step]:
    routine = ctx.rules.routines[line.routine]
    if not ctx.usage.is_inlined(line.routine):
        return [to_step(reference_to(ctx, line.routine, line.arguments))]
    ctx.section_of[line.routine] = ctx.section
    pairs = [(p.var, ctx.folding.expr(a)) for p, a in zip(routine.parameters, line.arguments, strict=True)]
    named = [(var, a) for var, a in pairs if needs_name(routine.block, var, a)]
    steps = [set_step(ctx, r.SetVar(line.span, (), var, a)) for var, a in named]
    with ctx.given({var: a for var, a in pairs if (var, a) not in named}):
        steps += ctx.block(routine.block, routine.clauses)
    if steps:
        steps[0] = replace(steps[0], clauses=merge_clauses(routine.clauses, steps[0].clauses))
    return steps


def needs_name(block: r.Block, var: r.Var, argument: r.Expr) -> bool:
    """Whether an argument is too long to be repeated wherever it is read."""
    return _reads(block, var) > 1 and weight(argument) > SHORT


# ---- branches and loops


def _if(ctx: BookContext, line: r.If) -> list[Step]:
    if not line.block:
        return [guarded(phrase("If", condition(ctx, line.condition, False)), ctx.block(line.otherwise))]
    if (chain := chained_offer(ctx, line)) is not None:
        var, offer = chain
        first, *others = offer_steps(ctx, offer, spell(ctx.name_of(var)))
        return [with_clauses(first, offer.clauses), *others]
    branches = [Branch(phrase("If", condition(ctx, line.condition)), ctx.block(line.block))]
    rest = line.otherwise
    while len(rest) == 1 and isinstance(rest[0], r.If) and rest[0].block:
        inner = rest[0]
        if not inner.otherwise and _is_negation(ctx, inner.condition, line.condition):
            rest = (also_citing(inner.block[0], inner.clauses), *inner.block[1:])
            break
        with ctx.citing() as clauses:
            guard = phrase("Otherwise, if", condition(ctx, inner.condition))
        branches.append(Branch(guard, ctx.block(inner.block), (*inner.clauses, *clauses)))
        rest = inner.otherwise
    if steps := ctx.block(rest):
        branches.append(Branch("Otherwise", steps))
        return _with_common_end(branches)
    return [branch.step() for branch in branches]


@dataclass(frozen=True)
class Branch:
    """A condition with the steps that follow from it, and the clauses that the condition cites."""

    guard: Node
    steps: tuple[Step, ...]
    clauses: tuple[str, ...] = ()

    def step(self) -> Step:
        return with_clauses(guarded(self.guard, self.steps), self.clauses)


def _with_common_end(branches: list[Branch]) -> list[Step]:
    """Branches of which one is always taken; a step with which all of them end follows them."""
    ends = [replace(branch.steps[-1], clauses=()) for branch in branches if len(branch.steps) > 1]
    if len(ends) < len(branches) or any(end != ends[0] for end in ends):
        return [branch.step() for branch in branches]
    clauses = tuple(c for branch in branches for c in branch.steps[-1].clauses)
    before = [replace(branch, steps=branch.steps[:-1]).step() for branch in branches]
    return [*before, with_clauses(ends[0], clauses)]


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
    name = ctx.names.pop(binder.var, None)
    simple = len(line.block) == len(steps) == 1 and isinstance(line.block[0], r.Write | r.Transfer)
    if simple and not line.keys and (alone := _of_each(steps[0], things, name)) is not None:
        return alone
    return told_alone(steps) or guarded(guard, steps)


def _of_each(step: Step, things: Described, name: Node | None) -> Step | None:
    """`Set the gold on each field to 0`: a loop of one short sentence."""
    plain_things = isinstance(things, Things) and not things.person and not has_word(things.every(), RELATIVE)
    if name is None or not plain_things or step.parts or step.guarded or step.told:
        return None
    one, none = spell(name), spell(things.no())
    if step.text.count(one) != 1 or f"{one}'s" in step.text or f"other {one}" in step.text:
        return None
    denied = f"{one} has not "
    if denied in step.text:
        return replace(step, text=step.text.replace(denied, f"{none} has "))
    if " not " in step.text or " no longer " in step.text:
        return None
    return replace(step, text=step.text.replace(one, spell(things.every())))


def _each(ctx: BookContext, line: r.EachTurn) -> Step:
    players = other_players(ctx) if line.opponents else ctx.lexicon.player
    who = each_seat(ctx, line.probe, line.keys, line.where, line.start, players)
    return with_parts(who, ctx.block(line.block))


def each_seat(
    ctx: BookContext,
    candidate: r.Var,
    keys: tuple[r.Expr, ...],
    where: r.Expr | None,
    start: r.Expr | None,
    players: Noun | None = None,
) -> str:
    """Each player in turn, with the order, the condition and the first one, as a sentence begins."""
    things: Described = Things(players or ctx.lexicon.player, person=True)
    with ctx.referent(candidate) as ref:
        order = phrase(",", _in_order_of(ctx, ref, keys, things)) if keys else "in turn"
        asked = ctx.clauses(where) if where is not None else []
    who = narrowed(ref, things, asked).every()
    first = phrase(", beginning with", ctx.expr(start), ",") if start is not None else ""
    return capital(spell(who, order, first))


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
        case r.Choose(binder=binder) | r.ChanceChooses(binder=binder):
            return binder.var is var
    return False


def _reads(lines: tuple[r.Statement, ...], var: r.Var) -> int:
    return sum(1 for p in walk(lines) if isinstance(p, r.Read | r.HeldSet) and p.var is var)
