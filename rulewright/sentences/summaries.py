"""Statements told by the summaries of the clauses that they cite, where these say all that counts.

A ruleset gives each clause of its rulebook a summary in its author's words. Where statements carry out a
clause, the summary is what a player wants to read, and the statements are how a program does it. A summary
takes their place if it is shorter and nothing that can be compared is lost: each number, each constant with a
name, the unit of what is gained or paid, and for each condition something that it is about must be in it.
Rulings and examples are no summaries of what is done, and what an option has changed is told by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from dsl import rules as r
from dsl.domains import NONE, EnumType, IntType
from dsl.numbers import NUMBER_WORDS
from dsl.rules.visit import walk
from rulewright.sentences.context import BookContext
from rulewright.sentences.english import lower, sentence, singular
from rulewright.sentences.partial_eval import Configuration
from rulewright.sentences.steps import routine_link
from rulewright.sentences.text import Step, cited, merge_clauses, plain, strong

LOOPS = r.For | r.EachTurn | r.Together
ROUNDS = 4
DEEP = 3
MANY = 3
"""The most clauses that are told in one paragraph."""
LONG_NEED = 20
"""The fewest words of a condition that is long."""
FULL = 12
"""The fewest words of headings and summaries that may be about something only by a heading."""
MANY_WORDS = 25
"""The fewest words of a definition that is long."""
KINDS = frozenset({"rule", "definition"})
NUMERALS = {word: number for number, word in enumerate(NUMBER_WORDS) if number > 1} | {
    "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "thirty": 30, "fifty": 50, "both": 2,
    "twice": 2, "pair": 2, "pairs": 2, "double": 2, "half": 2, "dozen": 12,
}  # fmt: skip
WORD = re.compile(r"[^\W\d_]+|\d+")
STEM = 5
LEAST = 4
"""How many letters of a word are compared, and how many a word with a meaning of its own has at least."""
SHARE = 1 / 3
"""How much of what statements are about their own clause must be about, at least."""
OVERALL = 1 / 2
"""More than this much must a clause be about that is cited for a routine as a whole."""
DEFINED = 3 / 5
"""More than this much of what a definition is about must be in a summary that takes its place."""
LONG_SUM = 2
"""With how many operations nobody would say a number as it is computed."""
EMPTY = frozenset(
    WORD.findall("""
    number with that from there your player each into have less more than least most which whose where then
    this they them otherwise many much take takes puts other only such following allowed happens nothing
    everybody somebody these those been does long often again time times like turn order none among carry
    same choose draw move gain gains pile piles hand table next left first last lowest highest plus minus
    divided remainder rounded down smaller greater belongs after before until whether note over
    """)
)
"""Words by which a text is about nothing: those of the grammar, of arithmetic, and of all that is done."""
BACKWARD = frozenset(
    WORD.findall(
        "it its they them their that this these those then there so he his both otherwise such one "
        "for only as with from to in at"
    )
)
"""Words at the beginning of a summary that points to the clause before it, or goes on from its heading."""


@dataclass(frozen=True)
class Part:
    """Statements that were written together, with their steps."""

    lines: tuple[r.Statement, ...]
    steps: tuple[Step, ...]

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that it cites itself; of a loop over what summaries tell, theirs."""
        own = merge_clauses((), (c for line in self.lines for c in line.clauses))
        loop = all(isinstance(line, LOOPS) for line in self.lines)
        if own or not loop or not all(_is_told(step) for step in self.steps):
            return own
        return merge_clauses((), (c for step in self.steps for c in cited(step)))


@dataclass(frozen=True)
class Group:
    """Parts that the same clauses tell, by their numbers; `headed` by the heading of the first clause."""

    at: tuple[int, ...]
    clauses: tuple[str, ...]
    headed: bool


def _is_told(step: Step) -> bool:
    """Whether all that a step says is told by summaries."""
    return step.told or (bool(step.parts) and all(map(_is_told, step.parts)))


# ---- which clauses have summaries


def summaries_of(config: Configuration) -> dict[str, r.Clause]:
    """The clauses whose summaries hold under a configuration, in the rulebook's order."""
    changed: set[str] = set()
    for routine in config.rules.routines.values():
        for line in walk(routine.block):
            if isinstance(line, r.Line) and _has_changed(config, line):
                changed |= {*line.clauses, *routine.clauses}
    clauses = config.rules.clauses
    return {id: c for id, c in clauses.items() if c.says and c.kind in KINDS and id not in changed}


def _has_changed(config: Configuration, line: Any) -> bool:
    """Whether a statement reads an option that has another value than it has by default."""
    options = config.rules.options
    read = {part.name for part in walk(line) if isinstance(part, r.Setting)} & options.keys()
    return any(config.value(name) not in (None, options[name].default) for name in read)


# ---- blocks


def summarised(ctx: BookContext, parts: Sequence[Part], header: tuple[str, ...] = ()) -> list[Step]:
    """The steps of the parts, some of them told by summaries.

    What cites no clause is told by those of the `header`, the routine whose block it is. What one group tells
    need not be told by another, so the groups are asked again until nothing changes.
    """
    groups, told = chosen_summaries(ctx, parts, header)
    return written(ctx, parts, groups, told)


def chosen_summaries(
    ctx: BookContext, parts: Sequence[Part], header: tuple[str, ...]
) -> tuple[list[Group], list[tuple[int, ...]]]:
    """The groups of parts that share clauses, and which parts of each the summaries tell."""
    groups = [Group(at, clauses, clauses != header) for at, clauses in _groups(ctx, parts, header)]
    told: list[tuple[int, ...]] = [() for _ in groups]
    for _ in range(ROUNDS):
        before = list(told)
        for i, group in enumerate(groups):
            rest = [(groups[j], chosen) for j, chosen in enumerate(told) if j != i]
            others = [at for _, chosen in rest for at in chosen]
            said = [c for other, chosen in rest for c in _clauses_of(ctx, other, parts, chosen)]
            told[i] = _tellable(ctx, parts, group, others, frozenset(said))
        if told == before:
            break
    for group, chosen in zip(groups, told, strict=True):
        lines = (line for i in chosen for line in parts[i].lines)
        inside = (c for i in chosen for step in parts[i].steps for c in cited(step))
        ctx.summed.update(inside, *(line.clauses for line in lines))
        ctx.summed.update(header if chosen and not group.headed else ())
    return groups, told


def told_alone(steps: Sequence[Step]) -> Step | None:
    """The one step that summaries tell of what happens at an event, or for each of several things.

    They say when that is, and for which.
    """
    return steps[0] if len(steps) == 1 and steps[0].told else None


def tells(steps: Sequence[Step], help_: str) -> bool:
    """Whether steps begin with a summary and have all numbers of a help, which then says nothing more."""
    text = " ".join(step.text for step in _all(steps))
    return bool(steps) and steps[0].told and numbers_in(help_) <= numbers_in(text)


def summary_step(ctx: BookContext, clauses: Iterable[str]) -> Step | None:
    """A step that tells the summaries of some clauses; none if they have none."""
    known = [c for c in dict.fromkeys(clauses) if c in ctx.summaries]
    return _told(ctx, (), known, True) if known else None


def summarised_need(ctx: BookContext, line: r.Statement, steps: Sequence[Step]) -> list[Step]:
    """What a condition says, or the summary of its clause."""
    long = sum(map(_length, steps)) >= LONG_NEED
    return summarised(ctx, [Part((line,), tuple(steps))]) if long else list(steps)


def summarised_value(ctx: BookContext, clauses: Sequence[str], tree: Any, definition: str) -> str | None:
    """The summaries of the clauses of a value in place of a long definition; none if they say less."""
    known = [c for c in clauses if c in ctx.summaries]
    said = " ".join(sentence(ctx.summaries[c].says) for c in known)
    spoken = " ".join(
        _headed(_spoken(ctx, ctx.summaries[c]))
        if i == 0 and _points_back(ctx.summaries[c])
        else sentence(_spoken(ctx, ctx.summaries[c]).says)
        for i, c in enumerate(known)
    )
    if not known or len(definition.split()) < MANY_WORDS or len(said) >= len(definition):
        return None
    text = _text_of(ctx, known)
    about = _share(definition, _stems(text))
    if about <= DEFINED or not has_figures(ctx, text, tree):
        return None
    ctx.summed.update(clauses)
    ctx.spoken.update(known)
    return spoken


def written(
    ctx: BookContext, parts: Sequence[Part], groups: Sequence[Group], told: Sequence[tuple[int, ...]]
) -> list[Step]:
    """The steps in order; each clause is told where the first of its group stands."""
    steps: list[Step] = []
    said: set[str] = set()
    at = {chosen[0]: i for i, chosen in enumerate(told) if chosen}
    gone = {i for chosen in told for i in chosen}
    for i, part in enumerate(parts):
        if i not in gone:
            steps += () if _is_repeated(part, steps) or _is_needless(parts, i, gone) else part.steps
        elif i in at:
            group, chosen = groups[at[i]], told[at[i]]
            clauses = [c for c in _clauses_of(ctx, group, parts, chosen) if c not in said]
            said |= set(clauses)
            step = _told(ctx, [parts[j] for j in chosen], clauses, group.headed)
            if clauses or not steps:
                steps.append(step)
            else:
                steps[-1] = replace(steps[-1], clauses=merge_clauses(steps[-1].clauses, step.clauses))
    return steps


def _is_repeated(part: Part, before: Sequence[Step]) -> bool:
    """Whether summaries tell a part by the same steps as what stands before it."""
    return all(map(_is_told, part.steps)) and part.steps == tuple(before[-len(part.steps) :])


def _is_needless(parts: Sequence[Part], i: int, gone: Set[int]) -> bool:
    """Whether a part sets a number for the first time which only statements read that are `gone`: told."""
    match parts[i].lines:
        case (r.SetVar(var=var, value=r.Const(type=IntType())),):
            users = {j for j, other in enumerate(parts) if j != i and _mentions(other.lines, var)}
            return bool(users) and users <= gone and min(users) > i
    return False


def _mentions(lines: Sequence[r.Statement], var: r.Var) -> bool:
    return any(part is var or getattr(part, "var", None) is var for part in walk(tuple(lines)))


def _groups(
    ctx: BookContext, parts: Sequence[Part], header: tuple[str, ...]
) -> Iterator[tuple[tuple[int, ...], tuple[str, ...]]]:
    """Neighbours that share a clause, and all that cite none."""
    bare: list[int] = []
    group: list[int] = []
    shared: tuple[str, ...] = ()
    for i, part in enumerate(parts):
        own = tuple(c for c in part.clauses if c in ctx.summaries)
        if group and not set(own) & set(shared):
            yield tuple(group), shared
            group, shared = [], ()
        if own:
            group, shared = [*group, i], merge_clauses(shared, own)
        elif not any(c in ctx.rules.clauses for line in part.lines for c in line.clauses):
            bare.append(i)
    if group:
        yield tuple(group), shared
    known = tuple(c for c in header if c in ctx.summaries)
    if bare and known:
        yield tuple(bare), known


def _tellable(
    ctx: BookContext, parts: Sequence[Part], group: Group, others: Sequence[int], said: frozenset[str]
) -> tuple[int, ...]:
    """Those of a group that the summaries tell; none if they are told shorter by themselves.

    `others` are told by other groups, and so are the clauses `said`.
    """
    chosen = tuple(i for i in group.at if _can_be_told(ctx, parts[i]))
    while chosen:
        text = _text_of(ctx, _clauses_of(ctx, group, parts, chosen))
        rest = tuple(p.lines for i, p in enumerate(parts) if i not in chosen and i not in others)
        says = _stems(" ".join(ctx.summaries[c].says for c in _clauses_of(ctx, group, parts, chosen)))
        kept = tuple(
            i
            for i in chosen
            if _says(ctx, text, parts[i], group.headed)
            and (_is_about(parts[i], says) or (group.headed and len(text.split()) >= FULL))
            and not _is_needed(parts[i], rest)
        )
        if kept == chosen:
            break
        chosen = kept
    if all(isinstance(line, r.CallLine) for i in chosen for line in parts[i].lines):
        return ()
    before = sum(_length(step) for i in chosen for step in parts[i].steps)
    clauses = [c for c in _clauses_of(ctx, group, parts, chosen) if c not in said]
    after = sum(len(ctx.summaries[c].says.split()) for c in clauses)
    return chosen if after < before else ()


def _clauses_of(
    ctx: BookContext, group: Group, parts: Sequence[Part], chosen: Sequence[int]
) -> tuple[str, ...]:
    """The clauses that are told for some parts: the first ones, then all that are cited inside, in order."""
    if not chosen:
        return ()
    inside = {c for i in chosen for step in parts[i].steps for c in cited(step) if c in ctx.summaries}
    return (*group.clauses, *(c for c in ctx.summaries if c in inside and c not in group.clauses))


def _text_of(ctx: BookContext, clauses: Iterable[str]) -> str:
    known = [ctx.summaries[c] for c in clauses]
    return " ".join(f"{clause.heading}. {clause.says}" for clause in known)


def _told(ctx: BookContext, parts: Sequence[Part], clauses: Sequence[str], headed: bool) -> Step:
    """One step that tells the clauses; `headed` by the heading of the first."""
    said = [ctx.summaries[c] for c in clauses]
    marks = merge_clauses(clauses, (c for part in parts for step in part.steps for c in cited(step)))
    if not said:
        return Step("", marks)
    ctx.spoken.update(clauses)
    calls = dict.fromkeys(c for part in parts for c in _sections(ctx, part))
    links = [f"(→ {routine_link(ctx, name)})" for name in calls]
    about = _stems(" ".join(step.text for part in parts for step in _all(part.steps)))
    headless = [not _points_back(clause) and (_share_any(clause.says, about) or not about) for clause in said]
    first = _spoken(ctx, said[0])
    head = sentence(first.says) if headless[0] and not headed else _headed(first)
    if len(said) > MANY:
        texts = [
            sentence(_spoken(ctx, clause).says) if _repeats_heading(clause) else _headed(_spoken(ctx, clause))
            for clause in said
        ]
        inner = tuple(Step(text, (c.id,), told=True) for c, text in zip(said[1:], texts[1:], strict=True))
        return Step(" ".join((head, *links)), marks, inner, ordered=False, told=True)
    order = list(ctx.summaries)
    texts = [head]
    for (before, clause), bare in zip(pairwise(said), headless[1:], strict=True):
        follows = order.index(clause.id) == order.index(before.id) + 1 and _points_back(clause)
        spoken = _spoken(ctx, clause)
        one = sentence(spoken.says)
        texts.append(one if bare or follows else f"{spoken.heading}: {lower(one)}")
    return Step(" ".join((*texts, *links)), marks, told=True)


def _spoken(ctx: BookContext, clause: r.Clause) -> r.Clause:
    """A clause in the language of the book."""
    return ctx.rules.clauses.get(clause.id, clause)


def _headed(clause: r.Clause) -> str:
    return f"{strong(sentence(clause.heading))} {sentence(clause.says)}"


def _points_back(clause: r.Clause) -> bool:
    """Whether a summary begins with a word for what the clause before it, or its heading, is about."""
    return not BACKWARD.isdisjoint(WORD.findall(clause.says.lower())[:1])


def _repeats_heading(clause: r.Clause) -> bool:
    """Whether a summary has all that its heading is about."""
    return bool(stems := _stems(clause.heading)) and stems <= _stems(clause.says) and not _points_back(clause)


def _share_any(text: str, stems: set[str]) -> bool:
    return any(_alike(stem, other) for stem in _stems(text) for other in stems)


def _length(step: Step) -> int:
    return len(plain(step.text).split()) + sum(_length(part) for part in step.parts)


# ---- what can be told, and what a summary says


def _inside(ctx: BookContext, tree: Any, depth: int = 0) -> Iterator[Any]:
    """The nodes of statements without bounds of loops, with those of what is written in place."""
    technical = {id(part) for node in walk(tree) for part in _technical(node)}
    for node in walk(tree):
        if id(node) in technical:
            continue
        yield node
        if depth > DEEP:
            continue
        if isinstance(node, r.CallLine) and ctx.usage.is_inlined(node.routine):
            yield from _inside(ctx, ctx.folding.block(ctx.rules.routines[node.routine].block), depth + 1)
        elif isinstance(node, r.UseValue) and not ctx.lexicon.is_named(node.value):
            yield from _inside(ctx, ctx.folding.cases(ctx.rules.values[node.value]), depth + 1)


def _technical(node: Any) -> Iterator[Any]:
    """The parts of a node that a program needs, and no player: bounds of loops, divisors, options."""
    match node:
        case r.While(most=bound) if bound is not None:
            yield from walk(bound)
        case r.Arith(op="mod", right=divisor):
            yield from walk(divisor)
        case r.Cmp(left=r.Arith(op="mod") | r.Setting(), right=r.Const() as rest):
            yield rest


def _sections(ctx: BookContext, part: Part) -> Iterator[str]:
    """The procedures with sections of their own that a part calls."""
    for node in _inside(ctx, part.lines):
        inside = ctx.usage.idle if isinstance(node, r.CallLine) else ()
        if (
            isinstance(node, r.CallLine)
            and not ctx.usage.is_inlined(name := node.routine)
            and name not in inside
        ):
            yield name


def _can_be_told(ctx: BookContext, part: Part) -> bool:
    """Whether a part offers nothing that has a section, and ends nothing."""
    if not part.steps:
        return False
    nodes = list(_inside(ctx, part.lines))
    offers = any(isinstance(n, r.Offer) and any(isinstance(t, r.DoRoutine) for t in n.targets) for n in nodes)
    return not offers and not any(isinstance(n, r.Ending) for n in nodes)


def _is_needed(part: Part, others: tuple[Any, ...]) -> bool:
    """Whether a part names something that others read."""
    bound = {v for line in part.lines if (v := _bound(line)) is not None}
    return any(isinstance(p, r.Read | r.HeldSet) and p.var in bound for p in walk(others))


def _bound(line: r.Statement) -> r.Var | None:
    match line:
        case r.SetVar(var=var):
            return var
        case r.Choose(binder=binder) | r.ChanceChooses(binder=binder):
            return binder.var
        case r.MoveCount(name=name):
            return name
    return None


def _says(ctx: BookContext, text: str, part: Part, own: bool) -> bool:
    """Whether a text has the numbers, names and units of a part, and is about the same things.

    `own`: the part cites its clauses itself.
    """
    stems = _stems(text)
    if not has_figures(ctx, text, part.lines):
        return False
    said = [step.text for step in _all(part.steps) if not step.told]
    conditions = (step.text for step in _all(part.steps) if step.guarded or step.text.endswith(":"))
    about = _share(" ".join(said), stems)
    return all(_share(c, stems) for c in conditions) and (
        (about >= SHARE or (about > 0 and _is_computed(part))) if own else about > OVERALL
    )


def has_figures(ctx: BookContext, text: str, tree: Any) -> bool:
    """Whether a text has all numbers, named constants and units of what it tells."""
    numbers, stems = numbers_in(text), _stems(text)
    for node in _inside(ctx, tree):
        match node:
            case r.Const(type=IntType(), value=value) if value > 1 and value not in numbers:
                return False
            case r.Const(type=EnumType(name), value=value) if name != "seat" and value != NONE:
                if not _stems(ctx.lexicon.value(node.type, value), 1) & _stems(text, 1):
                    return False
            case r.Transfer(counter=counter):
                if not _share(ctx.lexicon.unit(counter).one, stems):
                    return False
    return True


def _is_about(part: Part, stems: set[str]) -> bool:
    """Whether something that a part is about is in the summaries themselves, and not in a heading alone."""
    return _share(" ".join(step.text for step in _all(part.steps) if not step.told), stems) > 0


def _is_computed(part: Part) -> bool:
    """Whether a part is one number that is computed of many."""
    sums = (node for line in part.lines for node in walk(line) if isinstance(node, r.Arith | r.Extreme))
    return len(part.steps) == 1 and sum(1 for _ in sums) >= LONG_SUM


def numbers_in(text: str) -> set[int]:
    """The numbers from 2 on in a text, in digits or in words."""
    words = WORD.findall(plain(text).lower())
    return {n for w in words if (n := int(w) if w.isdecimal() else NUMERALS.get(w, 1)) > 1}


def _all(steps: Iterable[Step]) -> Iterator[Step]:
    for step in steps:
        yield step
        yield from _all(step.parts)


def _share(text: str, stems: set[str]) -> float:
    """How much of what a text is about is among the stems, from 0 to 1; all of what is about nothing."""
    own = _stems(text)
    return sum(any(_alike(stem, other) for other in stems) for stem in own) / len(own) if own else 1.0


def _stems(text: str, least: int = LEAST) -> set[str]:
    """The beginnings of the words that a text is about, by which `marker` and `markers` are the same."""
    words = (w for w in WORD.findall(plain(text).lower()) if len(w) >= least and not w.isdecimal())
    return {singular(word)[:STEM] for word in words if word not in EMPTY or least < LEAST}


def _alike(stem: str, other: str) -> bool:
    short, long = sorted((stem, other), key=len)
    return len(short) >= LEAST - 1 and long.startswith(short)
