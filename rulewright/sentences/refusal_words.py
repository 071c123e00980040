"""The conditions of a game in the words of its rulebook, for refusals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dsl import rules as r
from dsl.domains import EffectType, FlagType, IntType
from dsl.rules.reasons import Reason, reasons_of, reasons_of_choice
from dsl.rules.sides import Side, is_presence
from dsl.rules.visit import walk
from interpreter import ir
from interpreter.wording import ConditionBook, ConditionWords, Place, SideWords, place_of
from rulewright.sentences.by_players import players
from rulewright.sentences.context import THE_PIECE, BookContext
from rulewright.sentences.expressions import SMALL
from rulewright.sentences.framed.grammars import GRAMMARS
from rulewright.sentences.framed.groups import NominalGroup
from rulewright.sentences.framed.steps import this
from rulewright.sentences.framed.words import name_of, worded
from rulewright.sentences.names import Lexicon
from rulewright.sentences.partial_eval import Configuration
from rulewright.sentences.passes import new_context
from rulewright.sentences.realise import agrees_as_many, spell
from rulewright.sentences.syntax import Adjunct, Node, clause, the

Worded = tuple[Place, tuple[ConditionWords, ...]]
UNSAID = SideWords("")
LONGEST = 90
"""The most characters of a side that is said."""
BY_OPTION = "the options of this game allow it"


def refusal_words(rules: r.Rules, machine: ir.Machine) -> ConditionBook:
    """The words of each condition by its place in the rules."""
    first = rules.in_first_language()
    kept = frozenset(first.nouns) & frozenset(rules.constants)
    ctx = new_context(lexicon_in(rules), Configuration(first, machine.seats, dict(machine.options), kept))
    ctx.acting = _acting(ctx)
    trees: list[r.Routine | r.Trigger] = [*rules.routines.values(), *rules.triggers]
    return {place: words for tree in trees for place, words in _words_within(ctx, tree)}


def lexicon_in(rules: r.Rules) -> Lexicon:
    """The words of rules in their language; of one that has frames only its own nouns and phrases."""
    spoken = rules.spoken
    lexicon = Lexicon(rules, rules.labels, rules.helps, rules.nouns, rules.phrases, rules.language)
    if spoken is None or rules.language.partition("-")[0].lower() not in GRAMMARS:
        return lexicon
    return replace(lexicon, nouns=spoken.nouns, phrases=spoken.phrases, forms=spoken.forms)


def _acting(ctx: BookContext) -> Node:
    """What the piece is called whose cell names an effect."""
    owners = [
        name
        for name, decl in ctx.rules.components.items()
        if any(isinstance(column.type, EffectType) for column in decl.columns.values())
    ]
    if ctx.grammar is not None:
        return this(ctx, owners[0]) if len(owners) == 1 else ctx.acting
    return the(ctx.lexicon.noun(owners[0]).one) if len(owners) == 1 else THE_PIECE


def _words_within(ctx: BookContext, tree: r.Routine | r.Trigger) -> Iterator[Worded]:
    """The conditions of one routine or trigger, in which a name always means the same."""
    ctx.names.clear()
    locals_ = _written_once(tree.block)
    short = {var: value for var, value in locals_.items() if _is_said_in_place(ctx, var, value)}
    with ctx.given(short):
        yield from _words_of(ctx, tree, locals_)


def _is_said_in_place(ctx: BookContext, var: r.Var, value: r.Expr) -> bool:
    """Whether a local number has no words of its own, and is short enough to be said in place of its name."""
    named = ctx.lexicon.is_named(var.name) or not isinstance(var.type, IntType)
    return not named and sum(1 for _ in walk(value)) <= SMALL


def _words_of(
    ctx: BookContext, tree: r.Routine | r.Trigger, locals_: dict[r.Var, r.Expr]
) -> Iterator[Worded]:
    parameters = tree.parameters if isinstance(tree, r.Routine) else ()
    for parameter in parameters:
        _name(ctx, parameter.var)
    for parameter in parameters:
        if parameter.binder is not None:
            yield from _of_choice(ctx, parameter.binder, locals_)
            if parameter.binder.where is not None:
                yield from _of_need(ctx, parameter.binder.where, locals_)
    for part in walk(tree.block):
        match part:
            case r.Precondition(condition=asked):
                yield from _of_need(ctx, asked, locals_)
            case r.Choose(binder=binder):
                _name(ctx, binder.var)
                yield from _of_choice(ctx, binder, locals_)
            case r.MoveCount(up_to=False) | r.MoveAlike(up_to=False) | r.RollZone(up_to=False):
                if part.number is not None:
                    yield place_of(part.source.span), (_enough(ctx, part.source, part.number),)


def _name(ctx: BookContext, var: r.Var) -> Node:
    return ctx.name_of(var) if ctx.grammar is None else name_of(ctx, var)


def _written_once(block: r.Block) -> dict[r.Var, r.Expr]:
    """The locals that are written a single time."""
    written = [part for part in walk(block) if isinstance(part, r.SetVar)]
    names = [line.var for line in written]
    return {line.var: line.value for line in written if names.count(line.var) == 1}


def _of_choice(ctx: BookContext, binder: r.Binder, locals_: dict[r.Var, r.Expr]) -> Iterator[Worded]:
    """What a value must meet to be chosen."""
    found = _all_said(ctx, reasons_of_choice(ctx.rules, binder, ctx.folding.config.counts[0]), locals_)
    if found:
        yield place_of(binder.var.span), found


def _of_need(ctx: BookContext, asked: r.Expr, locals_: dict[r.Var, r.Expr]) -> Iterator[Worded]:
    """What must hold; what is joined by `and`, one by one."""
    if isinstance(asked, r.Both) and asked.op == "and":
        yield from _of_need(ctx, asked.left, locals_)
        yield from _of_need(ctx, asked.right, locals_)
    else:
        yield place_of(asked.span), _all_said(ctx, reasons_of(ctx.rules, asked), locals_)


def _all_said(
    ctx: BookContext, reasons: tuple[Reason, ...], locals_: dict[r.Var, r.Expr]
) -> tuple[ConditionWords, ...]:
    found: list[ConditionWords] = []
    for reason in reasons:
        found += (_said(ctx, reason, locals_), *_all_said(ctx, reason.parts, locals_))
    return tuple(found)


def _said(ctx: BookContext, reason: Reason, locals_: dict[r.Var, r.Expr]) -> ConditionWords:
    asked = reason.asked
    if isinstance(asked, r.IsIn) and isinstance(asked.collection, r.OfType):
        item, number = ctx.expr(asked.item), ctx.folding.config.counts[0]
        said = f"{spell(item)} is in play with {players(ctx, number)}"
        if ctx.grammar is not None:
            said = ctx.say("in-play", it=worded(ctx, asked.item), number=number)
        return ConditionWords(said, tuple(_side(ctx, side, asked) for side in reason.sides))
    said = spell(ctx.condition(_presence_of_what(asked, locals_))).removesuffix(",")
    if isinstance(ctx.folding.expr(asked), r.Const):
        said = BY_OPTION if ctx.grammar is None else ctx.say("by-option")
    return ConditionWords(said, tuple(_side(ctx, side, asked) for side in reason.sides))


def _presence_of_what(asked: r.Expr, locals_: dict[r.Var, r.Expr]) -> r.Expr:
    """That a local is there says what it was made from."""
    match asked:
        case r.Cmp(left=r.Read(var=var)) if is_presence(asked) and var in locals_:
            return replace(asked, left=locals_[var])
    return asked


def _side(ctx: BookContext, side: Side, asked: r.Expr) -> SideWords:
    """A side of a condition, if its value is news: not whether something is there, nor who asks."""
    known = ctx.folding.expr(side.shown)
    if side.found and isinstance(side.shown, r.Read):
        noun = ctx.lexicon.type_noun(side.shown.type).one
        return SideWords(f"one such {noun}" if ctx.grammar is None else ctx.say("one-such", noun=noun))
    if side.asks:
        words = spell(ctx.condition(known)).removesuffix(",")
        return SideWords(ctx.say("quoted", it=words)) if len(words) <= LONGEST else UNSAID
    if is_presence(asked) or isinstance(known.type, FlagType) or isinstance(known, r.Const | r.Special):
        return UNSAID
    said = ctx.expr(known)
    words = spell(said).removesuffix(",")
    return SideWords(words, agrees_as_many(said)) if len(words) <= LONGEST else UNSAID


def _enough(ctx: BookContext, source: r.Collection, number: r.Expr) -> ConditionWords:
    """That as many pieces lie somewhere as are to be moved."""
    things, wanted = ctx.collection(source), ctx.folding.expr(number)
    if isinstance(things, NominalGroup):
        return _framed_enough(ctx, things, wanted, number)
    there = SideWords(spell(the("number", Adjunct("of", things.many()))))
    if isinstance(wanted, r.Const):
        said = spell(things.there(f"at least {wanted.value}", wanted.value == 1))
    else:
        said = spell(clause(there.noun, "is", "at least", ctx.expr(number)))
    if isinstance(number, r.Const):
        return ConditionWords(said, (there,))
    asked = ctx.expr(number)
    return ConditionWords(said, (there, SideWords(spell(asked), agrees_as_many(asked))))


def _framed_enough(ctx: BookContext, things: NominalGroup, wanted: r.Expr, number: r.Expr) -> ConditionWords:
    there = SideWords(spell(things.number()))
    if isinstance(wanted, r.Const):
        said = things.there(ctx.say("so-many-at-least", number=str(wanted.value)))
    else:
        said = ctx.say("at-least", left=things.number(), right=worded(ctx, number))
    sides = () if isinstance(number, r.Const) else (SideWords(spell(ctx.expr(number))),)
    return ConditionWords(said, (there, *sides))
