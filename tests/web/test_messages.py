"""Messages say numbers, lists and plural forms as browsers do, in each language; with a minus sign."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.i18n.messages import CONVENTIONS, languages, messages_of
from tests.web.in_node import run_in_node

NUMBERS = [0, 1, 2, 5, 19, 20, 21, 100, 101, 119, 120, 999, 1000, 9999, 10000, 123456, 1234567, -1, -5, -1234]
LISTS = [["A"], ["A", "B"], ["A", "B", "C"], ["A", "B", "C", "D"]]
BY_A_BROWSER = """
const { language, numbers, lists } = given;
const plurals = new Intl.PluralRules(language);
const format = new Intl.NumberFormat(language);
const inRow = (type) => lists.map((things) => new Intl.ListFormat(language, { type }).format(things));
const said = {
    forms: numbers.map((number) => plurals.select(number)),
    numbers: numbers.map((number) => format.format(number).replace("-", "\u2212")),
    and: inRow("conjunction"),
    unit: inRow("unit"),
};
console.log(JSON.stringify(said));
"""


OF_THE_PAGE = """
import { LANGUAGES } from "./rulewright/web/i18n.js";
console.log(JSON.stringify(Object.keys(LANGUAGES)));
"""


@pytest.mark.parametrize("language", sorted(CONVENTIONS))
def test_a_language_says_numbers_and_lists_as_browsers_do(language: str, tmp_path: Path) -> None:
    messages = messages_of(language, "table")
    by_a_browser = run_in_node(
        BY_A_BROWSER, tmp_path, {"language": language, "numbers": NUMBERS, "lists": LISTS}
    )
    assert by_a_browser == {
        "forms": [CONVENTIONS[language].plural(number) for number in NUMBERS],
        "numbers": [messages.number(number) for number in NUMBERS],
        "and": [messages.list(things) for things in LISTS],
        "unit": [messages.list(things, "unit") for things in LISTS],
    }


def test_each_language_has_its_conventions() -> None:
    assert sorted(languages()) == sorted(CONVENTIONS)


def test_the_page_offers_each_language(tmp_path: Path) -> None:
    assert sorted(run_in_node(OF_THE_PAGE, tmp_path, {})) == sorted(languages())


def test_a_message_has_its_arguments() -> None:
    say = messages_of("hu-HU", "table")
    assert say("table-story-more", number=3) == "még 3"
    with pytest.raises(KeyError):
        say("table-story-more")
    with pytest.raises(KeyError):
        say("no-such-message")
    assert messages_of("fi", "table").language == "en"


IN_A_HUNGARIAN_BROWSER = """
import { addMessages, language, list, number, t } from "./rulewright/web/i18n.js";
addMessages("en", { gone: [["n", { one: "one gone", other: [["n"], " gone"] }]] });
language.value = "hu";
console.log(JSON.stringify([list(["A", "B", "C"]), number(12345), t("gone", { n: 2 })]));
"""


def test_a_page_with_english_alone_speaks_english_in_any_browser(tmp_path: Path) -> None:
    """An exported file has the messages of one language, whatever its reader's browser asks for."""
    assert run_in_node(IN_A_HUNGARIAN_BROWSER, tmp_path) == ["A, B, and C", "12,345", "2 gone"]
