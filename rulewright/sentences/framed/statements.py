"""Statements as steps. Which of them summaries of clauses tell is decided in the first language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from dsl import rules as r
from dsl.domains import FLAG, NONE, FlagType, NoneType, is_optional
from rulewright.sentences.changes import terms_of
from rulewright.sentences.choices import FEWEST_LISTED, at_glance, chained_offer, offered_at_glance
from rulewright.sentences.context import BookContext
from rulewright.sentences.english import capital, lower
from rulewright.sentences.framed.conditions import flag, mark, points_nowhere
from rulewright.sentences.framed.groups import NominalGroup, bound, group, index, pieces_at, said_if
from rulewright.sentences.framed.nominals import Nominal
from rulewright.sentences.framed.steps import (
    by,
    called,
    choice,
    each_seat,
    guarded,
    in_order,
    offered,
    often,
    picked,
    reference,
    set_picked,
    step,
    target,
    with_parts,
)
from rulewright.sentences.framed.values import stored, unit
from rulewright.sentences.framed.words import Filler, marked, name_of, nominal, noun, var_noun, worded, you
from rulewright.sentences.names import Noun
from rulewright.sentences.partial_eval import also_citing
from rulewright.sentences.statements import exchanged, needs_name, parts_of, took_one
from rulewright.sentences.steps import citing_steps, with_clauses
from rulewright.sentences.summaries import Part, chosen_summaries, summary_step, told_alone, written
from rulewright.sentences.text import Step, merge_clauses

LONG = 3
"""The fewest terms of a sum that are listed one by one."""


def block(ctx: BookContext, lines: r.Block, clauses: tuple[str, ...]) -> tuple[Step, ...]:
    """The steps of a block, in order; summaries tell the same statements as in the first language."""
    before = set(ctx.names)
    english = ctx.twin()
    parts = parts_of(english, list(ctx.folding.block(lines)))
    groups, told = chosen_summaries(english, parts, clauses)
    gone = {i for chosen in told for i in chosen}
    before_ = [(), *(p.lines for p in parts)]
    own = [p if i in gone else _own(ctx, p, _is_rest(english, before_[i], p)) for i, p in enumerate(parts)]
    steps = written(ctx, own, groups, told)
    for var in ctx.names.keys() - before:
        del ctx.names[var]
    return tuple(steps)


def _is_rest(english: BookContext, before: Sequence[r.Statement], part: Part) -> bool:
    """Whether what is moved is what is left after one was taken just before."""
    match part.lines:
        case (r.MoveAll(source=source),):
            return took_one(english, before, source)
    return False


def _own(ctx: BookContext, part: Part, rest: bool) -> Part:
    if part.steps and all(one.told for one in part.steps):
        return replace(part, steps=tuple(_translated(ctx, one) for one in part.steps))
    match part.lines:
        case (r.Choose(strength="must", if_any=False) as choose, r.MovePiece() as move) if (
            isinstance(move.piece, r.Read) and move.piece.var is choose.binder.var and part.steps
        ):
            chosen, place = picked(ctx, choose.binder), _into(ctx, move.to)
            frame = step(ctx, "choose-and-put", what=chosen, place=place)
            return replace(part, steps=(replace(frame, clauses=merge_clauses(choose.clauses, move.clauses)),))
        case (r.SetVar(), r.SetVar(), r.SetVar()) as three if (pair := exchanged(three)) is not None:
            one, other = (name_of(ctx, var) for var in pair[:2])
            return replace(
                part, steps=(with_clauses(step(ctx, "roles", one=one, other=other), part.clauses),)
            )
        case (r.MoveAll(to=to, clauses=clauses),) if rest:
            return replace(
                part, steps=(replace(step(ctx, "put-rest", place=_into(ctx, to)), clauses=clauses),)
            )
    return replace(part, steps=tuple(s for one in part.lines for s in lines_of(ctx, one)))


def _translated(ctx: BookContext, one: Step) -> Step:
    """A step that only tells summaries, with their translations."""
    return summary_step(ctx, one.clauses) or one


def lines_of(ctx: BookContext, line: r.Statement) -> list[Step]:
    """The steps of one statement; the first cites its clauses."""
    return citing_steps(ctx, line, _lines)


def _lines(ctx: BookContext, line: r.Statement) -> list[Step]:
    match line:
        case r.SetVar():
            return [set_step(ctx, line)]
        case r.Write():
            return _write(ctx, line)
        case r.Transfer(amount=r.Cond(then=r.Const(), otherwise=r.Const(value=other)) as amount) if other:
            then, otherwise = (
                replace(line, amount=part, clauses=()) for part in (amount.then, amount.otherwise)
            )
            return _if(ctx, r.If(line.span, (), amount.condition, (then,), (otherwise,)))
        case r.Transfer():
            return [_transfer(ctx, line)]
        case r.Swap():
            one = stored(ctx, r.ReadStateVar(FLAG, line.span, line.kind, line.name, line.of, line.at))
            two = stored(
                ctx, r.ReadStateVar(FLAG, line.span, line.kind, line.other, line.other_of, line.other_at)
            )
            return [step(ctx, "exchange", one=one, other=two)]
        case r.SwapPieces(one=place, other=other):
            return [
                step(ctx, "exchange", one=whole(pieces_at(ctx, place)), other=whole(pieces_at(ctx, other)))
            ]
        case r.TurnDie(var=var, face=face):
            return [step(ctx, "turn-die", die=name_of(ctx, var), face=worded(ctx, face))]
        case r.MovePiece(piece=piece):
            return [step(ctx, "put", what=worded(ctx, piece), place=_into(ctx, line.to))]
        case r.MoveAll():
            return [_moved_all(ctx, line)]
        case r.MoveCount():
            return [_moved_some(ctx, line)]
        case r.MoveAlike():
            found, number = group(ctx, line.source), ctx.folding.expr(line.number)
            what: Filler = (
                found.so_many(str(number.value)) if isinstance(number, r.Const) else found.many("out_of")
            )
            if not isinstance(number, r.Const) and isinstance(what, Nominal):
                what = what.with_after(f"({ctx.say('so-many-as', number=worded(ctx, number))})")
            return [step(ctx, "put", what=what, place=_into(ctx, line.to))]
        case r.RollPiece(piece=piece):
            return [step(ctx, "roll", what=worded(ctx, piece))]
        case r.RollZone():
            return [_rolled(ctx, line)]
        case r.Shuffle(zone=zone):
            return [step(ctx, "shuffle", what=whole(pieces_at(ctx, zone)))]
        case r.ChanceChooses(binder=binder):
            return [step(ctx, "chance-chooses", what=picked(ctx, binder))]
        case r.Show(zone=zone, to=to):
            return [_shown(ctx, "look-at", whole(pieces_at(ctx, zone)), to)]
        case r.ShowValue(value=value, to=to):
            return [_shown(ctx, "look-at", stored(ctx, value), to)]
        case r.Record(history=history):
            return [step(ctx, "note", what=nominal(ctx, noun(ctx, history)))]
        case r.ClearHistory(history=history):
            return [step(ctx, "strike-out", what=nominal(ctx, noun(ctx, history)))]
        case r.Precondition(condition=asked):
            return [step(ctx, "only-allowed-if", clause=said_if(ctx, asked))]
        case r.EndGame() | r.Win() | r.WinTogether() | r.Lose():
            return [ending(ctx, line)]
        case r.Choose():
            return _if_there(ctx, line.seat, _choose(ctx, line))
        case r.Offer():
            return _if_there(ctx, line.seat, _offer(ctx, line))
        case r.CallLine():
            return _call(ctx, line)
        case r.If():
            return _if(ctx, line)
        case r.While(condition=asked, block=inner):
            guard = ctx.say("as-long-as", clause=said_if(ctx, asked))
            return [replace(with_parts(guard, ctx.block(inner)), guarded=True)]
        case r.RepeatUntil(condition=until, block=inner):
            ended = said_if(ctx, until) if until is not None else ctx.say("changes-nothing")
            return [with_parts(ctx.say("repeat-until", clause=ended), ctx.block(inner), False)]
        case r.Recall(history=history, worth=worth, block=inner):
            names = (nominal(ctx, noun(ctx, name)) for name in (history, worth))
            return [with_parts(ctx.say("recall-best", what=next(names), worth=next(names)), ctx.block(inner))]
        case r.Repeat(number=number, block=inner):
            return [with_parts(ctx.say("do-this", often=often(ctx, number)), ctx.block(inner), False)]
        case r.For():
            return [_for(ctx, line)]
        case r.EachTurn():
            who = each_seat(ctx, line.probe, line.keys, line.where, line.start, line.opponents)
            return [with_parts(who, ctx.block(line.block))]
        case r.Together(block=inner):
            return [with_parts(ctx.say("together", players=noun(ctx, "seat").many), ctx.block(inner))]
    assert_never(line)


def whole(things: NominalGroup) -> Nominal:
    """A place, or else the things in it."""
    return things.place.name if things.place is not None else things.the_many()


# ---- writing


def set_step(ctx: BookContext, line: r.SetVar) -> Step:
    now = "now-is" if line.var in ctx.names else "let"
    if isinstance(line.var.type, FlagType):
        word = f"„{var_noun(ctx, line.var).one}”"
        if isinstance(line.value, r.Const):
            return step(ctx, "from-now-on", clause=flag(ctx, line.var, bool(line.value.value)))
        return step(ctx, "note-whether", clause=said_if(ctx, line.value), name=word)
    name = name_of(ctx, line.var)
    match line.value:
        case r.Arith(op="+", left=r.Read(var=var), right=right) if var is line.var:
            return step(ctx, "add", number=worded(ctx, right), counter=name)
        case r.Arith(op="-", left=r.Read(var=var), right=right) if var is line.var:
            return step(ctx, "take", number=worded(ctx, right), counter=name)
    there = ctx.say("if-there-is-one") if is_optional(line.value.type) else ""
    return step(ctx, now, name=name, value=worded(ctx, line.value), there=there)


def _write(ctx: BookContext, line: r.Write) -> list[Step]:
    value = ctx.folding.expr(line.value)
    if isinstance(value, r.Cond) and line.kind != "mark":
        nothing = isinstance(value.otherwise, r.Const) and not value.otherwise.value and line.op != "="
        rest = () if nothing else (replace(line, value=value.otherwise, clauses=()),)
        then = (replace(line, value=value.then, clauses=()),)
        return _if(ctx, r.If(line.span, (), value.condition, then, rest))
    if line.kind == "mark":
        positive = isinstance(value, r.Const) and bool(value.value)
        return [step(ctx, "from-now-on", clause=mark(ctx, line, positive))]
    found = stored(ctx, line)
    none = isinstance(value, r.Const) and value.value == NONE
    if line.kind == "pointer":
        to = ctx.rules.pointers[line.name].to
        if none:
            return [step(ctx, "from-now-on", clause=points_nowhere(ctx, line, line.name, True))]
        who = worded(ctx, value)
        mine = isinstance(who, Nominal) and who.you
        frame = ("becomes-you" if mine else "becomes") if to == "seat" else "moves-to"
        return [step(ctx, frame, who=who, it=found)]
    terms = terms_of(value)
    if line.op == "=" and len(terms) >= LONG:
        return [Step(f"{capital(ctx.say('set-to-sum', counter=found))}:", (), sum_parts(ctx, terms), False)]
    match value:
        case r.Arith(op="+" | "-" as op, left=r.ReadStateVar(name=name), right=right) if (
            line.op == "=" and name == line.name
        ):
            frame = "add" if op == "+" else "take"
            return [step(ctx, frame, number=worded(ctx, right), counter=found)]
        case r.Const(value=number) if number < 0 and line.op == "+=":
            return [step(ctx, "take", number=str(-number), counter=found)]
    frame = {"=": "set-to", "+=": "add", "-=": "take"}[line.op]
    return [step(ctx, frame, number=worded(ctx, value), counter=found)]


def sum_parts(ctx: BookContext, terms: Sequence[tuple[bool, r.Expr]]) -> tuple[Step, ...]:
    (_, first), *rest = terms
    more = (step(ctx, "sum-plus" if added else "sum-minus", it=worded(ctx, term)) for added, term in rest)
    return (step(ctx, "sum-first", it=worded(ctx, first)), *more)


def _transfer(ctx: BookContext, line: r.Transfer) -> Step:
    amount = ctx.folding.expr(line.amount)
    if isinstance(amount, r.Cond) and isinstance(amount.otherwise, r.Const) and not amount.otherwise.value:
        return guarded(
            ctx,
            ctx.say("if", clause=said_if(ctx, amount.condition)),
            (_transfer(ctx, replace(line, amount=amount.then)),),
        )
    var = ctx.rules.counters[line.counter].var
    payer = index(ctx, line.of, "seat") if var.of == "seat" else you(ctx)
    word = unit(ctx, line.counter)
    at = index(ctx, line.at, var.at) if var.at is not None else ""
    where = f" ({at})" if str(at) else ""
    if ctx.lexicon.nouns.get(line.counter, "").startswith("{") and isinstance(at, Nominal):
        piece = ctx.say("noun-piece")
        word = Noun(at.one, at.one) if at.fixed else Noun(piece, piece)
        where = "" if at.fixed else f" {ctx.say('out-of-it', it=at)}"
    what = quantity(ctx, amount, word, where)
    if line.to is not None:
        to = worded(ctx, line.to)
        if isinstance(to, Nominal) and to.you:
            return step(ctx, f"{line.verb}-to-you", who=payer, what=what)
        return by(ctx, f"{line.verb}-to", payer, what=what, to=to)
    return by(ctx, line.verb, payer, what=what)


def quantity(ctx: BookContext, number: r.Expr, word: Noun, after: str = "") -> Nominal:
    """`3 coins`, `1 coin for each card`, `as many coins as the price of the card`."""
    number = ctx.folding.expr(number)
    bare = replace(nominal(ctx, word, True), meant="")
    match number:
        case r.Const(value=value):
            return replace(bare, number=str(value), after=after)
        case r.Arith(op="*", left=r.Const(value=value), right=right) if (
            each := _each(ctx, right)
        ) is not None:
            return replace(bare, number=str(value), after=f"{after} {ctx.say('for-each', it=each)}")
    if (each := _each(ctx, number)) is not None:
        return replace(bare, number="1", after=f"{after} {ctx.say('for-each', it=each)}")
    return replace(
        bare, number=ctx.say("as-many"), after=f"{after}, {ctx.say('as-many-as', it=worded(ctx, number))}"
    )


def _each(ctx: BookContext, number: r.Expr) -> Nominal | None:
    match number:
        case r.AnyOf(kind="count", binder=binder):
            return bound(ctx, binder).every()
        case r.SizeOf(collection=collection):
            return group(ctx, collection).every()
    return None


# ---- moving


def _into(ctx: BookContext, to: r.InZone) -> str:
    things = pieces_at(ctx, to)
    if things.single and things.held is not None and things.place is not None:
        return ctx.say("into-as", thing=replace(things, place=None, noun=things.held).one())
    if things.place is not None:
        return things.place.into()
    return ctx.say("to-the-others", things=things.the_many())


def _moved_all(ctx: BookContext, line: r.MoveAll) -> Step:
    found = group(ctx, line.source)
    mixed = ctx.rules.zones[line.to.zone].order in ("shuffled", "bag")
    frame = "put-one" if found.single else "put-mixed" if mixed else "put"
    what = found.one() if found.single else found.all("out_of")
    return step(ctx, frame, what=what, place=_into(ctx, line.to))


def _moved_some(ctx: BookContext, line: r.MoveCount) -> Step:
    decl = ctx.rules.zones[line.source.zone]
    source, piece = pieces_at(ctx, line.source), noun(ctx, decl.component)
    frame = "draw" if decl.order in ("shuffled", "bag", "pile", "stack") else "move"
    if line.name is not None:
        name_of(ctx, line.name)
        what = replace(nominal(ctx, piece), meant="a")
    else:
        what = quantity(ctx, line.number, piece)
        if what.number == "1":
            what = replace(nominal(ctx, piece), meant="a", after=what.after)
    where = source.place.out_of() if source.place is not None else source.the_many().form("outof")
    return step(ctx, frame, what=what, source=where, place=_into(ctx, line.to))


def _rolled(ctx: BookContext, line: r.RollZone) -> Step:
    source = pieces_at(ctx, line.source)
    if line.number is None and line.source.zone == line.to.zone:
        return step(ctx, "roll", what=source.all())
    if line.number is None:
        return step(ctx, "roll-and-put", what=source.all("out_of"), place=_into(ctx, line.to))
    what = quantity(ctx, line.number, noun(ctx, ctx.rules.zones[line.source.zone].component))
    return step(ctx, "roll-and-put", what=what, place=_into(ctx, line.to))


def _shown(ctx: BookContext, frame: str, what: Nominal, to: r.Expr | None) -> Step:
    if to is None:
        return step(ctx, "everybody-looks", what=what)
    return by(ctx, frame, worded(ctx, to), what=what)


def ending(ctx: BookContext, line: r.Ending) -> Step:
    """Who wins, or that the game ends."""
    said = ending_text(ctx, line)
    name = f" (${ctx.lexicon.label(line.outcome)})".replace("$", "") if line.outcome is not None else ""
    return Step(f"{said[:1].upper()}{said[1:]}{name}.")


def ending_text(ctx: BookContext, line: r.Ending) -> str:
    match line:
        case r.EndGame():
            return ctx.say("game-ends")
        case r.Win(seat=seat):
            who = worded(ctx, seat)
            return ctx.say("you-win" if isinstance(who, Nominal) and who.you else "wins", who=who)
        case r.WinTogether(seats=None):
            return ctx.say("ends-nobody-wins")
        case r.WinTogether(seats=seats) if seats is not None:
            return ctx.say("wins", who=group(ctx, seats).all())
        case r.Lose(seat=seat):
            who = worded(ctx, seat)
            return ctx.say("you-lose" if isinstance(who, Nominal) and who.you else "loses", who=who)
    raise AssertionError(line)


# ---- choices and offers


def _if_there(ctx: BookContext, seat: r.Expr | None, steps: list[Step]) -> list[Step]:
    if seat is None or not is_optional(seat.type):
        return steps
    there = r.Cmp(FLAG, seat.span, "is not", seat, r.Const(NoneType(), seat.span, NONE))
    return [guarded(ctx, ctx.say("if", clause=said_if(ctx, there)), (steps[0],)), *steps[1:]]


def _who(ctx: BookContext, seat: r.Expr | None) -> Filler:
    return worded(ctx, seat) if seat is not None else you(ctx)


def _choose(ctx: BookContext, line: r.Choose) -> list[Step]:
    who = _who(ctx, line.seat)
    if line.several is not None:
        chosen = set_picked(ctx, line.binder, line.several)
    else:
        chosen = picked(ctx, line.binder)
    inner = ctx.block(line.block)
    secretly = "-secretly" if line.secretly else ""
    if line.strength == "must" and not line.if_any and (line.several is None or line.several.named):
        return [by(ctx, f"choose{secretly}", who, what=chosen)]
    ctx.names.pop(line.binder.var, None)
    for_each = line.several is not None and not line.several.named
    match line.strength:
        case "must":
            head = by(ctx, "choose" if line.several is not None else "choose-if-any", who, what=chosen)
            then, otherwise = ctx.say("for-each-of-them" if for_each else "then"), ctx.say("if-none")
        case "may":
            head = by(ctx, "may-choose", who, what=chosen)
            then, otherwise = (
                _done(ctx, "if-done-each" if for_each else "if-done", who),
                _done(ctx, "if-not-done", who),
            )
        case "keep":
            many = (
                ctx.say("at-most-often", often=often(ctx, line.most))
                if line.most is not None
                else ctx.say("as-often")
            )
            head = by(ctx, "may-choose-often", who, what=chosen, often=many)
            then, otherwise = ctx.say("each-time"), _done(ctx, "if-not-done", who)
    return [choice(ctx, head, then, inner), *_otherwise(ctx, otherwise, line.otherwise)]


def _done(ctx: BookContext, frame: str, who: Filler) -> str:
    """That the reader, or somebody else, has done it or not."""
    return ctx.say(frame if isinstance(who, Nominal) and who.you else f"{frame}-by")


def _otherwise(ctx: BookContext, guard: str, lines: r.Block) -> list[Step]:
    steps = ctx.block(lines)
    return [guarded(ctx, guard, steps)] if steps else []


def _offer(ctx: BookContext, line: r.Offer, when: str = "") -> list[Step]:
    who = _who(ctx, line.seat)
    inner = ctx.block(line.block)
    one = len(line.targets) == 1
    many = ""
    if line.strength == "keep":
        many = (
            ctx.say("at-most-often", often=often(ctx, line.most))
            if line.most is not None
            else ctx.say("as-often")
        )
    mine = isinstance(who, Nominal) and who.you
    if one and line.strength == "must" and mine:
        said = Step(capital(target(ctx, line.targets[0])) + ".")
    elif one:
        what = offered(ctx, line.targets[0], not mine)
        frame = f"offer-{line.strength}{'-this' if mine and what.startswith('„') else ''}"
        said = by(ctx, frame, who, what=what, often=many)
    else:
        head = by(ctx, f"offer-{line.strength}-one-of", who, often=many)
        if (
            not when
            and len(line.targets) >= FEWEST_LISTED
            and (moment := offered_at_glance(ctx, line.targets))
        ):
            when = ctx.say("quoted", it=moment)
        if when:
            said = Step(f"{head.text.rstrip('.:')}: {at_glance(ctx, when)}.")
        else:
            parts = tuple(Step(f"{capital(offered(ctx, x, not mine))}.") for x in line.targets)
            said = Step(head.text.rstrip(".:") + ":", (), parts, ordered=False)
    steps = [said]
    if inner:
        guard = _done(ctx, "if-done", who) if line.strength == "may" else ctx.say("each-time")
        steps.append(guarded(ctx, guard, inner))
    return steps + _otherwise(ctx, _done(ctx, "if-not-done", who), line.otherwise)


# ---- calls, branches and loops


def _call(ctx: BookContext, line: r.CallLine) -> list[Step]:
    routine = ctx.rules.routines[line.routine]
    if not ctx.usage.is_inlined(line.routine):
        return [Step(capital(reference(ctx, line.routine, line.arguments)) + ".")]
    ctx.section_of[line.routine] = ctx.section
    pairs = [(p.var, ctx.folding.expr(a)) for p, a in zip(routine.parameters, line.arguments, strict=True)]
    named = [(var, a) for var, a in pairs if needs_name(routine.block, var, a)]
    steps = [set_step(ctx, r.SetVar(line.span, (), var, a)) for var, a in named]
    with ctx.given({var: a for var, a in pairs if (var, a) not in named}):
        steps += ctx.block(routine.block, routine.clauses)
    if steps:
        steps[0] = replace(steps[0], clauses=merge_clauses(routine.clauses, steps[0].clauses))
    return steps


def _if(ctx: BookContext, line: r.If) -> list[Step]:
    if (chain := chained_offer(ctx, line)) is not None:
        var, offer = chain
        first, *others_ = _offer(ctx, offer, str(name_of(ctx, var)))
        return [with_clauses(first, offer.clauses), *others_]
    if not line.block:
        guard = ctx.say("if", clause=said_if(ctx, line.condition, False))
        return [guarded(ctx, capital(guard), ctx.block(line.otherwise))]
    guard = capital(ctx.say("if", clause=said_if(ctx, line.condition)))
    steps = [guarded(ctx, guard, ctx.block(line.block))]
    rest = line.otherwise
    while len(rest) == 1 and isinstance(rest[0], r.If) and rest[0].block:
        inner = rest[0]
        if not inner.otherwise and said_if(ctx, inner.condition) == said_if(ctx, line.condition, False):
            rest = (also_citing(inner.block[0], inner.clauses), *inner.block[1:])
            break
        with ctx.citing() as clauses:
            guard = capital(ctx.say("otherwise-if", clause=said_if(ctx, inner.condition)))
        one = guarded(ctx, guard, ctx.block(inner.block))
        steps.append(with_clauses(one, (*inner.clauses, *clauses)))
        rest = inner.otherwise
    if others := ctx.block(rest):
        steps.append(guarded(ctx, capital(ctx.say("otherwise")), others))
    return steps


def _for(ctx: BookContext, line: r.For) -> Step:
    binder = ctx.folding.tree(line.binder)
    things = bound(ctx, binder)
    order = ""
    if line.keys:
        with marked(ctx, binder.var) as ref:
            order = f" {in_order(ctx, line.keys, str(ref.id), things)}"
    what = called(ctx, things.every(), things, binder.var)
    steps = ctx.block(line.block)
    ctx.names.pop(binder.var, None)
    if (told := told_alone(steps)) is not None:
        return told
    if what.after.startswith(","):
        such = capital(ctx.say("for-each-such", what=what)).rstrip(",") + order
        return replace(with_parts(such, steps, False), guarded=True)
    each = capital(ctx.say("for-each-thing", what=what)) + order
    if ctx.say.language == "hu" and not order and len(steps) == 1 and not steps[0].parts:
        return replace(steps[0], text=f"{each} {lower(steps[0].unheaded)}", guarded=True)
    return guarded(ctx, each, steps)
