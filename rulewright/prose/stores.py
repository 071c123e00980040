"""Places and numbers: where pieces lie, what is counted, noted and pointed to."""

from __future__ import annotations

import re
from dataclasses import replace

from dsl import rules as r
from dsl.declare.labels import HOLE
from dsl.domains import NONE, Elem, Int, Piece
from rulewright.prose.english import belonging, denied, head_of, plural, possessive, singular, verb
from rulewright.prose.names import Noun
from rulewright.prose.nominals import Things, in_or_on
from rulewright.prose.voice import Voice, filled

ON_BOARD = ("grid", "hex", "graph")
CLAUSE = re.compile(r"^(has|have|is|can|may|must|owns|knows|was|will)\b")


# ---- indices


def index_phrase(voice: Voice, node: r.Expr | r.Group | None, declared: str | None) -> str:
    """One index of an address; empty if it is left out."""
    if node is None or declared is None:
        return ""
    if isinstance(node, r.Group):
        return _several_places(voice, node, declared)
    decl = voice.rules.types.get(declared)
    node = voice.folding.expr(node)
    if decl is not None and decl.numeric and isinstance(node.type, Int) and not isinstance(node, r.Setting):
        return _numbered_place(voice, decl, node)
    return voice.expr(node)


def _several_places(voice: Voice, node: r.Group, declared: str) -> str:
    """An index that is a collection: `all other players`, `the dice discs 1 to 3`."""
    match voice.folding.group(node):
        case r.Interval(low=low, high=high):
            return f"the {voice.lexicon.noun(declared).many} {voice.expr(low)} to {voice.expr(high)}"
    return voice.group(node).all()


def _numbered_place(voice: Voice, decl: r.TypeDecl, node: r.Expr) -> str:
    """A place of a numbered board: `dice disc 3`, `the dice disc with the number on the die`."""
    noun = voice.lexicon.noun(decl.name).one
    match node:
        case r.Arith(op="+" | "-" as op, left=left, right=r.Const(value=1)):
            return f"the {noun} {'after' if op == '+' else 'before'} {voice.expr(left)}"
    if isinstance(node, r.Const):
        return f"{noun} {decl.label(node.value)}" if decl.lo <= node.value <= decl.hi else str(node.value)
    said = voice.expr(node)
    if said.startswith(f"the {noun}") or (decl.shape == "none" and said.startswith("the ")):
        return said
    if decl.shape == "none":
        return f"{noun} {said}"
    return f"the {noun} {'with' if said.startswith('the number') else 'number'} {said}"


def board_preposition(voice: Voice, declared: str | None) -> str:
    """`on cell c3`, `at dice disc 2`."""
    decl = voice.rules.types.get(declared or "")
    return "on" if decl is not None and decl.shape in ON_BOARD else "at"


def address_holes(voice: Voice, store: r.Store, of: str, at: str) -> dict[str, str]:
    found = {"of": of, "at": at}
    if store.at is not None:
        found[store.at] = at
    if store.of is not None:
        found[store.of] = of
    return found


def whereabouts(voice: Voice, store: r.Store, of: str, at: str) -> str:
    """What an address says beside whose it is."""
    parts = []
    if store.of is not None and store.of != "seat" and of:
        parts.append(f" of {of}")
    if store.at is not None and at:
        parts.append(f" of {at}" if store.at == "seat" else f" {board_preposition(voice, store.at)} {at}")
    return "".join(parts)


# ---- zones


def pieces_at(voice: Voice, node: r.InZone) -> Things:
    """The pieces at an address."""
    decl = voice.rules.zones[node.zone]
    of, at = index_phrase(voice, node.of, decl.store.of), index_phrase(voice, node.at, decl.store.at)
    if decl.store.of == "seat" and not of:
        of = "all players"
    phrase = voice.lexicon.phrase(node.zone)
    piece = voice.lexicon.noun(decl.component)
    single = decl.size == 1 and (decl.store.at is None or (bool(at) and not isinstance(node.at, r.Group)))
    if phrase is not None:
        place = voice.filled(phrase, address_holes(voice, decl.store, of, at))
        return Things(piece, place=place, single=single, piece=True)
    subject = of if decl.store.of == "seat" else ""
    after = whereabouts(voice, decl.store, of, at)
    if (held := _held(voice, node.zone, piece)) is not None:
        return Things(held, subject, after=after, single=single, piece=True)
    whose = f"{possessive(subject)} " if subject else "the "
    name = voice.lexicon.zone(node.zone)
    place = f"{whose}{plural(name) if of.startswith('all ') else name}{after}"
    return Things(piece, place=place, single=single, piece=True)


def _held(voice: Voice, zone: str, piece: Noun) -> Noun | None:
    """The noun of a zone that is called after what lies in it: `unused dice`, `public card`."""
    label = voice.lexicon.zone(zone)
    if voice.rules.zones[zone].size == 1 and label.split(" ")[-1] == piece.one.split(" ")[-1]:
        return Noun(label, plural(label))
    head = head_of(label)
    for word, other in (
        (piece.many, piece.one),
        (piece.many.split(" ")[-1], piece.one.split(" ")[-1]),
    ):
        if re.search(rf"\b{re.escape(word)}\b", head):
            return Noun(label.replace(word, other, 1), label)
    return Noun(singular(label), label) if singular(head) != head else None


def into_place(voice: Voice, node: r.InZone) -> str:
    """Where something is put: `into your hand`, `on the discard pile`, `to your unused dice`."""
    things = pieces_at(voice, node)
    if things.place:
        into = in_or_on(things.place)
        return f"{'into' if into == 'in' else into} {things.place}"
    if things.single and not things.subject and not things.after:
        return f"as the {things.noun.one}"
    if things.single:
        return f"among {replace(things, after='').many()}{things.after}"
    return f"with {things.many()}" if things.subject else f"with the {things.many()}"


def starting_place(voice: Voice, zone: r.Zone) -> str:
    """Where pieces lie at the start: `as unused dice`, `in the draw pile`."""
    label = voice.lexicon.zone(zone.name)
    if _held(voice, zone.name, voice.lexicon.noun(zone.component)) is not None:
        return f"as {label}"
    return f"{in_or_on(label)} {'your own' if zone.store.of == 'seat' else 'the'} {label}"


# ---- counters


def unit_of(voice: Voice, name: str, of: str, at: str) -> tuple[Noun, str]:
    """What one of a counter is called, and what is said after it."""
    store = voice.rules.counters[name].store
    noun = voice.lexicon.unit(name)
    if HOLE.search(noun.one):
        holes = address_holes(voice, store, of, at)
        one, many = filled(noun.one, holes), filled(noun.many, holes)
        return (
            Noun(f"of {one}", f"of {one}") if one.startswith(("the ", "that ", "\ue010")) else Noun(one, many)
        ), ""
    return noun, whereabouts(voice, store, of, at)


def amount_of(voice: Voice, name: str, of: r.Expr | None, at: r.Expr | None, number: str) -> str:
    """`3 victory points`, `1 victory point`, `2 ticked boxes of the city`."""
    store = voice.rules.counters[name].store
    noun, after = unit_of(voice, name, index_phrase(voice, of, store.of), index_phrase(voice, at, store.at))
    return f"{number} {noun.one if number in ('1', 'exactly 1', 'at least 1') else noun.many}{after}"


def counter_phrase(voice: Voice, node: r.ReadStore) -> str:
    """A number as a thing: `your victory points`, `the pot`."""
    store = voice.rules.counters[node.name].store
    of, at = index_phrase(voice, node.of, store.of), index_phrase(voice, node.at, store.at)
    phrase = voice.lexicon.phrase(node.name)
    if phrase is not None:
        return voice.filled(phrase, address_holes(voice, store, of, at))
    noun, after = unit_of(voice, node.name, of, at)
    return belonging(of, f"{noun.many}{after}") if store.of == "seat" else f"the {noun.many}{after}"


# ---- marks


def mark_clause(voice: Voice, node: r.ReadStore | r.Write, so: bool) -> str:
    """A mark as a clause: `your dice disc 3 is blocked`, `you have had a turn`."""
    store = voice.rules.marks[node.name].store
    of, at = index_phrase(voice, node.of, store.of), index_phrase(voice, node.at, store.at)
    phrase = voice.lexicon.phrase(node.name)
    if phrase is not None:
        return voice.filled(phrase, address_holes(voice, store, of, at), so)
    label = voice.lexicon.label(node.name)
    if not of and not at:
        said = label if " is " in label or " are " in label else f"it is noted: {label}"
        return said if so else denied(said) if said == label else f"it is not noted: {label}"
    subject = _marked_thing(voice, store, of, at)
    whose = f" for {of}" if subject == at and of else ""
    is_ = verb(subject, label) if CLAUSE.match(label) else f"{verb(subject, 'is')} {label}"
    said = f"{subject} {is_}{whose}"
    return said if so else denied(said)


def _marked_thing(voice: Voice, store: r.Store, of: str, at: str) -> str:
    """What a mark is on: `you`, `your dice disc 3`, `it`."""
    if not of or not at:
        return at or of
    if store.of != "seat":
        return f"{at} of {of}"
    return at if at.startswith("\ue010") else belonging(of, at.removeprefix("the "))


# ---- pointers


def is_piece(voice: Voice, name: str) -> bool:
    """Whether a pointer stands for pieces on a board: for each place the player whose piece it is."""
    pointer = voice.rules.pointers[name]
    decl = voice.rules.types.get(pointer.store.at or "")
    on_board = decl is not None and decl.shape in ON_BOARD
    return pointer.to == "seat" and pointer.store.of is None and on_board


def pointer_phrase(voice: Voice, node: r.ReadStore) -> str:
    """What a pointer names, as a thing: `the first builder of the Great Wall`."""
    store = voice.rules.pointers[node.name].store
    of, at = index_phrase(voice, node.of, store.of), index_phrase(voice, node.at, store.at)
    phrase = voice.lexicon.phrase(node.name)
    if phrase is not None:
        return voice.filled(phrase, address_holes(voice, store, of, at))
    noun = voice.lexicon.noun(node.name).one
    if is_piece(voice, node.name):
        return f"the owner of the {noun} {board_preposition(voice, store.at)} {at}"
    return _named_pointer(voice, store, noun, of, at)


def _named_pointer(voice: Voice, store: r.Store, noun: str, of: str, at: str) -> str:
    """`your pawn`, `the first builder of the Great Wall`"""
    after = f" of {at}" if at else ""
    if store.of is not None and store.of != "seat":
        after += f" of {of}"
    return (
        f"{possessive(of)} {noun}{after}" if store.of == "seat" else f"the {noun.removeprefix('the ')}{after}"
    )


def pointer_clause(voice: Voice, node: r.ReadStore, other: r.Expr, so: bool) -> str:
    """A pointer compared: `there is no stone on it`, `your stone is on it`, `you are the builder`."""
    store = voice.rules.pointers[node.name].store
    at = index_phrase(voice, node.at, store.at)
    none = isinstance(other, r.Const) and other.value == NONE
    noun = voice.lexicon.noun(node.name).one
    if is_piece(voice, node.name):
        where = f"{board_preposition(voice, store.at)} {at}"
        if none:
            return f"there is {'no' if so else 'a'} {noun} {where}"
        return f"{belonging(voice.expr(other), noun)} is {'' if so else 'not '}{where}"
    thing = pointer_phrase(voice, node)
    if none:
        return unset_clause(voice, node.name, thing) if so else _set_clause(voice, node.name, thing)
    value = part(voice, other)
    if (isinstance(other.type, Elem) and other.type.type == "seat") or value.startswith("\ue010"):
        said = f"{value} {verb(value, 'is')} {thing}"
    else:
        said = f"{thing} is {value}"
    return said if so else denied(said)


def unset_clause(voice: Voice, name: str, thing: str) -> str:
    """A pointer to nothing: `nobody is the builder`, `your leader is nowhere`."""
    if _stands(voice, name):
        return f"{thing} is nowhere"
    return f"{'nobody' if voice.rules.pointers[name].to == 'seat' else 'nothing'} is {thing}"


def _set_clause(voice: Voice, name: str, thing: str) -> str:
    return f"{thing} is somewhere" if _stands(voice, name) else f"there is {thing}"


def _stands(voice: Voice, name: str) -> bool:
    """Whether a pointer stands for a piece of its owner on a board."""
    pointer = voice.rules.pointers[name]
    decl = voice.rules.types.get(pointer.to)
    return pointer.store.of == "seat" and decl is not None and decl.shape in (*ON_BOARD, "ring", "line")


# ---- pieces


def slot_phrase(voice: Voice, zone: r.InZone) -> str:
    """The one piece of a place: `your card on the table at dice disc 3`."""
    things = pieces_at(voice, zone)
    if things.subject:
        return f"{things.owner} {things.noun.one}{things.after}"
    return (
        f"the {things.noun.one} {in_or_on(things.place)} {things.place}"
        if things.place
        else f"the {things.noun.one}{things.after}"
    )


def piece_noun(voice: Voice, kind: object) -> Noun:
    assert isinstance(kind, Piece)
    return voice.lexicon.noun(kind.component)


# ---- parts of longer expressions


def part(voice: Voice, node: r.Expr) -> str:
    """A value as a part of a longer expression."""
    node = voice.folding.expr(node)
    return bracketed(node, voice.expr(node))


def bracketed(node: r.Expr, said: str) -> str:
    """One of two values, a quotient or a sum, within a longer expression."""
    divided = isinstance(node, r.Arith) and node.op in ("div", "mod")
    return f"({said})" if isinstance(node, r.Cond) or divided or said.startswith("the sum, over ") else said
