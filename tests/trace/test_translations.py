"""One rulebook in two languages, located at the same clauses.

The texts divide the rules into sentences in their own ways; the Romanian one, written without accents as
often is done, has a note of its translator's, the English one a line for collectors.
"""

from __future__ import annotations

from functools import cache

import pytest

from dsl.folder import Folder
from dsl.load import load_for_questions
from dsl.rules import Rules
from dsl.source import Source
from validators.scenarios.reading import read_scenarios
from validators.trace.accounts import account_of
from validators.trace.executed import watch
from validators.trace.sentences import sentences
from validators.trace.trace import trace

ENGLISH = """# Lanterns

Each player begins with six lanterns, and nobody with any oil.
In your turn you may light a lantern, at the price of 2 measures of oil, or fetch three measures.
First edition, numbered by hand.
Whoever has lit four lanterns wins.
"""
ROMANIAN = """# Felinare

Fiecare jucator incepe cu sase felinare. Nimeni nu are ulei.
La randul tau aprinzi un felinar. Asta costa doua masuri de ulei.
Sau iei trei masuri de ulei.
(N. trad.: recomandam sa aveti cel mult noua masuri.)
Cine a aprins patru felinare castiga.
"""
GAME = """
game: lanterns
seats: 2
clauses: rulebook.yaml
rules: [lanterns.rules]
components:
  lantern: {of: seat, count: 6, clause: §1.1}
zones:
  dark: {holds: lantern, of: seat, seen_by: all, start: all, clause: §1.1}
  lit: {holds: lantern, of: seat, seen_by: all, clause: §2.1}
counters:
  oil: {of: seat, range: 0..99, clause: §1.1}
options:
  most_oil: {range: 2..99, default: 99, clause: §2.3}
flow:
  turn:
    seat: rotates
    do: [{do one of: [light, fetch], clause: §2.1}]
    then: turn
    clause: §2.1
  final: {score: none, clause: §3.1}
"""
RULES = """
action light(lantern from dark of me)                  §2.1
    pay 2 oil
    move lantern to lit of me
action fetch                                           §2.2
    needs oil of me + 3 <= most_oil                    §2.3
    gain 3 oil
when size(lit of seat) is 4                            §3.1
    seat wins
"""
RULEBOOK = """
texts:
  en: {language: en}
  ro: {language: ro}
clauses:
  §0.1: {kind: flavour, at: {en: [1, 4], ro: 1}, says: "Its name, and a line for collectors."}
  §1.1: {kind: component, at: {en: 2, ro: [2..3]}, says: "Six lanterns each, and no oil."}
  §2.1: {at: {en: 3, ro: [4..5]}, says: "A lantern is lit for two measures of oil."}
  §2.2: {at: {en: 3, ro: 6}, says: "Or three measures are fetched."}
  §2.3: {at: {en: [], ro: 7}, says: "A translator's advice.", numbers: {9: "the option takes any"}}
  §3.1: {at: {en: 5, ro: 8}, says: "Four lit lanterns win."}
"""
SCENARIOS = """
- scenario: Light costs two measures, and the fourth lantern wins
  cites: [§2.1, §2.2, §3.1]
  given: {set: {"oil of A": 1, "lit of A": [A, A, A], "dark of A": [A, A, A]}}
  when:
    - refused: {A: light, because: cannot pay}
    - A: fetch
    - B: fetch
    - A: light
  then: {"oil of A": 2, winner: A}
- scenario: No more than the advice
  cites: [§2.3]
  given: {options: {most_oil: 9}, set: {"oil of A": 7}}
  when:
    - refused: {A: fetch, because: §2.3}
  then: {"oil of A": 7}
"""


@cache
def lanterns(rulebook: str = RULEBOOK) -> Rules:
    files = {"game.yaml": GAME, "lanterns.rules": RULES, "rulebook.yaml": rulebook}
    rules, report, _ = load_for_questions(Folder("lanterns", lambda path: files[path].encode()))
    assert not report.has_errors
    return rules


def findings(rulebook: str = RULEBOOK, en: str = ENGLISH, ro: str = ROMANIAN) -> list[tuple[str, str]]:
    files = {"game.yaml": GAME, "lanterns.rules": RULES, "rulebook.yaml": rulebook}
    rules, report, questions = load_for_questions(Folder("lanterns", lambda path: files[path].encode()))
    assert not len(report)
    scenarios = read_scenarios(Source("lanterns/scenarios/all.yaml", SCENARIOS), rules)
    texts = {"en": en, "ro": ro}
    accounts = [account_of(rules, rules.texts[name], Source(f"{name}.txt", texts[name])) for name in texts]
    found = trace(rules, watch(rules, questions, scenarios, 20), accounts).findings
    return [(diagnostic.code, diagnostic.message) for diagnostic in found]


def test_texts_may_divide_their_sentences_differently() -> None:
    """So a number is looked for in all clauses that a sentence belongs to."""
    assert [len(sentences(Source("x", text), "en")) for text in (ENGLISH, ROMANIAN)] == [5, 8]
    assert findings() == []


def test_a_clause_that_only_one_text_has_says_so() -> None:
    silent = RULEBOOK.replace("at: {en: [], ro: 7}", "at: {ro: 7}")
    assert findings(silent) == [("T306", "clause `§2.3` claims no sentence of text `en`")]


def test_a_clause_that_no_text_has_is_not_located() -> None:
    nowhere = RULEBOOK.replace("at: {en: [], ro: 7}", "at: {en: [], ro: []}")
    assert [code for code, _ in findings(nowhere)] == ["T306", "T302", "T306", "T313"]


@pytest.mark.parametrize(("word", "other", "number"), [("patru", "cinci", 5), ("sase", "opt", 8)])
def test_a_number_that_a_translator_got_wrong(word: str, other: str, number: int) -> None:
    found = findings(ro=ROMANIAN.replace(word, other))
    assert [code for code, _ in found] == ["T311", "T316", "T316"]
    assert f"{number} is in sentence" in found[0][1]


def test_the_clauses_of_each_text_are_its_own() -> None:
    rules = lanterns()
    english = account_of(rules, rules.texts["en"], Source("en.txt", ENGLISH))
    romanian = account_of(rules, rules.texts["ro"], Source("ro.txt", ROMANIAN))
    assert english.claims.of_sentence(3) == ("§2.1", "§2.2")
    assert romanian.claims.of_sentence(3) == ("§1.1",)
    assert [one.number for one in romanian.of("§2.1")] == [4, 5]
    assert english.of("§2.3") == ()


def test_a_reason_why_translations_differ_is_no_needless_one() -> None:
    """Even if the number stands in the rules as well."""
    fewer = ROMANIAN.replace("patru felinare", "toate felinarele")
    assert [code for code, _ in findings(ro=fewer)] == ["T316"]
    reason = 'says: "Four lit lanterns win.", numbers: {4: "the Romanian speaks of all"}'
    told = RULEBOOK.replace('says: "Four lit lanterns win."', reason)
    assert findings(told, ro=fewer) == []
    assert [code for code, _ in findings(told)] == ["T313"]
