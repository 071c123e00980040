"""The definitions of values that have a name: their cases, and the modifiers that change them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from dsl import rules as r
from dsl.domains import FlagType, SetType
from dsl.rules.visit import walk
from rulewright.rulebook.document import DocumentBlock, Paragraph, Section, bullets
from rulewright.sentences.changes import set_step
from rulewright.sentences.collections import bound_things, by_phrase, cases_of, named_collection
from rulewright.sentences.conditions import condition
from rulewright.sentences.context import BookContext
from rulewright.sentences.english import article, capital, sentence, singular
from rulewright.sentences.expressions import labelled_value, value_fillers
from rulewright.sentences.framed import definitions as framed
from rulewright.sentences.framed.statements import set_step as framed_set
from rulewright.sentences.framed.values import named_noun
from rulewright.sentences.framed.words import you
from rulewright.sentences.realise import conjugated, spell, spell_sentence
from rulewright.sentences.steps import to_step, with_clauses
from rulewright.sentences.summaries import summarised_value
from rulewright.sentences.syntax import YOU, Adjunct, Node, clause, phrase, quoted, replaced, series, the
from rulewright.sentences.templates import filled, filled_clause
from rulewright.sentences.text import Step, merge_clauses, slug

WORD = re.compile(r"[^\W\d_]+|\d+")
CLASSIFIED = re.compile(r"\b(?!half\b|total\b)[^\W\d_]+ that (?:is|are) |\bwhose [^\W\d_]+ (?:is|are) ")
"""What only names the kind of what follows: `tiles that are jokers`, `cards whose colour is the colour`."""
STEM = 4
GRAMMAR = frozenset(
    WORD.findall(
        "a all an and are at for has have in is number of on player that the together which who whose with "
        "you your"
    )
)


def value_id(name: str) -> str:
    return slug("word", name)


def value_section(ctx: BookContext, name: str) -> Section | None:
    """A value by name; without blocks if its definition would only repeat its name, nothing without marks."""
    value = ctx.rules.values[name]
    reads_me = any(isinstance(p, r.Special) and p.what in ("me", "opponent") for p in walk(value))
    reader = YOU if ctx.grammar is None else you(ctx)
    before, ctx.active = ctx.active, ctx.active if reads_me else reader
    ctx.names.clear()
    with ctx.within(value):
        blocks = _framed_blocks(ctx, value) if ctx.grammar is not None else _blocks(ctx, value)
        in_place = (mark for let in value.lets if let.var in ctx.folding.given for mark in let.clauses)
        clauses = merge_clauses(value.clauses, in_place)
    ctx.active = before
    title = capital(value_title(ctx, value))
    match blocks:
        case [Paragraph(told=False) as only]:
            marked = replace(only, clauses=merge_clauses(clauses, only.clauses))
            return Section(value_id(name), title, (marked,), bare=True)
    return Section(value_id(name), title, tuple(blocks), clauses) if blocks or clauses else None


def value_title(ctx: BookContext, value: r.Value) -> str:
    """What a value is called where it is defined; in another language by its clause, if it has no word."""
    lexicon = ctx.lexicon
    if ctx.grammar is None or value.name in lexicon.nouns or lexicon.labels.get(value.name):
        return (
            lexicon.written(value.name).partition(",")[0]
            if ctx.grammar is not None
            else lexicon.written(value.name)
        )
    return named_noun(ctx, value.name, value.clauses).one.strip("„”")


def _framed_blocks(ctx: BookContext, value: r.Value) -> list[DocumentBlock]:
    """A definition in another language; a summary takes its place where it does in the first one."""
    english = _blocks(ctx.twin(), value)
    if not english:
        return []
    subject, cases = capital(framed.subject(ctx, value)), ctx.folding.cases(value)
    flag = isinstance(value.type, FlagType)
    lets = [_local(ctx, let) for let in value.lets if let.var not in ctx.folding.given]
    first = english[0]
    if isinstance(first, Paragraph) and first.told:
        known = [c for c in first.clauses if c in ctx.summaries]
        said = " ".join(sentence(ctx.rules.clauses[c].says) for c in known)
        return [Paragraph(said, first.clauses, told=True)]
    if len(cases) == 1:
        with ctx.citing() as clauses:
            definition = ctx.expr(cases[0].value)
        text = ctx.say("defined-if" if flag else "defined-as", subject=subject, definition=spell(definition))
        blocks: list[DocumentBlock] = [Paragraph(text, merge_clauses(cases[0].clauses, clauses))]
    else:
        steps = [framed.case_step(ctx, case, flag) for case in cases]
        blocks = [Paragraph(ctx.say("first-fits", subject=subject)), bullets(steps)]
    if lets:
        blocks += [Paragraph(ctx.say("value-here")), bullets(lets)]
    if value.modifiers:
        changed = (framed.modifier_step(ctx, m) for m in value.modifiers)
        blocks += [Paragraph(ctx.say("value-changes")), bullets(changed)]
    return blocks


def _framed_collection(ctx: BookContext, named: r.NamedCollection) -> Section | None:
    if not ctx.english.is_named(named.name):
        return None
    word = named_noun(ctx, named.name, named.clauses)
    arguments = framed.introduced(ctx, named.parameters)
    about = f" ({ctx.listed(list(map(str, arguments)))})" if arguments else ""
    title = capital(word.many.strip("„”"))
    cases = cases_of(ctx, named.collection)
    with ctx.citing() as clauses:
        texts = [(asked, spell(_members(ctx, group))) for asked, group in cases]
        if len(cases) == 1:
            steps: list[Step] = []
            text = ctx.say("defined-as", subject=f"{title}{about}", definition=texts[0][1])
        else:
            text = ctx.say("first-fits", subject=f"{title}{about}")
            steps = [
                Step(
                    ctx.say("case-otherwise", result=said)
                    if asked is None
                    else ctx.say("case-if", clause=spell(ctx.condition(asked)), result=said)
                )
                for asked, said in texts
            ]
    own = merge_clauses(named.clauses, named.lines)
    blocks: list[DocumentBlock] = [Paragraph(text, merge_clauses(own, clauses))]
    blocks += [bullets(steps)] if steps else []
    return Section(value_id(named.name), title, tuple(blocks))


def collection_section(ctx: BookContext, named: r.NamedCollection) -> Section | None:
    """What belongs to a collection with words of its own; nothing for others, which are written in place."""
    if ctx.grammar is not None:
        ctx.names.clear()
        return _framed_collection(ctx, named)
    ctx.names.clear()
    subject = named_collection(ctx, named.name, ())
    if subject is None:
        return None
    arguments = introduced(ctx, named.parameters)
    cases = cases_of(ctx, named.collection)
    if (said := by_phrase(ctx, named.name, arguments)) is not None:
        defined, title = phrase(said, "are"), capital(spell(said).removeprefix("the "))
    else:
        whose = Adjunct("of", series(arguments)) if arguments else ""
        defined = phrase("the", subject.noun.many.removeprefix("the "), whose, "are")
        title = capital(subject.noun.many)
    with ctx.citing() as clauses:
        if len(cases) == 1:
            steps = []
            text = spell_sentence(defined, _members(ctx, named.collection))
        else:
            steps = [_members_if(ctx, asked, group) for asked, group in cases]
            text = spell_sentence(defined, ctx.say("first-fits", subject="").strip())
    own = merge_clauses(named.clauses, named.lines)
    blocks: list[DocumentBlock] = [Paragraph(text, merge_clauses(own, clauses))]
    blocks += [bullets(steps)] if steps else []
    return Section(value_id(named.name), title, tuple(blocks))


def introduced(ctx: BookContext, parameters: Sequence[r.Var]) -> list[Node]:
    """Parameters as they are mentioned for the first time, and how they are referred to from then on."""
    nouns = ctx.parameter_nouns(parameters)
    for parameter, noun in zip(parameters, nouns, strict=True):
        bare = noun if others_too(noun, nouns) else noun.removeprefix("other ")
        ctx.names[parameter] = phrase(bare) if len(bare) == 1 else the(bare, plural=_is_set(parameter))
    return [some(parameter, noun) for parameter, noun in zip(parameters, nouns, strict=True)]


def others_too(noun: str, nouns: Sequence[str]) -> bool:
    """Whether `the other land` is told from another parameter, `the land`."""
    return noun.removeprefix("other ") in [n for n in nouns if n != noun]


def some(parameter: r.Var, noun: str) -> Node:
    """`a card`; of a set `some cards`."""
    return phrase("some", noun, plural=True) if _is_set(parameter) else phrase(article(noun))


def _is_set(parameter: r.Var) -> bool:
    return isinstance(parameter.type, SetType)


def _members(ctx: BookContext, node: r.Collection) -> Node:
    found = ctx.collection(node)
    return found.the_many()


def _members_if(ctx: BookContext, asked: r.Expr | None, group: r.Collection) -> Step:
    guard = "otherwise" if asked is None else phrase("if", condition(ctx, asked), ":")
    return to_step(guard, _members(ctx, group))


def _blocks(ctx: BookContext, value: r.Value) -> list[DocumentBlock]:
    subject = _subject(ctx, value)
    cases = ctx.folding.cases(value)
    named = [_local(ctx, let) for let in value.lets if let.var not in ctx.folding.given]
    flag = isinstance(value.type, FlagType)
    normally = "normally" if value.modifiers else ""
    copula = "" if flag else phrase(conjugated(subject, "is"), normally)
    if len(cases) == 1:
        with ctx.citing() as clauses:
            definition = ctx.expr(cases[0].value)
        if flag and not value.modifiers and spell(subject) == spell(_introduced(ctx, value, definition)):
            return []
        plain_case = not value.lets and not value.modifiers
        if not flag and plain_case and only_repeats(spell(definition), spell(subject)):
            return []
        if (changed := _one_change(ctx, value, subject)) is not None:
            return [changed]
        text, summary = spell_sentence(subject, copula or "if", definition), None
        if not value.lets and not value.modifiers:
            summary = summarised_value(ctx, value.clauses, cases[0].value, text)
        marks = merge_clauses(cases[0].clauses, clauses)
        blocks: list[DocumentBlock] = [Paragraph(summary or text, marks, told=summary is not None)]
    else:
        head = spell_sentence(subject, copula, ctx.say("first-fits", subject="").strip())
        told = [_case(ctx, case, flag) for case in cases]
        marks = merge_clauses(value.clauses, (c for step in told for c in step.clauses))
        whole = " ".join((spell(subject), *(step.text for step in told)))
        if not value.lets and not value.modifiers and (summary := summarised_value(ctx, marks, cases, whole)):
            return [Paragraph(summary, marks, told=True)]
        blocks = [Paragraph(head), bullets(told)]
    if named:
        blocks += [Paragraph(ctx.say("value-here")), bullets(named)]
    if value.modifiers:
        blocks += [Paragraph(ctx.say("value-changes")), bullets(_modifier(ctx, m) for m in value.modifiers)]
    return blocks


def _one_change(ctx: BookContext, value: r.Value, subject: Node) -> Paragraph | None:
    """`The worth of a coin is 7, and 12 as long as you own Coinage`: two numbers in one sentence."""
    match ctx.folding.cases(value), value.modifiers:
        case (r.ValueCase(value=r.Const(value=first)) as case,), (r.Modifier(parameters=()) as modifier,):
            amount, asked = ctx.folding.expr(modifier.amount), modifier.condition
            if asked is None or not isinstance(amount, r.Const) or isinstance(value.type, FlagType):
                return None
            second = amount.value if modifier.mode == "to" else first + amount.value
            with ctx.citing() as clauses:
                text = spell_sentence(
                    subject,
                    conjugated(subject, "is"),
                    f"{first}, and {second} as long as",
                    condition(ctx, asked),
                )
            return Paragraph(text, merge_clauses(case.clauses, (*modifier.clauses, *clauses)))
    return None


def only_repeats(definition: str, subject: str) -> bool:
    """Whether a definition only says again what it defines: `the number of your cards of the colour`."""
    said = _words_of(CLASSIFIED.sub("", definition))
    return not any(word.isdigit() for word in said) and said <= _words_of(subject)


def _words_of(text: str) -> set[str]:
    """What a text is about: its words by their first letters, without those of the grammar."""
    words = WORD.findall(text.lower().replace("’s", "").replace("'s", ""))
    return {singular(word)[:STEM] for word in words if word not in GRAMMAR}


def _local(ctx: BookContext, let: r.ValueLet) -> Step:
    """What a local of a value stands for."""
    with ctx.citing() as clauses:
        told = framed_set if ctx.grammar is not None else set_step
        step = told(ctx, r.SetVar(let.span, (), let.var, let.value))
    return with_clauses(step, (*let.clauses, *clauses))


def _subject(ctx: BookContext, value: r.Value) -> Node:
    """What is defined, with its parameters mentioned for the first time."""
    arguments = introduced(ctx, value.parameters)
    flag = isinstance(value.type, FlagType)
    template = ctx.lexicon.template(value.name)
    if template is not None:
        fillers = value_fillers(value, arguments)
        return filled_clause(template, fillers, True) if flag else filled(template.text, fillers)
    if not flag:
        return labelled_value(ctx, value, arguments)
    label = quoted(ctx.lexicon.written(value.name))
    return clause(label, "holds", Adjunct("for", series(arguments)) if arguments else "")


def _introduced(ctx: BookContext, value: r.Value, text: Node) -> Node:
    """A definition with its parameters as if mentioned for the first time."""
    nouns = ctx.parameter_nouns(value.parameters)
    for parameter, noun in zip(value.parameters, nouns, strict=True):
        text = replaced(text, ctx.names[parameter], some(parameter, noun))
    return text


def _case(ctx: BookContext, case: r.ValueCase, flag: bool) -> Step:
    node = ctx.folding.expr(case.value)
    with ctx.citing() as clauses:
        guard = "otherwise" if case.condition is None else phrase("if", condition(ctx, case.condition), ":")
        if flag and isinstance(node, r.Const):
            result: Node = "yes" if node.value else "no"
        else:
            result = phrase("only if", condition(ctx, node)) if flag else ctx.expr(node)
    return with_clauses(to_step(guard, result), (*case.clauses, *clauses))


def _modifier(ctx: BookContext, modifier: r.Modifier) -> Step:
    for parameter, noun in zip(modifier.parameters, ctx.parameter_nouns(modifier.parameters), strict=True):
        ctx.names[parameter] = the(noun)
    amount = ctx.folding.expr(modifier.amount)
    with ctx.citing() as clauses:
        replaces = modifier.mode == "to"
        change = phrase("it is", ctx.expr(amount), "instead") if replaces else _added(ctx, amount)
        asked = modifier.condition
        guard = phrase(", as long as", condition(ctx, asked)) if asked is not None else ""
    return with_clauses(to_step(change, guard), (*modifier.clauses, *clauses))


def _added(ctx: BookContext, amount: r.Expr) -> Node:
    match amount:
        case r.Const(value=value):
            return f"{value} more" if value >= 0 else f"{-value} less"
        case r.Arith(op="*", left=r.Const(value=value), right=right) if value < 0:
            return _less(ctx, str(-value), right)
        case r.Arith(op="*", left=r.Arith(op="-", left=r.Const(value=0), right=factor), right=right):
            return _less(ctx, ctx.expr(factor), right)
        case r.AnyOf(kind="count", binder=binder):
            return phrase("1 more for", bound_things(ctx, binder).every())
    return phrase("more by", ctx.expr(amount))


def _less(ctx: BookContext, factor: Node, amount: r.Expr) -> Node:
    times = "twice" if spell(factor) == "2" else phrase(factor, "times")
    return phrase("less by", times, ctx.expr(amount))
