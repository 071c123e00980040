"""Small changes of a text, at random: of its tokens, numbers, lines, cells and blocks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from random import Random

TOKEN = re.compile(r"[A-Za-z_]\w*|\d+|\.\.|<=|>=|\+=|-=|[^\s\w]")
NUMBER = re.compile(r"\d+")
NAME = re.compile(r"[A-Za-z_]\w*")
OPERATOR = re.compile(
    r" (?:[-+*<>]|<=|>=|div|mod|is|is not|and|or|any|all|count|sum|min|max|lowest|highest) ?"
)
OPERATORS = (
    ("+", "-", "*", "div", "mod"),
    ("<", "<=", ">", ">=", "is", "is not"),
    ("and", "or"),
    ("any", "all", "count", "sum", "min", "max", "lowest", "highest"),
)
OPERATOR = re.compile(
    " (?:<=|>=|[-+*<>]|is not|div|mod|is|and|or|any|all|count|sum|min|max|lowest|highest)(?= )"
)
NUMBERS = (
    0,
    1,
    2,
    3,
    7,
    12,
    13,
    63,
    64,
    65,
    255,
    4095,
    4096,
    4097,
    65536,
    10**6,
    10**9,
    2**31 - 1,
    2**31,
    10**30,
)
STRANGE = (
    "",
    " ",
    "\t",
    "\0",
    "\x1b[2J",
    "é",
    "\u202e",
    "\ufeff",
    "\udc80",
    "'",
    '"',
    "{",
    "[",
    "~",
    "&a",
    "*a",
    "<<",
    "\r",
)
LANGUAGE = """
all any at by choose clear count distinct div do draw each effect else empty enters exists false for
from gain highest if in is lose lowest max may min mod modify move needs none not of or otherwise
pay repeat roll self set show shuffle sum those together true value when where while me active
opponent opponents seats next previous neighbours step ray spread size always never eventually score
tiebreak procedure action lasts turn and + - * < <= > >= .. ( ) [ ] , = += -= . : none range start
of: at: holds seen_by
"""
WORDS = LANGUAGE.split()
Edit = Callable[[Random, str, str], str]
"""An edit of a text; the second text is another of which something may be taken."""


def _at(pick: Random, pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found = list(pattern.finditer(text))
    return pick.choice(found) if found else None


def _replaced(text: str, at: re.Match[str], new: str) -> str:
    return text[: at.start()] + new + text[at.end() :]


def word(pick: Random, text: str, other: str) -> str:
    """A token becomes another one: of the same text, of another, or a word of the language."""
    at = _at(pick, TOKEN, text)
    if at is None:
        return text
    source = pick.choice((text, text, other))
    new = _at(pick, TOKEN, source)
    return _replaced(text, at, pick.choice((new.group() if new else "", pick.choice(WORDS))))


def name(pick: Random, text: str, other: str) -> str:
    """A name becomes another name of the same text: what is most likely to mean something still."""
    at, new = _at(pick, NAME, text), _at(pick, NAME, text)
    return _replaced(text, at, new.group()) if at is not None and new is not None else text


def number(pick: Random, text: str, other: str) -> str:
    at = _at(pick, NUMBER, text)
    if at is None:
        return text
    new = int(at.group()[:30]) + pick.choice((-1, 1, 2)) if pick.random() < 0.6 else pick.choice(NUMBERS)
    return _replaced(text, at, str(new))


def operator(pick: Random, text: str, other: str) -> str:
    """An operator becomes another of its kind."""
    at = _at(pick, OPERATOR, text)
    if at is None:
        return text
    kind = next(kind for kind in OPERATORS if at.group().strip() in kind)
    return _replaced(text, at, f" {pick.choice(kind)}")


def dropped(pick: Random, text: str, other: str) -> str:
    at = _at(pick, TOKEN, text)
    return _replaced(text, at, "") if at is not None else text


def doubled(pick: Random, text: str, other: str) -> str:
    at = _at(pick, TOKEN, text)
    return _replaced(text, at, f"{at.group()} {at.group()}") if at is not None else text


def inserted(pick: Random, text: str, other: str) -> str:
    at = _at(pick, TOKEN, text)
    return _replaced(text, at, f"{pick.choice(WORDS)} {at.group()}") if at is not None else text


def phrase(pick: Random, text: str, other: str) -> str:
    """Some words of one place stand at another: an expression in place of an expression, now and then."""
    found = list(TOKEN.finditer(pick.choice((text, text, other))))
    own = list(TOKEN.finditer(text))
    if len(found) < 6 or len(own) < 6:
        return text
    a, b = pick.randrange(len(found) - 5), pick.randrange(len(own) - 5)
    new = found[a : a + pick.randint(1, 5)]
    said = new[0].string[new[0].start() : new[-1].end()]
    last = own[b + pick.randint(0, 4)]
    return text[: own[b].start()] + said + text[last.end() :]


def strange(pick: Random, text: str, other: str) -> str:
    at = pick.randrange(len(text) + 1)
    return text[:at] + pick.choice(STRANGE) + text[at + pick.randint(0, 1) :]


def lines(pick: Random, text: str, other: str) -> str:
    """A line is left out, doubled, moved, indented, or some of another text are put in."""
    rows, more = text.split("\n"), other.split("\n")
    at, to = pick.randrange(len(rows)), pick.randrange(len(rows))
    match pick.randrange(6):
        case 0:
            del rows[at : at + pick.randint(1, 3)]
        case 1:
            rows.insert(to, rows[at])
        case 2:
            rows[at], rows[to] = rows[to], rows[at]
        case 3:
            rows[at] = pick.choice(("    ", "  ", " ")) + rows[at]
        case 4:
            rows[at] = rows[at].removeprefix("    ")
        case _:
            first = pick.randrange(len(more))
            rows[to:to] = more[first : first + pick.randint(1, 8)]
    return "\n".join(rows)


def cells(pick: Random, text: str, other: str) -> str:
    """Two cells of a row are exchanged, or one becomes another of its column's or any."""
    rows = [row.split(",") for row in text.split("\n")]
    row = pick.choice(rows)
    a, b = pick.randrange(len(row)), pick.randrange(len(row))
    if pick.random() < 0.4:
        row[a], row[b] = row[b], row[a]
    else:
        row[a] = pick.choice(pick.choice(rows))
    return "\n".join(",".join(row) for row in rows)


RULES: tuple[Edit, ...] = (
    word,
    word,
    name,
    name,
    name,
    operator,
    operator,
    operator,
    number,
    dropped,
    doubled,
    inserted,
    phrase,
    phrase,
    lines,
    strange,
)
YAML: tuple[Edit, ...] = (
    word,
    name,
    number,
    number,
    dropped,
    doubled,
    inserted,
    phrase,
    lines,
    lines,
    strange,
)
TABLE: tuple[Edit, ...] = (cells, cells, cells, number, word, lines, strange)


def edit_text(pick: Random, path: str, text: str, other: str) -> str:
    """One edit of a file of its kind."""
    kind = RULES if path.endswith(".rules") else TABLE if path.endswith(".csv") else YAML
    return pick.choice(kind)(pick, text, other)


def edit_ruleset(
    pick: Random, texts: Mapping[str, str], others: Mapping[str, str], most: int = 4
) -> dict[str, str]:
    """One to `most` edits of a ruleset, more in its rules than elsewhere, few more often than many."""
    found = dict(texts)
    for _ in range(min(most, 1 + int(pick.expovariate(0.9)))):
        path = pick.choice(sorted(found))
        rules = [p for p in sorted(found) if p.endswith(".rules")]
        if rules and pick.random() < 0.5:
            path = pick.choice(rules)
        alike = [t for p, t in sorted(others.items()) if p.rpartition(".")[2] == path.rpartition(".")[2]]
        found[path] = edit_text(pick, path, found[path], pick.choice(alike) if alike else "")
    return found
