"""Other worlds: positions that differ from a given one only in what a seat cannot see."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field

from dsl import rules as r
from interpreter import ir
from interpreter.game import Game
from interpreter.reference import pieces
from validators.secrecy.slots import Slots
from validators.secrecy.visibility import Visibility


@dataclass(slots=True, eq=False)
class Token:
    """One piece of a position: what it is and where it lies. `seen`: by whom in a course, and when last."""

    class_: int
    place: int
    seen: dict[int, int] = field(default_factory=dict)


Tokens = dict[int, list[Token]]
"""The tokens on each place, in order."""


def tokens_of(game: Game, s: array[int]) -> Tokens:
    """Every piece of a position that shows what it is, ordered places from bottom to top."""
    return {place: [Token(c, place) for c in classes_at(game, s, place)] for place in range(_places(game))}


def classes_at(game: Game, s: array[int], number: int) -> list[int]:
    """What lies on a place; pieces that show nothing all have class 0."""
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
    """What a seat learns in a course: the tokens of its first position, and places that must not change.

    What lies on a place in `fixed` stays; on one in `counted` its number.
    """

    tokens: Tokens
    fixed: frozenset[int] = frozenset()
    counted: frozenset[int] = frozenset()


class IndistinguishableStates:
    """Makes other worlds for the positions of one game."""

    def __init__(self, game: Game, sight: Visibility) -> None:
        self.game, self.machine, self.sight = game, game.machine, sight
        self.slots = Slots(game.machine)
        self.components: dict[str, list[int]] = {}
        for i, place in enumerate(self.machine.places):
            self.components.setdefault(self.machine.place_components[place.zone], []).append(i)

    def hides(self, s: array[int], seat: int) -> bool:
        """Whether a seat has something not to see: pieces, or what others choose at the same time."""
        return bool(s[ir.FORKED]) or any(self._hidden(s, i, seat) for i in range(len(self.machine.places)))

    def other(self, s: array[int], seat: int, known: Known, chooser: random.Random) -> array[int]:
        """The position with all that the seat neither sees nor learns dealt anew."""
        t = s[:]
        dealt: dict[Token, tuple[int, int]] = {}
        named = self._named(s, known.tokens)
        for component, places in self.components.items():
            hidden = [p for p in places if p not in known.fixed and self._hidden(s, p, seat)]
            free = [x for p in hidden for x in known.tokens[p] if seat not in x.seen]
            self._deal(component, free, dealt, chooser)
            loose = [p for p in hidden if p not in known.counted and not self.sight.counts(s, p, seat)]
            self._scatter(s, known.tokens, loose, [x for x in free if x not in named], dealt, chooser)
            self._lay(t, known.tokens, hidden, dealt)
        self._rename(s, t, known.tokens, dealt)
        self._arm(s, t)
        return t

    def _hidden(self, s: array[int], place: int, seat: int) -> bool:
        """Whether a seat does not see a place; what has changed since all choose at once is left alone."""
        if self.sight.sees(s, place, seat):
            return False
        return not s[ir.FORKED] or self.sight.owner(place) == seat or self._unchanged(s, place)

    def _unchanged(self, s: array[int], place: int) -> bool:
        """Whether a place is as it was before all began to choose at once."""
        where = self.machine.places[place]
        first, last = where.base, where.base + where.words
        return s[first:last] == s[self.sight.saved(first) : self.sight.saved(last)]

    # ---- dealing

    def _deal(
        self, component: str, free: list[Token], dealt: dict[Token, tuple[int, int]], chooser: random.Random
    ) -> None:
        """The free pieces change what they are among each other; dice are thrown anew."""
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
        s: array[int],
        tokens: Tokens,
        loose: list[int],
        free: list[Token],
        dealt: dict[Token, tuple[int, int]],
        chooser: random.Random,
    ) -> None:
        """Places whose number the seat does not know exchange pieces, as far as they have room."""
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

    def _lay(
        self, t: array[int], tokens: Tokens, hidden: Iterable[int], dealt: dict[Token, tuple[int, int]]
    ) -> None:
        """Writes the places anew, and what is kept of them while all choose at once."""
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
                t[self.sight.saved(first) : self.sight.saved(last)] = t[first:last]

    # ---- what else says the same

    def _named(self, s: array[int], tokens: Tokens) -> set[Token]:
        """The pieces that frames and triggers name: they stay where they are."""
        found: set[Token] = set()
        for words in self.slots.words(s):
            for word, classes in words:
                found.update(self._meant(s[word], classes, tokens))
        return found

    def _meant(self, value: int, classes: int, tokens: Tokens) -> list[Token]:
        """The tokens that a word may mean: equal ones on one place, in the order in which they would go."""
        place, class_ = divmod(value, classes)
        if not 0 <= place < len(self.machine.places):
            return []
        component = self.machine.place_components[self.machine.places[place].zone]
        if self.machine.component_classes[component] != classes:
            return []
        return [x for x in reversed(tokens[place]) if x.class_ == class_]

    def _rename(
        self, s: array[int], t: array[int], tokens: Tokens, dealt: dict[Token, tuple[int, int]]
    ) -> None:
        """Words that name a piece go on to name it, whatever it has become."""
        for words in self.slots.words(s):
            met: dict[int, int] = {}
            for word, classes in words:
                meant = self._meant(s[word], classes, tokens)
                if not meant:
                    continue
                token = meant[min(met.get(s[word], 0), len(meant) - 1)]
                met[s[word]] = met.get(s[word], 0) + 1
                if token in dealt:
                    place, class_ = dealt[token]
                    t[word] = place * classes + class_

    def _arm(self, s: array[int], t: array[int]) -> None:
        """Conditions that triggers have noted are noted as they are in the other world."""
        one, other = s[:], t[:]
        self.game.reference.prime_triggers(one)
        self.game.reference.prime_triggers(other)
        for trigger in self.machine.triggers:
            for word in range(trigger.held, trigger.held + len(trigger.bindings)):
                if trigger.condition is not None and s[word] == one[word]:
                    t[word] = other[word]
