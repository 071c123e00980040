"""Texts checked against a grammar in GBNF: the grammar as one for Lark, whose Earley parser takes any."""

from __future__ import annotations

import re
from functools import cache

from lark import Lark
from lark.exceptions import LarkError

from dsl.gbnf import gbnf

TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\[(?:\\.|[^\]\\])*\]|[a-z0-9-]+|[()|*+?]')


def rules_of(text: str) -> dict[str, list[str]]:
    """The tokens of each rule. Raises `AssertionError` for what is none."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        name, _, body = line.partition(" ::= ")
        tokens = TOKEN.findall(body)
        assert tokens, line
        assert name not in found, name
        found[name] = tokens
    return found


def _for_lark(token: str) -> str:
    if token.startswith("["):
        return f"/{token}/"
    if token[0] in '"()|*+?':
        return token
    return "r_" + token.replace("-", "_")


@cache
def reader() -> Lark:
    rules = rules_of(gbnf()).items()
    lines = [f"{_for_lark(name)}: {' '.join(map(_for_lark, body))}" for name, body in rules]
    return Lark("\n".join(lines), start="r_root", parser="earley", lexer="dynamic", ambiguity="resolve")


def accepts(text: str) -> bool:
    """Whether the grammar generates a text."""
    try:
        reader().parse(text)
    except LarkError:
        return False
    return True
