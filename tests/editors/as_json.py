"""YAML of rulesets as an editor reads it: numbers, booleans and nothing by the core schema of YAML 1.2."""

from __future__ import annotations

import re
from typing import Any

from dsl.document import Mapping, Node, Scalar, Sequence, read
from dsl.source import Source

INTEGER = re.compile(r"[-+]?[0-9]+")
DECIMAL = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")


def read_json(text: str) -> Any:
    return value(read(Source("file", text)))


def value(node: Node) -> Any:
    match node:
        case Scalar(text=text, quoted=quoted):
            return text if quoted else plain(text)
        case Sequence(items=items):
            return [value(item) for item in items]
        case Mapping(pairs=pairs):
            return {key.text: value(item) for key, item in pairs}


def plain(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    if text in ("", "null", "~"):
        return None
    if INTEGER.fullmatch(text):
        return int(text)
    return float(text) if DECIMAL.fullmatch(text) else text
