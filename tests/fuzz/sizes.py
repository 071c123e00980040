"""Fuzzer of sizes: what is twice as long takes about twice the time to read, whatever is in it."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from time import process_time
from typing import Any

from dsl import grammar
from dsl.diagnostics import DiagnosticError, ErrorsReported, Report
from dsl.document import read
from dsl.document_recovery import read_recovering
from dsl.folder import LARGEST_FILE
from dsl.load import load
from dsl.pictures import LARGEST_PICTURE, NoPicture, data_url
from dsl.render import as_json, lines, snippets
from dsl.rules import Rules
from dsl.source import Source
from dsl.workspace.formatting import formatted
from dsl.workspace.snapshot import Workspace
from dsl.workspace.yaml_form import formatted_yaml
from interpreter import log
from interpreter.messages import Fault
from tests.fuzz.inputs import Input, Wrong, folder_of
from validators.mutate.equivalents import read_equivalents
from validators.scenarios.reading import read_file

NAME = "sizes"
GROWTH = 2.5
"""How many times as long what is twice as long may take."""
FLOOR, ENOUGH = 0.2, 1.5
"""Seconds of processor time from which on times are compared, and with which it ends."""
FIRST = 8_000
AGAIN = 3
"""Characters of the first text; how often a time that seems too long is taken again."""

GAME = """game: demo
seats: 2
rules: [demo.rules]
labels: labels.yaml
look: look.yaml
clauses: rulebook.yaml
boards:
  field: {grid: [3, 3]}
components:
  card: {table: cards.csv, columns: {cost: 1..9}}
zones:
  deck: {holds: card, order: shuffled, seen_by: count, start: all}
  hand: {holds: card, of: seat, seen_by: owner}
counters:
  gold: {of: seat, range: 0..9}
flow:
  turn: {seat: rotates, do: [{do one of: [sow]}], then: turn}
  final: {score: none}
"""
FILES = {
    "game.yaml": GAME,
    "demo.rules": "action sow\n    gold of me += 1\n",
    "rulebook.yaml": "rulebook: {title: Demo, language: en}\nclauses:\n  §1.1: {heading: Sow, says: sow}\n",
    "labels.yaml": "sow: Sow\n",
    "look.yaml": "pieces:\n  card: {shape: card}\n",
    "cards.csv": "card,cost\nknight,3\nbaker,2\n",
}


# ---- readers


def _loaded(path: str) -> Callable[[str], None]:
    """Reads the ruleset with another text of a file, and shows what is wrong with it."""

    def read_all(text: str) -> None:
        try:
            found = load(folder_of({**FILES, path: text}))[1]
        except ErrorsReported as error:
            found = error.report
        _shown(found)

    return read_all


def _shown(found: Report) -> None:
    for show in (snippets, lines, as_json):
        show(found)


def _edited(path: str) -> Callable[[str], None]:
    """Reads the ruleset as an editor does, and again after a small change at the end of a file."""

    def edit(text: str) -> None:
        workspace = Workspace("demo", lambda path: FILES[path].encode())
        workspace.edit(path, text)
        _ = workspace.snapshot().findings
        workspace.edit(path, f"{text}\n# more")
        snapshot = workspace.snapshot()
        _shown(Report(snapshot.findings))
        _ = snapshot.index

    return edit


@cache
def _rules() -> Rules:
    return load(folder_of(FILES))[0]


def _svg(inner: str) -> None:
    data_url(f'<svg xmlns="http://www.w3.org/2000/svg">{inner}</svg>'.encode())


@dataclass(frozen=True, slots=True)
class Reader:
    """What reads a text, the kind of parts that the text is made of, and its most characters."""

    read: Callable[[str], object]
    parts: str
    most: int = LARGEST_FILE


READERS = {
    "document": Reader(lambda text: read(Source("x.yaml", text)), "yaml"),
    "recovery": Reader(lambda text: read_recovering(Source("game.yaml", text)), "yaml"),
    "pieces": Reader(lambda text: grammar.parse_pieces(Source("x.rules", text)), "rules"),
    "game": Reader(_loaded("game.yaml"), "yaml"),
    "rules": Reader(_loaded("demo.rules"), "rules"),
    "table": Reader(_loaded("cards.csv"), "csv"),
    "labels": Reader(_loaded("labels.yaml"), "yaml"),
    "look": Reader(_loaded("look.yaml"), "yaml"),
    "rulebook": Reader(_loaded("rulebook.yaml"), "yaml"),
    "edited game": Reader(_edited("game.yaml"), "yaml"),
    "edited rules": Reader(_edited("demo.rules"), "rules"),
    "scenarios": Reader(lambda text: read_file(Source("x.yaml", text), _rules()), "yaml"),
    "mutants": Reader(lambda text: read_equivalents(Source("mutants.yaml", text)), "yaml"),
    "form of rules": Reader(lambda text: formatted(Source("x.rules", text)), "rules"),
    "form of YAML": Reader(lambda text: formatted_yaml(Source("x.yaml", text)), "yaml"),
    "log": Reader(lambda text: log.read(Source("match.log", text), trusted=True), "log"),
    "picture": Reader(_svg, "svg", LARGEST_PICTURE),
}

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
}
"""What stands before them, once."""


def make(pick: Random) -> Input:
    """A reader, and what its texts are made of: something once, some parts many times, something once."""
    name = pick.choice(sorted(READERS))
    kind = READERS[name].parts
    parts = [pick.choice(PARTS[kind]) for _ in range(pick.choice((1, 1, 1, 2, 2, 3)))]
    after = pick.choice(("", "", pick.choice(PARTS[kind])))
    return Input(NAME, {"reader": name, "before": pick.choice(BEFORE[kind]), "parts": parts, "after": after})


# ---- measured


def run(tried: Input) -> str:
    said = tried.said
    reader = READERS[said["reader"]]
    if said["reader"] == "scenarios":
        _rules()
    size, before, stage = FIRST, 0.0, "short"
    while size <= reader.most:
        text = _text(said, size)
        took, stage = _time(reader, text)
        if before >= FLOOR and took > GROWTH * before:
            took, before = _least(reader, text), _least(reader, _text(said, size // 2))
            if took > GROWTH * before:
                raise Wrong(
                    "grows-too-fast", f"{before:.2f} s for {size // 2} characters, {took:.2f} s for {size}"
                )
        if took > ENOUGH:
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


def _time(reader: Reader, text: str) -> tuple[float, str]:
    """The time of the processor that a text takes, with nothing kept of earlier ones, and what it came to."""
    for kept in (grammar._piece_tree, grammar.parse_pieces, read, read_recovering):
        kept.cache_clear()
    gc.collect()
    gc.disable()
    begun = process_time()
    try:
        reader.read(text)
        stage = "read"
    except (DiagnosticError, ErrorsReported, Fault, NoPicture):
        stage = "refused"
    finally:
        gc.enable()
    return process_time() - begun, stage


def _least(reader: Reader, text: str) -> float:
    return min(_time(reader, text)[0] for _ in range(AGAIN))
