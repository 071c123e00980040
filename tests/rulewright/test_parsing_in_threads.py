"""Several threads may read rules at the same time, as a server does that opens matches of different games."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from dsl.grammar import parse
from dsl.source import Source

RULES = """action act
    needs (coins of me
        + 1) > 2
    lose 1 coins
"""


class Meeting(str):
    """A text at which threads wait for each other, when each is about to parse it."""

    barrier = Barrier(2, timeout=10)

    def endswith(self, *given: object) -> bool:  # type: ignore[override]
        self.barrier.wait()
        return super().endswith(*given)  # type: ignore[arg-type]


def test_threads_that_parse_at_once_do_not_disturb_each_other() -> None:
    alone = parse(Source("alone.rules", RULES))
    sources = [Source(f"{number}.rules", Meeting(RULES)) for number in range(2)]
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(parse, sources))
    assert [len(definitions) for definitions in found] == [len(alone)] * 2 == [1, 1]
