"""`rulewright print`: what is on the pages, and what it says when it cannot."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from textwrap import dedent

import pypdfium2
import pytest

from rulewright.layout.board_svg import boards_with, extent
from rulewright.library import bundled, read_rules
from tests.printing.conftest import texts

MADE = Path(__file__).parent / "made"


def words_of(path: Path) -> str:
    return " ".join(" ".join(texts(path)).split())


def test_every_copy_of_a_card_has_its_name(run) -> None:
    assert run("print", "roma", "--into", "roma.pdf", "--only", "cards").exit_code == 0
    pages = texts(Path("roma.pdf"))
    fronts, backs = pages[::2], pages[1::2]
    card = read_rules("roma")[0].components["card"]
    for name, copies in zip(card.classes, card.copies, strict=True):
        label = read_rules("roma")[0].labels.get(name, name)
        assert sum(line.strip() == label for page in fronts for line in page.splitlines()) == copies, name
    assert all(back.count("Roma") == min(8, sum(card.copies) - 8 * i) for i, back in enumerate(backs))


def test_what_a_card_does_stands_on_it(run) -> None:
    run("print", "roma", "--into", "roma.pdf", "--only", "cards")
    assert "Your opponent pays you 1 victory point." in words_of(Path("roma.pdf"))


def test_the_last_back_lies_behind_the_last_face(run) -> None:
    """Four cards fit on a page: the fifth lies alone at the left, its back at the right."""
    run("print", str(MADE), "--into", "made.pdf", "--only", "cards", "--bleed", "0", "--card", "80x120")
    with pypdfium2.PdfDocument("made.pdf") as document:
        width = document[0].get_width()
        left = [_first_letter(document[i]) for i in (2, 3)]
    assert left[0] < width / 2 < left[1]


def _first_letter(page: pypdfium2.PdfPage) -> float:
    """How far from the left the text of a page begins, in points."""
    text = page.get_textpage()
    return min(text.get_charbox(i)[0] for i in range(text.count_chars()))


def test_short_names_of_a_deck_are_as_large_as_the_others(run, tmp_path: Path) -> None:
    """A name of three letters is drawn as a sign only where no name of its deck is longer."""
    deck = tmp_path / "deck"
    deck.mkdir()
    (deck / "deck.rules").write_text("score none_yet = 0\n", "utf-8")
    (deck / "look.yaml").write_text("pieces: {card: {shape: card}}\n", "utf-8")
    sides = {}
    for names in ("bat, moth, 10", "bat, owl, 10"):
        (deck / "game.yaml").write_text(DECK.replace("NAMES", names), "utf-8")
        result = run("print", str(deck), "--into", "deck.pdf", "--only", "cards", "--overwrite")
        assert result.exit_code == 0, result.output
        with pypdfium2.PdfDocument("deck.pdf") as document:
            sides[names] = _sides(document[0])
    assert sides["bat, moth, 10"]["t"] == pytest.approx(sides["bat, moth, 10"]["h"], rel=0.5)
    assert sides["bat, moth, 10"]["1"] > 3 * sides["bat, moth, 10"]["t"]
    assert sides["bat, owl, 10"]["t"] > 3 * sides["bat, moth, 10"]["t"]


LANE = """game: lane
seats: 1
look: look.yaml
rules: [lane.rules]
boards:
  site: {line: 3}
marks:
  hut: {at: site}
flow:
  final: {score: highest}
"""
LANE_LOOK = """boards:
  site:
    positions: {1: [0, 0], 2: [2, 0], 3: [2, 2]}
    ground: "#805030"
    picture: {file: red.svg, box: [0.6, 0.6, 0.8, 0.8]}
"""

DECK = """\
game: deck
seats: 1
rules: [deck.rules]
look: look.yaml
types: {sort: [NAMES]}
components: {card: {kinds: sort, count: 1}}
zones: {box: {holds: card, seen_by: all, start: all}}
flow: {only: {score: highest}}
"""


def _sides(page: pypdfium2.PdfPage) -> dict[str, float]:
    """The larger side of the largest of each letter, in points."""
    text = page.get_textpage()
    found: dict[str, float] = {}
    for i in range(text.count_chars()):
        left, bottom, right, top = text.get_charbox(i)
        letter = text.get_text_range(i, 1)
        found[letter] = max(found.get(letter, 0.0), right - left, top - bottom)
    return found


def test_what_lies_behind_the_places_of_a_board_is_printed(run, tmp_path: Path) -> None:
    lane = tmp_path / "lane"
    lane.mkdir()
    (lane / "lane.rules").write_text("score none_yet = 0\n", "utf-8")
    (lane / "red.svg").write_text((MADE / "red.svg").read_text("utf-8"), "utf-8")
    (lane / "game.yaml").write_text(LANE, "utf-8")
    (lane / "look.yaml").write_text(LANE_LOOK, "utf-8")
    result = run("print", str(lane), "--into", "lane.pdf", "--only", "boards")
    assert result.exit_code == 0, result.output
    with pypdfium2.PdfDocument("lane.pdf") as document:
        shown = document[0].render(scale=0.5).to_pil().convert("RGB")
    counts = {colour: count for count, colour in shown.getcolors(maxcolors=1 << 24)}
    assert counts[128, 80, 48] > 1000
    assert counts[240, 0, 0] > 100


def test_long_labels_and_many_alphabets_are_whole(run) -> None:
    result = run("print", str(MADE), "--into", "made.pdf")
    assert result.exit_code == 0, result.output
    found = words_of(Path("made.pdf")).replace(" ", "")
    for text in ("Árvíztűrőtükörfúrógép", "Țărmulînghețatș", "3×4–5", "Donaudampfschifffahrtsgesellschaft"):
        assert text in found, text
    assert "no font has" not in result.output


def test_a_script_that_no_font_has_is_told(run, tmp_path: Path) -> None:
    copy = tmp_path / "made"
    for path in MADE.iterdir():
        (copy / path.name).parent.mkdir(exist_ok=True)
        (copy / path.name).write_text(path.read_text("utf-8").replace("3×4–5", "牛"), "utf-8")
    result = run("print", str(copy), "--into", "made.pdf", "--only", "cards")
    assert "no font has 牛: name one that does with `--font`" in result.output


def test_a_script_from_right_to_left_is_told(run, tmp_path: Path) -> None:
    copy = tmp_path / "made"
    for path in MADE.iterdir():
        (copy / path.name).parent.mkdir(exist_ok=True)
        (copy / path.name).write_text(path.read_text("utf-8").replace("3×4–5", "של"), "utf-8")
    result = run("print", str(copy), "--into", "made.pdf", "--only", "cards")
    assert result.exit_code == 0, result.output
    assert "letters of scripts from right to left are set from left to right: ל ש" in result.output


def test_pictures_of_a_look_are_drawn(run, tmp_path: Path) -> None:
    result = run("print", str(MADE), "--into", "made.pdf", "--only", "tokens")
    assert result.exit_code == 0
    assert "could not be drawn" not in result.output
    with pypdfium2.PdfDocument("made.pdf") as document:
        image = document[0].render(scale=1).to_pil().convert("RGB")
    colours = {colour for _, colour in image.getcolors(1 << 20)}
    assert any(red > 200 and green < 60 and blue < 60 for red, green, blue in colours)


def test_parts_begin_on_a_new_sheet_of_paper(run) -> None:
    run("print", "roma", "--into", "roma.pdf")
    pages = texts(Path("roma.pdf"))
    board = next(i for i, page in enumerate(pages) if "Roma: dice disc" in page)
    assert board % 2 == 0
    assert pages[board + 1].strip() == ""
    result = run("print", "roma", "--into", "roma.pdf", "--overwrite", "--no-backs")
    assert len(texts(Path("roma.pdf"))) < len(pages)
    assert result.exit_code == 0


def test_the_rulebook_is_whole_and_linked(run) -> None:
    run("print", "dots_and_boxes", "--into", "book.pdf", "--only", "rulebook,aids")
    found = words_of(Path("book.pdf"))
    for part in ("What is in the box", "A turn at a glance", "Index of clauses"):
        assert part in found
    with pypdfium2.PdfDocument("book.pdf") as document:
        assert next(item.get_title() for item in document.get_toc()) == "Dots and Boxes"


def test_a_rulebook_alone_is_linked_too(run) -> None:
    assert run("print", "dots_and_boxes", "--into", "book.pdf", "--only", "rulebook").exit_code == 0
    with pypdfium2.PdfDocument("book.pdf") as document:
        assert next(item.get_title() for item in document.get_toc()) == "Dots and Boxes"


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_pages_have_the_size_of_the_paper(paper: str, run) -> None:
    run("print", "hex", "--into", "hex.pdf", "--paper", paper)
    sizes = {"a4": (595, 842), "letter": (612, 792)}
    with pypdfium2.PdfDocument("hex.pdf") as document:
        assert {tuple(map(round, page.get_size())) for page in document} == {sizes[paper]}


GOLDEN = {
    "C531": (
        "print hex --into x.pdf --only cards",
        """\
        error[C531]: `hex` has nothing of `cards` to print
          --> command line:1:18
           |
         1 | rulewright print hex --into x.pdf --only cards
           |                  ^^^
          help: without `--only`, everything is printed that the game has
        """,
    ),
    "C532": (
        "print roma --into x.pdf --card 300x300",
        """\
        error[C532]: a card of 300x300 mm with 3 mm of bleed does not fit on a page
          --> command line:1:43
           |
         1 | rulewright print roma --into x.pdf --card 300x300
           |                                           ^^^^^^^
          help: a page has room for 196x283 mm: choose a smaller `--card` or `--bleed`
        """,
    ),
    "C533": (
        "print hex --into x.pdf --font no.ttf",
        """\
        error[C533]: the font `no.ttf` cannot be used: no such file or directory
          --> command line:1:42
           |
         1 | rulewright print hex --into x.pdf --font no.ttf
           |                                          ^^^^^^
          help: name a TrueType or OpenType file with `--font`
        """,
    ),
}


@pytest.mark.parametrize("code", GOLDEN)
def test_golden(code: str, run) -> None:
    command, expected = GOLDEN[code]
    result = run(*command.split())
    assert result.output == dedent(expected)
    assert not Path("x.pdf").exists()


def test_what_is_no_font(run) -> None:
    Path("no.ttf").write_text("no font", "utf-8")
    assert "it is no TrueType font" in run("print", "hex", "--into", "x.pdf", "--font", "no.ttf").output


def test_no_file_is_replaced_unasked(run) -> None:
    Path("x.pdf").write_text("mine", "utf-8")
    assert "error[C480]" in run("print", "hex", "--into", "x.pdf").output
    assert Path("x.pdf").read_text("utf-8") == "mine"
    assert "error[C401]" in run("print", "hex", "--into", "nowhere/x.pdf").output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--only", "card"), "'card' is not a part: did you mean `cards`?"),
        (("--card", "63"), "'63' is not a size in mm such as 63x88."),
        (("--card", "2x88"), "'2x88' is not a size in mm such as 63x88."),
        (("--bleed", "nan"), "'nan' is not a number."),
    ],
)
def test_other_words(words: tuple[str, ...], said: str, run) -> None:
    result = run("print", "hex", "--into", "x.pdf", *words)
    assert result.exit_code == 2
    assert said in result.output


def test_the_library_is_needed(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("rulewright.commands.print"), "find_spec", lambda name: None)
    result = run("print", "hex", "--into", "x.pdf")
    assert result.exit_code == 2
    assert "error[C530]: the library `fpdf2` is not installed" in result.output
    assert 'pip install "rulewright[print]"' in result.output


@pytest.mark.long
@pytest.mark.parametrize("name", bundled())
def test_all_games_print(name: str, run) -> None:
    result = run("print", name, "--into", "game.pdf")
    assert result.exit_code == 0, result.output
    assert "no font has" not in result.output
    assert read_rules(name)[0].title.split()[0] in words_of(Path("game.pdf"))


def test_a_rulebook_shows_the_pieces_and_the_prepared_table(run) -> None:
    """Colours of cards are on its pages, and a heading is on the page of the picture below it."""
    result = run("print", "roma", "--into", "roma.pdf", "--only", "rulebook")
    assert "could not be drawn" not in result.output
    with pypdfium2.PdfDocument("roma.pdf") as document:
        drawn = [
            sum(
                n
                for n, c in document[i].render().to_pil().convert("RGB").getcolors(1 << 20)
                if max(c) - min(c) > 60
            )
            for i in range(3)
        ]
    with_picture = [i for i, count in enumerate(drawn) if count > 5000]
    headed = next(i for i, page in enumerate(texts(Path("roma.pdf"))) if "Shuffle all cards" in page)
    assert 0 in with_picture
    assert headed in with_picture


def test_margins_of_a_board_are_cut() -> None:
    rules = read_rules("roma")[0]
    board = boards_with(rules, "disc", 2)["disc"]
    _, _, width, height = extent([board])
    assert height < board.height / 2
    assert width > board.width / 2
