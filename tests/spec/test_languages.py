"""Labels in several languages."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from dsl.load import Folder, load
from dsl.rules import Rules
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match

GAME = """
game: demo
seats: 2
labels: LABELS
rules: [demo.rules]
counters:
  points: {of: seat, range: 0..3}
flow:
  only: {do: [{do one of: [take, leave]}], score: highest}
"""
RULES = """
action take
    gain 1 points

action leave
    gain 2 points

score points = points of me
"""
EN = "take: take a point\nleave: leave\npoints: points\nhelp:\n  take: One point.\n"
HU = "take: vegyél egy pontot\npoints: pont\nhelp:\n  take: Egy pont.\n"
TWO = "{en: labels/en.yaml, hu: labels/hu.yaml}"


def rules_with(labels: str = TWO, **files: str) -> Rules:
    texts = {"game.yaml": GAME.replace("LABELS", labels), "demo.rules": RULES}
    texts |= {"labels/en.yaml": EN, "labels/hu.yaml": HU}
    texts |= {f"labels/{name}.yaml": text for name, text in files.items()}
    return load(Folder("demo", fetcher(texts)))[0]


def fetcher(texts: Mapping[str, str]):  # type: ignore[no-untyped-def]
    return lambda path: texts[path].encode()


def offered(rules: Rules) -> list[str]:
    match = Match(Game(rules, compile_rules(rules))).start()
    return [choice.label for choice in match.decisions()[0].choices]


def test_the_first_language_is_the_default() -> None:
    rules = rules_with()
    assert rules.languages == ("en", "hu")
    assert offered(rules) == ["take a point", "leave"]
    assert rules_with("{hu: labels/hu.yaml, en: labels/en.yaml}").languages == ("hu", "en")


def test_a_single_file_is_of_the_language_that_it_is_named_after() -> None:
    assert rules_with("labels/hu.yaml").languages == ("hu",)
    assert rules_with("labels/words.yaml", words=EN).languages == ("und",)


def test_in_another_language_a_word_that_it_lacks_keeps_its_own() -> None:
    rules = rules_with().in_language("hu")
    assert offered(rules) == ["vegyél egy pontot", "leave"]
    assert rules.helps["take"] == "Egy pont."
    assert rules.languages == ("hu", "en")
    assert offered(rules.in_language("en"))[0] == "take a point"


@pytest.mark.parametrize(
    ("tag", "language"), [("hu", "hu"), ("hu-HU", "hu"), ("HU", "hu"), ("en_GB", "en"), ("ro", None)]
)
def test_a_more_general_language_serves(tag: str, language: str | None) -> None:
    rules = rules_with()
    assert rules.language_for(tag) == language
    if language is None:
        with pytest.raises(KeyError):
            rules.in_language(tag)


def test_the_digest_does_not_depend_on_translations() -> None:
    rules = rules_with()
    assert rules_with(hu=HU + "leave: hagyd\n").digest == rules.digest == rules.in_language("hu").digest
    assert rules_with(en=EN + "demo: Demo\n").digest != rules.digest


def test_a_file_that_counts_anyway_counts() -> None:
    both = "{en: labels/en.yaml, hu: labels/en.yaml}"
    assert rules_with(both, en=EN + "demo: Demo\n").digest != rules_with(both).digest
