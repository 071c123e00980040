"""The module under construction: its functions, globals, tables and map of linear memory."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import accumulate
from typing import Any

from dsl.source import Span
from interpreter import ir
from interpreter.ir.asked_needs import asked_needs
from interpreter.ir.basic_blocks import CodeRegion, code_regions
from interpreter.ir.cfg import is_recursive, multiplying, predecessors
from interpreter.ir.facts import FactOf, LinkFacts, Links, facts_of_links
from interpreter.ir.live_slots import is_read_behind, read_before_written
from interpreter.ir.old_values import old_values
from interpreter.ir.purity import is_pure_path
from interpreter.ir.trials import TrialConditions, TriedChoice
from interpreter.ir.visit import Part, Tree, bound_by, children, holds, node_count, written_out
from interpreter.wasm.abi import MOST_WORK, STREAM, WORK_AT
from interpreter.wasm.build_config import BuildConfig
from interpreter.wasm.emit import encoding as w
from interpreter.wasm.emit.bit_boards import (
    Board,
    board_of_place,
    boards,
    first_byte,
    piece_sets,
    set_bytes,
    single_components,
    written_as_sets,
)
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.marked_body import MarkedBody, Marks
from interpreter.wasm.emit.operands import Operand, Variable, const
from interpreter.wasm.option_layout import OptionLayout, OptionPart, RoutineEntry

PAGE = 65536
SCRATCH_START = 16 * PAGE
SCRATCH = 1 << 20
"""Bytes for copies of states in trials, keys of orders, and menus inside trials."""
COPIES = 208
"""Copies of a large state that scratch has room for: as many as routines may try one in the other."""
EVENT_WORDS = 6
MOST_EVENTS = 40_000
MOST_OUT = 65_536
"""Words of an answer to a host that asks."""

GLOBALS = (
    "trial",
    "top",
    "fuel",
    "event",
    "rng",
    "weight",
    "decisions",
    "outcomes",
    "others",
    "pausing",
    "changed",
    "asked",
    "offered",
    "widest",
    "search",
    "hidden",
)
"""Mutable globals, by index: depth of trials; end of the scratch in use; work that is left; end of the events
told; state of the choosing generator; parameter index that is still to be spent; what playouts count; and in
playouts through `together`: how many other branches have not ended, whether a decision stops, and whether
anything but frames has been written since one was made; what the search of an offer has left; and whether
something that was tried for the last decision faulted, which is hidden until it is chosen."""
WIDE_GLOBALS = frozenset({"rng", "offered"})
GLOBAL = {name: i for i, name in enumerate(GLOBALS)}


def global_(name: str) -> Variable:
    """A global of the module as an operand."""
    return Variable(GLOBAL[name], I64 if name in WIDE_GLOBALS else I32, of_module=True)


@dataclass(frozen=True, slots=True)
class LinkTables:
    """Rows of links one after another: their values, where each row starts, and the interval of values."""

    targets: int
    starts: int
    span: tuple[int, int]


@dataclass(kw_only=True)
class FunctionWriter:
    """A module as functions over tables in linear memory, whatever they are about."""

    data: bytearray = field(default_factory=lambda: _beginning())
    tables: dict[tuple[int, ...], int] = field(default_factory=dict)
    signatures: list[bytes] = field(default_factory=list)
    functions: dict[str, tuple[int, int]] = field(default_factory=dict)
    bodies: dict[str, Body] = field(default_factory=dict)
    exports: list[str] = field(default_factory=list)
    end: int = 0
    """The bytes of linear memory."""

    @property
    def exported_globals(self) -> tuple[str, ...]:
        return ()

    # ---- tables

    def table(self, values: Iterable[int]) -> int:
        """The address of 32-bit numbers that never change."""
        key = tuple(values)
        if key not in self.tables:
            self.tables[key] = len(self.data)
            self.data += struct.pack(f"<{len(key)}i", *key)
        return self.tables[key]

    def vectors(self, values: Iterable[int]) -> int:
        """The address of 32-bit numbers without sign that never change, at a multiple of 16."""
        self.data += bytes(-len(self.data) % 16)
        return self.table(n - (1 << 32) if n >> 31 else n for n in values)

    def reserve(self, size: int) -> int:
        """The address of that many bytes, zero at the start, at a multiple of 16."""
        self.data += bytes(-len(self.data) % 16)
        address = len(self.data)
        self.data += bytes(size)
        return address

    # ---- functions

    def signature(self, parameters: tuple[int, ...], results: tuple[int, ...]) -> int:
        code = b"\x60" + w.vector(bytes((p,)) for p in parameters) + w.vector(bytes((r,)) for r in results)
        if code not in self.signatures:
            self.signatures.append(code)
        return self.signatures.index(code)

    def function(
        self, name: str, parameters: tuple[int, ...] = (I32,), results: tuple[int, ...] = (I32,)
    ) -> int:
        """The number of a function, known before it has a body."""
        if name not in self.functions:
            self.functions[name] = (len(self.functions), self.signature(parameters, results))
        return self.functions[name][0]

    def call(self, name: str, *arguments: Operand | int, results: tuple[int, ...] = (I32,)) -> Operand:
        """A call of a function, which may get its body later; its parameters are those of the arguments."""
        operands = [const(x) if isinstance(x, int) else x for x in arguments]
        number = self.function(name, tuple(x.kind for x in operands), results)
        return Operand(b"".join(x.code for x in operands) + b"\x10" + w.unsigned(number))

    def call_indirect(self, number: Operand, *arguments: Operand) -> Operand:
        """A call of a function that gives a 32-bit number, by its number in the table."""
        signature = self.signature(tuple(x.kind for x in arguments), (I32,))
        code = b"".join(x.code for x in (*arguments, number))
        return Operand(code + b"\x11" + w.unsigned(signature) + b"\x00")

    def body(
        self,
        name: str,
        parameters: tuple[int, ...] = (I32,),
        results: tuple[int, ...] = (I32,),
        export: bool = False,
    ) -> Body:
        """A new body of a function."""
        self.function(name, parameters, results)
        body = self.new_body(parameters, results)
        self.bodies[name] = body
        if export:
            self.exports.append(name)
        return body

    def new_body(self, parameters: tuple[int, ...], results: tuple[int, ...]) -> Body:
        """A body that may never become a function of the module."""
        return Body(parameters, results)

    # ---- the whole

    def encoded(self, table: list[int]) -> bytes:
        """The module's bytes; `table` holds the functions that are called by number."""
        missing = [n for n in self.functions if n not in self.bodies]
        assert not missing, missing
        codes = [self.bodies[n].encoded() for n in self.functions]
        pages = (self.end + PAGE - 1) // PAGE
        exports = [w.text("memory") + b"\x02\x00"]
        exports += [w.text(n) + b"\x00" + w.unsigned(self.functions[n][0]) for n in self.exports]
        kinds = [I64 if g in WIDE_GLOBALS else I32 for g in GLOBALS]
        exports += [w.text(g) + b"\x03" + w.unsigned(GLOBAL[g]) for g in self.exported_globals]
        zero = {I32: b"\x41\x00\x0b", I64: b"\x42\x00\x0b"}
        return b"".join(
            [
                w.HEAD,
                w.section(1, w.vector(self.signatures)),
                w.section(3, w.vector(w.unsigned(s) for _, s in self.functions.values())),
                w.section(4, w.vector([b"\x70\x00" + w.unsigned(len(table))])),
                w.section(5, w.vector([b"\x00" + w.unsigned(pages)])),
                w.section(6, w.vector(bytes((k, 1)) + zero[k] for k in kinds)),
                w.section(7, w.vector(exports)),
                w.section(9, w.vector([b"\x00\x41\x00\x0b" + w.vector(w.unsigned(f) for f in table)])),
                w.section(10, w.vector(w.unsigned(len(c)) + c for c in codes)),
                w.section(
                    11, w.vector([b"\x00\x41\x00\x0b" + w.unsigned(len(self.data)) + bytes(self.data)])
                ),
            ]
        )


@dataclass
class ModuleBuilder(FunctionWriter):
    """Everything that the parts of one module share."""

    machine: ir.Machine
    config: BuildConfig
    scratch_start: int = SCRATCH_START
    """Tables lie below it. A module that outgrows it is made again with scratch further up."""
    marks: Marks | None = None
    """Where expressions stand in the rules, in a module that counts what it executes."""

    def __post_init__(self) -> None:
        self._analyse_control_flow()
        self._analyse_expressions()
        self._analyse_trials()
        self._lay_out_state()
        self._tabulate_places()
        self.layouts: dict[int, OptionLayout] = {}
        self.entries: dict[str, tuple[RoutineEntry, OptionPart]] = {}
        self.trial_plans: dict[int, object] = {}
        """How a trial from a node on runs in place, or none; `lower/trial_paths.py` finds them."""
        self.needs_copy: dict[int, int] = {}
        """For each node from which a trial needs a copy of the state the node for which it does."""
        self.sieves: dict[int, int] = {}
        """The addresses of the sieves of histories, by their numbers (`runtime/histories.py`)."""
        self.fuel_left: dict[str, int] = {}
        """The addresses at which selections of records leave what is left of their fuel, by their names."""
        self.emitted = 0
        """How many expressions have been written, also in vain, and looked at for sets."""
        self.map: dict[str, int] = {}
        self.template = self.record = self.spare = self.seats_out = self.events_at = 0
        self.mask_words = self.mask_address = self.cover = 0
        self.asking = self.why = self.failed = self.out = 0

    def _analyse_control_flow(self) -> None:
        """The regions of the machine, its decisions, its calls."""
        mc = self.machine
        self.regions: list[CodeRegion]
        self.regions, self.region_of, self.size_at = code_regions(mc)
        self.leader: dict[int, int] = {n: i for r in self.regions for i, n in enumerate(r.leaders)}
        self.predecessors = predecessors(mc)
        self.recursive = is_recursive(mc)
        self.multiplying = multiplying(mc)
        self.decisions = [i for i, n in enumerate(mc.nodes) if isinstance(n, ir.Decide | ir.Offer)]

    def _analyse_expressions(self) -> None:
        """Facts of expressions, links and words, each worked out at its first use."""
        self.heavy: FactOf[Part, tuple[ir.Expr, ...]] = FactOf(self._heavy_parts)
        """The parts of an expression that iterate over collections, outermost first, with repetitions."""
        self.node_count: FactOf[Tree, int] = FactOf(node_count)
        self.written_out: FactOf[Part, int] = FactOf(written_out)
        self.lasts: FactOf[Tree, bool] = FactOf(partial(holds, kinds=LASTING))
        """Whether there is anything in an expression that takes fuel."""
        self.floods: FactOf[Tree, bool] = FactOf(partial(holds, kinds=(ir.Spread,)))
        self.free_registers: FactOf[Part, frozenset[int]] = FactOf(self._free_registers)
        unequal: dict[ir.Expr, ir.Expr] = {}
        self.first_equal: FactOf[ir.Expr, ir.Expr] = FactOf(lambda e: unequal.setdefault(e, e))
        """For each expression the first one equal to it, so that a large one is compared only once."""
        self.same_table: FactOf[tuple[int, ...], int] = FactOf(self.table)
        """The address of a table that is one object wherever it is asked for."""
        self.links: FactOf[Links, LinkFacts] = FactOf(facts_of_links)
        self.link_tables: FactOf[Links, LinkTables] = FactOf(self._link_tables)
        self.words_of: Callable[[int], ir.VarLayout | None] = cache(self._words_of)
        """The counter, mark or pointer at a word, or the zone of which a bit board is kept."""
        self.spans: dict[tuple[int | None, int], tuple[int, int]] = {}
        """The intervals of the words of frames in the state, by routine and word, where they are known."""
        self.relations: dict[tuple[Any, ...], Any] = {}
        """What has been worked out about conditions and links, by its kind and what it is about."""

    def _analyse_trials(self) -> None:
        """What trials of options read and decide, so that less of it is done again once one is chosen."""
        mc = self.machine
        self.is_pure_path: Callable[[int], bool] = cache(partial(is_pure_path, mc))
        """For each node by its number."""
        self.is_read_behind: Callable[[int, int], bool] = cache(partial(is_read_behind, mc))
        self.read_before_written = cache(partial(read_before_written, mc))
        """For each node by its number, and a word of its frame."""
        trials = TrialConditions(mc, self._note_place, through_writes=not self.config.stops)
        self.trial_of_path: Callable[[int], tuple[ir.Expr, bool]] = cache(trials.of_path)
        self.trial_of_choice: FactOf[ir.Decide, TriedChoice] = FactOf(trials.of_choice)
        plays_on = not self.config.stops and not mc.cover
        self.asked_needs = frozenset[int]()
        """Needs that are not asked again once a choice is made, unless its offer faulted."""
        if plays_on:
            self.asked_needs = asked_needs(mc, self.trial_of_path, self.trial_of_choice)
        self.old_values = old_values(mc) if not self.config.stops else dict[int, ir.Expr]()
        """What stood at a word that a node sets, where that follows from how its place was chosen."""

    def _lay_out_state(self) -> None:
        """Bytes behind the words of a state: boards as bit sets, sets of classes; and the scratch."""
        mc = self.machine
        self.boards = {} if self.config.bare else boards(mc)
        pieces = first_byte(mc) + sum(x.bytes for x in self.boards.values())
        self.piece_sets = {} if self.config.bare else piece_sets(mc, pieces)
        """Places that keep a set of the classes of their pieces, and the bytes at which those stand."""
        self.state_bytes = pieces + sum(set_bytes(mc.places[place].classes) for place in self.piece_sets)
        self.in_sets = frozenset[str]() if self.config.stops else written_as_sets(mc)
        """Pointers and marks that have no words where nothing reads those one by one."""
        zones = [x.words for x in self.boards.values() if x.place is not None]
        self.words_at = sorted([*mc.stores.values(), *zones], key=lambda x: x.base)
        self.board_of_place: Callable[[int], Board | None] = cache(partial(board_of_place, self.boards))
        """The bit board of a place by its number, if one is kept of its zone."""
        self.single = frozenset[str]() if self.config.bare else single_components(mc)
        """Components of which no two pieces are alike."""
        self.solid = {i for i, p in enumerate(mc.places) if mc.place_components[p.zone] == p.zone}
        """Places of single dice that lie in no zone: they are never empty."""
        self.scratch_end = self.scratch_start + _scratch(mc, self.state_bytes)

    def _tabulate_places(self) -> None:
        """The table of places: a row each, and the component of each."""
        mc = self.machine
        rows = [[p.base, p.kind, p.classes, p.capacity, int(p.limited)] for p in mc.places]
        self.on_boards = any(board.place is not None for board in self.boards.values())
        """Whether there are zones of which bit boards are kept."""
        if self.piece_sets or self.on_boards:
            rows = [[*row, self.piece_sets.get(i, 0)] for i, row in enumerate(rows)]
        if self.on_boards:
            rows = [[*row, *self._row_on_board(i)] for i, row in enumerate(rows)]
        self.place_row = 4 * len(rows[0]) if rows else 20
        """The bytes of a row of the table of places."""
        self.places = self.table(word for row in rows for word in row)
        self.place_component = self.table([_number(mc, p.zone) for p in mc.places])

    def _row_on_board(self, number: int) -> list[int]:
        """The byte of the 64 bits in which a place has its bit among those that hold nothing, 0 if there are
        none; the bytes from the set of one class to the next; and its bit."""
        board = self.board_of_place(number)
        if board is None or board.place is None:
            return [0, 0, 0]
        row, index = divmod(number - board.place, board.size)
        return [board.first + row * board.row_bytes + (index >> 6 << 3), 8 * board.wide, index]

    def _free_registers(self, part: Part) -> frozenset[int]:
        """The registers that an expression reads and does not bind; each part of it is asked only once."""
        if isinstance(part, ir.Reg):
            return frozenset((part.index,))
        found = frozenset[int]().union(*map(self.free_registers, children(part)))
        return found.difference(bound_by(part))

    def _heavy_parts(self, part: Part) -> tuple[ir.Expr, ...]:
        """The same as `heavy`; each part of an expression is asked only once."""
        found: tuple[ir.Expr, ...] = (part,) if isinstance(part, HEAVY) else ()
        for inner in children(part):
            found += self.heavy(inner)
        return found

    def follows(self, number: int, slot: int | None) -> bool:
        """Whether a word of the frame is to follow a piece that a node moves.

        Where runs stop, what stands in frames is the same as for the reference executor.
        """
        return slot is not None and (self.config.stops or self.is_read_behind(number, slot))

    @property
    def plays_branches(self) -> bool:
        """Whether the module chooses by itself which branch of `together` continues."""
        return bool(self.machine.branches) and not self.config.stops

    @property
    def keeps_saved(self) -> bool:
        """Whether `together` keeps what others see; nobody looks on at a game that plays by itself."""
        return self.config.stops

    @property
    def stream_bytes(self) -> int:
        """Bytes before each state for the streams' buffers."""
        return (STREAM * len(self.machine.streams) + 63) // 64 * 64

    @property
    def first_state(self) -> tuple[int, int]:
        """Where the buffers of the first state begin, and the bytes from one state to the next."""
        size = 4 * EVENT_WORDS * MOST_EVENTS if self.config.events else 0
        first = (self.scratch_end + size + 63) // 64 * 64
        return first, self.stream_bytes + (self.state_bytes + 63) // 64 * 64

    # ---- functions and tables

    @property
    def exported_globals(self) -> tuple[str, ...]:
        return ("event",) if self.config.page else GLOBALS

    def new_body(self, parameters: tuple[int, ...], results: tuple[int, ...]) -> Body:
        """A body that may never become a function of the module."""
        return (Body if self.marks is None else MarkedBody)(parameters, results)

    def _link_tables(self, links: Links) -> LinkTables:
        targets = self.table([value for row in links for value in row] or (0,))
        starts = self.table(accumulate(map(len, links), initial=0))
        return LinkTables(targets, starts, self.links(links).span or (0, 0))

    # ---- what a profile wants to know

    def _note_place(self, made: Part, place: Part | Span) -> None:
        """An expression that stands for one of the rules has its place, if that is known, or this one."""
        if self.marks is None:
            return
        span = place if isinstance(place, Span) else self.marks.spans.get(id(place))
        if span is not None and id(made) not in self.marks.spans:
            self.marks.spans[id(made)] = span
            self.marks.kept.append(made)

    # ---- what is known of words

    def _words_of(self, base: int) -> ir.VarLayout | None:
        for words in self.words_at:
            if words.base <= base < words.base + words.size:
                return words
        return None


LASTING = (ir.Fold, ir.Best, ir.Contains, ir.Can)
HEAVY = ir.Fold | ir.Best | ir.Size | ir.Contains | ir.Times | ir.Mask


def _beginning() -> bytearray:
    """What lies below all tables: nothing but the work that a decision may take."""
    data = bytearray(256)
    struct.pack_into("<i", data, WORK_AT, MOST_WORK)
    return data


def _scratch(mc: ir.Machine, state_bytes: int) -> int:
    """Bytes of scratch: more where states, or the keys by which a loop goes, are large."""
    keys = max(
        (4 * n.capacity * (len(n.keys) + 2) for n in mc.nodes if isinstance(n, ir.Snapshot)), default=0
    )
    copies = 0 if 80 * state_bytes <= SCRATCH else COPIES * state_bytes
    wanted = max(SCRATCH, copies + 4 * keys) if copies or 4 * keys > SCRATCH else SCRATCH
    return (wanted + PAGE - 1) // PAGE * PAGE


def _number(mc: ir.Machine, zone: str) -> int:
    return list(mc.component_classes).index(mc.place_components[zone])
