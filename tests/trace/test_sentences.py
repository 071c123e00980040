"""Sentences, their fingerprints, and finding them again in another copy."""

from __future__ import annotations

import pytest

from dsl.source import Source
from validators.trace.alignment import align
from validators.trace.claims import numbers_as_ranges
from validators.trace.fingerprints import LIKELY, fingerprint, same, similarity
from validators.trace.numerals import numbers_in
from validators.trace.sentences import sentences

HUNGARIAN = """# Az almafa

A fán pl. 12 alma van. Mindenki szed egyet, pl. a legnagyobbat!

- 3 kosár
- 1 dobókocka (ld. a képet)

Aki nem szed, az
kimarad. ***
"""

APPLES = (
    "Each player takes three apples from the tree and puts them into the basket in front of him.",
    "Whoever takes the last apple rings the bell.",
    "The wasp stings everybody who holds a red apple at the end of the round.",
    "A player who has been stung misses his next turn.",
    "At dusk the baskets are emptied and the apples are counted.",
)


def marks(*texts: str) -> list[str]:
    return [fingerprint(text) for text in texts]


def test_sentences_of_a_language_with_its_abbreviations() -> None:
    found = sentences(Source("fa.txt", HUNGARIAN), "hu")
    assert [one.text for one in found] == [
        "# Az almafa",
        "A fán pl. 12 alma van.",
        "Mindenki szed egyet, pl. a legnagyobbat!",
        "- 3 kosár",
        "- 1 dobókocka (ld. a képet)",
        "Aki nem szed, az kimarad.",
    ]
    assert [one.number for one in found] == [1, 2, 3, 4, 5, 6]
    assert [one.span.place for one in found][1:4] == ["fa.txt:3:1", "fa.txt:3:24", "fa.txt:5:1"]
    assert found[2].span.text == "Mindenki szed egyet, pl. a legnagyobbat!"


@pytest.mark.parametrize("text", ["", "\n\n", "***\n---\n", "  \t\n"])
def test_what_has_no_letters_has_no_sentences(text: str) -> None:
    assert sentences(Source("empty.txt", text), "en") == ()


def test_a_fingerprint_is_of_the_words_alone() -> None:
    assert same(fingerprint("The *Bell* rings."), fingerprint("the bell   rings!"))
    assert not same(fingerprint("The bell rings."), fingerprint("The bells ring."))
    assert fingerprint("The bell rings.") == fingerprint("THE BELL RINGS")


def test_small_changes_change_few_bits() -> None:
    one, changed, *others = map(similarity, marks(APPLES[0], APPLES[0].replace("three", "two"), *APPLES[1:]))
    assert (one ^ changed).bit_count() <= LIKELY
    assert all((one ^ other).bit_count() > LIKELY for other in others)


def test_the_same_text_fits() -> None:
    assert align(marks(*APPLES), marks(*APPLES)).fits


def test_another_edition() -> None:
    """One sentence is new, one changed, one put last, one gone."""
    changed = APPLES[0].replace("three", "two")
    alignment = align(marks(*APPLES), marks("By the orchard.", changed, APPLES[2], APPLES[4], APPLES[1]))
    assert alignment.found == {2: 5, 3: 3, 5: 4}
    assert alignment.moved == {2: 5, 5: 4}
    assert alignment.changed == {1: 2}
    assert set(alignment.gone) == {4}
    assert alignment.new == (1,)
    assert alignment.now(1) == 2
    assert alignment.now(4) is None


def test_equal_sentences_keep_their_order() -> None:
    text = marks("Draw a card.", APPLES[1], "Draw a card.")
    assert align(text, [*marks(APPLES[2]), *text]).found == {1: 2, 2: 3, 3: 4}


def test_nothing_is_nearest_in_an_empty_text() -> None:
    assert align(marks(APPLES[0]), []).gone == {1: None}


@pytest.mark.parametrize(
    ("numbers", "written"), [((), "[]"), ((4,), "[4]"), ((3, 1, 2, 7, 9, 8), "[1..3, 7..9]")]
)
def test_numbers_as_ranges(numbers: tuple[int, ...], written: str) -> None:
    assert numbers_as_ranges(numbers) == written


@pytest.mark.parametrize(
    ("said", "numbers"),
    [
        ("Osszatok ki mindenkinek ötöt, hatot vagy hetet!", (5, 6, 7)),
        ("A hármat eldobtuk, tizet húztunk.", (3, 10)),
        ("Ha nincs ott, az hatott rá, és az ötlet a harmatos hétfőé.", ()),
    ],
)
def test_numerals_in_their_cases(said: str, numbers: tuple[int, ...]) -> None:
    assert numbers_in(said, "hu") == numbers


def test_numerals_of_two_words_are_one_number() -> None:
    assert numbers_in("Fifty-four cards in three well-mixed rows of twenty-one", "en") == (54, 21, 3)
