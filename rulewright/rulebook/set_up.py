"""How a match begins: what each player gets, where pieces lie, what is left out for how many players."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import rules as r
from dsl.domains import NONE, EnumType
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
from rulewright.rulebook.phrases import words
from rulewright.rulebook.realise import conjugated, spell
from rulewright.rulebook.state_vars import starting_place, unit_at
from rulewright.rulebook.voice import Voice


def set_up(voice: Voice) -> Section:
    """Everything that is so before the first phase."""
    steps = (*_left_out(voice), *_pieces(voice), *_numbers(voice), *_pointed(voice), *_seated(voice))
    blocks: list[DocumentBlock] = [Steps(steps)] if steps else [Paragraph("There is nothing to prepare.")]
    table = by_players(voice)
    if table is not None:
        blocks += [Paragraph("By the number of players:"), table]
    return Section("set-up", "Before you begin", tuple(blocks))


def _seated(voice: Voice) -> Iterator[Step]:
    if voice.rules.seats[1] > 1:
        marks = voice.rules.types["seat"].clauses
        yield Step("Decide who is the first player. The others follow in the order in which they sit.", marks)


def _left_out(voice: Voice) -> Iterator[Step]:
    """Rows of tables that do not exist for the number of players."""
    for decl in voice.rules.types.values():
        for seats in voice.folding.setting.counts:
            gone = decl.without.get(seats, ())
            if gone:
                names = listed([voice.lexicon.bare(EnumType(decl.name), v) for v in gone])
                with_ = _players(seats)
                yield Step(f"With {with_}, leave out: {names}.", decl.clauses)


def _players(number: int) -> str:
    return "1 player" if number == 1 else f"{number} players"


def _pieces(voice: Voice) -> Iterator[Step]:
    """Where each kind of piece lies at the start."""
    for zone in voice.rules.zones.values():
        if zone.start:
            yield Step(_start(voice, zone), zone.var.clauses)


def _start(voice: Voice, zone: r.Zone) -> str:
    component = voice.rules.components[zone.component]
    noun, where = voice.lexicon.noun(zone.component), starting_place(voice, zone)
    if zone.order in ("shuffled", "bag"):
        return f"Shuffle all {noun.many}; they begin {where}."
    if zone.var.of == "seat":
        return f"Each player takes {component.copies[0]} {noun.many}; they begin {where}."
    return f"Put all {noun.many} ready; they begin {where}."


def _numbers(voice: Voice) -> Iterator[Step]:
    for counter in voice.rules.counters.values():
        if voice.lexicon.labels.get(counter.name) == "":
            continue
        yield from _number(voice, counter)


def _number(voice: Voice, counter: r.Counter) -> Iterator[Step]:
    """What a counter begins with, unless that is nothing."""
    if not any(counter.start):
        return
    var = counter.var
    who = "Each player begins with" if var.of == "seat" else ""
    index = voice.rules.types.get((var.at if var.of == "seat" else var.at or var.of) or "")
    if index is None:
        said = _amount(voice, counter, counter.start[0], "")
        text = f"{who} {said}" if who else _begins(voice.lexicon.label(counter.name), counter.start[0])
    else:
        pairs = [(v, counter.start[(v - index.lo) % len(counter.start)]) for v in index.members]
        said = listed(
            [_amount(voice, counter, n, voice.lexicon.value(EnumType(index.name), v)) for v, n in pairs if n]
        )
        text = f"{who} {said}" if who else f"at the beginning there are: {said}"
    yield Step(sentence(text.strip()), var.clauses)


def _begins(label: str, number: int) -> str:
    name = label if label.startswith("the ") else f"the {label}"
    return f"{name} {conjugated(words(name), 'begins')} at {number}"


def _amount(voice: Voice, counter: r.Counter, number: int, at: str) -> str:
    return spell(*unit_at(voice, counter.var, "", at).amount(str(number)))


def _pointed(voice: Voice) -> Iterator[Step]:
    for pointer in voice.rules.pointers.values():
        if pointer.start == NONE or voice.lexicon.labels.get(pointer.name) == "":
            continue
        value = voice.lexicon.value(EnumType(pointer.to), pointer.start)
        name = voice.lexicon.noun(pointer.name).one
        text = (
            f"each player’s {name} begins at {value}"
            if pointer.var.of == "seat"
            else f"the {name} begins at {value}"
        )
        yield Step(sentence(text), pointer.var.clauses)


# ---- by the number of players


def by_players(voice: Voice) -> Table | None:
    """Constants that depend on how many play, and dice and pieces that each player has."""
    counts = voice.folding.setting.counts
    rows = [
        _constant(voice, c, counts) for c in voice.rules.constants.values() if len(set(c.values.values())) > 1
    ]
    rows += [
        _component(voice, c, counts)
        for c in voice.rules.components.values()
        if c.per_seat and len(counts) > 1
    ]
    if not rows:
        return None
    return Table(("", *(_players(n) for n in counts)), tuple(rows))


def _constant(voice: Voice, constant: r.Constant, counts: range) -> DocumentRow:
    label = capital(voice.lexicon.label(constant.name))
    return DocumentRow(
        (DocumentCell(label, constant.clauses), *(DocumentCell(str(constant.values[n])) for n in counts))
    )


def _component(voice: Voice, component: r.Component, counts: range) -> DocumentRow:
    noun: Noun = voice.lexicon.noun(component.name)
    return DocumentRow(
        (DocumentCell(capital(noun.many)), *(DocumentCell(str(component.copies[0] * n)) for n in counts))
    )
