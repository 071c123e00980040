"""The parse tables of the grammar as text, so that they need not be computed at each start.

The text is JSON of Lark's own serialization, with a row for each state: pairs of the number of a token and
the next state, or `-1 - n` to reduce by rule `n`. States are numbered in breadth-first order, so the same
grammar gives the same text. It is sealed: its seal must be that of the grammar, the options and the installed
version of Lark.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from lark import Lark, __version__ as lark_version
from lark.grammar import Rule
from lark.lexer import TerminalDef
from lark.parsers.lalr_analysis import Reduce, Shift

ActionRow = list[int]


def seal(grammar: str, options: Mapping[str, Any], kept: tuple[str, ...]) -> str:
    """A hash of what tables depend on: the grammar, the options, the kept tokens, the version of Lark."""
    return sha256(json.dumps([lark_version, options, kept, grammar]).encode()).hexdigest()


def write_tables(parser: Lark, sealed: str) -> str:
    """The tables of a parser, the same for the same grammar."""
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    data["options"]["postlex"] = None
    _forget_widths(memo.values())
    table = data["parser"].pop("parser")
    tokens = sorted(table["tokens"].values())
    order = _order(table)
    number = {state: i for i, state in enumerate(order)}
    starts = {name: [number[s], number[table["end_states"][name]]] for name, s in _starts(table)}
    rules = {rule["@"]: i for i, rule in enumerate(data["rules"])}
    rows = [_row(table, state, number, rules, tokens) for state in order]
    parts = {"seal": sealed, "data": data, "starts": starts, "tokens": tokens}
    fields = [f'"{name}": {_json(part)}' for name, part in parts.items()]
    fields += [f'"{name}": {_lines(part)}' for name, part in (("memo", list(memo.values())), ("rows", rows))]
    return "{\n" + ",\n".join(fields) + "\n}\n"


def read_tables(text: str, sealed: str, postlex: object) -> Lark | None:
    """The parser with these tables; none if they have another seal."""
    saved = json.loads(text) if text else {}
    if saved.get("seal") != sealed:
        return None
    data = saved["data"]
    data["options"]["postlex"] = postlex
    data["parser"]["parser"] = {
        "tokens": {},
        "states": {},
        "start_states": {name: first for name, (first, _) in saved["starts"].items()},
        "end_states": {name: last for name, (_, last) in saved["starts"].items()},
    }
    parser = Lark.load({"data": data, "memo": dict(enumerate(saved["memo"]))})
    _fill(parser, saved["tokens"], saved["rows"])
    return parser


def _fill(parser: Lark, tokens: list[str], rows: list[ActionRow]) -> None:
    """Fill in the actions of each state. They are shared between states, which saves thousands of tuples.

    Reductions are at the end of `actions`, in reverse: rule 0 is at -1.
    """
    actions = [*((Shift, i) for i in range(len(rows))), *((Reduce, rule) for rule in reversed(parser.rules))]
    states = parser.parser.parser._parse_table.states
    for i, row in enumerate(rows):
        states[i] = {tokens[token]: actions[to] for token, to in zip(row[::2], row[1::2], strict=True)}


def _forget_widths(memo: Iterable[dict[str, Any]]) -> None:
    """Remove the widths of patterns: they differ between versions of Python, and Lark computes them again."""
    for entry in memo:
        if "_width" in entry.get("pattern", ()):
            entry["pattern"]["_width"] = None


def _starts(table: dict[str, Any]) -> list[tuple[str, int]]:
    return sorted(table["start_states"].items())


def _order(table: dict[str, Any]) -> list[int]:
    """The states in breadth-first order from the starts, by the names of tokens."""
    names = table["tokens"]
    order = dict.fromkeys(state for _, state in _starts(table))
    waiting = list(order)
    while waiting:
        actions = table["states"][waiting.pop(0)]
        for token in sorted(actions, key=names.__getitem__):
            reduces, target = actions[token]
            if not reduces and target not in order:
                order[target] = None
                waiting.append(target)
    return list(order)


def _row(
    table: dict[str, Any], state: int, number: dict[int, int], rules: dict[int, int], tokens: list[str]
) -> ActionRow:
    actions = {table["tokens"][token]: action for token, action in table["states"][state].items()}
    row: ActionRow = []
    for name in sorted(actions):
        reduces, target = actions[name]
        row += (tokens.index(name), -1 - rules[target["@"]] if reduces else number[target])
    return row


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _lines(values: list[Any]) -> str:
    return "[\n" + ",\n".join(_json(value) for value in values) + "\n]"
