"""Zones, counters, marks and pointers with their indices, as noun phrases and clauses."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from dsl import rules as r
from dsl.declare.labels import HOLE
from dsl.domains import NONE, EnumType, IntType
from dsl.operators import is_division
from rulewright.sentences.context import BookContext
from rulewright.sentences.english import MEASURES, article, head_of, is_many, plural, singular
from rulewright.sentences.names import Noun, Template, unowned
from rulewright.sentences.noun_phrases import Place, Things, in_or_on
from rulewright.sentences.realise import belonging, spell
from rulewright.sentences.syntax import (
    Adjunct,
    Genitive,
    Indefinite,
    Node,
    NounPhrase,
    Referent,
    bracketed,
    clause,
    head,
    is_definite,
    is_plural,
    phrase,
    polar,
    quoted,
    series,
    the,
    there,
    undetermined,
)
from rulewright.sentences.templates import Fillers, filled, filled_clause, labelled_clause

AGENTS = re.compile(r"\b(owner|holder|winner|leader|ruler|keeper|controller|builder|founder|finder)\b")
"""Nouns of pointers to a player that mean what the player is, and no piece."""
ON_BOARD = ("grid", "hex", "graph")
VERBAL = re.compile(r"^(has|have|is|can|may|must|owns|knows|was|will)\b")
"""The beginning of a label that is a verb phrase: `has had a turn`."""
PERFECT = re.compile(r"^(been|had)\b")
"""The beginning of a label that needs `has` before it: `been active`."""


# ---- indices


def index_phrase(ctx: BookContext, node: r.Expr | r.Collection | None, declared: str | None) -> Node:
    """One index of an address; empty if it is left out."""
    if node is None or declared is None:
        return ""
    if isinstance(node, r.Combined | r.Combinations):
        parts = ctx.rules.types[node.decl].parts
        said = tuple(index_phrase(ctx, x, name) for x, (_, name) in zip(node.parts, parts, strict=True))
        hidden = node.decl.startswith("(")
        return series(said) if hidden else combined_phrase(ctx, node.decl, said)
    if isinstance(node, r.Collection):
        return _several_places(ctx, node, declared)
    decl = ctx.rules.types.get(declared)
    node = ctx.folding.expr(node)
    numbered = decl is not None and decl.numeric and isinstance(node.type, IntType)
    if decl is not None and numbered and not isinstance(node, r.Setting):
        return _numbered_place(ctx, decl, node)
    return ctx.expr(node)


def combined_phrase(ctx: BookContext, name: str, said: tuple[Node, ...]) -> Node:
    """A value of a product by its parts: by the phrase of the type, or `the face of hearts and the rank`."""
    template = ctx.lexicon.template(name)
    if template is not None:
        columns = [column for column, _ in ctx.rules.types[name].parts]
        return filled(template.text, dict(zip(columns, said, strict=True)))
    return the(ctx.lexicon.noun(name).one, Adjunct("of", series(said)))


def indices(
    ctx: BookContext, var: r.StateVar, node: r.ReadStateVar | r.Write | r.Transfer | r.InZone
) -> tuple[Node, Node]:
    """The two indices of an address: whose it is, and at which place; empty where left out."""
    return index_phrase(ctx, node.of, var.of), index_phrase(ctx, node.at, var.at)


def _several_places(ctx: BookContext, node: r.Collection, declared: str) -> Node:
    """An index that is a collection: `all other players`, `the dice discs 1 to 3`."""
    match ctx.folding.collection(node):
        case r.Interval(low=low, high=high):
            places = ctx.lexicon.noun(declared).many
            return the(places, ctx.expr(low), Adjunct("to", ctx.expr(high)), plural=True)
    return ctx.collection(node).all()


def _numbered_place(ctx: BookContext, decl: r.TypeDecl, node: r.Expr) -> Node:
    """A place of a numbered board: `dice disc 3`, `the dice disc with the number on the die`."""
    noun = ctx.lexicon.noun(decl.name).one
    match node:
        case r.Arith(op="+" | "-" as op, left=left, right=r.Const(value=1)):
            return the(noun, Adjunct("after" if op == "+" else "before", ctx.expr(left)))
        case r.Const(value=value):
            is_value = decl.lo <= value <= decl.hi
            return phrase(ctx.lexicon.of_type(decl, value) if is_value else str(value))
    said = ctx.expr(node)
    known = is_definite(said) or isinstance(said, Referent)
    if head(said).startswith(noun) or (decl.shape == "none" and known):
        return said
    if decl.shape == "none":
        return phrase(noun, said)
    return the(noun, Adjunct("with" if head(said).startswith("number") else "number", said))


def board_preposition(ctx: BookContext, declared: str | None) -> str:
    """`on cell c3`, `at dice disc 2`."""
    decl = ctx.rules.types.get(declared or "")
    return "on" if decl is not None and decl.shape in ON_BOARD else "at"


def address_fillers(var: r.StateVar, of: Node, at: Node) -> Fillers:
    return {"of": of, "at": at, var.at or "at": at, var.of or "of": of}


def whereabouts(ctx: BookContext, var: r.StateVar, of: Node, at: Node) -> tuple[Node, ...]:
    """The indices of an address as adjuncts, without the seat that owns it."""
    parts: list[Node] = []
    if var.of is not None and var.of != "seat" and of:
        parts.append(Adjunct("of", of))
    if var.at is not None and at:
        parts.append(Adjunct("of" if var.at == "seat" else board_preposition(ctx, var.at), at))
    return tuple(parts)


# ---- zones


def pieces_at(ctx: BookContext, node: r.InZone) -> Things:
    """The pieces at an address."""
    decl = ctx.rules.zones[node.zone]
    of, at = indices(ctx, decl.var, node)
    everybody = decl.var.of == "seat" and not of
    of = phrase(f"all {ctx.lexicon.player.many}", plural=True) if everybody else of
    piece = ctx.lexicon.noun(decl.component)
    single = decl.size == 1 and _is_one(decl.var.of, node.of) and _is_one(decl.var.at, node.at)
    template = ctx.lexicon.template(node.zone)
    if template is not None:
        name = filled(template.text, address_fillers(decl.var, of, at))
        return Things(piece, place=Place(in_or_on(template.text), name), single=single, piece=True)
    subject = of if decl.var.of == "seat" else ""
    after = whereabouts(ctx, decl.var, of, at)
    if (held := _held(ctx, node.zone, piece)) is not None:
        return Things(held, subject, after=after, single=single, piece=True)
    label = ctx.lexicon.zone(node.zone)
    everybody = everybody or (isinstance(of, NounPhrase) and of.parts[:1] == ("all",))
    noun = plural(label) if everybody else label
    many = is_many(noun)
    name = belonging(subject, noun, *after, plural=many) if subject else the(noun, *after, plural=many)
    return Things(piece, place=Place(in_or_on(label), name), single=single, piece=True)


def _is_one(declared: str | None, index: r.Expr | r.Collection | None) -> bool:
    """Whether an address names one value of an index, if there is one."""
    return declared is None or (index is not None and not isinstance(index, r.Collection))


def _held(ctx: BookContext, zone: str, piece: Noun) -> Noun | None:
    """The noun of a zone that has the name of its pieces: `unused dice`, `public card`."""
    label = ctx.lexicon.zone(zone)
    if ctx.rules.zones[zone].size == 1 and label.split(" ")[-1] == piece.one.split(" ")[-1]:
        return Noun(label, plural(label))
    words = head_of(label).split(" ")
    for many, one in ((piece.many, piece.one), (piece.many.split(" ")[-1], piece.one.split(" ")[-1])):
        if f" {many} " in f" {' '.join(words)} ":
            return Noun(label.replace(many, one, 1), label)
    return Noun(singular(label), label) if singular(head_of(label)) != head_of(label) else None


def into_place(ctx: BookContext, node: r.InZone) -> Node:
    """Where something is put: `into your hand`, `on the discard pile`, `to your unused dice`."""
    things = pieces_at(ctx, node)
    if things.place:
        return things.place.at("into" if things.place.preposition == "in" else "")
    if things.single and not things.subject:
        return Adjunct("as", the(things.noun.one, *things.after))
    if things.single:
        return phrase("among", replace(things, after=()).many(), *things.after)
    return Adjunct("with", things.the_many())


def starting_place(ctx: BookContext, zone: r.Zone) -> str:
    """Where pieces lie at the start: `as unused dice`, `in the draw pile`."""
    label = ctx.lexicon.zone(zone.name)
    if _held(ctx, zone.name, ctx.lexicon.noun(zone.component)) is not None:
        return f"as {label}"
    return f"{in_or_on(label)} {'your own' if zone.var.of == 'seat' else 'the'} {label}"


def slot_phrase(ctx: BookContext, zone: r.InZone) -> Node:
    """The one piece of a place: `your card on the table at dice disc 3`."""
    things = pieces_at(ctx, zone)
    if things.subject:
        return phrase(Genitive(things.subject), things.noun.one, *things.after)
    return the(things.noun.one, things.place.at()) if things.place else the(things.noun.one, *things.after)


def top_phrase(ctx: BookContext, zone: r.InZone) -> Node:
    """The piece on top of a place: `the top card on the discard pile`."""
    things = pieces_at(ctx, zone)
    piece = ctx.lexicon.noun(ctx.rules.zones[zone.zone].component).one
    if things.place:
        return the(phrase("top", piece), things.place.at())
    return the(phrase("top", piece), Adjunct("of", things.the_many()))


# ---- counters


@dataclass(frozen=True)
class Unit:
    """The unit of a counter in the singular and the plural, and what follows it."""

    one: Node
    many: Node
    after: tuple[Node, ...] = ()

    def amount(self, number: str) -> tuple[Node, ...]:
        """`3 victory points`, `1 victory point`, `2 ticked boxes of the city`."""
        single = number in ("1", "exactly 1", "at least 1")
        return (number, self.one if single else self.many, *self.after)


def unit_at(ctx: BookContext, var: r.StateVar, of: Node, at: Node) -> Unit:
    """The unit of a counter with its place; whose it is, is said elsewhere."""
    noun = ctx.lexicon.unit(var.name)
    if var.of == "seat":
        noun = Noun(unowned(noun.one), unowned(noun.many))
    if not HOLE.search(noun.one):
        return Unit(noun.one, noun.many, whereabouts(ctx, var, of, at))
    one, many = (filled(text, address_fillers(var, of, at)) for text in (noun.one, noun.many))
    if is_definite(one) or isinstance(one, Referent):
        return Unit(Adjunct("of", one), Adjunct("of", one))
    return Unit(one, many)


def counter_phrase(ctx: BookContext, node: r.ReadStateVar | r.Write) -> Node:
    """A counter as a noun phrase: `your victory points`, `the pot`."""
    var = ctx.rules.counters[node.name].var
    of, at = indices(ctx, var, node)
    template = ctx.lexicon.template(node.name)
    if template is not None:
        return filled(template.text, address_fillers(var, of, at))
    unit = unit_at(ctx, var, of, at)
    if isinstance(unit.one, str) and MEASURES.match(unit.one):
        unit = replace(unit, many=unit.one)
    many = is_many(unit.many) if isinstance(unit.many, str) else is_plural(unit.many)
    if var.of == "seat":
        return belonging(of, unit.many, *unit.after, plural=many)
    return the(unit.many, *unit.after, plural=many)


# ---- marks


def mark_clause(ctx: BookContext, node: r.ReadStateVar | r.Write, positive: bool) -> Node:
    """A mark as a clause: `your dice disc 3 is blocked`, `you have had a turn`."""
    var = ctx.rules.marks[node.name].var
    of, at = indices(ctx, var, node)
    template = ctx.lexicon.template(node.name)
    if template is not None:
        return filled_clause(template, address_fillers(var, of, at), positive)
    return polar(_labelled_mark(ctx.lexicon.label(node.name), var, of, at), positive)


def _labelled_mark(label: str, var: r.StateVar, of: Node, at: Node) -> Node:
    if not of and not at:
        if any(f" {verb} " in label for verb in ("is", "are", "was", "were", "has", "have")):
            return filled_clause(Template(label), {}, True)
        return clause(quoted(label), "holds")
    subject = _marked_thing(var, of, at)
    whose = Adjunct("for", of) if subject == at and of else ""
    if PERFECT.match(label):
        label = f"has {label}"
    if VERBAL.match(label):
        return labelled_clause(subject, label, whose)
    return clause(subject, "is", label, whose)


def _marked_thing(var: r.StateVar, of: Node, at: Node) -> Node:
    """What has a mark: `you`, `your dice disc 3`, `it`."""
    if not of or not at:
        return at or of
    if var.of != "seat":
        return phrase(at, Adjunct("of", of))
    return at if isinstance(at, Referent) else belonging(of, undetermined(at), plural=is_plural(at))


# ---- pointers


def is_piece(ctx: BookContext, name: str) -> bool:
    """Whether a pointer means pieces on a board: it has the owner of the piece on each place."""
    pointer = ctx.rules.pointers[name]
    decl = ctx.rules.types.get(pointer.var.at or "")
    on_board = decl is not None and decl.shape in ON_BOARD
    agent = AGENTS.search(ctx.lexicon.noun(name).one) is not None
    return pointer.to == "seat" and pointer.var.of is None and on_board and not agent


def pointer_phrase(ctx: BookContext, node: r.ReadStateVar | r.Write) -> Node:
    """The value of a pointer as a noun phrase: `the first builder of the Great Wall`."""
    var = ctx.rules.pointers[node.name].var
    of, at = indices(ctx, var, node)
    template = ctx.lexicon.template(node.name)
    if template is not None:
        return filled(template.text, address_fillers(var, of, at))
    noun = ctx.lexicon.noun(node.name).one
    if is_piece(ctx, node.name):
        return the("owner", Adjunct("of", the(noun, Adjunct(board_preposition(ctx, var.at), at))))
    after = [Adjunct("of", at)] if at else []
    if var.of == "seat":
        return phrase(Genitive(of), noun, *after)
    if var.of is not None:
        after.append(Adjunct("of", of))
    return the(noun.removeprefix("the "), *after)


def pointer_clause(ctx: BookContext, node: r.ReadStateVar, other: r.Expr, positive: bool) -> Node:
    """A pointer compared with a value: `there is no stone on it`, `you are the builder`."""
    none = isinstance(other, r.Const) and other.value == NONE
    if is_piece(ctx, node.name):
        return _piece_clause(ctx, node, other, none, positive)
    thing = pointer_phrase(ctx, node)
    if none:
        return unset_clause(ctx, node.name, thing) if positive else _set_clause(ctx, node.name, thing)
    value = part_phrase(ctx, other)
    if (isinstance(other.type, EnumType) and other.type.type == "seat") or isinstance(value, Referent):
        return polar(clause(value, "is", thing), positive)
    return polar(clause(thing, "is", value), positive)


def _piece_clause(ctx: BookContext, node: r.ReadStateVar, other: r.Expr, none: bool, positive: bool) -> Node:
    var, noun = ctx.rules.pointers[node.name].var, ctx.lexicon.noun(node.name).one
    where = Adjunct(board_preposition(ctx, var.at), index_phrase(ctx, node.at, var.at))
    if none:
        return there(False, f"no {noun}" if positive else Indefinite((noun,)), where)
    return polar(clause(belonging(ctx.expr(other), noun), "is", where), positive)


def unset_clause(ctx: BookContext, name: str, thing: Node) -> Node:
    """That a pointer is none: `nobody is the builder`, `your leader is nowhere`."""
    if _stands(ctx, name):
        return _on_some_place(ctx, name, thing, False)
    if ctx.rules.pointers[name].to == "seat":
        return clause(phrase("nobody"), "is", thing)
    return there(False, "no", undetermined(thing)) if _has_article(thing) else clause("nothing", "is", thing)


def _set_clause(ctx: BookContext, name: str, thing: Node) -> Node:
    if _stands(ctx, name):
        return _on_some_place(ctx, name, thing, True)
    if _has_article(thing):
        return there(False, Indefinite((undetermined(thing),)))
    if ctx.rules.pointers[name].to == "seat":
        return clause(phrase("somebody"), "is", thing)
    return there(False, thing)


def _on_some_place(ctx: BookContext, name: str, thing: Node, positive: bool) -> Node:
    """`your leader is on no province`; of one that is a place itself `you have a target tray`."""
    place = ctx.rules.pointers[name].to
    noun = ctx.lexicon.noun(place).one
    match thing:
        case NounPhrase(parts=(Genitive(owner=owner), *rest)) if spell(thing).endswith(f" {noun}"):
            bare = spell(phrase(*rest))
            return clause(owner, "has", article(bare) if positive else f"no {bare}")
    return clause(thing, "is", board_preposition(ctx, place), article(noun) if positive else f"no {noun}")


def _has_article(thing: Node) -> bool:
    return isinstance(thing, NounPhrase) and thing.parts[:1] == ("the",)


def _stands(ctx: BookContext, name: str) -> bool:
    """Whether a pointer means a piece of its owner on a board."""
    pointer = ctx.rules.pointers[name]
    decl = ctx.rules.types.get(pointer.to)
    return pointer.var.of == "seat" and decl is not None and decl.shape in (*ON_BOARD, "ring", "line")


# ---- parts of longer expressions


OTHERWISE = ", otherwise"
"""What comes before the second of two values, of which a condition decides."""


def part_phrase(ctx: BookContext, node: r.Expr) -> Node:
    """A value as an operand, in brackets where it needs them."""
    node = ctx.folding.expr(node)
    return operand(node, ctx.expr(node))


def operand(node: r.Expr, text: Node) -> Node:
    """The text of an operand, in brackets if it is a conditional value, a quotient or a long sum."""
    divided = isinstance(node, r.Arith) and is_division(node.op)
    summed = head(text).startswith("sum, over")
    chosen = isinstance(text, NounPhrase) and OTHERWISE in text.parts
    return bracketed(text) if chosen or divided or summed else text
