"""Labels and clauses in several languages."""

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


CLAUSES = """
brief: {aim: "Have the most {points} (§1)."}
clauses:
  §1: {heading: Taking, says: A player takes 1 point., kind: definition, page: 3}
  §R1: {heading: Ties, kind: ruling, says: Both win., why: nothing is said}
"""
CLAUSES_HU = """
brief: {aim: "Legyen a legtöbb {points} (§1)."}
clauses:
  §1: {heading: Elvétel, says: A játékos 1 pontot vesz el.}
rulings:
  ties: {readings: {shared: mindketten nyernek}, why: a szabály hallgat}
provenance:
  worth: {unconfirmed: egy forrásból való}
"""
RULED = """
rulings:
  ties: {readings: {shared: both win, nobody: nobody wins}, chosen: shared, why: nothing is said, clause: §R1}
types:
  worth: {rows: {low: {value: 1}, high: {value: 2}}, columns: {value: 0..2}}
provenance:
  - {of: worth, status: unconfirmed, why: from one source}
"""


def with_clauses(clauses: str, labels: str = TWO, hu: str = CLAUSES_HU, **files: str) -> Rules:
    """The rules with a rulebook in English and in Hungarian."""
    game = GAME.replace("LABELS", labels).replace("rules:", f"clauses: {clauses}\nrules:", 1) + RULED
    texts = {"game.yaml": game, "demo.rules": RULES + "\nscore more = 1 if ties is shared\n"}
    texts |= {"labels/en.yaml": EN, "labels/hu.yaml": HU, "rulebook.yaml": CLAUSES, "hu.yaml": hu, **files}
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


# ---- clauses

BOTH = "{en: rulebook.yaml, hu: hu.yaml}"


def test_a_translation_lies_over_the_first_rulebook_file() -> None:
    rules = with_clauses(BOTH)
    clause, spoken = rules.clauses["§1"], rules.in_language("hu").clauses["§1"]
    assert (clause.heading, spoken.heading) == ("Taking", "Elvétel")
    assert spoken.says == "A játékos 1 pontot vesz el."
    assert (spoken.kind, spoken.page) == ("definition", "3")
    assert (clause.span.source.name, spoken.span.source.name) == ("demo/rulebook.yaml", "demo/hu.yaml")


def test_a_text_that_is_not_translated_is_read_in_the_first_language() -> None:
    rules = with_clauses(BOTH).in_language("hu")
    assert rules.clauses["§R1"] == with_clauses(BOTH).clauses["§R1"]
    assert rules.options["ties"].readings == {"shared": "mindketten nyernek", "nobody": "nobody wins"}
    missing = {
        (text.name, text.key) for text in with_clauses(BOTH).translations["hu"].texts if not text.translated
    }
    assert missing == {("§R1", key) for key in ("heading", "says", "why")} | {("ties", "readings.nobody")}


def test_reasons_of_rulings_and_tables_are_translated_too() -> None:
    rules = with_clauses(BOTH).in_language("hu")
    assert rules.options["ties"].why == "a szabály hallgat"
    assert [one.why for one in rules.provenance] == ["egy forrásból való"]
    assert [one.why for one in rules.in_language("en").provenance] == ["from one source"]


def test_the_game_in_short_is_translated_too() -> None:
    rules = with_clauses(BOTH)
    assert rules.brief["aim"].parts == ("Have the most ", "points", ".")
    assert rules.in_language("hu").brief["aim"].parts == ("Legyen a legtöbb ", "points", ".")
    assert rules.in_language("hu").brief["aim"].clauses == ("§1",)


def test_clauses_of_one_file_are_in_the_language_of_the_game() -> None:
    rules = with_clauses("rulebook.yaml")
    spoken = rules.in_language("hu")
    assert (rules.clauses_in, spoken.clauses_in, spoken.language) == ("en", "en", "hu")
    assert spoken.clauses == rules.clauses


def test_a_game_speaks_the_languages_of_its_clauses() -> None:
    rules = with_clauses(BOTH, "labels/en.yaml")
    assert rules.languages == ("en", "hu")
    assert rules.in_language("hu").clauses["§1"].heading == "Elvétel"
    assert offered(rules.in_language("hu")) == ["take a point", "leave"]


def test_the_language_of_the_game_chooses_its_clauses() -> None:
    rules = with_clauses(BOTH, "labels/hu.yaml")
    assert (rules.language, rules.clauses_in) == ("hu", "hu")
    assert rules.clauses["§1"].heading == "Elvétel"
    assert rules.in_language("en").clauses["§1"].heading == "Taking"


def test_the_digest_does_not_depend_on_translated_clauses() -> None:
    rules = with_clauses(BOTH)
    changed = {"hu": CLAUSES_HU.replace("Elvétel", "Egy pont")}
    assert with_clauses(BOTH, **changed).digest == rules.digest
    first = {"rulebook.yaml": CLAUSES.replace("Taking", "To take")}
    assert with_clauses(BOTH, TWO, CLAUSES_HU, **first).digest != rules.digest


def test_an_overlay_adds_clauses_to_each_language() -> None:
    """Its single file is in the first language of the game that it changes."""
    texts = {
        "base/game.yaml": GAME.replace("LABELS", TWO).replace("rules:", f"clauses: {BOTH}\nrules:", 1)
        + RULED,
        "base/demo.rules": f"{RULES}\nscore more = 1 if ties is shared\n",
        "base/labels/en.yaml": EN,
        "base/labels/hu.yaml": HU,
        "base/rulebook.yaml": CLAUSES,
        "base/hu.yaml": CLAUSES_HU,
        "rulebook.yaml": "clauses:\n  §1: {says: Two points.}\n  §H1: {heading: House rule}\n",
        "hu.yaml": "clauses:\n  §H1: {heading: Házi szabály}\n",
    }

    def laid(clauses: str) -> Rules:
        over = f"overlay: demo\ngame: house\nclauses: {clauses}\nrules: []\n"
        return load(Folder("house", fetcher({**texts, "game.yaml": over})))[0]

    rules = laid("rulebook.yaml")
    assert (rules.clauses["§1"].heading, rules.clauses["§1"].says) == ("Taking", "Two points.")
    assert rules.in_language("hu").clauses["§H1"].heading == "House rule"
    assert rules.in_language("hu").clauses["§1"].heading == "Elvétel"
    assert laid(BOTH).in_language("hu").clauses["§H1"].heading == "Házi szabály"
