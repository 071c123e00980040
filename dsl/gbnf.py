"""The grammar of the rules language as GBNF, with which programs constrain what a language model writes.

GBNF is context-free over characters and knows no indentation, so each level of blocks has rules of its own,
as deep as `DEEPEST`. It has no left recursion: `a: a b | c` becomes `a ::= c b*`. What it generates has the
one form of indentation, four blanks, and breaks lines only before the words that continue one. A name may be
a keyword there; the parser tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise, product

from dsl.grammar import plain_grammar
from dsl.indentation import CONTINUES

DEEPEST = 8
"""The most blocks in one another."""
INDENT, DEDENT, END_OF_LINE = "_INDENT", "_DEDENT", "_NL"
LAYOUT = frozenset({INDENT, DEDENT, END_OF_LINE})
LINES = frozenset({"statement", "value_let", "value_case", "else_"})
"""The symbols that begin a line within a block."""
TOPMOST = "definition"
REGULAR = {
    "INT": "[0-9]+",
    "NAME": "[A-Za-z_] [A-Za-z0-9_]*",
    "CLAUSE": '"§" [A-Za-z0-9] [A-Za-z0-9_.-]*',
    "COMPARE": '"<=" | ">=" | "<" | ">"',
}
"""Terminals that are not words."""
WORDS = re.compile(r"\(([a-z|]+)\)\\b")
COMMON = """\
ws ::= [ ]*
sp ::= [ ]+
ws-or-line ::= ws | broken
sp-or-line ::= sp | broken
broken ::= end-of-line [ ]+
end-of-line ::= [ ]* comment? "\\n"
comment ::= "#" [^\\n]*
nl ::= end-of-line+
"""

Expansion = tuple[str, ...]
Productions = dict[str, tuple[Expansion, ...]]


def gbnf() -> str:
    """The whole grammar; its first rule is `root`, the text of one rules file."""
    return "".join(f"{line}\n" for line in _lines(_without_empty(_productions())))


def _productions() -> Productions:
    found: dict[str, list[Expansion]] = {}
    for origin, expansion in plain_grammar().productions:
        found.setdefault(origin, []).append(expansion)
    return {name: tuple(dict.fromkeys(some)) for name, some in found.items()}


# ---- no empty productions


def _without_empty(rules: Productions) -> Productions:
    """The same language, but the empty text: symbols that may be empty are there or not."""
    empty = _nullable(rules)
    found: Productions = {}
    for name, expansions in rules.items():
        variants = (each for expansion in expansions for each in _variants(expansion, empty))
        found[name] = tuple(dict.fromkeys(each for each in variants if each and each != (name,)))
    return found


def _nullable(rules: Productions) -> frozenset[str]:
    found: frozenset[str] = frozenset()
    while True:
        more = {name for name, some in rules.items() if any(all(s in found for s in each) for each in some)}
        if more == found:
            return found
        found = frozenset(more)


def _variants(expansion: Expansion, empty: frozenset[str]) -> Iterator[Expansion]:
    choices = [((symbol,), ()) if symbol in empty else ((symbol,),) for symbol in expansion]
    for some in product(*choices):
        yield tuple(symbol for part in some for symbol in part)


# ---- which symbols begin and end with a word


@dataclass(frozen=True, slots=True)
class Edges:
    """The symbols that may begin, and end, with a letter or digit."""

    first: frozenset[str]
    last: frozenset[str]


def _edges(rules: Productions, terminals: Mapping[str, str]) -> Edges:
    words = {name for name, pattern in terminals.items() if _is_word(name, pattern)}
    return Edges(_reaching(rules, words, 0), _reaching(rules, words, -1))


def _is_word(name: str, pattern: str) -> bool:
    return name in ("INT", "NAME", "CLAUSE") or pattern.isalpha() or WORDS.fullmatch(pattern) is not None


def _reaching(rules: Productions, words: Iterable[str], end: int) -> frozenset[str]:
    found = frozenset(words)
    while True:
        more = found | {n for n, some in rules.items() if any(_content(each)[end] in found for each in some)}
        if more == found:
            return found
        found = more


def _content(expansion: Expansion) -> Expansion:
    return tuple(s for s in expansion if s not in LAYOUT) or ("",)


# ---- writing


def _lines(rules: Productions) -> Iterator[str]:
    terminals = plain_grammar().terminals
    writer = _Writer(rules, _edges(rules, terminals), _deep(rules))
    yield f"root ::= nl? {writer.named(TOPMOST, 0)}+"
    done: set[tuple[str, int]] = set()
    todo = [(TOPMOST, 0)]
    while todo:
        name, depth = todo.pop()
        if (name, depth) not in done:
            done.add((name, depth))
            yield writer.rule(name, depth)
            todo += sorted(writer.uses(name, depth), reverse=True)
    for name in sorted({s for some in rules.values() for each in some for s in each} & terminals.keys()):
        if name not in LAYOUT:
            yield f"{_spelled(name)} ::= {_shown(name, terminals[name])}"
    yield from COMMON.splitlines()


def _deep(rules: Productions) -> frozenset[str]:
    """The symbols that each level has rules of its own for: those with lines in a block."""
    found = LINES | {INDENT}
    while True:
        more = found | {n for n, some in rules.items() if any(found & set(each) for each in some)}
        if more == found:
            return found
        found = more


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes symbols as rules of GBNF."""

    rules: Productions
    edges: Edges
    deep: frozenset[str]

    def named(self, symbol: str, depth: int) -> str:
        return _spelled(symbol) + (f"-{depth}" if symbol in self.deep else "")

    def uses(self, name: str, depth: int) -> set[tuple[str, int]]:
        """The symbols in the rule of a symbol, each with its level."""
        found: set[tuple[str, int]] = set()
        for expansion in self._possible(name, depth):
            for symbol, level in _levels(expansion, depth):
                if symbol in self.rules:
                    found.add((symbol, level if symbol in self.deep else 0))
        return found

    def _possible(self, name: str, depth: int) -> list[Expansion]:
        deepest = [each for each in self.rules[name] if INDENT not in each or depth < DEEPEST]
        return [each for each in deepest if not (depth >= DEEPEST and set(each) & self._needing())]

    def _needing(self) -> frozenset[str]:
        """The symbols that cannot do without a block."""
        found = frozenset({INDENT})
        while True:
            more = found | {n for n, some in self.rules.items() if all(found & set(each) for each in some)}
            if more == found:
                return found
            found = more

    def rule(self, name: str, depth: int) -> str:
        own = self._possible(name, depth)
        bases = [self._sequence(each, depth) for each in own if each[0] != name]
        tails = [each[1:] for each in own if each[0] == name]
        text = " | ".join(bases)
        if tails:
            more = " | ".join(self._joined(name, each, depth) for each in tails)
            text = f"({text}) ({more})*"
        indent = f'"{" " * 4 * depth}" ' if name in LINES and depth else ""
        text = f"({text})" if indent and len(bases) > 1 and not tails else text
        return f"{self.named(name, depth)} ::= {indent}{text}"

    def _sequence(self, expansion: Expansion, depth: int) -> str:
        levels = list(_levels(expansion, depth))
        parts = [self._part(*levels[0])] if levels else []
        for (left, _), (right, level) in pairwise(levels):
            parts += [*self._between(left, right), self._part(right, level)]
        return " ".join(parts)

    def _joined(self, name: str, tail: Expansion, depth: int) -> str:
        return " ".join([*self._between(name, tail[0]), self._sequence(tail, depth)])

    def _part(self, symbol: str, level: int) -> str:
        return "nl" if symbol == END_OF_LINE else self.named(symbol, level)

    def _between(self, left: str, right: str) -> list[str]:
        """The blanks between two symbols of a line."""
        if right == END_OF_LINE or left == END_OF_LINE or {left, right} & LINES:
            return []
        if self._ends_line(left):
            return []
        blank = "sp" if left in self.edges.last and right in self.edges.first else "ws"
        blank = "sp" if right in ("CLAUSE", "clauses") else blank
        return [f"{blank}-or-line" if right in CONTINUES else blank]

    def _ends_line(self, symbol: str) -> bool:
        """Whether the text of a symbol ends with the end of a line."""
        some = self.rules.get(symbol, ())
        return bool(some) and all(
            each[-1] in (END_OF_LINE, DEDENT) or (each[-1] != symbol and self._ends_line(each[-1]))
            for each in some
        )


def _levels(expansion: Expansion, depth: int) -> Iterator[tuple[str, int]]:
    """The symbols of a production, but those of indentation, each with its level."""
    for symbol in expansion:
        if symbol == INDENT:
            depth += 1
        elif symbol == DEDENT:
            depth -= 1
        else:
            yield symbol, depth


def _spelled(symbol: str) -> str:
    return symbol.strip("_").replace("_", "-").lower() + ("-word" if symbol.isupper() else "")


def _shown(name: str, pattern: str) -> str:
    """A terminal as GBNF."""
    if name in REGULAR:
        return REGULAR[name]
    words = WORDS.fullmatch(pattern)
    if words is not None:
        return " | ".join(f'"{word}"' for word in words[1].split("|"))
    return '"' + re.sub(r"\\(.)", r"\1", pattern) + '"'
