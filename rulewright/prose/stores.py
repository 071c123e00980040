"""Places and numbers: where pieces lie, what is counted, noted and pointed to."""

from __future__ import annotations

import re
from dataclasses import replace

from dsl import rules as r
from dsl.declare.labels import HOLE
from dsl.domains import NONE, Elem, Int, Piece
from rulewright.prose.english import belonging, denied, head_of, plural, possessive, singular, verb
from rulewright.prose.names import Noun
from rulewright.prose.nominals import Described, Things, in_or_on
from rulewright.prose.speaking import Speaker, filled

ON_BOARD = ("grid", "hex", "graph")
CLAUSE = re.compile(r"^(has|have|is|can|may|must|owns|knows|was|will)\b")


class Stores(Speaker):
    """The part of saying that deals with addresses. `Expressions` completes it."""

    # ---- completed by Expressions

    def expr(self, node: r.Expr) -> str:
        raise NotImplementedError

    def part(self, node: r.Expr) -> str:
        raise NotImplementedError

    def group(self, node: r.Group) -> Described:
        raise NotImplementedError

    # ---- indices

    def index(self, node: r.Expr | r.Group | None, declared: str | None) -> str:
        """One index of an address; empty if it is left out."""
        if node is None or declared is None:
            return ""
        if isinstance(node, r.Group):
            return self._several_places(node, declared)
        decl = self.rules.types.get(declared)
        node = self.folding.expr(node)
        if (
            decl is not None
            and decl.numeric
            and isinstance(node.type, Int)
            and not isinstance(node, r.Setting)
        ):
            return self._numbered_place(decl, node)
        return self.expr(node)

    def _several_places(self, node: r.Group, declared: str) -> str:
        """An index that is a collection: `all other players`, `the dice discs 1 to 3`."""
        match self.folding.group(node):
            case r.Interval(low=low, high=high):
                return f"the {self.lexicon.noun(declared).many} {self.expr(low)} to {self.expr(high)}"
        return self.group(node).all()

    def _numbered_place(self, decl: r.TypeDecl, node: r.Expr) -> str:
        """A place of a numbered board: `dice disc 3`, `the dice disc with the number on the die`."""
        noun = self.lexicon.noun(decl.name).one
        match node:
            case r.Arith(op="+" | "-" as op, left=left, right=r.Const(value=1)):
                return f"the {noun} {'after' if op == '+' else 'before'} {self.expr(left)}"
        if isinstance(node, r.Const):
            return f"{noun} {decl.label(node.value)}" if decl.lo <= node.value <= decl.hi else str(node.value)
        said = self.expr(node)
        if said.startswith(f"the {noun}") or (decl.shape == "none" and said.startswith("the ")):
            return said
        if decl.shape == "none":
            return f"{noun} {said}"
        return f"the {noun} {'with' if said.startswith('the number') else 'number'} {said}"

    def preposition(self, declared: str | None) -> str:
        """`on cell c3`, `at dice disc 2`."""
        decl = self.rules.types.get(declared or "")
        return "on" if decl is not None and decl.shape in ON_BOARD else "at"

    def holes(self, store: r.Store, of: str, at: str) -> dict[str, str]:
        found = {"of": of, "at": at}
        if store.at is not None:
            found[store.at] = at
        if store.of is not None:
            found[store.of] = of
        return found

    def whereabouts(self, store: r.Store, of: str, at: str) -> str:
        """What an address says beside whose it is."""
        parts = []
        if store.of is not None and store.of != "seat" and of:
            parts.append(f" of {of}")
        if store.at is not None and at:
            parts.append(f" of {at}" if store.at == "seat" else f" {self.preposition(store.at)} {at}")
        return "".join(parts)

    # ---- zones

    def zone(self, node: r.InZone) -> Things:
        """The pieces at an address."""
        decl = self.rules.zones[node.zone]
        of, at = self.index(node.of, decl.store.of), self.index(node.at, decl.store.at)
        if decl.store.of == "seat" and not of:
            of = "all players"
        phrase = self.lexicon.phrase(node.zone)
        piece = self.lexicon.noun(decl.component)
        single = decl.size == 1 and (decl.store.at is None or (bool(at) and not isinstance(node.at, r.Group)))
        if phrase is not None:
            place = self.filled(phrase, self.holes(decl.store, of, at))
            return Things(piece, place=place, single=single, piece=True)
        subject = of if decl.store.of == "seat" else ""
        after = self.whereabouts(decl.store, of, at)
        if (held := self._held(node.zone, piece)) is not None:
            return Things(held, subject, after=after, single=single, piece=True)
        whose = f"{possessive(subject)} " if subject else "the "
        name = self.lexicon.zone(node.zone)
        place = f"{whose}{plural(name) if of.startswith('all ') else name}{after}"
        return Things(piece, place=place, single=single, piece=True)

    def _held(self, zone: str, piece: Noun) -> Noun | None:
        """The noun of a zone that is called after what lies in it: `unused dice`, `public card`."""
        label = self.lexicon.zone(zone)
        if self.rules.zones[zone].size == 1 and label.split(" ")[-1] == piece.one.split(" ")[-1]:
            return Noun(label, plural(label))
        head = head_of(label)
        for word, other in (
            (piece.many, piece.one),
            (piece.many.split(" ")[-1], piece.one.split(" ")[-1]),
        ):
            if re.search(rf"\b{re.escape(word)}\b", head):
                return Noun(label.replace(word, other, 1), label)
        return Noun(singular(label), label) if singular(head) != head else None

    def place(self, node: r.InZone) -> str:
        """Where something is put: `into your hand`, `on the discard pile`, `to your unused dice`."""
        things = self.zone(node)
        if things.place:
            into = in_or_on(things.place)
            return f"{'into' if into == 'in' else into} {things.place}"
        if things.single and not things.subject and not things.after:
            return f"as the {things.noun.one}"
        if things.single:
            return f"among {replace(things, after='').many()}{things.after}"
        return f"with {things.many()}" if things.subject else f"with the {things.many()}"

    def begins(self, zone: r.Zone) -> str:
        """Where pieces lie at the start: `as unused dice`, `in the draw pile`."""
        label = self.lexicon.zone(zone.name)
        if self._held(zone.name, self.lexicon.noun(zone.component)) is not None:
            return f"as {label}"
        return f"{in_or_on(label)} {'your own' if zone.store.of == 'seat' else 'the'} {label}"

    # ---- counters

    def unit(self, name: str, of: str, at: str) -> tuple[Noun, str]:
        """What one of a counter is called, and what is said after it."""
        store = self.rules.counters[name].store
        noun = self.lexicon.unit(name)
        if HOLE.search(noun.one):
            holes = self.holes(store, of, at)
            one, many = filled(noun.one, holes), filled(noun.many, holes)
            return (
                Noun(f"of {one}", f"of {one}")
                if one.startswith(("the ", "that ", "\ue010"))
                else Noun(one, many)
            ), ""
        return noun, self.whereabouts(store, of, at)

    def amount(self, name: str, of: r.Expr | None, at: r.Expr | None, number: str) -> str:
        """`3 victory points`, `1 victory point`, `2 ticked boxes of the city`."""
        store = self.rules.counters[name].store
        noun, after = self.unit(name, self.index(of, store.of), self.index(at, store.at))
        return f"{number} {noun.one if number in ('1', 'exactly 1', 'at least 1') else noun.many}{after}"

    def counter(self, node: r.ReadStore) -> str:
        """A number as a thing: `your victory points`, `the pot`."""
        store = self.rules.counters[node.name].store
        of, at = self.index(node.of, store.of), self.index(node.at, store.at)
        phrase = self.lexicon.phrase(node.name)
        if phrase is not None:
            return self.filled(phrase, self.holes(store, of, at))
        noun, after = self.unit(node.name, of, at)
        return belonging(of, f"{noun.many}{after}") if store.of == "seat" else f"the {noun.many}{after}"

    # ---- marks

    def mark(self, node: r.ReadStore | r.Write, so: bool) -> str:
        """A mark as a clause: `your dice disc 3 is blocked`, `you have had a turn`."""
        store = self.rules.marks[node.name].store
        of, at = self.index(node.of, store.of), self.index(node.at, store.at)
        phrase = self.lexicon.phrase(node.name)
        if phrase is not None:
            return self.filled(phrase, self.holes(store, of, at), so)
        label = self.lexicon.label(node.name)
        if not of and not at:
            said = label if " is " in label or " are " in label else f"it is noted: {label}"
            return said if so else denied(said) if said == label else f"it is not noted: {label}"
        subject = self._marked(store, of, at)
        whose = f" for {of}" if subject == at and of else ""
        is_ = verb(subject, label) if CLAUSE.match(label) else f"{verb(subject, 'is')} {label}"
        said = f"{subject} {is_}{whose}"
        return said if so else denied(said)

    def _marked(self, store: r.Store, of: str, at: str) -> str:
        """What a mark is on: `you`, `your dice disc 3`, `it`."""
        if not of or not at:
            return at or of
        if store.of != "seat":
            return f"{at} of {of}"
        return at if at.startswith("\ue010") else belonging(of, at.removeprefix("the "))

    # ---- pointers

    def is_piece(self, name: str) -> bool:
        """Whether a pointer stands for pieces on a board: for each place the player whose piece it is."""
        pointer = self.rules.pointers[name]
        decl = self.rules.types.get(pointer.store.at or "")
        on_board = decl is not None and decl.shape in ON_BOARD
        return pointer.to == "seat" and pointer.store.of is None and on_board

    def pointer(self, node: r.ReadStore) -> str:
        """What a pointer names, as a thing: `the first builder of the Great Wall`."""
        store = self.rules.pointers[node.name].store
        of, at = self.index(node.of, store.of), self.index(node.at, store.at)
        phrase = self.lexicon.phrase(node.name)
        if phrase is not None:
            return self.filled(phrase, self.holes(store, of, at))
        noun = self.lexicon.noun(node.name).one
        if self.is_piece(node.name):
            return f"the owner of the {noun} {self.preposition(store.at)} {at}"
        return self.named(store, noun, of, at)

    def named(self, store: r.Store, noun: str, of: str, at: str) -> str:
        """`your pawn`, `the first builder of the Great Wall`"""
        after = f" of {at}" if at else ""
        if store.of is not None and store.of != "seat":
            after += f" of {of}"
        return (
            f"{possessive(of)} {noun}{after}"
            if store.of == "seat"
            else f"the {noun.removeprefix('the ')}{after}"
        )

    def pointed(self, node: r.ReadStore, other: r.Expr, so: bool) -> str:
        """A pointer compared: `there is no stone on it`, `your stone is on it`, `you are the builder`."""
        store = self.rules.pointers[node.name].store
        at = self.index(node.at, store.at)
        none = isinstance(other, r.Const) and other.value == NONE
        noun = self.lexicon.noun(node.name).one
        if self.is_piece(node.name):
            where = f"{self.preposition(store.at)} {at}"
            if none:
                return f"there is {'no' if so else 'a'} {noun} {where}"
            return f"{belonging(self.expr(other), noun)} is {'' if so else 'not '}{where}"
        thing = self.pointer(node)
        if none:
            return self.unset(node.name, thing) if so else self.is_set(node.name, thing)
        value = self.part(other)
        if (isinstance(other.type, Elem) and other.type.type == "seat") or value.startswith("\ue010"):
            said = f"{value} {verb(value, 'is')} {thing}"
        else:
            said = f"{thing} is {value}"
        return said if so else denied(said)

    def unset(self, name: str, thing: str) -> str:
        """A pointer to nothing: `nobody is the builder`, `your leader is nowhere`."""
        if self._stands(name):
            return f"{thing} is nowhere"
        return f"{'nobody' if self.rules.pointers[name].to == 'seat' else 'nothing'} is {thing}"

    def is_set(self, name: str, thing: str) -> str:
        return f"{thing} is somewhere" if self._stands(name) else f"there is {thing}"

    def _stands(self, name: str) -> bool:
        """Whether a pointer stands for a piece of its owner on a board."""
        pointer = self.rules.pointers[name]
        decl = self.rules.types.get(pointer.to)
        return pointer.store.of == "seat" and decl is not None and decl.shape in (*ON_BOARD, "ring", "line")

    # ---- pieces

    def slot(self, zone: r.InZone) -> str:
        """The one piece of a place: `your card on the table at dice disc 3`."""
        things = self.zone(zone)
        if things.subject:
            return f"{things.owner} {things.noun.one}{things.after}"
        return (
            f"the {things.noun.one} {in_or_on(things.place)} {things.place}"
            if things.place
            else f"the {things.noun.one}{things.after}"
        )

    def piece_noun(self, kind: object) -> Noun:
        assert isinstance(kind, Piece)
        return self.lexicon.noun(kind.component)
