"""The rows of a log folded: which decisions still stand, what was proposed, who has given up.

It knows nothing of rules. Each step of a match has its row here, in the same order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, assert_never

from rulewright.serve.matches.row_data import fault_of
from rulewright.serve.store.storage import LogRow

Queues = Mapping[str, tuple[str | None, ...]]
"""Outcomes of chance by stream that come next; None stands for one that is drawn."""
BEGINS = ("start", "choice")
"""Kinds of rows that begin a decision."""


class BadRow(Exception):
    """A row cannot follow those before it, or lacks what its kind needs."""

    def __init__(self, seq: int, why: str) -> None:
        super().__init__(why)
        self.seq = seq


@dataclass(frozen=True, slots=True)
class OpenProposal:
    """A proposal that waits for consent.

    `id` is its number among all proposals of the match, `seat` who made it, `what` one of `undo`, `repair`,
    `abandon`; `needed` are the seats that have to agree, `agreed` those that have. `standing` is the number
    of decisions at the time.
    """

    id: int
    seat: int
    what: str
    data: Mapping[str, Any]
    needed: frozenset[int]
    agreed: frozenset[int]
    standing: int


@dataclass(frozen=True, slots=True)
class EventLog:
    """All rows of a log, and what follows from them.

    `standing` are the rows of the decisions that were not taken back; `queues` the outcomes that were given
    back. `answers` has the row of each client's id, `gone` the seats that have given up or lost on time.
    `joined` is the number of the row that ended the last `together`, 0 if none did. `apart` counts the rows
    that one seat alone was told of when they were written, `proposed` the proposals.
    """

    rows: tuple[LogRow, ...] = ()
    standing: tuple[LogRow, ...] = ()
    queues: Queues = field(default_factory=dict)
    answers: Mapping[str, LogRow] = field(default_factory=dict)
    proposals: tuple[OpenProposal, ...] = ()
    gone: frozenset[int] = frozenset()
    joined: int = 0
    apart: Mapping[int, int] = field(default_factory=dict)
    proposed: int = 0

    @property
    def length(self) -> int:
        """The number of rows."""
        return len(self.rows)

    @property
    def decisions(self) -> int:
        """The number of decisions that stand, the set-up included."""
        return sum(row.kind in BEGINS for row in self.standing)

    def first_of(self, decision: int) -> int:
        """The index in `standing` of the first row of a decision; the set-up is 0."""
        firsts = [i for i, row in enumerate(self.standing) if row.kind in BEGINS]
        return firsts[decision] if decision < len(firsts) else len(self.standing)

    def decision_of(self, index: int) -> int:
        """The decision that a row of `standing` belongs to."""
        return sum(row.kind in BEGINS for row in self.standing[: index + 1]) - 1

    def extended(self, rows: Iterable[LogRow]) -> EventLog:
        """The log with more rows. Raises `BadRow`."""
        fold = _Fold(self)
        for row in rows:
            fault = fault_of(row)
            if fault is not None:
                raise BadRow(row.seq, f"the row is malformed: `{fault}`")
            try:
                fold.add(row)
            except (LookupError, TypeError, ValueError, AssertionError) as error:
                raise BadRow(row.seq, f"the row is malformed ({error})") from None
        return fold.log()


class _Fold:
    """A log being made: the same fields, which can be changed."""

    def __init__(self, log: EventLog) -> None:
        self.rows = list(log.rows)
        self.standing = list(log.standing)
        self.queues = {stream: list(texts) for stream, texts in log.queues.items()}
        self.answers = dict(log.answers)
        self.proposals = {proposal.id: proposal for proposal in log.proposals}
        self.gone = set(log.gone)
        self.joined = log.joined
        self.apart = dict(log.apart)
        self.proposed = log.proposed

    def log(self) -> EventLog:
        return EventLog(
            tuple(self.rows),
            tuple(self.standing),
            {stream: tuple(texts) for stream, texts in self.queues.items() if texts},
            self.answers,
            tuple(self.proposals.values()),
            frozenset(self.gone),
            self.joined,
            self.apart,
            self.proposed,
        )

    def add(self, row: LogRow) -> None:
        """Add a row. Raises `ValueError` if it is not the next one."""
        if row.seq != len(self.rows) + 1:
            raise ValueError(f"row {row.seq} follows row {len(self.rows)}")
        self.rows.append(row)
        if row.client is not None:
            self.answers[row.client] = row
        if row.data.get("joined"):
            self.joined = row.seq
        alone = branch_of(row)
        if alone is not None:
            self.apart[alone] = self.apart.get(alone, 0) + 1
        match row.kind:
            case "start" | "choice":
                self.standing.append(row)
                if alone is None:
                    self._drop_proposals()
            case "told":
                self.standing.append(row)
                self._drop_proposals()
            case "chance":
                self.standing.append(row)
                queue = self.queues.get(row.data["stream"])
                if queue:
                    queue.pop(0)
            case "undo" | "repair":
                if "removed" in row.data:
                    self._remove(row)
                else:
                    self._cut(row)
                    self._drop_proposals()
            case "proposal":
                self._propose(row)
            case "answer":
                self._answer(row)
            case "clock":
                if row.data["event"] == "expired" and row.data["then"] == "forfeit":
                    self._go(row)
                elif row.data["event"] == "begun":
                    self.proposals.clear()
            case "resigned":
                self._go(row)
            case "abandoned":
                self.proposals.clear()
            case "migrated":
                self.standing = with_hashes(_by_words(self.standing), row.data["hashes"])
                self.proposals.clear()
            case _:
                assert_never(row.kind)

    def _cut(self, row: LogRow) -> None:
        """Take back decisions until as many are left as a row says, or answers; give outcomes back."""
        begun = 0
        for index, standing in enumerate(self.standing):
            begun += standing.kind in BEGINS
            if begun > row.data["left"]:
                del self.standing[index:]
                break
        for _ in range(row.data.get("answers", 0)):
            self.standing.pop()
        self.queues = {stream: list(texts) for stream, texts in row.data["outcomes"].items()}

    def _remove(self, row: LogRow) -> None:
        """Take out single rows; the positions after the first of them have other hashes."""
        removed = frozenset(row.data["removed"])
        left = [one for one in self.standing if one.seq not in removed]
        self.standing = with_hashes(left, row.data["hashes"])

    def _go(self, row: LogRow) -> None:
        assert row.seat is not None
        self.gone.add(row.seat)
        self._drop_proposals()
        # Who has gone can neither agree nor withdraw.
        self.proposals = {i: p for i, p in self.proposals.items() if row.seat not in {p.seat, *p.needed}}

    def _drop_proposals(self) -> None:
        """What was proposed about the past is void when something happens; the end can still be proposed.

        What happens in a branch of a running `together` voids nothing: that would tell the others of it.
        """
        self.proposals = {i: one for i, one in self.proposals.items() if one.what == "abandon"}

    def _propose(self, row: LogRow) -> None:
        assert row.seat is not None
        begun = sum(one.kind in BEGINS for one in self.standing)
        needed = frozenset(row.data["needed"])
        self.proposed += 1
        self.proposals[self.proposed] = OpenProposal(
            self.proposed, row.seat, row.data["what"], row.data["data"], needed, frozenset(), begun
        )

    def _answer(self, row: LogRow) -> None:
        found = self.proposals.get(row.data["proposal"])
        if found is None or row.seat is None:
            return
        if not row.data["agree"]:
            del self.proposals[found.id]
            return
        agreed = found.agreed | {row.seat}
        self.proposals[found.id] = replace(found, agreed=agreed)
        if agreed >= found.needed:
            del self.proposals[found.id]


def branch_of(row: LogRow) -> int | None:
    """The only seat that is told of a row when it is written: that of a branch of a running `together`.

    None if all are told, as of the row that ends a `together`.
    """
    return None if row.data.get("joined") else row.data.get("branch")


def _by_words(rows: Sequence[LogRow]) -> list[LogRow]:
    """Rows without the options that were noted, which are numbers of other rules."""
    return [
        replace(row, data={name: value for name, value in row.data.items() if name != "taken"})
        for row in rows
    ]


def with_hashes(rows: Sequence[LogRow], hashes: Sequence[str]) -> list[LogRow]:
    """Rows with other hashes of the positions after the last of them, as many as there are hashes."""
    first = len(rows) - len(hashes)
    later = [
        replace(row, data={**row.data, "hash": digest})
        for row, digest in zip(rows[first:], hashes, strict=True)
    ]
    return [*rows[:first], *later]


def queues_of(rows: Sequence[LogRow], given_back: Queues) -> dict[str, list[str | None]]:
    """The outcomes of rows by stream, then those that were given back."""
    found: dict[str, list[str | None]] = {}
    for row in rows:
        if row.kind == "chance":
            text = row.data["outcome"] if row.data.get("supplied") else None
            found.setdefault(row.data["stream"], []).append(text)
    for stream, texts in given_back.items():
        found.setdefault(stream, []).extend(texts)
    return found
