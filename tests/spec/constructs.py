"""Which constructs of the language a ruleset uses."""

from __future__ import annotations

from dsl.document import Mapping, Scalar, Sequence, read
from dsl.folder import Folder
from dsl.grammar import parse
from tests.spec.declared import declared
from tests.spec.written import written


def constructs(folder: Folder) -> frozenset[str]:
    """Every construct that a ruleset uses. Raises `DiagnosticError` if it cannot be read."""
    game = read(folder.source("game.yaml"))
    assert isinstance(game, Mapping)
    rules = game.get("rules")
    assert isinstance(rules, Sequence)
    found = set(declared(game, folder))
    for path in rules.items:
        assert isinstance(path, Scalar)
        for definition in parse(folder.source(path.text)):
            found.update(written(definition))
    return frozenset(found)
