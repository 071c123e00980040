"""The section on the set-up: what each player gets, where pieces lie, what is left out of the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from dsl import rules as r
from dsl.domains import NONE, EnumType
from dsl.rules.visit import walk
from rulewright.i18n.messages import Value
from rulewright.rulebook.components import from_the_start
from rulewright.rulebook.document import (
    DocumentBlock,
    DocumentCell,
    Illustration,
    Paragraph,
    Section,
    Steps,
    Table,
    row,
)
from rulewright.rulebook.first_position import first_position
from rulewright.rulebook.phases import opening_phases
from rulewright.rulebook.sample_match import PlayableGames
from rulewright.sentences.by_players import amount, by_players, by_text, players, told, varies
from rulewright.sentences.context import BookContext
from rulewright.sentences.english import capital, sentence
from rulewright.sentences.framed.groups import starting_place as framed_place
from rulewright.sentences.framed.words import nominal, noun
from rulewright.sentences.realise import conjugated, spell
from rulewright.sentences.state_vars import starting_place, unit_at
from rulewright.sentences.templates import words
from rulewright.sentences.text import Step


def set_up(
    ctx: BookContext, games: PlayableGames, phases: Sequence[Section], picture: Illustration | None
) -> Section:
    """Everything to do before play begins: what lies where, what all have then, the phases that come once."""
    steps = (*_left_out(ctx), *_pieces(ctx), *_counters(ctx), *_pointers(ctx), *_seats(ctx))
    blocks: list[DocumentBlock] = [Steps(steps)] if steps else [Paragraph(ctx.say("nothing-to-prepare"))]
    if (table := _by_players(ctx)) is not None:
        blocks += [Paragraph(ctx.say("by-number", players=ctx.lexicon.player.many)), table]
    if (standing := first_position(ctx, games)) is not None:
        blocks += [Paragraph(ctx.say("first-position")), standing]
    pictures = (picture,) if picture is not None else ()
    owned = from_the_start(ctx, games)
    begun = (Paragraph(owned),) if owned else ()
    return Section("set-up", ctx.say("chapter-set-up"), (*pictures, *blocks, *begun, *phases))


def _seats(ctx: BookContext) -> Iterator[Step]:
    if ctx.rules.seats[1] > 1:
        marks = ctx.rules.types["seat"].clauses
        yield Step(ctx.say("first-player", player=ctx.lexicon.player.one), marks)


def _left_out(ctx: BookContext) -> Iterator[Step]:
    """Rows of tables that do not exist for the number of players."""
    for decl in ctx.rules.types.values():
        for seats in ctx.folding.config.counts:
            gone = decl.without.get(seats, ())
            if gone and not decl.parts:
                names = ctx.listed([ctx.lexicon.bare(EnumType(decl.name), v) for v in gone])
                yield Step(
                    ctx.say("leave-out", players=players(ctx, seats), names=names),
                    decl.without_clauses.get(seats, decl.clauses),
                )


def _sorted_out(ctx: BookContext) -> set[str]:
    """The zones from which the set-up takes pieces of some kinds: they are shuffled after that."""
    names = [name for phase in opening_phases(ctx.rules) for name in ctx.usage.by_phase[phase]]
    blocks = tuple(ctx.folding.block(ctx.rules.routines[name].block) for name in names)
    binders = (part.binder for part in walk(blocks) if isinstance(part, r.Filtered))
    return {
        binder.collection.zone
        for binder in binders
        if isinstance(binder.collection, r.InZone) and binder.where is not None
    }


def _pieces(ctx: BookContext) -> Iterator[Step]:
    """Where each kind of piece lies at the start: shuffled, put ready, or taken."""
    started = [zone for zone in ctx.rules.zones.values() if zone.start and not _is_spoken(ctx, zone)]
    later = _sorted_out(ctx)
    piles = [z for z in started if z.order == "shuffled" and z.var.at is None]
    shuffled = [zone for zone in piles if zone.name not in later]
    common = [z for z in started if z.order not in ("shuffled", "bag") and not {z.var.of, z.var.at} - {None}]
    ready = [*common, *(zone for zone in piles if zone.name in later)]
    for zones, lead in ((shuffled, "shuffle-each"), (ready, "put-ready")):
        if len(zones) > 1:
            named = ctx.listed([_named(ctx, zone, zone in piles and zone in ready) for zone in zones])
            yield Step(
                ctx.say(lead, zones=named), tuple(dict.fromkeys(c for z in zones for c in z.var.clauses))
            )
    for zone in started:
        if not any(zone in zones and len(zones) > 1 for zones in (shuffled, ready)):
            each = (
                ctx.say("each-at-own", place=ctx.lexicon.label(zone.var.at))
                if zone.var.at is not None
                else ""
            )
            yield Step(f"{_prepared(ctx, zone)}; {_begin(ctx, zone)}{each}.", zone.var.clauses)


def _is_spoken(ctx: BookContext, zone: r.Zone) -> bool:
    """Whether summaries tell how a pile is prepared."""
    return bool(zone.var.clauses) and ctx.spoken.issuperset(zone.var.clauses)


def _begin(ctx: BookContext, zone: r.Zone) -> str:
    """Where pieces lie when play begins."""
    place = framed_place(ctx, zone) if ctx.grammar is not None else starting_place(ctx, zone)
    return ctx.say("begins-at", place=place)


def _named(ctx: BookContext, zone: r.Zone, later: bool) -> str:
    """`the goods (pile of goods)`; the place only if players hear of it. `later`: they are shuffled then."""
    pieces = ctx.lexicon.noun(zone.component).many
    pieces = pieces if ctx.grammar is not None else f"the {pieces}"
    if ctx.lexicon.labels.get(zone.name) == "":
        return pieces
    shuffle = f"; {ctx.say('later-shuffled')}" if later else ""
    return f"{pieces} ({ctx.lexicon.zone(zone.name).removeprefix('the ')}{shuffle})"


def _prepared(ctx: BookContext, zone: r.Zone) -> str:
    pieces = ctx.lexicon.noun(zone.component).many
    if zone.order in ("shuffled", "bag"):
        return ctx.say("prepared-shuffle", pieces=_all(ctx, zone))
    if zone.var.of == "seat":
        copies = by_players(ctx, lambda rules: rules.components[zone.component].copies[0])
        taken = told(ctx, {n: amount(ctx, {n: number}, pieces) for n, number in copies.items()})
        return ctx.say("prepared-takes", player=ctx.lexicon.player.one, taken=taken)
    return ctx.say("prepared-ready", pieces=_all(ctx, zone))


def _all(ctx: BookContext, zone: r.Zone) -> Value:
    if ctx.grammar is None:
        return ctx.lexicon.noun(zone.component).many
    return nominal(ctx, noun(ctx, zone.component), True).as_("all")


def _counters(ctx: BookContext) -> Iterator[Step]:
    """What each counter begins with, unless that is nothing."""
    for counter in ctx.rules.counters.values():
        if counter.var.is_scratch:
            continue
        starts = by_players(ctx, partial(_start, ctx, counter.name))
        texts = [
            ctx.say("with-who", who=who, text=text) for text, who in by_text(ctx, starts).items() if text
        ]
        if texts and ctx.lexicon.labels.get(counter.name) != "":
            text = "; ".join(texts) if varies(starts) else starts[ctx.folding.config.counts[0]]
            yield Step(sentence(text), counter.var.clauses)


def _start(ctx: BookContext, name: str, rules: r.Rules) -> str:
    """What a counter begins with; empty if that is nothing."""
    counter = rules.counters[name]
    if not any(counter.start):
        return ""
    var, first = counter.var, counter.start[0]
    own = var.of == "seat"
    player = ctx.lexicon.player.one
    frame = "counter-begins-each" if own else "counter-there-are"
    index = ctx.rules.types.get((var.at if own else var.at or var.of) or "")
    if index is None:
        if own:
            return ctx.say(frame, player=player, amount=_amount(ctx, counter, first, ""))
        name = f"the {ctx.lexicon.label(counter.name).removeprefix('the ')}"
        if ctx.grammar is not None:
            return ctx.say("counter-begins-at", name=ctx.lexicon.label(counter.name), number=first)
        begins = f"{name} {conjugated(words(name), 'begins')}"
        return ctx.say("counter-begins-at", name=begins, number=first)
    starts = ((v, counter.start[(v - index.lo) % len(counter.start)]) for v in index.members)
    kind = EnumType(index.name)
    if len(set(counter.start)) == 1 and index.size > 1:
        amounts = _amount(ctx, counter, first, ctx.say("one-only", noun=ctx.lexicon.noun(index.name).one))
        return ctx.say(frame, player=player, amount=amounts)
    amounts = ctx.listed([_amount(ctx, counter, n, ctx.lexicon.value(kind, v)) for v, n in starts if n])
    return ctx.say(frame, player=player, amount=amounts)


def _amount(ctx: BookContext, counter: r.Counter, number: int, at: str) -> str:
    if ctx.grammar is not None:
        if ctx.lexicon.nouns.get(counter.name, "").startswith("{"):
            return amount(ctx, {1: number}, at)
        return f"{amount(ctx, {1: number}, ctx.lexicon.unit(counter.name).one)}{f' ({at})' if at else ''}"
    return spell(*unit_at(ctx, counter.var, "", at).amount(str(number)))


def _pointers(ctx: BookContext) -> Iterator[Step]:
    for pointer in ctx.rules.pointers.values():
        if pointer.start != NONE and ctx.lexicon.labels.get(pointer.name) != "":
            value = ctx.lexicon.value(EnumType(pointer.to), pointer.start)
            frame = "pointer-begins-each" if pointer.var.of == "seat" else "pointer-begins"
            noun = ctx.lexicon.noun(pointer.name).one
            text = ctx.say(frame, player=ctx.lexicon.player.one, noun=noun, value=value)
            yield Step(sentence(text), pointer.var.clauses)


# ---- by the number of players


def _by_players(ctx: BookContext) -> Table | None:
    """Constants that depend on how many play, and dice and pieces that each player has."""
    counts = ctx.folding.config.counts
    rows = []
    for constant in ctx.rules.constants.values():
        if len(set(constant.values.values())) > 1:
            label = DocumentCell(capital(ctx.lexicon.label(constant.name)), constant.clauses)
            rows.append(row(label, *(str(constant.values[n]) for n in counts)))
    for component in ctx.rules.components.values():
        numbers = _in_play(ctx, component)
        if varies(numbers) and any(number != n for n, number in numbers.items()):
            label = DocumentCell(capital(ctx.lexicon.noun(component.name).many))
            rows.append(row(label, *map(str, numbers.values())))
    return Table(("", *(players(ctx, n) for n in counts)), tuple(rows)) if rows else None


def _in_play(ctx: BookContext, component: r.Component) -> dict[int, int]:
    """How many pieces there are in all, by how many play."""
    copies = by_players(ctx, lambda rules: rules.components[component.name].copies)
    return {n: each[0] * n if component.per_seat else sum(each) for n, each in copies.items()}
