"""Columns of text: they reach faces, the page and help, in the language of the reader, and no rules."""

from __future__ import annotations

import pytest

from dsl.diagnostics import ErrorsReported
from dsl.folder import Folder
from dsl.load import load
from dsl.render import lines
from interpreter.compile.program import compile_rules
from rulewright.layout.compose import scene
from rulewright.layout.faces_text import face_texts
from rulewright.presentation.description import describe
from rulewright.sentences.worded_game import worded_game
from tests.sheets.games import folder
from tests.sheets.test_shapes import ROWS
from tests.sheets.workbooks import xlsx

TABLE = """Name,Cost,Copies,Flavour,Flavour hu,Name hu,Tells,Tells hu
Toll House,3,1,"Pay, or
stay",Fizess!,Vámház,"It takes {wood}.",Fát vesz el.
Spy,1,2,,,,,
"""
COLUMNS = (
    "cost: 0..9, copies: 1..4, flavour: text, flavour_hu: text hu, name_hu: label hu, "
    "tells: help, tells_hu: help hu"
)
LOOK = b'pieces:\n  card: {shape: card, face: {middle: "{label}", body: "{flavour}", corner: "{cost}"}}\n'


def files(look: bytes = LOOK, **more: bytes) -> Folder:
    whole = folder(TABLE.encode(), columns=COLUMNS, **{"look.yaml": look, **more})
    fetch = whole.fetch

    def with_look(path: str) -> bytes:
        return fetch(path) + b"look: look.yaml\n" * (path == "game.yaml")

    return Folder("probe", with_look)


@pytest.mark.parametrize(
    ("language", "label", "flavour", "told"),
    [
        (None, "Toll House", "Pay, or stay", "It takes {wood}."),
        ("hu", "Vámház", "Fizess!", "Fát vesz el."),
    ],
)
def test_texts_reach_faces_in_each_language(
    language: str | None, label: str, flavour: str, told: str
) -> None:
    rules, _ = load(files())
    rules = rules.in_language(language) if language else rules
    game = worded_game(rules, compile_rules(rules, 2, None), "reference")
    face = scene(rules, 2).faces["card"]
    card = rules.components["card"]
    assert face_texts(game, card, 0, face) == {"middle": label, "body": flavour, "corner": "3"}
    assert face_texts(game, card, 1, face) == {"middle": "Spy", "body": "", "corner": "1"}
    assert rules.helps["toll_house"] == told


def test_texts_are_described_to_pages_as_labels() -> None:
    rules, _ = load(files())
    found = describe(worded_game(rules, compile_rules(rules, 2, None), "reference"))
    assert found["components"]["card"]["texts"] == {"flavour": "card"}
    assert found["labels"]["hu"]["card.toll_house.flavour"] == "Fizess!"
    assert [column["name"] for column in found["components"]["card"]["columns"]] == ["cost", "copies"]


def test_a_file_of_labels_comes_first() -> None:
    fetch = files().fetch

    def labelled(path: str) -> bytes:
        if path == "en.yaml":
            return b"toll_house: The Toll House\ncard.toll_house.flavour: Pay\n"
        return fetch(path) + b"labels: {en: en.yaml}\n" * (path == "game.yaml")

    rules, _ = load(Folder("probe", labelled))
    assert rules.labels["toll_house"] == "The Toll House"
    assert rules.labels["card.toll_house.flavour"] == "Pay"
    assert rules.in_language("hu").labels["card.toll_house.flavour"] == "Fizess!"


def test_rules_do_not_read_texts() -> None:
    fetch = files().fetch

    def reading(path: str) -> bytes:
        rule = b"\nvalue told = any(card in deck where card.flavour is 1)\n"
        return fetch(path) + rule * path.endswith(".rules")

    with pytest.raises(ErrorsReported) as stop:
        load(Folder("probe", reading))
    assert "`flavour`" in lines(stop.value.report)


def test_a_column_names_the_pictures_of_cards() -> None:
    table = b"Name,Cost,Copies,Art\nsmith,1,1,smith.svg\nspy,2,1,\nguard,0,1,\xe2\x9a\x94\n"
    picture = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>'
    look = b"pieces:\n  card: {icons: art}\n"
    whole = folder(
        table, columns="cost: 0..9, copies: 1..4, art: text", **{"look.yaml": look, "smith.svg": picture}
    )

    def with_look(path: str) -> bytes:
        return whole.fetch(path) + b"look: look.yaml\n" * (path == "game.yaml")

    rules, _ = load(Folder("probe", with_look))
    icons = rules.look.pieces["card"].icons
    assert icons["smith"].startswith("data:image/svg+xml")
    assert icons["guard"] == "⚔"
    assert "spy" not in icons


def test_a_workbook_counts_for_the_digest_with_what_is_read_of_it() -> None:
    pytest.importorskip("python_calamine")
    one, other = {"Cards": ROWS, "Notes": [["a"]]}, {"Cards": ROWS, "Notes": [["b"]]}
    changed = {"Cards": [*ROWS, ["spy", 1, "red", 1]], "Notes": [["a"]]}
    first, same, new = (
        load(folder(xlsx(book), "cards.xlsx#Cards"))[0].digest for book in (one, other, changed)
    )
    assert first == same
    assert first != new
