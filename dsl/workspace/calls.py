"""The call around a place: what is called, with which parameters, and which of them is being written."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dsl.source import Source
from dsl.workspace.snapshot import Snapshot

OPEN = re.compile(r"(?<!\w)([A-Za-z_]\w*)\($")


@dataclass(frozen=True)
class Signature:
    """A call that is being written: its name, its parameters, and the number of the one at the place."""

    name: str
    parameters: tuple[str, ...]
    active: int


def signature(snapshot: Snapshot, source: Source, offset: int) -> Signature | None:
    """The innermost call around a place of a rules file."""
    line, column = source.position(offset)
    before = source.line(line)[: column - 1]
    depth, commas = 0, 0
    for end in range(len(before), 0, -1):
        character = before[end - 1]
        if character in ")]":
            depth += 1
        elif character in "([" and depth:
            depth -= 1
        elif character == "," and not depth:
            commas += 1
        elif character in "([":
            found = OPEN.search(before[:end])
            return _signature(snapshot, found[1], commas) if found is not None else None
    return None


def _signature(snapshot: Snapshot, name: str, active: int) -> Signature | None:
    definitions, symbols = snapshot.analysis.definitions, snapshot.analysis.symbols
    if definitions is not None and name in definitions.signatures:
        parameters = [p.var for p in definitions.signatures[name][1]]
    elif definitions is not None and name in definitions.typed_values:
        parameters = list(definitions.typed_values[name].parameters)
    elif name in symbols.tables:
        kinds = symbols.tables[name].over_types
        return Signature(name, tuple(map(str, kinds)), active)
    else:
        return None
    return Signature(name, tuple(f"{var.name}: {var.type}" for var in parameters), active)
