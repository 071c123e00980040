"""Rulebooks in other languages: no word of English stands in them; they are built as the first one is."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from interpreter.wording import ConditionWords
from rulewright.i18n.grammar import hungarian, romanian
from rulewright.i18n.messages import messages_in
from rulewright.library import open_game, read_rules
from rulewright.presentation.description import translated_conditions
from rulewright.rulebook.configured import configured_book
from rulewright.rulebook.document import Book, all_sections
from rulewright.rulebook.markdown import markdown
from rulewright.sentences.framed.grammars import GRAMMARS, grammar_of
from rulewright.sentences.framed.nominals import Nominal

WORD = re.compile(r"[^\W\d_]{3,}")
MARKUP = re.compile(r'```mermaid.*?```|<a id="[^"]*"></a>|\]\(#[^)]*\)|</?sub>', re.DOTALL)
BOOKS = [
    ("augustus", "hu"),
    ("constantinopolis", "hu"),
    ("roll_through_the_ages", "hu"),
    ("roma", "ro"),
    ("trajan", "hu"),
]


def words(text: str) -> set[str]:
    return {word.casefold() for word in WORD.findall(text)}


def english() -> set[str]:
    """The words of English that the engine itself says, as far as no other language has them too."""
    texts = str([*messages_in("en", "book").values(), *messages_in("en", "table").values()])
    grammar = """whose which where there that this these those then only from with into your you the
        choose chosen put take gain pay lose draw move carry out each every whenever unless number"""
    return words(texts) | words(grammar)


def foreign(language: str) -> set[str]:
    """Words of a language that look like English ones: those of its messages."""
    return words(str([*messages_in(language, "book").values(), *messages_in(language, "sentences").values()]))


def structure(book: Book) -> Iterator[tuple[str, tuple[str, ...]]]:
    for section in all_sections(book.sections):
        if not section.id.startswith("variant"):
            yield section.id, section.clauses


@pytest.mark.parametrize(("game", "language"), BOOKS)
def test_no_english_word_stands_in_a_book_in_another_language(game: str, language: str) -> None:
    rules = read_rules(game)[0]
    book = configured_book(game, rules, None, {}, language)
    told = rules.in_language(language)
    texts = [told.title, *told.spoken.labels.values(), *told.spoken.helps.values()] if told.spoken else []
    texts += [text for clause in told.clauses.values() for text in (clause.heading, clause.says, clause.why)]
    named = {name for decl in rules.types.values() for name in decl.names if not told.labels.get(name)}
    said = words(MARKUP.sub(" ", markdown(book)))
    assert said & english() - foreign(language) - words(" ".join((*texts, *named))) == set()


def test_rules_in_a_language_have_their_book_in_it() -> None:
    """So files for one game and prints get it: they have chosen a language for all texts."""
    rules = read_rules("roma")[0]
    book = configured_book("roma", rules, None, {}, "ro")
    assert markdown(configured_book("roma", rules.in_language("ro"), None, {})) == markdown(book)
    assert markdown(configured_book("roma", rules, None, {})) != markdown(book)


@pytest.mark.parametrize(("game", "language"), BOOKS)
def test_conditions_of_refusals_are_in_each_language(game: str, language: str) -> None:
    """What a table shows: terminals say them in the language at once."""
    played = open_game(game, executor="reference")
    own = {said for words in played.condition_words.values() for one in words for said in texts_of(one)}
    translated = translated_conditions(played)[language]
    assert own - translated.keys() == {text for text in own if not words(text)}
    told = played.ruleset.in_language(language)
    known = words(" ".join((*told.labels.values(), *told.nouns.values(), *told.phrases.values())))
    assert words(" ".join(translated.values())) & english() - foreign(language) - known == set()


def texts_of(condition: ConditionWords) -> list[str]:
    return [text for text in (condition.said, *(side.noun for side in condition.sides)) if text]


@pytest.mark.parametrize(("game", "language"), BOOKS[3:4])
def test_a_translated_book_has_the_chapters_of_the_first_one(game: str, language: str) -> None:
    rules = read_rules(game)[0]
    ours = [id for id, _ in structure(configured_book(game, rules, None, {}))]
    theirs = [id for id, _ in structure(configured_book(game, rules, None, {}, language))]
    assert theirs == ours


def test_languages_have_the_same_frames() -> None:
    frames = {language: messages_in(language, "sentences").keys() for language in GRAMMARS}
    assert len({frozenset(ids) for ids in frames.values()}) == 1


@pytest.mark.parametrize(
    ("noun", "case", "form"),
    [
        ("célkártya", "acc", "célkártyát"),
        ("korong", "with", "koronggal"),
        ("mező", "on", "mezőn"),
        ("kéz", "acc", "kezet"),
        ("lap", "onto", "lapra"),
        ("jutalom", "acc", "jutalmat"),
        ("joker", "to", "jokerhez"),
        ("3", "acc", "3-at"),
        ("árucikk", "acc", "árucikket"),
        ("árucikk", "dat", "árucikknek"),
    ],
)
def test_hungarian_cases(noun: str, case: str, form: str) -> None:
    assert hungarian.in_case(noun, case, {}) == form


def test_hungarian_owners() -> None:
    grammar = grammar_of("hu", {})
    assert grammar is not None
    reader, player = Nominal(grammar, "", you=True), Nominal(grammar, "játékos")
    assert Nominal(grammar, "kártya", owner=reader, plural=True).form("outof") == "a kártyáid közül"
    assert Nominal(grammar, "kéz", owner=player).form("in") == "a játékos kezében"
    assert Nominal(grammar, "légió", meant="every").form("acc") == "minden légiót"
    assert Nominal(grammar, "érme", meant="", number="3").form("acc") == "3 érmét"
    assert Nominal(grammar, "árucikk", owner=reader, plural=True).form("amid") == "az árucikkeid közé"
    ship = Nominal(grammar, "hajó")
    assert Nominal(grammar, "rakományok száma", owner=ship).form("nom") == "a hajó rakományok száma"


def test_declared_forms_go_before_the_rules() -> None:
    grammar = grammar_of("hu", {"csillag": "csillagat, csillagak, csillaga"})
    assert grammar is not None
    assert Nominal(grammar, "csillag").form("acc") == "a csillagat"


def test_hungarian_articles_follow_the_sound() -> None:
    assert [hungarian.article(text) for text in ("asztal", "kéz", "5 lap", "1", "2", "1000")] == [
        "az", "a", "az", "az", "a", "az",
    ]  # fmt: skip


def test_romanian_verbs_and_pronouns_agree() -> None:
    grammar = grammar_of("ro", {})
    assert grammar is not None
    cards = Nominal(grammar, "carte", plural=True)
    assert [cards.form("is"), cards.form("it")] == ["sunt", "-le"]
    assert [Nominal(grammar, "carte").form("is"), Nominal(grammar, "carte").form("it")] == ["este", "-o"]
    assert Nominal(grammar, "jucător", plural=True, meant="every").form("is") == "este"


def test_romanian_articles_and_numbers() -> None:
    assert romanian.definite("carte", False, True, {}) == "cărții"
    assert romanian.definite("jucător", True, False, {}) == "jucătorii"
    assert [romanian.counted(n, "carte", {}) for n in (1, 2, 20)] == ["o carte", "2 cărți", "20 de cărți"]


def test_languages_can_be_chosen_one_after_the_other() -> None:
    first = read_rules("trajan")[0]
    chosen = first.in_language("hu")
    again = chosen.in_language("en")
    assert (again.language, again.spoken, set(again.languages)) == ("en", None, {"en", "hu"})
    assert (again.labels, again.phrases) == (first.labels, first.phrases)
    assert again.in_language("hu").phrases == chosen.phrases
    assert chosen.in_first_language().languages == first.languages


def test_hungarian_relates_by_an_adverb_where_a_clause_points_to_a_place() -> None:
    text = markdown(configured_book("trajan", read_rules("trajan")[0], None, {}, "hu"))
    assert "egy építési mező, ahová küldhetsz munkást." in text
    assert "Válassz egy tálcát, ahol nincs +2 jelződ." in text
    assert "egy tartomány, amelyet a hadvezéred elérhet." in text
    assert ",." not in text


@pytest.mark.parametrize(
    ("clause", "relative"),
    [
        ("a készleted (\ue0101:nom\ue011) nagyobb, mint 0", ", amelynél a készleted nagyobb, mint 0"),
        ("termelsz ilyen árut: \ue0101:nom\ue011", ", amelyet termelsz"),
        ("még nem készültél el \ue0101:with\ue011", ", amellyel még nem készültél el"),
        (
            "vagy \ue0101:gen\ue011 ára 3, vagy \ue0101:gen\ue011 értéke 5",
            ", amelynek vagy az ára 3, vagy az értéke 5",
        ),
        (
            "a szám ugyanaz, mint \ue0101:nom\ue011",
            ", amelynél a szám ugyanaz, mint \ue0101:nom\ue011",
        ),
    ],
)
def test_hungarian_relative_clauses(clause: str, relative: str) -> None:
    grammar = grammar_of("hu", {})
    assert grammar is not None
    assert grammar.related(clause, "1", "áru") == relative


def test_hungarian_numbers_of_times_and_ordinals() -> None:
    times = [hungarian.multiple(number) for number in (2, 3, 5, 6, 10, 20)]
    assert times == ["2-szerese", "3-szorosa", "5-szöröse", "6-szorosa", "10-szerese", "20-szorosa"]
    assert [hungarian.article(f"{number}. Consul") for number in ("I", "IV", "V")] == ["az", "a", "az"]


def test_a_heading_does_not_wait_for_its_object() -> None:
    """The label is `ia bani cu`, before a die."""
    text = markdown(configured_book("roma", read_rules("roma")[0], None, {}, "ro"))
    assert "#### Ia bani <" in text
    assert "[Ia bani](#" in text
