"""The documentation, by page and section, and where in it words occur."""

from __future__ import annotations

import inspect
import re
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from pathlib import Path

from dsl.diagnostics import Diagnostic

MOST_FOUND = 8
CODES = "codes"
"""What search calls the explanations of codes, which are not a page."""
WORD = re.compile(r"[\w§]+")
HEADING = re.compile(r"^(#{1,4}) (.+)$", re.MULTILINE)
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class ManualSection:
    """A section of a page: everything from its heading to the next. `depth`: 1 for the title of a page."""

    page: str
    heading: str
    text: str
    depth: int = 1


def manual_folder() -> Path:
    """The folder of the documentation: next to the packages in a checkout, inside when installed."""
    here = Path(__file__).resolve().parents[1]
    beside = here.parent / "docs"
    return beside if (beside / "language.md").is_file() else here / "docs"


@cache
def pages() -> dict[str, str]:
    """The pages by name, without their endings."""
    return {path.stem: path.read_text("utf-8") for path in sorted(manual_folder().glob("*.md"))}


def sections_of(page: str, text: str) -> Iterator[ManualSection]:
    """The sections of a page in order; what looks like a heading within code is none."""
    hidden = FENCE.sub(lambda code: " " * len(code[0]), text)
    found = list(HEADING.finditer(hidden))
    ends = [match.start() for match in found[1:]] + [len(text)]
    for match, end in zip(found, ends, strict=True):
        yield ManualSection(page, match[2].strip(), text[match.start() : end].strip(), len(match[1]))


def under(sections: Sequence[ManualSection], heading: str) -> list[ManualSection]:
    """The section with a heading and all below it; without one, those whose headings contain it."""
    wanted = heading.lower()
    exact = (i for i, each in enumerate(sections) if each.heading.lower().strip("`") == wanted.strip("`"))
    first = next(exact, None)
    if first is None:
        return [each for each in sections if wanted in each.heading.lower()]
    depth = sections[first].depth
    return [sections[first], *takewhile(lambda each: each.depth > depth, sections[first + 1 :])]


def explanations(register: dict[str, type[Diagnostic]]) -> Iterator[ManualSection]:
    """The explanation of each code, as sections of the page `codes`."""
    for code, kind in register.items():
        yield ManualSection(CODES, f"{code} {kind.slug}", inspect.cleandoc(kind.__doc__ or ""))


class Manual:
    """All sections with an index of their words. Results are ranked by BM25 [Robertson and Zaragoza 2009]."""

    def __init__(self, sections: list[ManualSection]) -> None:
        self.sections = sections
        self._index = sqlite3.connect(":memory:", check_same_thread=False)
        self._index.execute(
            "create virtual table found using fts5(heading, text, tokenize='porter unicode61')"
        )
        rows = [(i, it.heading, it.text) for i, it in enumerate(sections)]
        self._index.executemany("insert into found (rowid, heading, text) values (?, ?, ?)", rows)

    def search(self, query: str, most: int = MOST_FOUND) -> list[ManualSection]:
        """The sections that fit best to the words of a query."""
        words = WORD.findall(query)[:20]
        if not words:
            return []
        asked = " OR ".join(f'"{word}"' for word in words)
        rows = self._index.execute(
            "select rowid from found where found match ? order by bm25(found, 5.0, 1.0) limit ?",
            (asked, most),
        )
        return [self.sections[row] for (row,) in rows]


@cache
def manual() -> Manual:
    """The whole documentation, with the explanations of all codes."""
    from rulewright.manual.codes import all_codes

    found = [section for page, text in pages().items() for section in sections_of(page, text)]
    return Manual([*found, *explanations(all_codes())])
