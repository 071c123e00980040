"""How a match begins: what each player gets, where pieces lie, what is left out for how many players."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import rules as r
from dsl.domains import NONE, EnumType
from rulewright.rulebook.context import BookContext
from rulewright.rulebook.document import (
    DocumentBlock,
    DocumentCell,
    DocumentRow,
    Paragraph,
    Section,
    Step,
    Steps,
    Table,
)
from rulewright.rulebook.english import capital, listed, sentence
from rulewright.rulebook.names import Noun
from rulewright.rulebook.realise import conjugated, spell
from rulewright.rulebook.state_vars import starting_place, unit_at
from rulewright.rulebook.templates import words


def set_up(ctx: BookContext) -> Section:
    """Everything that is so before the first phase."""
    steps = (*_left_out(ctx), *_pieces(ctx), *_numbers(ctx), *_pointed(ctx), *_seated(ctx))
    blocks: list[DocumentBlock] = [Steps(steps)] if steps else [Paragraph("There is nothing to prepare.")]
    table = by_players(ctx)
    if table is not None:
        blocks += [Paragraph("By the number of players:"), table]
    return Section("set-up", "Before you begin", tuple(blocks))


def _seated(ctx: BookContext) -> Iterator[Step]:
    if ctx.rules.seats[1] > 1:
        marks = ctx.rules.types["seat"].clauses
        yield Step("Decide who is the first player. The others follow in the order in which they sit.", marks)


def _left_out(ctx: BookContext) -> Iterator[Step]:
    """Rows of tables that do not exist for the number of players."""
    for decl in ctx.rules.types.values():
        for seats in ctx.folding.config.counts:
            gone = decl.without.get(seats, ())
            if gone:
                names = listed([ctx.lexicon.bare(EnumType(decl.name), v) for v in gone])
                with_ = _players(seats)
                yield Step(f"With {with_}, leave out: {names}.", decl.clauses)


def _players(number: int) -> str:
    return "1 player" if number == 1 else f"{number} players"


def _pieces(ctx: BookContext) -> Iterator[Step]:
    """Where each kind of piece lies at the start."""
    for zone in ctx.rules.zones.values():
        if zone.start:
            yield Step(_start(ctx, zone), zone.var.clauses)


def _start(ctx: BookContext, zone: r.Zone) -> str:
    component = ctx.rules.components[zone.component]
    noun, where = ctx.lexicon.noun(zone.component), starting_place(ctx, zone)
    if zone.order in ("shuffled", "bag"):
        return f"Shuffle all {noun.many}; they begin {where}."
    if zone.var.of == "seat":
        return f"Each player takes {component.copies[0]} {noun.many}; they begin {where}."
    return f"Put all {noun.many} ready; they begin {where}."


def _numbers(ctx: BookContext) -> Iterator[Step]:
    for counter in ctx.rules.counters.values():
        if ctx.lexicon.labels.get(counter.name) == "":
            continue
        yield from _number(ctx, counter)


def _number(ctx: BookContext, counter: r.Counter) -> Iterator[Step]:
    """What a counter begins with, unless that is nothing."""
    if not any(counter.start):
        return
    var = counter.var
    who = "Each player begins with" if var.of == "seat" else ""
    index = ctx.rules.types.get((var.at if var.of == "seat" else var.at or var.of) or "")
    if index is None:
        said = _amount(ctx, counter, counter.start[0], "")
        text = f"{who} {said}" if who else _begins(ctx.lexicon.label(counter.name), counter.start[0])
    else:
        pairs = [(v, counter.start[(v - index.lo) % len(counter.start)]) for v in index.members]
        said = listed(
            [_amount(ctx, counter, n, ctx.lexicon.value(EnumType(index.name), v)) for v, n in pairs if n]
        )
        text = f"{who} {said}" if who else f"at the beginning there are: {said}"
    yield Step(sentence(text.strip()), var.clauses)


def _begins(label: str, number: int) -> str:
    name = label if label.startswith("the ") else f"the {label}"
    return f"{name} {conjugated(words(name), 'begins')} at {number}"


def _amount(ctx: BookContext, counter: r.Counter, number: int, at: str) -> str:
    return spell(*unit_at(ctx, counter.var, "", at).amount(str(number)))


def _pointed(ctx: BookContext) -> Iterator[Step]:
    for pointer in ctx.rules.pointers.values():
        if pointer.start == NONE or ctx.lexicon.labels.get(pointer.name) == "":
            continue
        value = ctx.lexicon.value(EnumType(pointer.to), pointer.start)
        name = ctx.lexicon.noun(pointer.name).one
        text = (
            f"each player’s {name} begins at {value}"
            if pointer.var.of == "seat"
            else f"the {name} begins at {value}"
        )
        yield Step(sentence(text), pointer.var.clauses)


# ---- by the number of players


def by_players(ctx: BookContext) -> Table | None:
    """Constants that depend on how many play, and dice and pieces that each player has."""
    counts = ctx.folding.config.counts
    rows = [
        _constant(ctx, c, counts) for c in ctx.rules.constants.values() if len(set(c.values.values())) > 1
    ]
    rows += [
        _component(ctx, c, counts) for c in ctx.rules.components.values() if c.per_seat and len(counts) > 1
    ]
    if not rows:
        return None
    return Table(("", *(_players(n) for n in counts)), tuple(rows))


def _constant(ctx: BookContext, constant: r.Constant, counts: range) -> DocumentRow:
    label = capital(ctx.lexicon.label(constant.name))
    return DocumentRow(
        (DocumentCell(label, constant.clauses), *(DocumentCell(str(constant.values[n])) for n in counts))
    )


def _component(ctx: BookContext, component: r.Component, counts: range) -> DocumentRow:
    noun: Noun = ctx.lexicon.noun(component.name)
    return DocumentRow(
        (DocumentCell(capital(noun.many)), *(DocumentCell(str(component.copies[0] * n)) for n in counts))
    )
