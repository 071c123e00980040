"""Phrases of messages: lists, articles, plurals."""

from __future__ import annotations

HISSING = ("s", "x", "sh", "ch")
"""The endings of words whose plural has one more syllable."""


def listed(texts: list[str], last: str) -> str:
    """`a, b and c`."""
    return f" {last} ".join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1 else "".join(texts)


def quoted(names: list[str] | tuple[str, ...], last: str) -> str:
    """`listed` with each name in backticks."""
    return listed([f"`{name}`" for name in names], last)


def counts_text(counts: tuple[int, ...]) -> str:
    """Rising numbers: `2`, `2 to 4`, or `2 or 4` where some between are missing."""
    if len(counts) > 1 and counts[-1] - counts[0] == len(counts) - 1:
        return f"{counts[0]} to {counts[-1]}"
    return listed([str(count) for count in counts], "or")


def shortened(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


def declared_singular(noun: str) -> str:
    """The singular of a noun as `nouns` of labels has it: what stands before its plural and its forms."""
    return noun.partition(";")[0].partition(",")[0].strip()


def article(word: str) -> str:
    """`an action`, `a procedure`."""
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


def plural(number: int, word: str) -> str:
    """`1 cell`, `2 cells`, `1,000 matches`."""
    end = "" if number == 1 else "es" if word.endswith(HISSING) else "s"
    return f"{number:,} {word}{end}"


def counted(number: int, noun: str) -> str:
    """`1 error`, `2 errors`, `1,000 matches`, `no errors`."""
    return plural(number, noun) if number else f"no {plural(0, noun).removeprefix('0 ')}"


def given(number: int) -> str:
    """The number of arguments of a call, with its verb: `nothing is`, `1 is`, `3 are`."""
    return "nothing is" if number == 0 else f"{number} {'is' if number == 1 else 'are'}"
