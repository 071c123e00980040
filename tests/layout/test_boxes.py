"""Faces as data: texts in boxes, icons in texts, widths of letters."""

from __future__ import annotations

import pytest
from fontTools.ttLib import TTFont
from hypothesis import given, strategies as st

from dsl.rules.look import FaceBox
from dsl.signs import sign_url
from rulewright.layout.boxes import Filled, Lettered, Pictured, lay_out
from rulewright.layout.letters import BOLD, FONTS, MM, PICTOGRAMS, TEXT, width_of
from rulewright.layout.markup import Icon, Letters, paragraphs

WOOD = {"wood": "data:image/svg+xml;base64,"}
WHOLE = (-3.0, -3.0, 69.0, 94.0)
WORDS = st.lists(st.text("abcdefgwmil", min_size=1, max_size=9), min_size=1, max_size=40).map(" ".join)


def test_stars_and_braces_mean_something() -> None:
    (line,) = paragraphs("**Once a** turn *pay* {wood}{wood}, 2*3", WOOD)
    assert line[0] == (Letters("Once", bold=True),)
    assert line[1] == (Letters("a", bold=True),)
    assert line[3] == (Letters("pay", italic=True),)
    assert line[4] == (Icon(WOOD["wood"]), Icon(WOOD["wood"]), Letters(","))
    assert line[5] == (Letters("2*3"),)
    assert len(paragraphs("one\ntwo\n\nthree", {})) == 3


def test_signs_have_the_colour_of_the_letters_beside_them() -> None:
    icons = {"log": sign_url("log"), **WOOD}
    box = FaceBox((0, 0, 60, 20), "{log} {wood}", inks={"a": "#f0e0c0"})
    sign, picture = lay_out([box], "a", ["{log} {wood}"], icons, WHOLE, width_of).parts
    assert isinstance(sign, Pictured)
    assert isinstance(picture, Pictured)
    assert sign.url == sign_url("log", "#f0e0c0") != sign_url("log")
    assert picture.url == WOOD["wood"]


@given(WORDS, st.floats(8, 60), st.floats(4, 60), st.sampled_from(["left", "middle", "right"]))
def test_texts_lie_in_their_boxes(text: str, width: float, height: float, align: str) -> None:
    box = FaceBox((5.0, 6.0, width, height), text, size=14, align=align)  # type: ignore[arg-type]
    laid = lay_out([box], "a", [text], {}, WHOLE, width_of)
    written = [part for part in laid.parts if isinstance(part, Lettered)]
    assert "".join(part.text for part in written).replace(" ", "") == text.replace(" ", "")
    for part in written:
        assert part.x >= 5 - 1e-3
        assert part.x + part.width <= 5 + width + 1e-3
        assert part.y - part.size * MM / 2 >= 6 - 1e-3
        assert part.y + part.size * MM / 2 <= 6 + height + 1e-3
        assert part.size >= box.least or laid.small == ((1, part.size),)


def test_what_a_class_does_not_have_is_not_drawn() -> None:
    boxes = [
        FaceBox(fills={"a": "#ffffff"}),
        FaceBox((0, 0, 9, 9), pictures={"b": "data:b"}, fit="cover"),
        FaceBox((0, 0, 9, 9), "x"),
    ]
    parts = lay_out(boxes, "a", ["", "", None], {}, WHOLE, width_of).parts
    assert parts == (Filled(WHOLE, "#ffffff", "", 0.0, 1.0),)
    parts = lay_out(boxes, "b", ["", "", "x"], {}, WHOLE, width_of).parts
    assert isinstance(parts[0], Pictured)
    assert isinstance(parts[1], Lettered)


@pytest.mark.parametrize(("font", "bold"), [(TEXT, False), (BOLD, True)])
def test_letters_are_as_wide_as_in_the_font(font: str, bold: bool) -> None:
    found = TTFont(FONTS / font)
    widths, units = found["hmtx"], found["head"].unitsPerEm
    for character, glyph in list(found.getBestCmap().items())[::7]:
        assert width_of(chr(character), bold) == pytest.approx(widths[glyph][0] / units * MM)


def test_pictograms_are_in_a_font_of_their_own() -> None:
    found = TTFont(FONTS / PICTOGRAMS)
    glyph = found.getBestCmap()[ord("🏠")]
    assert width_of("🏠") == pytest.approx(found["hmtx"][glyph][0] / found["head"].unitsPerEm * MM)
