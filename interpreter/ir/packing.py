"""The best selection of records without a bit in common: weighted set packing, exactly.

Records with the same least bit exclude each other, so each such bit is a group of which at most one record is
selected. Groups are gone through by their bits, and the records of a group from the best one on: depth-first
branch and bound, over items as in exact covers (Knuth, "Dancing Links", 2000). What is to come is at most the
sum of the best record of each later group that nothing selected excludes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

Record = tuple[int, int]
"""What a record is worth, and its bits."""


def best_selection(records: Sequence[Record], spend: Callable[[int], None]) -> list[int]:
    """The numbers of the records with the greatest sum, by their least bits; `spend` is told of the work.

    Of equal sums it is the selection that has the better record, or the earlier one of equal worth, or one at
    all, in the first group in which they differ. What has no bit, or is worth nothing, is not selected.
    """
    useful, known = list[int](), dict[int, int]()
    for i, (worth, bits) in enumerate(records):
        if bits and worth > known.get(bits, 0):
            known[bits] = worth
            useful.append(i)
    useful.sort(key=lambda i: (records[i][1] & -records[i][1], -records[i][0], i))
    groups = [list(members) for _, members in groupby(useful, key=lambda i: records[i][1] & -records[i][1])]
    spend(len(useful))
    return _Search(records, groups, spend).run()


class _Search:
    """The search, with what is selected so far: in each group a record, or -1 for none."""

    def __init__(
        self, records: Sequence[Record], groups: list[list[int]], spend: Callable[[int], None]
    ) -> None:
        self.records, self.groups, self.spend = records, groups, spend
        self.rest = [0]
        """The sum of the best records of all groups from one on."""
        for group in reversed(groups):
            self.rest.insert(0, self.rest[0] + records[group[0]][0])
        self.chosen: list[int] = []
        self.tried = [0] * (len(groups) + 1)
        """How many records of each group have been tried since it was come to, and then none of them."""
        self.used = self.total = self.best = 0
        self.found: list[int] = []

    def run(self) -> list[int]:
        while True:
            self._arrive(len(self.chosen))
            while (option := self._next(len(self.chosen))) is None:
                if not self.chosen:
                    return self.found
                self._change(self.chosen.pop(), -1)
            self.chosen.append(option)
            self._change(option, 1)

    def _arrive(self, level: int) -> None:
        """A group is come to, or the end of a selection that is better than the best so far."""
        if level == len(self.groups):
            self.best, self.found = self.total, [i for i in self.chosen if i >= 0]
        else:
            self.tried[level] = 0 if self._is_hopeful(level) else len(self.groups[level]) + 1

    def _is_hopeful(self, level: int) -> bool:
        """Whether a selection may be better than the best so far, with what this and later groups can add."""
        needed = self.best - self.total
        if self.rest[level] <= needed:
            return False
        for group in self.groups[level:]:
            for i in group:
                self.spend(1)
                worth, bits = self.records[i]
                if not bits & self.used:
                    needed -= worth
                    break
            if needed < 0:
                return True
        return False

    def _next(self, level: int) -> int | None:
        """The next record of a group to select, -1 for none of them; None if nothing better is left."""
        if level == len(self.groups):
            return None
        group, needed = self.groups[level], self.best - self.total - self.rest[level + 1]
        while (at := self.tried[level]) < len(group):
            self.tried[level] += 1
            self.spend(1)
            worth, bits = self.records[group[at]]
            if worth <= needed:
                self.tried[level] = len(group) + 1
            elif not bits & self.used:
                return group[at]
        self.tried[level] += 1
        return -1 if at == len(group) and needed < 0 else None

    def _change(self, option: int, sign: int) -> None:
        """A record joins the selection, or leaves it."""
        if option >= 0:
            worth, bits = self.records[option]
            self.total += sign * worth
            self.used ^= bits
