"""Semantic tokens: each word of rules has one kind, and none overlaps another."""

from __future__ import annotations

import pytest

from dsl.workspace.highlighting import KINDS, semantic_tokens
from tests.workspace.edited import rules_files
from tests.workspace.test_index import snapshot


@pytest.mark.parametrize("name", ["pig", "roma", "trajan"])
def test_tokens_of_rules_are_in_order_and_apart(name: str) -> None:
    for path in rules_files(name):
        source = snapshot(name).source(path)
        assert source is not None
        found = list(semantic_tokens(snapshot(name), source))
        ends = [0, *(span.end for span, _ in found)]
        assert all(before <= span.start for before, (span, _) in zip(ends, found, strict=False))
        assert {kind for _, kind in found} <= set(KINDS)


def test_words_of_the_language_and_of_the_ruleset_have_their_kinds() -> None:
    source = snapshot("pig").source("pig.rules")
    assert source is not None
    kinds = {span.text: kind for span, kind in semantic_tokens(snapshot("pig"), source)}
    assert (kinds["action"], kinds["pot"], kinds["throw"]) == ("keyword", "variable", "function")
    assert next(kind for text, kind in kinds.items() if text.startswith("§")) == "decorator"


def test_yaml_has_the_names_alone() -> None:
    source = snapshot("pig").source("game.yaml")
    assert source is not None
    assert "keyword" not in {kind for _, kind in semantic_tokens(snapshot("pig"), source)}
