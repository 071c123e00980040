"""Symmetry reduction: of positions equal up to a symmetry one is explored, and the symmetries are proved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from time import perf_counter

from dsl.domains import EnumType, Type
from interpreter import ir
from interpreter.game import Game
from interpreter.messages import Fault
from validators.explore.automorphisms import Symmetry
from validators.explore.renaming import MASK, PLAIN, SLOT, RenamedState
from validators.explore.search import SearchLook
from validators.explore.state_key import WORD, StateKey, key, slices
from validators.explore.stepping import Move, StepExecutor
from validators.flow.graph import Flow

MOST_WORDS = 256
DEEPEST = 64
LOOKED, DEAREST = 5000, 2
"""After how many moves the costs are compared, and how many times what they save symmetries may cost."""
MOST_KEYS = 50_000
"""How many keys are kept; many positions are reached more than once."""
Frames = tuple[tuple[int, int], ...]
"""The address of each frame, and the routine that runs in it."""
NOTHING = 255
"""The code of none, and of the seat before the first one. No renamed value is as large."""


class SymmetryBroken(Exception):
    """A symmetry does not hold at a position."""

    def __init__(self, symmetry: Symmetry) -> None:
        super().__init__()
        self.symmetry = symmetry


@dataclass(frozen=True)
class Shape:
    """The words that a symmetry may change at one kind of stop, in runs of the same kind.

    `turns` has for each symmetry the source of each word, and for each run the table of images.
    """

    words: tuple[int, ...]
    rest: tuple[slice, ...]
    runs: tuple[tuple[int, int], ...]
    turns: dict[Symmetry, tuple[bytes, tuple[bytes, ...]]]

    def coded(self, state: bytes) -> bytes | None:
        """A byte for each word; none if a value does not fit."""
        kept = b"".join([state[WORD * w : WORD * w + WORD] for w in self.words])
        low, second, third, high = kept[::WORD], kept[1::WORD], kept[2::WORD], kept[3::WORD]
        if not (any(second) or any(third) or any(high)):
            return None if NOTHING in low else low
        if second != third or not set(high) <= {0, 128, 255} or low.count(NOTHING) != high.count(255):
            return None
        return bytes(NOTHING if h else x for x, h in zip(low, high, strict=True))

    def image(self, code: bytes, symmetry: Symmetry) -> bytes:
        source, tables = self.turns[symmetry]
        moved = source.translate(code.ljust(MOST_WORDS, b"\0"))
        parts = zip(self.runs, tables, strict=True)
        return b"".join([moved[start:end].translate(table) for (start, end), table in parts])

    def decoded(self, state: bytes, code: bytes) -> bytes:
        """The state with the words of a code."""
        image = bytearray(state)
        for word, value in zip(self.words, code, strict=True):
            number = value if value != NOTHING else -1 if word == ir.ROTATION else -(1 << 31)
            image[WORD * word : WORD * word + WORD] = number.to_bytes(WORD, "little", signed=True)
        return bytes(image)


class TooDear(Exception):
    """The symmetries take far longer than the positions that they save."""


@dataclass
class SymmetryReduction:
    """The symmetries in use, tested at every position that is explored."""

    game: Game
    steps: StepExecutor
    outline: StateKey
    symmetries: list[Symmetry]
    always: bool = False
    """They are used whatever they cost."""
    began: float = field(default_factory=perf_counter)
    spent: float = 0.0
    proved: int = 0
    moves: int = 0
    saved: int = 0
    _keys: dict[bytes, bytes] = field(default_factory=dict)
    _shapes: dict[tuple[int, int, Frames], Shape | None] = field(default_factory=dict)

    @cached_property
    def names(self) -> dict[Symmetry, RenamedState]:
        return {symmetry: RenamedState(self.game, symmetry) for symmetry in self.symmetries}

    @cached_property
    def flow(self) -> Flow:
        return Flow(self.game.machine)

    # ---- keys

    def key(self, position: bytes) -> bytes:
        """A key that is the same for all images of a position."""
        found = self._keys.get(position)
        if found is None:
            start = perf_counter()
            found = self._key(position)
            self.spent += perf_counter() - start
            if len(self._keys) < MOST_KEYS:
                self._keys[position] = found
        return found

    def _key(self, position: bytes) -> bytes:
        state = self.outline.unpack(position)
        shape = self.shape(state)
        code = shape.coded(state) if shape is not None else None
        if shape is None or code is None:
            return key(position)
        least = min([code, *(shape.image(code, symmetry) for symmetry in self.symmetries)])
        return key(b"".join([state[part] for part in shape.rest]) + least)

    # ---- proofs

    def prove(self, look: SearchLook) -> None:
        """Raises `SymmetryBroken` if an image of a position does not behave like it.

        Raises `TooDear` if that has turned out to take too long. Every image must have the images of the
        moves, each must lead to the same class of positions, promises must hold in both or neither, and the
        images of the winners must win. Several symmetries that lead to one image are tested once: all other
        positions of the class are covered by that.
        """
        shape = self.shape(look.state)
        code = shape.coded(look.state) if shape is not None else None
        if shape is None or code is None:
            return
        start, spent = perf_counter(), self.spent
        self.saved += self._prove(look, shape, code)
        self.spent = spent + perf_counter() - start
        self.proved += 1
        self.moves += len(look.moves)
        if self.moves >= LOOKED:
            self.moves = 0
            if not self.always and self._is_too_dear():
                raise TooDear

    def _is_too_dear(self) -> bool:
        """Whether the time for images is many times that of exploring the positions that are saved."""
        each = (perf_counter() - self.began - self.spent) / self.proved
        return self.spent > DEAREST * self.saved * each

    def _prove(self, look: SearchLook, shape: Shape, code: bytes) -> int:
        """Tests the images of a position; how many there are."""
        tested: set[bytes] = set()
        for symmetry in self.symmetries:
            moved = shape.image(code, symmetry)
            if len(self.symmetries) > 1 and (moved == code or moved in tested):
                continue
            tested.add(moved)
            if not self.behaves_alike(symmetry, shape.decoded(look.state, moved), look):
                raise SymmetryBroken(symmetry)
        return len(tested)

    def images(self, position: bytes) -> int:
        """How many positions a class has, one of which is given."""
        state = self.outline.unpack(position)
        shape = self.shape(state)
        code = shape.coded(state) if shape is not None else None
        if shape is None or code is None:
            return 1
        return len({code, *(shape.image(code, symmetry) for symmetry in self.symmetries)})

    def behaves_alike(self, symmetry: Symmetry, image: bytes, look: SearchLook) -> bool:
        """Whether an image behaves like its position."""
        names = self.names[symmetry]
        images = [names.move(move) for move in look.moves]
        try:
            found = self.steps.moves(image)
        except Fault:
            return not look.moves
        if sorted(found) != sorted(images):
            return False
        over = look.state[:WORD] != bytes(WORD)
        if over and self.steps.winners(image) != names.seats(self.steps.winners(look.state)):
            return False
        if look.broken is not None and self._breaks(image) != look.broken:
            return False
        if look.held and self.steps.goals(image) != look.held:
            return False
        return all(self._leads(symmetry, image, x, y) for x, y in zip(images, look.after, strict=True))

    def _breaks(self, state: bytes) -> bool:
        try:
            self.steps.check(state)
        except Fault:
            return True
        return False

    def _leads(self, symmetry: Symmetry, image: bytes, move: Move, wanted: bytes | None) -> bool:
        """Whether a move leads to an image of a position, or to a fault like there."""
        try:
            reached = self.outline.pack(self.steps.after(image, move))
        except Fault:
            return wanted is None
        if wanted is None:
            return False
        return self._is_image(symmetry, reached, wanted) or self.key(reached) == self.key(wanted)

    def _is_image(self, symmetry: Symmetry, reached: bytes, wanted: bytes) -> bool:
        """Whether a position is the image of another one."""
        state = self.outline.unpack(wanted)
        shape = self.shape(state)
        code = shape.coded(state) if shape is not None else None
        if shape is None or code is None:
            return reached == wanted
        return self.outline.unpack(reached) == shape.decoded(state, shape.image(code, symmetry))

    # ---- shapes

    def shape(self, state: bytes) -> Shape | None:
        """The words that can be renamed at a stop; none if they are too many, or within `together`."""
        head = memoryview(state).cast("i")
        if head[ir.FORKED]:
            return None
        over = head[ir.STATUS]
        name = (over, head[ir.PC], () if over else self._frames(head))
        if name not in self._shapes:
            self._shapes[name] = self._make_shape(*name)
        return self._shapes[name]

    def _frames(self, head: memoryview[int]) -> Frames:
        """The frames from the waiting one up to the flow."""
        at, node = head[ir.FP], head[ir.PC]
        found: list[tuple[int, int]] = []
        while at != self.game.machine.stack and len(found) < DEEPEST:
            found.append((at, self.flow.owner[node]))
            node, at = head[at + ir.RETURN], head[at + ir.CALLER]
        return tuple(found)

    def _make_shape(self, over: int, node: int, frames: Frames) -> Shape | None:
        kinds = dict(self._kinds)
        if over:
            kept = {w for part in self.outline.over for w in range(part.start // WORD, part.stop // WORD)}
            kinds = {word: kind for word, kind in kinds.items() if word in kept}
        else:
            for i, (frame, owner) in enumerate(frames):
                kinds.update(self._frame_kinds(frame, owner, node if i == 0 else None))
        words = sorted(kinds, key=lambda w: (kinds[w], w))
        if len(words) > MOST_WORDS:
            return None
        runs: list[tuple[int, int]] = []
        for i, word in enumerate(words):
            if i and kinds[words[i - 1]] == kinds[word]:
                runs[-1] = (runs[-1][0], i + 1)
            else:
                runs.append((i, i + 1))
        turns = {x: self._turn(names, words, kinds, runs) for x, names in self.names.items()}
        rest = [w for w in range(self.game.machine.size) if w not in kinds]
        return Shape(tuple(words), slices(rest), tuple(runs), turns)

    def _turn(
        self, names: RenamedState, words: list[int], kinds: dict[int, str], runs: list[tuple[int, int]]
    ) -> tuple[bytes, tuple[bytes, ...]]:
        at = {word: i for i, word in enumerate(words)}
        source = list(range(len(words)))
        for old, new in names.moved():
            if old in at and new in at:
                source[at[new]] = at[old]
        return bytes(source), tuple(names.coded(kinds[words[start]]) for start, _ in runs)

    @cached_property
    def _kinds(self) -> dict[int, str]:
        """The kinds of the words that some symmetry moves or renames at every stop."""
        mc = self.game.machine
        types = {name for names in self.names.values() for name in names.types}
        found: dict[int, str] = {}
        for names in self.names.values():
            for pair in names.moved():
                found.update(dict.fromkeys(pair, PLAIN))
        if "seat" in types:
            found |= {ir.ACTIVE: "seat", ir.ROTATION: "seat", ir.WINNERS: MASK, mc.stack + ir.ME: "seat"}
            if mc.turned:
                found[mc.turned] = MASK
        for words in mc.variables.values():
            if isinstance(words.type, EnumType) and words.type.type in types:
                found.update(dict.fromkeys(range(words.base, words.base + words.size), words.type.type))
        for place in mc.places:
            component = mc.place_components[place.zone]
            if place.kind == ir.SLOT and any(n.classes(component) for n in self.names.values()):
                found[place.base] = SLOT + component
        return found

    def _frame_kinds(self, frame: int, owner: int, waiting: int | None) -> dict[int, str]:
        """The kinds of the words of a frame: the acting seat, parameters, and values chosen before."""
        mc = self.game.machine
        types = {name for names in self.names.values() for name in names.types}
        found = {frame + ir.ME: "seat"} if "seat" in types else {}
        if owner < 0:
            return found
        here = getattr(mc.nodes[waiting], "slot", mc.size) if waiting is not None else mc.size
        for slot, kind in self._slots(owner):
            if slot < here and isinstance(kind, EnumType) and kind.type in types:
                found[frame + slot] = kind.type
        return found

    def _slots(self, owner: int) -> Iterator[tuple[int, Type]]:
        """The slots and types of a routine's parameters and choices."""
        mc = self.game.machine
        routine = self.game.rules.routines.get(mc.routines[owner].name)
        for i, parameter in enumerate(routine.parameters if routine is not None else ()):
            yield ir.FRAME + i, parameter.var.type
        for i, node in enumerate(mc.nodes):
            if self.flow.owner[i] != owner:
                continue
            if isinstance(node, ir.Decide):
                yield node.slot, node.type
            if isinstance(node, ir.Chance) and node.type is not None:
                yield node.slot, node.type
