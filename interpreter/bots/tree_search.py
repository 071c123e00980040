"""Tree search inside a module: worlds go in, iterations run, nodes come out."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from interpreter.bots.kept_batches import KeptBatches
from interpreter.bots.knowledge import Knowledge
from interpreter.bots.moves import goes_on
from interpreter.bots.ranking import Finding, best_first
from interpreter.bots.settings import (
    Bounds,
    EdgeStats,
    NodeStats,
    SearchSettings,
    bootstrap_of,
    can_solve,
    logarithms,
    sides_of,
    variance_bonus_of,
)
from interpreter.game import Game
from interpreter.wasm.batch import RUNNING, Batch
from interpreter.wasm.batches.tree import EDGE, FLOATS, NODE, STEP, WIDE, WORDS, offset_of

BOUNDS: Final = [("floor", "u1"), ("ceiling", "u1"), ("_", "<u2"), ("length", "<i4")]
NODE_KIND: Final = np.dtype(
    [
        *(("key", "<u8"), ("chain", "<u4"), ("first", "<u4"), ("visits", "<i4"), ("seat", "<i4")),
        *(*BOUNDS, ("position", "<u8"), ("last", "<i4"), ("spare", "<u4")),
    ]
)
EDGE_KIND: Final = np.dtype(
    [("action", "<i4"), ("next", "<u4"), ("taken", "<i4"), ("offered", "<i4"), ("total", "<f8"), *BOUNDS]
)
BLOCK_KIND: Final = np.dtype(
    [(name, "<u8") for name in WIDE] + [(name, "<f8") for name in FLOATS] + [(name, "<u4") for name in WORDS]
)
MOST_DEPTH: Final = 4096
FEWEST_VISITS: Final = 8
"""The visits of a node whose choices say something about how a match may go on."""
EDGES_A_NODE: Final = 48
"""For so many edges of each node there is room, where memory allows it."""


_batches: Final = KeptBatches()


class TreeSearch:
    """A search of a seat's decision from worlds that it cannot tell apart. For one thread at a time.

    The same worlds, seed and settings give the same nodes after the same number of iterations, those that
    `tests/reference_tree.py` gives too. `most` is the most iterations that there will be. `close` leaves its
    memory to the next search. Raises `MemoryError` if there is no room for the worlds and the tree.
    """

    def __init__(
        self,
        game: Game,
        seat: int,
        states: Sequence[array[int]],
        seed: int,
        settings: SearchSettings,
        most: int,
    ) -> None:
        self.game, self.seat = game, seat
        nodes, buckets, edges = _capacity(most, settings.most_bytes)
        sizes = {
            "logs": 8 * (most + 1),
            "known": 8 * game.machine.seats,
            "begun": 8 * game.machine.seats,
            "values": 8 * game.machine.seats,
            "sides": 4 * game.machine.seats,
            "path": STEP * MOST_DEPTH,
            "buckets": 4 * buckets,
            "nodes": NODE * nodes,
            "edges": edges,
        }
        self.room = sum(sizes.values()) + 64 * len(sizes)
        self.batch = _batches.take(game, len(states) + 1, self.room)
        self.batch.ask_first(seat)
        for i, state in enumerate(states):
            self.batch.put(i, state)
        self._at, end = dict[str, int](), self.batch.behind
        for name, size in sizes.items():
            self._at[name] = end
            end = (end + size + 63) // 64 * 64
        block = np.zeros(1, BLOCK_KIND)
        block["seed"], block["worlds"] = seed % (1 << 64), len(states)
        block["exploration"] = settings.exploration
        block["variance_bonus"] = variance_bonus_of(game, self.batch.recall, settings)
        block["share"], block["margin"] = 1.0 - settings.margin, settings.margin
        block["least"] = block["least_margin"] = math.inf
        block["greatest"] = block["greatest_margin"] = -math.inf
        block["most_nodes"], block["bucket_mask"], block["most_depth"] = nodes, buckets - 1, MOST_DEPTH
        block["used_edges"], block["last_edge"] = self._at["edges"], self._at["edges"] + edges
        for name, address in self._at.items():
            block[name] = address
        sides = sides_of(game)
        block["number_of_sides"] = len(set(sides))
        block["bootstrap"] = bootstrap_of(game, settings)
        block["open_numbers"] = settings.open_numbers
        block["solving"] = can_solve(game, self.batch.recall, len(states), settings)
        self._write(self.batch.map["tree"], block.tobytes())
        self._write(self._at["buckets"], bytes(sizes["buckets"]))
        self._write(self._at["logs"], logarithms(most)[: most + 1].tobytes())
        self._write(self._at["sides"], array("i", sides).tobytes())
        self._begin([0] * game.machine.seats)

    def run(self, number: int) -> bool:
        """So many further iterations; whether there is more to find. When the result is proven, there is not.

        Raises `Aborted` if the run is stopped from outside.
        """
        with self.batch.opened() as instance:
            instance.functions["grow_tree"](number)
            instance.check_stopped()
        return not self._block()["decided"]

    def enter(self, action: int, state: array[int]) -> array[int] | None:
        """From now on the next decision of a move is searched, in the same tree: that behind an action.

        Returns the state to which the action leads from the one that is given, in which the decision before
        waits. None, and nothing has changed, if nothing is left to choose of the move, or if a world does not
        offer the action.
        """
        batch, last = self.batch, self.batch.n - 1
        batch.put(last, state)
        before, seat = batch.states.copy(), int(batch.seats[last])
        worlds = np.arange(batch.n) < last
        if not batch.masks[last, action]:
            return None
        batch.step_some(np.full(batch.n, action), ~worlds)
        if not goes_on(self.game, batch, last, before[last], seat) or batch.totals[last] < 2:
            return None
        if not batch.masks[worlds, action].all():
            return None
        kept, found = [batch.save(i) for i in range(last)], array("i", batch.states[last].tobytes())
        knowledge = Knowledge(batch, self._begun)
        knowledge.choose(action)
        batch.clone(0, last)
        batch.step(np.full(batch.n, action))
        alike = (batch.nodes == batch.nodes[0]).all()
        if not alike or not all(goes_on(self.game, batch, i, before[i], seat) for i in range(last)):
            for i, world in enumerate(kept):
                batch.load(i, world)
            return None
        self._begin(knowledge.known)
        records = self._records("nodes", NODE_KIND, int(self._block()["used_nodes"]))
        at = np.flatnonzero((records["key"] == knowledge.key()) & (records["seat"] == seat))
        self._put("root", self._at["nodes"] + NODE * int(at[0]) if len(at) else 0)
        self._put("decided", int(len(at) and _bounds(records[at[0]]).solved))
        return found

    def _begin(self, known: Sequence[int]) -> None:
        """What the seats remember at the decision that is searched."""
        self._begun = list(known)
        self._write(self._at["begun"], np.array(known, np.uint64).tobytes())

    def _put(self, name: str, value: int) -> None:
        self._write(self.batch.map["tree"] + offset_of(name), value.to_bytes(4, "little"))

    def close(self) -> None:
        """No more iterations, and nothing more is asked of it."""
        _batches.give(self.batch, self.room)

    # ---- what was found

    @property
    def iterations(self) -> int:
        return int(self._block()["iteration"])

    @property
    def faulted(self) -> int:
        """How many iterations have ended in a fault, and count for nothing."""
        return int(self._block()["faulted"])

    def nodes(self) -> list[NodeStats]:
        """The nodes in the order in which they were added."""
        found = self._records("nodes", NODE_KIND, int(self._block()["used_nodes"]))
        return [self._node(record) for record in found]

    def root(self) -> NodeStats | None:
        """The node of the decision that is searched. None if no iteration has come to it."""
        at = int(self._block()["root"])
        return self._node(self._at_address(at, NODE_KIND, 1)[0]) if at else None

    def line(self, most: int) -> tuple[tuple[str, str], ...]:
        """How the first world goes on if each takes what is best, by what was found.

        Seats with words. It ends where fewer than `FEWEST_VISITS` iterations have been and nothing is proven.
        """
        records = self._records("nodes", NODE_KIND, int(self._block()["used_nodes"]))
        found: list[tuple[str, str]] = []
        with Batch(self.game, 1) as batch:
            batch.ask_first(self.seat)
            batch.load(0, self.batch.save(0))
            knowledge = Knowledge(batch, self._begun)
            while len(found) < most and batch.codes[0] == RUNNING:
                same = (records["key"] == knowledge.key()) & (records["seat"] == batch.seats[0])
                node = next((self._node(records[i]) for i in np.flatnonzero(same)), None)
                if node is None or (node.visits < FEWEST_VISITS and not node.bounds.solved):
                    break
                offered = [edge for edge in node.edges if batch.masks[0, edge.action]]
                order = best_first([Finding(edge.taken, edge.total, edge.bounds) for edge in offered])
                best = offered[order[0]]
                found.append((self.game.names.seat(node.seat), batch.words(0, best.action)))
                knowledge.choose(best.action)
                batch.step(np.array([best.action]))
        return tuple(found)

    def _node(self, record: Any) -> NodeStats:
        edges, at = [], int(record["first"])
        while at:
            edge = np.frombuffer(self.batch.bytes_at(at, EDGE), EDGE_KIND)[0]
            at = int(edge["next"])
            action, taken, offered = (int(edge[name]) for name in ("action", "taken", "offered"))
            edges.append(EdgeStats(action, taken, offered, float(edge["total"]), _bounds(edge)))
        key, seat, visits = (int(record[name]) for name in ("key", "seat", "visits"))
        return NodeStats(key, seat, visits, tuple(edges), _bounds(record))

    # ---- memory

    def _block(self) -> Any:
        return self._at_address(self.batch.map["tree"], BLOCK_KIND, 1)[0]

    def _records(self, name: str, kind: np.dtype[Any], number: int) -> npt.NDArray[Any]:
        return self._at_address(self._at[name], kind, number)

    def _at_address(self, address: int, kind: np.dtype[Any], number: int) -> npt.NDArray[Any]:
        return np.frombuffer(self.batch.bytes_at(address, kind.itemsize * number), kind)

    def _write(self, address: int, data: bytes) -> None:
        with self.batch.opened() as instance:
            instance.write(address, data)


def _bounds(record: Any) -> Bounds:
    return Bounds(int(record["floor"]), int(record["ceiling"]), int(record["length"]))


def _capacity(most: int, most_bytes: int) -> tuple[int, int, int]:
    """Nodes, buckets of the hash table, and bytes of edges for so many iterations."""
    nodes = most + 1
    if nodes * (NODE + 8 + EDGES_A_NODE * EDGE) > most_bytes:
        nodes = max(1, min(nodes, most_bytes // 4 // (NODE + 8)))
    buckets = 1 << (nodes - 1).bit_length()
    wanted = max(1 << 20, nodes * EDGES_A_NODE * EDGE)
    return nodes, buckets, min(wanted, max(1 << 20, most_bytes - nodes * NODE - 4 * buckets))
