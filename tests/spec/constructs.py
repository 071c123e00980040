"""Which constructs of the language a ruleset uses."""

from __future__ import annotations

from dsl.document import Mapping, Scalar, Sequence, read
from dsl.folder import Folder
from dsl.grammar import parse
from dsl.syntax import Value
from tests.spec.declared import declared
from tests.spec.written import FUNCTIONS, written


def constructs(folder: Folder) -> frozenset[str]:
    """Every construct that a ruleset uses. Raises `DiagnosticError` if it cannot be read."""
    game = read(folder.source("game.yaml"))
    assert isinstance(game, Mapping)
    rules = game.get("rules")
    assert isinstance(rules, Sequence)
    tables = game.get("tables")
    own = {key.text for key, _ in tables.pairs} if isinstance(tables, Mapping) else set[str]()
    found = set(declared(game, folder))
    for path in rules.items:
        assert isinstance(path, Scalar)
        for definition in parse(folder.source(path.text)):
            found.update(written(definition))
            own |= {definition.name.text} if isinstance(definition, Value) else set()
    return frozenset(found - {FUNCTIONS[name] for name in own & FUNCTIONS.keys()})
