"""Rows of a table that have their cells in common share one, and what all names end with is said once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulewright.rulebook.document import DocumentCell, DocumentRow, Table
from rulewright.sentences.context import BookContext
from rulewright.sentences.text import merge_clauses, plain

FEWEST_ALIKE = 10
"""A table with so many rows is shortened where rows have several cells in common."""
SHORT = 6
"""A cell of so many words may stand in brackets behind a name."""
FEWEST_NAMES = 3
"""So many names share their last words, or a range of numbers."""

WORDS = re.compile(r"[^\W\d_]+|\d+")
COPIES = re.compile(r"(.*?)((?: ×\d+)?)")


def with_alike(ctx: BookContext, table: Table) -> Table:
    """A table that is shorter if rows with the same cells in all columns, or in all but one, share a row.

    Their names stand there, with the other cell in brackets. Of all ways the one with the fewest words is
    taken, if it saves a quarter of them and each row stands for two on average.
    """
    columns = range(1, len(table.head))
    if len(table.rows) < FEWEST_ALIKE:
        return table
    short = (c for c in columns if all(_words(row.cells[c].text) <= SHORT for row in table.rows))
    shorter = [_divided(ctx, table, beside) for beside in (None, *short)]
    best = min((x for x in shorter if 2 * len(x.rows) <= len(table.rows)), key=_length, default=table)
    return best if 4 * _length(best) <= 3 * _length(table) else table


def _divided(ctx: BookContext, table: Table, beside: int | None) -> Table:
    """A row for all rows that differ in their names, and in one column: the others, then each name."""
    shared = [c for c in range(1, len(table.head)) if c != beside]
    alike: dict[tuple[str, ...], list[DocumentRow]] = {}
    for line in table.rows:
        alike.setdefault(tuple(line.cells[c].text for c in shared), []).append(line)
    rows = []
    for lines in alike.values():
        first, effects = lines[0].cells, table.effects
        marks = merge_clauses(
            (), (c for x in lines for i, cell in enumerate(x.cells) if i != effects for c in cell.clauses)
        )
        own = (first[c] if c == effects else DocumentCell(first[c].text) for c in shared)
        cells = (*own, DocumentCell(_names(ctx, lines, beside), marks))
        rows.append(DocumentRow(cells, "", tuple(line.id for line in lines if line.id)))
    told = beside is None or all(_in_name(line.cells, beside) for line in table.rows)
    head = table.head[0] if told or beside is None else f"{table.head[0]} ({table.head[beside].lower()})"
    effects = shared.index(table.effects) if table.effects in shared else None
    return Table((*(table.head[c] for c in shared), head), tuple(rows), effects)


def _names(ctx: BookContext, lines: Sequence[DocumentRow], beside: int | None) -> str:
    """The names of rows: `Stairs 2 to 5; Door 2 to 5`; words at the end of all of them before the first."""
    names = [COPIES.fullmatch(line.cells[0].text) for line in lines]
    parts = [(m[1], m[2] + _beside(x.cells, beside)) for m, x in zip(names, lines, strict=True) if m]
    ending = _ending([name for name, _ in parts])
    parts = [(name.removesuffix(ending), more) for name, more in parts]
    listed = "; ".join(_with_ranges(ctx, [f"{name.rstrip(' ,')}{more}" for name, more in parts]))
    return f"…{ending}: {listed}" if ending else listed


def _ending(names: Sequence[str]) -> str:
    """The words, with what stands before them, that all of at least a few names end with."""
    words = [re.split(r"(?=[ ,])", name) for name in names]
    if len(names) < FEWEST_NAMES:
        return ""
    shared = 0
    while all(len(each) > shared + 1 for each in words) and len({each[-1 - shared] for each in words}) == 1:
        shared += 1
    return "".join(words[0][len(words[0]) - shared :])


def _with_ranges(ctx: BookContext, names: Sequence[str]) -> Iterator[str]:
    """Names, of which several that differ only in a number that goes up by 1 are one."""
    run: list[str] = []
    for name in (*names, ""):
        if len(run) > 1 and _number_after(run[-2], run[-1]) != _number_after(run[-1], name):
            yield from _as_range(ctx, run)
            run = []
        elif len(run) == 1 and _number_after(run[0], name) is None:
            yield run.pop()
        run.append(name)


def _as_range(ctx: BookContext, run: Sequence[str]) -> Iterator[str]:
    at = _number_after(run[0], run[1])
    if at is None or len(run) < FEWEST_NAMES:
        yield from run
        return
    first, last = (WORDS.findall(run[i])[at[0]] for i in (0, -1))
    begin = at[1]
    yield f"{run[0][:begin]}{ctx.say('range', low=first, high=last)}{run[0][begin + len(first) :]}"


def _number_after(name: str, other: str) -> tuple[int, int] | None:
    """Which word, beginning where, is a number and 1 more in another name, if all else is alike."""
    words, others = list(WORDS.finditer(name)), list(WORDS.finditer(other))
    apart = [i for i, (a, b) in enumerate(zip(words, others, strict=False)) if a[0] != b[0]]
    if len(apart) != 1 or WORDS.sub("", name) != WORDS.sub("", other) or len(words) != len(others):
        return None
    one, two = words[apart[0]], others[apart[0]]
    follows = one[0].isdecimal() and two[0].isdecimal() and int(two[0]) == int(one[0]) + 1
    return (apart[0], one.start()) if follows else None


def _beside(cells: Sequence[DocumentCell], beside: int | None) -> str:
    """Another cell in brackets, unless it is blank or the name has its words."""
    told = beside is None or _in_name(cells, beside)
    return "" if told or beside is None else f" ({cells[beside].text})"


def _in_name(cells: Sequence[DocumentCell], beside: int) -> bool:
    """Whether a cell is blank, or the name of its row has its words: `I seaport` in `Extra seaport`."""
    name, other = WORDS.findall(cells[0].text.lower()), WORDS.findall(cells[beside].text)
    words = [word for word in other if not word.isupper()]
    return not other or (bool(words) and all(w.isalpha() and w.lower() in name for w in words))


def _length(table: Table) -> int:
    """The words of a table, and the cells, of which each has a line around it."""
    return sum(map(_words, table.head)) + sum(1 + _words(c.text) for row in table.rows for c in row.cells)


def _words(text: str) -> int:
    return len(plain(text).split())
