"""Texts of sentences, with marks for links and emphasis, and the steps that sentences are put together to.

A text is a `str` in which characters for private use mark links and emphasis, so that sentences can be put
together like any other text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

OPEN, BETWEEN, CLOSE, STRONG, WEAK = "\ue000", "\ue001", "\ue002", "\ue003", "\ue004"


STEM = 4
LINK = re.compile(f"{OPEN}([^{BETWEEN}]*){BETWEEN}([^{CLOSE}]*){CLOSE}")


def link(target: str, text: str) -> str:
    """A text with a link to the section or row with the id `target`."""
    return f"{OPEN}{target}{BETWEEN}{text}{CLOSE}"


def slug(kind: str, name: str) -> str:
    """The id of a section or row: `do-take-money`."""
    return "".join(c if c.isalnum() else "-" for c in f"{kind}-{name}")


def strong(text: str) -> str:
    """A text in bold."""
    return f"{STRONG}{text}{WEAK}"


def bold(text: str) -> tuple[str, ...]:
    """What is in bold in a text, without a full stop."""
    return tuple(words.removesuffix(".") for words in re.findall(f"{STRONG}([^{WEAK}]*){WEAK}", text))


def tidied(text: str) -> str:
    """A text with typographic apostrophes."""
    return text.replace("'", "’")


def plain(text: str) -> str:
    """A text without its links and emphasis."""
    return LINK.sub(r"\2", text).replace(STRONG, "").replace(WEAK, "")


def are_alike(title: str, text: str) -> bool:
    """Whether a text has a word of a title, by its first letters, so that it can be the link to it."""
    return bool(stems(title) & stems(text))


def stems(text: str, least: int = STEM) -> set[str]:
    """The words of a text with at least so many letters, by their first ones."""
    return {word[:STEM] for word in re.findall(r"[^\W\d_]+", plain(text).lower()) if len(word) >= least}


@dataclass(frozen=True, slots=True)
class Step:
    """A sentence, or with `parts` the beginning of one: `If …:`.

    If `ordered`, the parts are done one after the other; otherwise they stand side by side. A `guarded` step
    begins with a condition or a range, so it cannot become a part of another sentence. What is `told` is the
    summary of a clause, with its heading.
    """

    text: str
    clauses: tuple[str, ...] = ()
    parts: tuple[Step, ...] = ()
    ordered: bool = True
    guarded: bool = False
    told: bool = False

    @property
    def unheaded(self) -> str:
        """The text without a heading in bold before it."""
        return self.text.split(WEAK, 1)[1].strip() if self.text.startswith(STRONG) else self.text


def merge_clauses(first: Iterable[str], second: Iterable[str]) -> tuple[str, ...]:
    """Both without duplicates."""
    return tuple(dict.fromkeys((*first, *second)))


def cited(step: Step) -> Iterator[str]:
    """The clauses of a step and of its parts."""
    yield from step.clauses
    for part in step.parts:
        yield from cited(part)


def flowing(steps: tuple[Step, ...]) -> str:
    """Steps as running text, for the cells of tables."""
    return " ".join(_flowing(step) for step in steps)


def _flowing(step: Step) -> str:
    if not step.parts:
        return step.text
    inner = (_flowing(part).removesuffix(".") for part in step.parts)
    return f"{step.text} {'; '.join(text[:1].lower() + text[1:] for text in inner)}."
