"""One input after the other: made from its number, tried under a watch, made smaller if it fails."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from time import monotonic
from types import FrameType, ModuleType

from tests.fuzz import choices, lockstep, logs, pictures, requests, rows, rulesets, sizes, times
from tests.fuzz.inputs import Hang, Input, Outcome, wrong

FUZZERS: dict[str, ModuleType] = {
    f.NAME: f for f in (rulesets, logs, choices, lockstep, requests, rows, pictures, sizes, times)
}
BROWSED = frozenset((pictures.NAME,))
"""Those that need a browser: `tests/browser` has their samples."""

SECONDS = 10.0
"""The time of the processor that an input may take."""
SECONDS_OF = {sizes.NAME: 60.0, times.NAME: 60.0}
"""The same for fuzzers whose inputs are read many times: they watch over one reading themselves."""


def made(fuzzer: str, seed: int, number: int) -> Input:
    """The input of a number: always the same one."""
    found: Input = FUZZERS[fuzzer].make(Random(f"{fuzzer} {seed} {number}"))
    return found


def tried(one: Input, seconds: float | None = None) -> Outcome:
    """What comes of an input. Whatever it is that goes wrong, it is an outcome."""
    try:
        with watched(seconds or SECONDS_OF.get(one.fuzzer, SECONDS)):
            return Outcome(FUZZERS[one.fuzzer].run(one))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return wrong(error)


@contextmanager
def watched(seconds: float) -> Iterator[None]:
    """Raises `Hang` in what takes longer, by the time of the processor: others may be busy beside it."""

    def over(number: int, frame: FrameType | None) -> None:
        raise Hang(f"more than {seconds} s")

    before = signal.signal(signal.SIGPROF, over)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


# ---- smaller


def smaller(one: Input, slug: str, seconds: float = 30.0) -> Input:
    """An input that goes wrong in the same way, with as little in it as can be found out in the time."""
    until = monotonic() + seconds

    def same(candidate: Input) -> bool:
        return monotonic() < until and tried(candidate).slug == slug

    for path in sorted(one.files):
        fewer = replace(one, files={p: t for p, t in one.files.items() if p != path})
        one = fewer if same(fewer) else one
    for key in ("acts", "typed", "lines"):
        if key in one.said:
            one = _without(
                one.said[key],
                lambda part, one=one, key=key: replace(one, said={**one.said, key: part}),
                same,
                one,
            )
    for path in sorted(one.files, key=lambda p: not p.endswith(".rules")):

        def with_lines(part: Sequence[str], one: Input = one, path: str = path) -> Input:
            return replace(one, files={**one.files, path: "\n".join(part)})

        one = _without(one.files[path].split("\n"), with_lines, same, one)
    return one


def _without(
    parts: Sequence[str], build: Callable[[Sequence[str]], Input], same: Callable[[Input], bool], one: Input
) -> Input:
    """As many parts left out as can be: halves first, single ones last."""
    kept, size = list(parts), max(1, len(parts) // 2)
    while size:
        at = 0
        while at < len(kept):
            fewer = kept[:at] + kept[at + size :]
            candidate = build(fewer)
            if fewer and same(candidate):
                kept, one = fewer, candidate
            else:
                at += size
        size //= 2
    return one
