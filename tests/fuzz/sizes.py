"""Fuzzer of sizes: what is twice as long takes about twice the work to read, whatever is in it.

Work is counted in calls, which come out alike on every computer; `times.py` measures it in seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from cProfile import Profile
from dataclasses import dataclass
from math import inf
from random import Random
from time import process_time
from typing import Any

from dsl import grammar
from dsl.diagnostics import DiagnosticError, ErrorsReported
from dsl.document import read
from dsl.document_recovery import read_recovering
from dsl.pictures import NoPicture
from interpreter.messages import Fault
from tests.fuzz.inputs import Input, Wrong
from tests.fuzz.readers import GAME, READERS, Reader

NAME = "sizes"
GROWTH = 2.5
"""How many times the work what is twice as long may take."""
FIRST = 8_000
"""Characters of the first text."""

PARTS: dict[str, tuple[str, ...]] = {
    "yaml": (
        "seats: 2\n",
        "s{i}: 1\n",
        "zones:\n",
        "  a: {{holds: card}}\n",
        "  z{i}: {{holds: card, seen_by: all}}\n",
        "  z{i}: {{holds: nothing{i}, seen_by: al}}\n",
        "counters:\n",
        "  c{i}: {{range: 0..9}}\n",
        "- a\n",
        "- scenario: s{i}\n  then: [gold of A: 1]\n",
        "- scenario: s{i}\n  then: [\n",
        "- {{mutant: x{i}, why: y}}\n",
        "k{i}: [\n",
        "k: [a,\n",
        "[",
        "]",
        "{{",
        "}}",
        "a: [a, b]\n",
        "'",
        '"',
        "x",
        "word ",
        "é",
        "\t",
        "  \t- a\n",
        " ",
        "\n",
        "# comment\n",
        "  # comment\n",
        "#",
        ":",
        "x.",
        "x/",
        ": ",
        "a: b: c\n",
        "a: &a b\n",
        "- *a\n",
        "? a\n",
        "- - ",
        "a: |\n  text\n",
        "  text\n",
        "a: >\n",
        "!!x ",
        "a, ",
        "  f: {{picture: x{i}.svg}}\n",
        "pieces:\n",
        "  card: {{shape: card, icons: {{knight: x}}}}\n",
        "  §{i}: {{summary: a}}\n",
        "clauses:\n",
        "  t{i}: [a{i}, b{i}]\n",
        "types:\n",
        "  deck.{i}: x\n",
        "flow:\n",
        "  p{i}: {{do: [sow], then: p{i}}}\n",
        'a{i}.b: "{{label}}"\n',
        "---\n",
        "...\n",
        "constants: {{a: 1}}\n",
        "  k{i}: 1 + 1\n",
        "\r",
        "0x1 ",
        "yes ",
    ),
    "rules": (
        "action sow\n    gold of me += 1\n",
        "action a{i}\n    gold of me += 1\n",
        "procedure p{i}\n    a{i}\n",
        "value v{i} = 1 + x{i}\n",
        "value w = gold of A\n",
        "value v{i} = (",
        "(",
        ")",
        "[",
        "]",
        "((",
        "a + ",
        "a and ",
        "not ",
        "x",
        "word ",
        "é",
        "\t",
        "    ",
        " ",
        "\n",
        "# comment\n",
        "#",
        "§1 ",
        "§",
        "x§1",
        ".b",
        "    gold of me += 1\n",
        "    unknown{i}\n",
        "    gold of me += unknown{i}\n",
        "    if gold of me > 1\n",
        "        gold of me += 1\n",
        "when gold of A is 1\n",
        "    choose card from hand of me\n",
        "    do one of a, b, sow\n",
        "end of ",
        "first ",
        "up to ",
        "one of ",
        ", ",
        "where a\n",
        "and b\n",
        "+ 1\n",
        "@",
        '"',
        "score s{i} = 1\n",
        "tiebreak t = 1\n",
        "always gold of A > 0\n",
        "modify w by 1\n",
        "value v(card) = card.cost\n",
        "    let x{i} = 1\n",
        "    move 1 from deck to hand of me\n",
        "    needs gold of me > {i}\n",
        "if a else ",
        "sum(x for x in ",
        "1 ",
        "99999999999 ",
        "-",
        "    else\n",
        "\r\n",
    ),
    "csv": (
        "c{i},3\n",
        "knight,3\n",
        "c{i},{i}\n",
        "c{i}\n",
        ",",
        ",,\n",
        '"',
        "\n",
        "x",
        "word ",
        "c{i},3,4\n",
        "a,",
        "é",
        "c{i},unknown{i}\n",
        "card,cost\n",
        "# x\n",
        ";",
        "\t",
        "c {i},2\n",
        " ",
        "card,cost,x{i},",
        'c{i},"1"\n',
    ),
    "log": (
        '{{"seat": "A", "choose": "sow"}}\n',
        '{{"seat": "A", "choose": "x{i}"}}\n',
        "{{",
        "}}",
        "[",
        "]",
        '"',
        "x",
        "\n",
        ",",
        '{{"a{i}": 1}}\n',
        '{{"outcome": "x"}}\n',
        " ",
        "\\",
        '"a{i}": ',
        "1",
        '{{"log": 1, "game": "demo"}}\n',
    ),
    "svg": (
        '<rect width="9"/>',
        '<g id="g{i}">',
        "</g>",
        '<use href="#g{i}"/>',
        "<",
        ">",
        "x",
        '<path d="M0 0L9 9" fill="url(#g{i})"/>',
        "<text>word</text>",
        "<!-- x -->",
        "&amp;",
        "&#65;",
        " ",
        "\n",
        '<rect d="',
        "0 0 ",
        '"/>',
        "url(#a) ",
        "<g><g/></g>",
        '<mask id="m"><rect mask="url(#m)"/></mask>',
        '<rect transform="',
        "scale(1) ",
        ' fill="red"',
        "<rect",
        '<a:b xmlns:a="x"/>',
        '<rect x{i}="1"/>',
        ", ",
    ),
    "text": (
        "A player sows. ",
        "Sentence {i} says so.\n",
        "sentence {i}\n",
        "word ",
        "word\n",
        "x",
        "é",
        "1",
        ". ",
        "1. ",
        "\n",
        " ",
        "\t",
        "- item {i}\n",
        "(",
        '"',
        "sow ",
    ),
}
"""Parts of texts: some are whole lines, some are left open, `{i}` is another number each time."""
BEFORE = {
    "yaml": (
        "",
        "",
        GAME,
        f"{GAME}title: ",
        GAME.replace("seats: 2", "seats: two") + "title: ",
        "game: demo\nseats: 2\nrules: [demo.rules]\n",
        "zones:\n",
        "- ",
        "a: [",
        "a: '",
    ),
    "rules": (
        "",
        "",
        "action sow\n    gold of me += 1\n",
        "action sow\n    choose ",
        "value v = ",
        "procedure p\n",
        "value v = (",
    ),
    "csv": ("card,cost\n", "card,cost\n", "", "card,"),
    "log": ("", '{"log": 1, "game": "demo", "seats": 2}\n', '{"a": '),
    "svg": ("", '<g id="a"/>', "<g>", '<path d="'),
    "text": ("", "A player sows.\n", "sow "),
}
"""What stands before them, once."""


HEAD = (
    '{"rulewright": 1, "game": "demo", "rules": "x", "seats": 2, "options": {}, "seed": 0, "players": []}\n'
    '{"start": true}\n'
)
TOLD = HEAD.partition("\n")[0].replace("{", '{"companion": true, ', 1) + "\n"
ROUND = '{{"seat": "A", "choose": "sow", "hash": ""}}\n{{"seat": "B", "choose": "sow", "hash": ""}}\n'
SCENARIO = "- scenario: s\n  when: [A: sow]\n  then: {"
SHAPES: dict[str, dict[str, tuple[str, str, str]]] = {
    "yaml": {
        "a long word": (f"{GAME}title: ", "x", "\n"),
        "a long key": (GAME, "x", ": 1\n"),
        "a long number": (f"{GAME}constants: {{a: ", "1", "}\n"),
        "a long number for a seat": ("game: x\nseats: ", "9", "\n"),
        "a long number in a scenario": (f"{SCENARIO}gold of A: ", "1", "}\n"),
        "a long text": (f'{GAME}title: "', "word ", '"\n'),
        "a long text with escapes": (f'{GAME}title: "', "\\n", '"\n'),
        "a long name in a scenario": (f"{SCENARIO}gold of ", "x", ": 1}\n"),
        "a long address": ("set:\n  gold of ", "A at ", ": 1\n"),
        "a long choice": ("- scenario: s\n  when: [A: ", "sow ", "]\n"),
        "an open quote": (f"{GAME}title: '", "word\n", ""),
        "an open double quote": (f'{GAME}title: "', "word\n", ""),
        "many open quotes": (GAME, "k{i}: 'a\n", ""),
        "a long comment": (f"{GAME}#", "x", "\n"),
        "many comments": (GAME, "# comment\n", ""),
        "a line of blanks": (f"{GAME}title:", " ", "x\n"),
        "a line of tabs": (f"{GAME}title:", "\t", "x\n"),
        "many blank lines": (GAME, "\n", ""),
        "lines of blanks": (GAME, "    \n", ""),
        "deep brackets": (f"{GAME}title: ", "[", ""),
        "deep braces": (f"{GAME}title: ", "{{a: ", ""),
        "closing brackets": (f"{GAME}title: ", "]", ""),
        "deep dashes": ("", "- ", "a"),
        "deep question marks": ("", "? ", "a"),
        "a key again": (GAME, "seats: 2\n", ""),
        "an entry again": (f"{GAME}types:\n", "  a: [b]\n", ""),
        "an entry again in a scenario": ("- scenario: s\n", "  then: {{gold of A: 1}}\n", ""),
        "a scenario again": ("", "- scenario: s\n  when: [A: sow]\n  then: {{gold of A: 1}}\n", ""),
        "a scenario with unused chance": (
            "",
            "- scenario: s{i}\n  chance: {{x: [a, b]}}\n  when: [A: sow]\n  then: {{gold of A: 1}}\n",
            "",
        ),
        "a false scenario again": ("", "- scenario: s{i}\n  when: [A: sow]\n  then: {{gold of A: 2}}\n", ""),
        "many choices": ("- scenario: s\n  when:\n", "    - A: sow\n", "  then: {gold of A: 1}\n"),
        "many claims": (SCENARIO, "gold of A: {i}, ", "}\n"),
        "many events": (f"{SCENARIO}happened: [", "a {i}, ", "]}\n"),
        "an event of digits": (f"{SCENARIO}happened: [", "1", "]}\n"),
        "events that happen": (
            "- scenario: s\n  when: [A: sow]\n  then:\n    happened:\n",
            "      - 'gold of A: 0 -> 1'\n",
            "",
        ),
        "many seen": (f"{SCENARIO}A sees hand of A: [", "knight, ", "]}\n"),
        "many offered": (f"{SCENARIO}offered to A: [", "sow, ", "]}\n"),
        "an error again": (f"{GAME}types:\n", "  t{i}: 1 + 1\n", ""),
        "an error of YAML again": (GAME, "k{i}: [\n", ""),
        "an unknown key again": (GAME, "nothing{i}: 1\n", ""),
        "an error in a scenario again": ("", "- scenario: s{i}\n  thn: 1\n", ""),
        "an error, then much that is sound": ("game: x\nseats: [\n", "types{i}: {{a: [b]}}\n", ""),
        "an error, then many scenarios": ("- scenario: s\n  then: [\n", "- scenario: s{i}\n  then: []\n", ""),
        "much that is sound, then an error": (f"{GAME}types:\n", "  t{i}: [a{i}, b{i}]\n", "x: [\n"),
        "anchors": (GAME, "k{i}: &a b\n", ""),
        "one long list": (f"{GAME}types: {{a: [", "a{i}, ", "]}\n"),
        "a long range": (f"{GAME}constants: {{a: ", "1 + ", "1}\n"),
        "holes": (f"{GAME}title: '", "{{a}}", "'\n"),
        "many colons": (f"{GAME}title", ": ", "x\n"),
        "many quotes": (f"{GAME}title: ['", "'a'", "']\n"),
    },
    "rules": {
        "a long word": ("value v = ", "x", "\n"),
        "a long name": ("value ", "x", " = 1\n"),
        "a long number": ("value v = ", "1", "\n"),
        "a long text": ("value v = ", "word ", "\n"),
        "a long path": ("value v = gold", ".a", "\n"),
        "a long mark": ("value v = 1 §", "1", "\n"),
        "many marks": ("value v = 1 ", "§1 ", "\n"),
        "an open quote": ('value v = "', "word\n", ""),
        "open quotes": ("", 'value v{i} = "x\n', ""),
        "a long comment": ("#", "x", "\n"),
        "many comments": ("", "# comment\n", ""),
        "a comment behind each line": ("action sow\n", "    gold of me += 1  # more\n", ""),
        "a line of blanks": ("value v =", " ", "1\n"),
        "many blanks before a line": ("action sow\n", " ", "gold of me += 1\n"),
        "a line of tabs": ("value v =", "\t", "1\n"),
        "many blank lines": ("", "\n", "value v = 1\n"),
        "lines of blanks": ("action sow\n", "    \n", "    gold of me += 1\n"),
        "deep brackets": ("value v = ", "(", "1\n"),
        "deep brackets, closed": ("value v = ", "(", ")\n"),
        "closing brackets": ("value v = ", ")", "\n"),
        "deep lists": ("value v = ", "[", "1\n"),
        "deep calls": ("value v = ", "max(", "1\n"),
        "many signs": ("value v = ", "-", "1\n"),
        "many negations": ("value v = ", "not ", "1\n"),
        "a long sum": ("value v = ", "1 + ", "1\n"),
        "a long comparison": ("value v = ", "1 < ", "1\n"),
        "a long condition": ("value v = ", "a if b else ", "1\n"),
        "a long fold": ("value v = ", "sum(x for x in ", "\n"),
        "a key again": ("", "value v = 1\n", ""),
        "a line again": ("action sow\n", "    gold of me += 1\n", ""),
        "a local again": ("action sow\n", "    let x = 1\n", ""),
        "many locals": ("action sow\n", "    let x{i} = {i}\n", ""),
        "locals of definitions": ("", "procedure p{i}\n    let x = 1\n    gold of A = x\n", ""),
        "counts to be updated": ("action sow\n", "    move 1 from deck to hand of me\n", ""),
        "counts in brackets": ("action sow\n    move ", "(", "1)))) from deck to hand of me\n"),
        "an error again": ("action sow\n", "    gain 1 silver{i}\n", ""),
        "a syntax error again": ("", "value v{i} = = 1\n", ""),
        "an unknown name again": ("", "value v{i} = unknown{i}\n", ""),
        "an error, then much that is sound": ("value v = (\n", "value w{i} = 1\n", ""),
        "much that is sound, then an error": ("", "value w{i} = 1\n", "value v = (\n"),
        "many arguments": ("value v = max(", "1, ", "1)\n"),
        "many parameters": ("value v(", "a{i}: 0..9, ", "b: 0..9) = 1\n"),
        "many conditions": ("value v = 1 where ", "a and ", "b\n"),
        "many branches": (
            "action sow\n    if gold of me > 1\n        pass\n",
            "    else if gold of me > {i}\n        pass\n",
            "",
        ),
        "continued lines": ("value v = 1\n", "    + 1\n", ""),
    },
    "csv": {
        "a long word": ("card,cost\n", "x", ",1\n"),
        "a long header": ("", "x", ",cost\nknight,1\n"),
        "a long number": ("card,cost\nknight,", "1", "\n"),
        "a long text": ('card,cost\n"', "word ", '",1\n'),
        "an open quote": ('card,cost\n"', "word\n", ""),
        "many open quotes": ("card,cost\n", '"knight,1\n', ""),
        "quotes in a text": ('card,cost\n"', '""', '",1\n'),
        "a long comment": ("card,cost\n#", "x", "\n"),
        "many comments": ("card,cost\n", "# comment\n", ""),
        "a line of blanks": ("card,cost\n", " ", "knight,1\n"),
        "a line of tabs": ("card,cost\n", "\t", "knight,1\n"),
        "many blank lines": ("card,cost\n", "\n", "knight,1\n"),
        "lines of blanks": ("card,cost\n", "  \n", "knight,1\n"),
        "many cells": ("card,cost\nknight", ",1", "\n"),
        "many columns": ("card,cost", ",c{i}", "\nknight,1\n"),
        "a column again": ("card,cost", ",cost", "\nknight,1\n"),
        "deep brackets": ("card,cost\n", "[", ",1\n"),
        "a key again": ("card,cost\n", "knight,1\n", ""),
        "many rows": ("card,cost\n", "c{i},1\n", ""),
        "an error again": ("card,cost\n", "c{i},x\n", ""),
        "a short row again": ("card,cost\n", "c{i}\n", ""),
        "an error, then much that is sound": ("card,cost\nknight\n", "c{i},1\n", ""),
        "much that is sound, then an error": ("card,cost\n", "c{i},1\n", '"'),
    },
    "log": {
        "a long word": ('{"log": 1, "game": "', "x", '"}\n'),
        "a long key": ('{"', "x", '": 1}\n'),
        "a long number": ('{"log": ', "1", "}\n"),
        "a long fraction": ('{"log": 0.', "1", "}\n"),
        "a long text": ('{"log": "', "word ", '"}\n'),
        "a long text with escapes": ('{"log": "', "\\u0041", '"}\n'),
        "an open quote": ('{"log": "', "word\n", ""),
        "many open quotes": ("", '{{"a\n', ""),
        "a long comment": ('{"log": 1}\n#', "x", "\n"),
        "many comments": ('{"log": 1}\n', "# comment\n", ""),
        "a line of blanks": ('{"log": 1}', " ", "\n"),
        "a line of tabs": ('{"log": 1}', "\t", "\n"),
        "many blank lines": ('{"log": 1}\n', "\n", ""),
        "lines of blanks": ('{"log": 1}\n', "   \n", ""),
        "deep brackets": ('{"log": ', "[", "\n"),
        "deep brackets, closed": ('{"log": [', "[],", "0]}\n"),
        "deep braces": ("", '{{"a": ', "\n"),
        "a key again": ("{", '"log": 1, ', '"game": 1}\n'),
        "many keys": ("{", '"a{i}": 1, ', '"game": 1}\n'),
        "an entry again": (HEAD, ROUND, ""),
        "many told": (TOLD, ROUND, ""),
        "an error again": (HEAD, '{{"seat": "A", "choose": "x{i}", "hash": ""}}\n', ""),
        "an error, then much that is sound": (f"{HEAD}{{\n", ROUND, ""),
        "much that is sound, then an error": (HEAD, ROUND, '{"'),
    },
    "svg": {
        "a long word": ("<text>", "x", "</text>"),
        "a long name": ("<", "x", "/>"),
        "a long attribute": ("<rect ", "x", '="1"/>'),
        "a long number": ('<rect width="', "1", '"/>'),
        "a long path": ('<path d="', "M0 0L9 9", '"/>'),
        "a long colour": ('<rect fill="#', "a", '"/>'),
        "a long transform": ('<rect transform="', "scale(1) ", '"/>'),
        "a long text": ("<text>", "word ", "</text>"),
        "an open quote": ('<rect fill="', "word\n", ""),
        "many open quotes": ("", '<rect fill="a>', ""),
        "a long comment": ("<!-- ", "x", " -->"),
        "an open comment": ("<!-- ", "x", ""),
        "many comments": ("", "<!-- x -->", ""),
        "a line of blanks": ("<rect", " ", "/>"),
        "blanks in a value": ('<rect fill="', " ", 'x"/>'),
        "blanks in a transform": ('<rect transform="', " ", 'x"/>'),
        "many blank lines": ("", "\n", "<rect/>"),
        "deep nesting": ("", "<g>", ""),
        "deep nesting, closed": ("", "<g><g/>", "</g>"),
        "deep brackets": ('<rect fill="', "url(", '"/>'),
        "a key again": ("<rect", ' x="1"', "/>"),
        "many keys": ("<rect", ' x{i}="1"', "/>"),
        "many names": ("", '<g id="g{i}"/><use href="#g{i}"/>', ""),
        "a name again": ("", '<g id="a"/>', ""),
        "a chain of names": ("", '<g id="g{i}"><use href="#h{i}"/></g>', ""),
        "an error again": ("", '<rect onclick="x"/>', ""),
        "entities": ("<text>", "&amp;", "</text>"),
        "an error, then much that is sound": ("<script/>", '<rect width="9"/>', ""),
        "much that is sound, then an error": ("", '<rect width="9"/>', "<"),
    },
    "text": {
        "a long word": ("", "x", ""),
        "a long number": ("", "1", ""),
        "a long text": ("", "word ", ""),
        "a long name": ("sow ", "x", ""),
        "an open quote": ('"', "word\n", ""),
        "a long comment": ("# ", "x", ""),
        "a line of blanks": ("sow", " ", "x"),
        "a line of tabs": ("sow", "\t", "x"),
        "many blank lines": ("Sow.\n", "\n", "Sow.\n"),
        "many lines": ("", "word {i}\n", ""),
        "many sentences": ("", "Sentence {i} of many.\n", ""),
        "a sentence again": ("", "Sow.\n", ""),
        "long sentences": ("", "This is sentence {i}, which says the same as the one before it. ", ""),
        "deep brackets": ("", "(", ""),
        "a key again": ("", "sow ", ""),
        "many stops": ("", ". ", ""),
        "many numbers": ("", "{i}. ", ""),
        "an error again": ("", "sow{i} ", ""),
        "an error, then much that is sound": ("\u2028", "Sow. ", ""),
        "much that is sound, then an error": ("", "Sow. ", "("),
    },
}
"""Texts of one shape each: what stands first, what is written again and again, what stands last."""
ALWAYS = (
    *("a long word", "a long number", "a long text", "an open quote", "a long comment", "a line of blanks"),
    *("deep brackets", "a key again", "an error again"),
    *("an error, then much that is sound", "much that is sound, then an error"),
)
"""Shapes that every kind of text has."""


def grid() -> Iterator[Input]:
    """Every reader with every shape of its kind of text."""
    for name, reader in sorted(READERS.items()):
        for shape, (before, part, after) in SHAPES[reader.parts].items():
            said = {"reader": name, "shape": shape, "before": before, "parts": [part], "after": after}
            yield Input(NAME, said)


def make(pick: Random) -> Input:
    return made(NAME, pick)


def made(fuzzer: str, pick: Random) -> Input:
    """A reader, and what its texts are made of: something once, some parts many times, something once."""
    name = pick.choice(sorted(READERS))
    kind = READERS[name].parts
    parts = [pick.choice(PARTS[kind]) for _ in range(pick.choice((1, 1, 1, 2, 2, 3)))]
    after = pick.choice(("", "", pick.choice(PARTS[kind])))
    return Input(
        fuzzer, {"reader": name, "before": pick.choice(BEFORE[kind]), "parts": parts, "after": after}
    )


# ---- measured

SHORTER = (100, 96, 92, 88)
"""Percentages of half a size."""


@dataclass(frozen=True, slots=True)
class Measure:
    """How work is measured: in which unit, from how much on it is compared, and with how much it ends."""

    unit: str
    of: Callable[[Reader, str], tuple[float, str]]
    """The work that a text takes, and what it came to."""
    floor: float
    enough: float
    again: int = 1
    """How often what seems too much is measured."""
    longest: float = inf
    """Seconds of processor time that one text may take."""


def run(tried: Input) -> str:
    return judged(tried, CALLS)


def judged(tried: Input, measure: Measure) -> str:
    """Reads texts, each twice as long as the one before, until one is enough work. What the last came to.

    Work also depends on what stands where somebody asks: if a text takes too much more than one of half its
    size, the most that texts a little shorter take is what it is compared with.
    """
    said = tried.said
    reader = READERS[said["reader"]]
    size, before, stage = FIRST, 0.0, "short"
    while size <= reader.most:
        text, began = _text(said, size), process_time()
        took, stage = measure.of(reader, text)
        if process_time() - began > measure.longest:
            raise Wrong("too-long", f"more than {measure.longest} s for {size} characters")
        if before >= measure.floor and took > GROWTH * before:
            shorter = [_text(said, size // 2 * part // 100) for part in SHORTER]
            took, *works = (
                min(measure.of(reader, t)[0] for _ in range(measure.again)) for t in (text, *shorter)
            )
            if took > GROWTH * (before := max(works)):
                raise Wrong(
                    "grows-too-fast",
                    f"{before:g} {measure.unit} for {size // 2} characters, {took:g} for {size}",
                )
        if took > measure.enough:
            break
        size, before = 2 * size, took
    return stage


def _text(said: Mapping[str, Any], size: int) -> str:
    """A text of about so many characters."""
    before, after, parts = said["before"], said["after"], said["parts"]
    found, length, number = [before], len(before), 0
    while length < size:
        part = "".join(part.format(i=number) for part in parts)
        found.append(part)
        length += len(part)
        number += 1
    return "".join([*found, after])


def _calls(reader: Reader, text: str) -> tuple[float, str]:
    profile = Profile()
    profile.enable()
    try:
        stage = read_anew(reader, text)
    finally:
        profile.disable()
    return sum(entry.callcount for entry in profile.getstats()), stage


def read_anew(reader: Reader, text: str) -> str:
    """Reads a text with nothing kept of earlier ones: whether it is read or refused."""
    for kept in (grammar._piece_tree, grammar.parse_pieces, read, read_recovering):
        kept.cache_clear()
    try:
        reader.read(text)
    except (DiagnosticError, ErrorsReported, Fault, NoPicture):
        return "refused"
    return "read"


CALLS = Measure("calls", _calls, 100_000, 1_000_000)
