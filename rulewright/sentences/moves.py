"""Statements about pieces: they are moved, drawn, rolled or shown."""

from __future__ import annotations

from dsl import rules as r
from dsl.rules.visit import walk
from rulewright.sentences.changes import quantity
from rulewright.sentences.conditions import condition
from rulewright.sentences.context import BookContext
from rulewright.sentences.names import Noun
from rulewright.sentences.noun_phrases import Things
from rulewright.sentences.state_vars import Unit, into_place, pieces_at, slot_phrase
from rulewright.sentences.syntax import YOU, Adjunct, Indefinite, Node, clause, phrase

SCARCE = "Where there are fewer pieces than are to be moved, all that are there are moved."
HIDDEN_ORDER = ("pile", "stack", "row", "shuffled", "bag")


def general_rules(ctx: BookContext) -> list[str]:
    """What holds wherever pieces are moved, and is not said there."""
    blocks = [ctx.folding.block(ctx.rules.routines[name].block) for name in sorted(ctx.usage.played)]
    blocks += [ctx.folding.block(trigger.block) for trigger in ctx.rules.triggers]
    counted = (
        part for part in walk(tuple(blocks)) if isinstance(part, r.MoveCount | r.MoveAlike | r.RollZone)
    )
    return [ctx.say("fewer-all-moved")] if any(part.up_to for part in counted) else []


def moved(ctx: BookContext, line: r.MovePiece) -> Node:
    """A piece is put somewhere: `put the card on the pile`, `the card becomes the public card`."""
    if _as_one(ctx, line.to):
        return clause(ctx.expr(line.piece), "becomes", slot_phrase(ctx, line.to))
    return phrase("put", ctx.expr(line.piece), *put_into(ctx, line.to, line.end))


def put_into(ctx: BookContext, to: r.InZone, end: r.End | None) -> tuple[Node, ...]:
    """The place where something is put, and at which end."""
    return (into_place(ctx, to), ", at the bottom" if end == "bottom" else "")


def moved_all(ctx: BookContext, line: r.MoveAll, rest: bool = False) -> Node:
    """All pieces are moved; `rest`: one was taken from among them just before."""
    found, to = ctx.collection(line.source), put_into(ctx, line.to, line.end)
    if isinstance(found, Things) and found.single:
        piece = slot_phrase(ctx, line.source) if isinstance(line.source, r.InZone) else found.all()
        return phrase("put", piece, ", if there is one,", *to)
    mixed = ctx.rules.zones[line.to.zone].order in ("shuffled", "bag")
    what = phrase("the rest of", found.the_many()) if rest else found.all("from")
    return phrase("put", what, *to, "and mix them in" if mixed else "")


def moved_some(ctx: BookContext, line: r.MoveCount) -> Node:
    """A number of pieces, whichever they are: `draw 2 cards from the pile into your hand`."""
    decl = ctx.rules.zones[line.source.zone]
    source = pieces_at(ctx, line.source)
    drawn = "draw" if decl.order in HIDDEN_ORDER else "move"
    piece = ctx.lexicon.noun(decl.component)
    number = ctx.folding.expr(line.number)
    if line.name is not None:
        ctx.name_of(line.name)
    what = Indefinite((piece.one,)) if line.name is not None else quantity(ctx, number, _unit(piece))
    single = line.name is not None or _is_one(number)
    place, end = put_into(ctx, line.to, line.end)
    if pieces_at(ctx, line.to).place is None and not _as_one(ctx, line.to):
        place = phrase("and put", "it" if single else "them", place)
    under = "from the bottom of" if line.bottom else "from"
    return phrase(drawn, what, Adjunct(under, whole(source)), place, end)


def _as_one(ctx: BookContext, to: r.InZone) -> bool:
    """Whether the place has one piece and is called after it: `as the public card`."""
    things = pieces_at(ctx, to)
    return things.single and not (things.place or things.subject or things.after)


def _unit(noun: Noun) -> Unit:
    return Unit(noun.one, noun.many)


def _is_one(number: r.Expr) -> bool:
    return isinstance(number, r.Const) and number.value == 1


def moved_alike(ctx: BookContext, line: r.MoveAlike) -> Node:
    """A number of equal pieces: `put 2 red cubes from the bag …`."""
    place = _unfiltered(line.source)
    found = pieces_at(ctx, place) if place is not None else ctx.collection(line.source)
    number = ctx.folding.expr(line.number)
    where = put_into(ctx, line.to, line.end)
    if isinstance(number, r.Const):
        return phrase("put", found.so_many(str(number.value), number.value == 1), *where)
    return phrase("put as many as", ctx.expr(number), Adjunct("of", found.many()), *where)


def _unfiltered(source: r.Filtered) -> r.InZone | None:
    """The place from which equal pieces are moved, if its author wrote no more than the place.

    Only those of its seat or its kind are meant then, which goes without saying.
    """
    place = source.binder.collection
    return place if isinstance(place, r.InZone) and source.binder.var.span == place.span else None


def rolled(ctx: BookContext, line: r.RollZone) -> Node:
    source = pieces_at(ctx, line.source)
    if line.number is None and line.source.zone == line.to.zone:
        return phrase("roll", source.all("in"))
    to = into_place(ctx, line.to)
    if line.number is None:
        return phrase("roll", source.all("from"), "and put them", to)
    noun = ctx.lexicon.noun(ctx.rules.zones[line.source.zone].component)
    what = quantity(ctx, line.number, _unit(noun))
    them = "it" if _is_one(ctx.folding.expr(line.number)) else "them"
    return phrase("take", what, Adjunct("from", whole(source)), f", roll {them}, and put {them}", to)


def shown(ctx: BookContext, line: r.Show) -> Node:
    what = whole(pieces_at(ctx, line.zone))
    if line.to is None:
        return clause("everybody", "looks", "at", what)
    who = ctx.expr(line.to)
    if who == YOU:
        return phrase("look at", what, *_alone(line))
    return clause(who, "looks", "at", what, *_alone(line))


def told(ctx: BookContext, line: r.ShowValue) -> Node:
    """A hidden value is shown to a player, or to all."""
    value = line.value
    is_mark = value.kind == "mark"
    what = phrase("whether", condition(ctx, value)) if is_mark else ctx.expr(value)
    if line.to is None:
        return phrase("show everybody", what)
    who = ctx.expr(line.to)
    if who == YOU:
        return phrase("learn" if is_mark else "look at", what, *_alone(line))
    verb = ("learns",) if is_mark else ("looks", "at")
    return clause(who, *verb, what, *_alone(line))


def _alone(line: r.Show | r.ShowValue) -> tuple[str, ...]:
    """That the others do not learn of it."""
    return () if line.openly else (", without the others knowing",)


def whole(things: Things) -> Node:
    """A place, or else the things in it."""
    return things.place.name if things.place else things.the_many()
