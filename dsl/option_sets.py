"""Sets that options hold, read from the words of their values and checked against their bounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.messages.game import BadOption, OptionSetSize, RepeatedMember
from dsl.rules.declarations import NOTHING, Option, OptionSets
from dsl.source import Span
from dsl.wording import plural, shortened

MOST_SAMPLED = 12
"""About how many sets of one size stand for all of them."""


Placed = tuple[str, Span]
"""A word, and where it stands."""


def words_of_set(text: str, span: Span) -> tuple[Placed, ...]:
    """The words of a set that is written as one text: `wool, salt`, or `none`."""
    parts = [part.strip() for part in text.split(",")]
    return () if parts == [NOTHING] else tuple((part, span) for part in parts)


def set_of(option: Option, members: Sequence[Placed], seats: int, span: Span) -> int:
    """The set of these values with a number of seats.

    Raises `DiagnosticError` with `BadOption`, `RepeatedMember` or `OptionSetSize`.
    """
    bounds, found = option.sets[seats], 0
    for word, at in members:
        bit = _bit(option, word, at, seats)
        if found & bit:
            what = f"`{word}` is in option `{option.name}` twice"
            raise DiagnosticError(RepeatedMember(at, what, "name each value once"))
        found |= bit
    if not bounds.least <= len(members) <= bounds.most:
        number = plural(len(members), "value") if members else "no value"
        size, known = size_text(bounds), ", ".join(option.members(bounds.present))
        why = f"option `{option.name}` has {number} instead of {size}"
        raise DiagnosticError(OptionSetSize(span, why, f"choose {size} of {known}"))
    return found


def size_text(bounds: OptionSets) -> str:
    """`6`, or `2 to 4`."""
    return f"{bounds.least}" if bounds.least == bounds.most else f"{bounds.least} to {bounds.most}"


def _bit(option: Option, word: str, at: Span, seats: int) -> int:
    """The bit of a value. Raises `DiagnosticError` if the option cannot have it."""
    known = option.members(option.sets[seats].present)
    if word in known:
        return 1 << option.values.index(word)
    shown = shortened(word) or "(empty)"
    if word in option.values:
        why = f"`{shown}` of option `{option.name}` is not in the game with {plural(seats, 'seat')}"
        raise DiagnosticError(BadOption(at, why, f"choose from {', '.join(known)}"))
    hint = did_you_mean(word, known) or f"choose from {', '.join(known)}"
    raise DiagnosticError(BadOption(at, f"`{shown}` is no value of option `{option.name}`", hint))


def sampled_sets(option: Option, seats: int) -> Iterator[int]:
    """Some of the sets that an option may hold, each once: the smallest, the largest and some between.

    Each value is in one and out of another, if the bounds allow it.
    """
    bounds = option.sets[seats]
    bits = [1 << i for i in range(len(option.values)) if bounds.present >> i & 1]
    sizes = sorted({bounds.least, (bounds.least + bounds.most) // 2, bounds.most})
    yield from dict.fromkeys(one for size in sizes for one in _runs(bits, size))


def _runs(bits: Sequence[int], size: int) -> Iterator[int]:
    """Runs of so many bits, the first after the last; together all bits."""
    apart = max(1, min(size, len(bits) // MOST_SAMPLED))
    for start in range(0, len(bits), apart) if 0 < size < len(bits) else (0,):
        yield sum(bits[(start + i) % len(bits)] for i in range(size))
