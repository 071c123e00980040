"""The words of a game as nominals: its names, and the phrases of its author with what fills them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from dsl import rules as r
from dsl.declare.labels import FORM_HOLE
from dsl.domains import NONE, EffectType, EnumType, FlagType, PieceType, SetType, Type
from dsl.wording import declared_singular
from rulewright.i18n.grammar import hungarian
from rulewright.sentences.context import BookContext
from rulewright.sentences.framed.nominals import CLOSE, MARK, Grammar, Nominal
from rulewright.sentences.names import Noun, Template, type_name
from rulewright.sentences.syntax import Referent

Filler = Nominal | str
OPTIONAL = re.compile(r"\[([^\]]*)\]")
BOUND = re.compile(rf"{MARK}(\d+):(\w+){CLOSE}(\s*)(\S*)")
ARTICLED = ("a", "az", "egy", "minden")
STRAY = re.compile(r",\s*([,.;:)])")
"""A comma that closes a relative clause before another mark."""
PENDING = "\ue012"
"""Stands for an article, which the next word decides."""


def grammar(ctx: BookContext) -> Grammar:
    assert ctx.grammar is not None
    return ctx.grammar


def worded(ctx: BookContext, node: r.Expr) -> Filler:
    """A value as a nominal; a condition as a clause."""
    found = ctx.expr(node)
    assert isinstance(found, Nominal | str), "the passes are those of this room"
    return found


def you(ctx: BookContext) -> Nominal:
    return Nominal(grammar(ctx), "", you=True)


def fixed(ctx: BookContext, text: str) -> Nominal:
    """Words that are complete: a title, a phrase of the author."""
    return Nominal(grammar(ctx), text, fixed=True)


def nominal(ctx: BookContext, noun: Noun, plural: bool = False) -> Nominal:
    return Nominal(grammar(ctx), noun.one, noun.many if noun.many != noun.one else "", plural)


def noun(ctx: BookContext, name: str) -> Noun:
    """A name as a noun in its two numbers."""
    lexicon, forms = ctx.lexicon, grammar(ctx)
    if name.startswith("("):
        parts = [
            noun(ctx, kind if column == kind else column) for column, kind in ctx.rules.types[name].parts
        ]
        return Noun(ctx.say.list([p.one for p in parts]), ctx.say.list([p.many for p in parts]))
    name = name.removesuffix(" row")
    if name in lexicon.nouns and "{" not in lexicon.nouns[name]:
        one, _, many = (part.strip() for part in lexicon.nouns[name].partition(","))
        if many:
            return Noun(one, many)
        return Noun(forms.singular(one), one) if forms.is_plural(one) else Noun(one, forms.plural(one))
    if name == "seat" and not lexicon.labels.get(name):
        return Noun(ctx.say("noun-player"), ctx.say("noun-players"))
    shown = lexicon.without_article(name)
    if forms.is_plural(shown):
        return Noun(forms.singular(shown), shown)
    return Noun(shown, forms.plural(shown))


def type_noun(ctx: BookContext, kind: Type) -> Noun:
    match kind:
        case EnumType(name) | PieceType(name):
            return noun(ctx, name)
        case FlagType():
            word = ctx.say("noun-condition")
        case EffectType():
            word = ctx.say("noun-effect")
        case SetType(item):
            word = ctx.say("noun-set", things=type_noun(ctx, item).many)
        case _:
            word = ctx.say("noun-number")
    return Noun(word, grammar(ctx).plural(word))


def var_noun(ctx: BookContext, var: r.Var) -> Noun:
    """What a variable is called: its own word, or its kind."""
    lexicon = ctx.lexicon
    own = var.name in lexicon.nouns or (lexicon.labels.get(var.name) and not lexicon.is_of_rows(var.name))
    if own and ctx.english.labels.get(var.name) != lexicon.labels.get(var.name, ""):
        return noun(ctx, var.name)
    if var.name in lexicon.nouns or var.name == type_name(var.type):
        return noun(ctx, var.name)
    return type_noun(ctx, var.type)


def name_of(ctx: BookContext, var: r.Var) -> Nominal:
    """How a variable is referred to: `the card`, or where that means another one, `the second card`."""
    found = ctx.names.get(var)
    if isinstance(found, Nominal):
        return found
    if var.name == "me":
        named = you(ctx)
    else:
        said = nominal(ctx, var_noun(ctx, var))
        taken = {str(known) for known in ctx.names.values() if isinstance(known, Nominal)}
        named = said
        for number in range(2, 9):
            if str(named) not in taken:
                break
            one = ctx.say("noun-nth", number=number, noun=said.one)
            named = Nominal(grammar(ctx), one)
    ctx.names[var] = named
    return named


def value(ctx: BookContext, kind: Type, number: int) -> Nominal:
    """A constant within a sentence."""
    if number == NONE:
        return fixed(ctx, ctx.say("none"))
    match kind:
        case EnumType("seat"):
            return Nominal(grammar(ctx), ctx.say("noun-nth", number=number + 1, noun=noun(ctx, "seat").one))
        case EnumType(name):
            decl = ctx.rules.types[name]
            if decl.shape != "none" and decl.numeric:
                own = ctx.lexicon.labels.get(r.key_of_number(name, number))
                return fixed(ctx, own or ctx.say("noun-numbered", noun=noun(ctx, name).one, number=number))
            if decl.label(number) in ctx.lexicon.nouns:
                return fixed(ctx, declared_singular(ctx.lexicon.nouns[decl.label(number)]))
    return fixed(ctx, ctx.lexicon.bare(kind, number))


def tidy(text: str) -> str:
    """A text without commas before another mark, and without blanks that nothing fills."""
    return " ".join(STRAY.sub(r"\1", text).split(" ")).replace("  ", " ").strip()


# ---- phrases of the author


def filled(ctx: BookContext, text: str, fillers: Mapping[str, Filler]) -> str:
    """A phrase with its placeholders filled: `{card}`, in a form `{card:acc}`, by person `{seat ? … : …}`."""

    def kept(found: re.Match[str]) -> str:
        names = [hole[1] for hole in FORM_HOLE.finditer(found[1])]
        return found[1] if all(str(fillers.get(name) or "") for name in names) else ""

    def put(found: re.Match[str]) -> str:
        name, form, mine, other = found[1], found[2], found[3], found[4]
        filler = fillers.get(name, "")
        if mine is not None:
            return mine.strip() if isinstance(filler, Nominal) and filler.you else other.strip()
        if form == "own":
            if isinstance(filler, Nominal) and filler.you:
                return PENDING
            form = "gen"
        if isinstance(filler, Nominal):
            if form == "bare":
                return filler.as_("").form("nom")
            if filler.you and form in (None, "", "nom") and name in shown:
                return ""
            return filler.form(form or "nom")
        return grammar(ctx).text(filler, form or "nom")

    shown = {hole[1] for hole in FORM_HOLE.finditer(text) if hole[3] is not None}
    said = FORM_HOLE.sub(put, OPTIONAL.sub(kept, text))
    objects = [fillers.get(hole[1]) for hole in FORM_HOLE.finditer(text) if hole[2] == "acc"]
    if ctx.say.language == "hu" and any(_is_indefinite(thing) for thing in objects):
        said = hungarian.indefinite(said)
    return " ".join(_articled(said).split())


def _is_indefinite(thing: Filler | None) -> bool:
    """Whether a verb before a thing is in its indefinite conjugation in languages that have one."""
    if not isinstance(thing, Nominal) or thing.owner is not None or thing.you:
        return False
    return str(thing).startswith("egy ") or bool(thing.number) or thing.meant in ("a", "every")


def _articled(text: str) -> str:
    """A text with the articles that it waits for."""
    while (at := text.find(PENDING)) >= 0:
        rest = text[at + 1 :].lstrip()
        text = f"{text[:at]}{hungarian.article(rest)} {rest}"
    return text


def clause_of(ctx: BookContext, template: Template, fillers: Mapping[str, Filler], positive: bool) -> str:
    """A clause of the author, or what it says of its negation."""
    if positive:
        return filled(ctx, template.text, fillers)
    if template.not_so:
        return filled(ctx, template.not_so, fillers)
    return ctx.say("not-so", clause=filled(ctx, template.text, fillers))


# ---- bound variables


@contextmanager
def marked(ctx: BookContext, var: r.Var) -> Iterator[Referent]:
    """Refers to a variable by a mark, which `related` or `put_in` replaces."""
    with ctx.referent(var) as ref:
        ctx.names[var] = Nominal(grammar(ctx), "", mark=str(ref.id))
        yield ref


def put_in(ctx: BookContext, text: str, mark: str, thing: Nominal | None, bare: str) -> str:
    """A text in which a bound variable is a thing, or without one a pronoun for a noun."""

    def put(found: re.Match[str]) -> str:
        if found[1] != mark:
            return found[0]
        form, space, after = found[2], found[3], found[4]
        said = thing.form(form) if thing is not None else grammar(ctx).bound(form, bare)
        gap = space
        if not gap and after.startswith("-") and thing is None and ctx.say.language == "hu":
            return f"{grammar(ctx).bound('bare', bare)} {after.removeprefix('-')}"
        if form == "gen" and after and ctx.say.language == "hu" and thing is None:
            word = re.sub(r"\W", "", after)
            gap = space if word in ARTICLED else f" {hungarian.article(after)} "
        return f"{said}{gap}{after}"

    before = ""
    while before != text:
        before, text = text, BOUND.sub(put, text)
    return text


def related(ctx: BookContext, clauses: Sequence[str], mark: str, bare: str) -> str:
    """Clauses about a bound variable as relative clauses after its noun."""
    said = [grammar(ctx).related(clause, mark, bare) for clause in clauses]
    text = said[0] + "".join(f" {ctx.say('and')} {one.removeprefix(',').strip()}" for one in said[1:])
    text = put_in(ctx, text, mark, None, bare)
    return text if not text.startswith(",") else f"{text},"
