"""Generation of indistinguishable states: they differ only in what a seat cannot see."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field

from dsl import rules as r
from interpreter import ir
from interpreter.game import Game
from interpreter.reference import pieces
from validators.secrecy.hidden_words import HiddenWords
from validators.secrecy.slots import Slots
from validators.secrecy.visibility import Visibility


@dataclass(slots=True, eq=False)
class Token:
    """One piece: its class and place. `seen`: when each seat saw it last in a run, and on which place."""

    class_: int
    place: int
    seen: dict[int, int] = field(default_factory=dict)
    seen_at: dict[tuple[int, int], int] = field(default_factory=dict)

    def see(self, seat: int, place: int, clock: int) -> None:
        self.seen[seat] = self.seen_at[seat, place] = clock

    def is_seen_elsewhere(self, seat: int, place: int, clock: int) -> bool:
        """Whether a seat sees it after a time as a piece that does not lie on a place, or goes from there."""
        return any(s == seat and p != place and at > clock for (s, p), at in self.seen_at.items())


Tokens = dict[int, list[Token]]
"""The tokens on each place, ordered places from bottom to top."""


def tokens_of(game: Game, s: array[int]) -> Tokens:
    """Every piece of a position."""
    return {place: [Token(c, place) for c in classes_at(game, s, place)] for place in range(_places(game))}


def classes_at(game: Game, s: array[int], number: int) -> list[int]:
    """The classes of the pieces on a place; pieces without a class have 0."""
    place = game.machine.places[number]
    base = place.base
    match place.kind:
        case ir.SLOT:
            return [s[base] - 1] if s[base] else []
        case ir.COUNTS:
            return [c for c in range(place.classes) for _ in range(s[base + c])]
        case ir.ORDERED:
            return [c - 1 for c in s[base + 1 : base + 1 + s[base]]]
    return [0] * s[base]


def _places(game: Game) -> int:
    return len(game.machine.places)


@dataclass
class Known:
    """What a seat learns in a run: the tokens of its first position, and places that must not change.

    Places in `fixed` keep their pieces, those in `counted` their number, `words` have their values.
    """

    tokens: Tokens
    fixed: frozenset[int] = frozenset()
    counted: frozenset[int] = frozenset()
    words: frozenset[int] = frozenset()


class IndistinguishableStates:
    """Generates indistinguishable states for the positions of one game."""

    def __init__(self, game: Game, visibility: Visibility) -> None:
        self.game, self.machine, self.visibility = game, game.machine, visibility
        self.slots = Slots(game.machine)
        self.words = HiddenWords(game, visibility)
        self.components: dict[str, list[int]] = {}
        for i, place in enumerate(self.machine.places):
            self.components.setdefault(self.machine.place_components[place.zone], []).append(i)

    def hides(self, s: array[int], seat: int) -> bool:
        """Whether something is hidden from a seat: pieces, or what others choose at the same time."""
        if s[ir.FORKED] or any(self.words.hidden(s, seat)):
            return True
        return any(self._hidden(s, i, seat) for i in range(len(self.machine.places)))

    def other(self, s: array[int], seat: int, known: Known, chooser: random.Random) -> array[int]:
        """The position with everything dealt anew that the seat neither sees nor learns."""
        t = s[:]
        dealt: dict[Token, tuple[int, int]] = {}
        named = self._referenced(s, known.tokens)
        for component, places in self.components.items():
            hidden = [p for p in places if p not in known.fixed and self._hidden(s, p, seat)]
            free = [x for p in hidden for x in known.tokens[p] if seat not in x.seen]
            self._deal(component, free, dealt, chooser)
            loose = [p for p in hidden if p not in known.counted and not self.visibility.counts(s, p, seat)]
            self._scatter(known.tokens, loose, [x for x in free if x not in named], dealt, chooser)
            self._write(t, known.tokens, hidden, dealt)
        self.words.exchange(s, t, seat, known.words, chooser)
        self._update_references(s, t, known.tokens, dealt)
        self._update_triggers(s, t)
        return t

    def _hidden(self, s: array[int], place: int, seat: int) -> bool:
        """Whether a place is hidden from a seat; within `together`, only if it has not changed since then."""
        if self.visibility.sees(s, place, seat):
            return False
        return not s[ir.FORKED] or self.visibility.owner(place) == seat or self._unchanged(s, place)

    def _unchanged(self, s: array[int], place: int) -> bool:
        """Whether a place is as it was before `together`."""
        where = self.machine.places[place]
        first, last = where.base, where.base + where.words
        return s[first:last] == s[self.visibility.saved(first) : self.visibility.saved(last)]

    # ---- dealing

    def _deal(
        self, component: str, free: list[Token], dealt: dict[Token, tuple[int, int]], chooser: random.Random
    ) -> None:
        """Shuffles the classes of the free pieces; dice are thrown anew."""
        decl: r.Component = self.game.rules.components[component]
        shows = [x for x in free if self.machine.places[x.place].kind != ir.BLANK]
        classes = [x.class_ for x in shows]
        if decl.die is not None:
            classes = [chooser.randrange(self.machine.component_classes[component]) for _ in shows]
        chooser.shuffle(classes)
        dealt.update({x: (x.place, class_) for x, class_ in zip(shows, classes, strict=True)})
        dealt.update({x: (x.place, x.class_) for x in free if x not in dealt})

    def _scatter(
        self,
        tokens: Tokens,
        loose: list[int],
        free: list[Token],
        dealt: dict[Token, tuple[int, int]],
        chooser: random.Random,
    ) -> None:
        """Moves pieces between places whose number the seat does not know, if there is room."""
        blank = {p: self.machine.places[p].kind == ir.BLANK for p in loose}
        number = {p: len(tokens[p]) for p in loose}
        for token in free:
            rooms = [p for p in loose if blank[p] == blank.get(token.place) and self._room(p, number[p])]
            if token.place in number and rooms and chooser.random() < 0.5:
                place = chooser.choice(rooms)
                number[token.place] -= 1
                number[place] += 1
                dealt[token] = (place, dealt[token][1])

    def _room(self, place: int, number: int) -> bool:
        where = self.machine.places[place]
        limited = where.limited or where.kind in (ir.SLOT, ir.ORDERED)
        return not limited or number < (1 if where.kind == ir.SLOT else where.capacity)

    def _write(
        self, t: array[int], tokens: Tokens, hidden: Iterable[int], dealt: dict[Token, tuple[int, int]]
    ) -> None:
        """Writes the places, and their copies from before `together`."""
        lying: dict[int, list[int]] = {p: [] for p in hidden}
        kept = {p: bool(t[ir.FORKED]) and self._unchanged(t, p) for p in lying}
        moved: list[tuple[int, int]] = []
        for p in lying:
            for token in tokens[p]:
                place, class_ = dealt.get(token, (p, token.class_))
                if place == p:
                    lying[p].append(class_)
                else:
                    moved.append((place, class_))
        for place, class_ in moved:
            lying[place].append(class_)
        for p, classes in lying.items():
            where = self.machine.places[p]
            pieces.clear(t, where)
            for class_ in classes:
                pieces.put(t, where, class_)
            if t[ir.FORKED] and kept[p]:
                first, last = where.base, where.base + where.words
                t[self.visibility.saved(first) : self.visibility.saved(last)] = t[first:last]

    # ---- references to pieces

    def _referenced(self, s: array[int], tokens: Tokens) -> set[Token]:
        """The pieces that frames and triggers refer to: they are not moved."""
        found: set[Token] = set()
        for words in self.slots.words(s):
            for word, classes in words:
                found.update(self._referents(s[word], classes, tokens))
        return found

    def _referents(self, value: int, classes: int, tokens: Tokens) -> list[Token]:
        """The tokens that a word may refer to: equal ones on one place, in the order of their removal."""
        place, class_ = divmod(value, classes)
        if not 0 <= place < len(self.machine.places):
            return []
        component = self.machine.place_components[self.machine.places[place].zone]
        if self.machine.component_classes[component] != classes:
            return []
        return [x for x in reversed(tokens[place]) if x.class_ == class_]

    def _update_references(
        self, s: array[int], t: array[int], tokens: Tokens, dealt: dict[Token, tuple[int, int]]
    ) -> None:
        """Updates words that refer to a piece."""
        for words in self.slots.words(s):
            met: dict[int, int] = {}
            for word, classes in words:
                referents = self._referents(s[word], classes, tokens)
                if not referents:
                    continue
                token = referents[min(met.get(s[word], 0), len(referents) - 1)]
                met[s[word]] = met.get(s[word], 0) + 1
                if token in dealt:
                    place, class_ = dealt[token]
                    t[word] = place * classes + class_

    def _update_triggers(self, s: array[int], t: array[int]) -> None:
        """Updates the recorded conditions of triggers."""
        one, other = s[:], t[:]
        self.game.reference.prime_triggers(one)
        self.game.reference.prime_triggers(other)
        for trigger in self.machine.triggers:
            for word in range(trigger.held, trigger.held + len(trigger.bindings)):
                if trigger.condition is not None and s[word] == one[word]:
                    t[word] = other[word]
