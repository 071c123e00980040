"""The table: drawn, chosen from, asked, read, for every bundled game."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

import rulewright
from interpreter.match import Match
from rulewright.presentation.position import entries
from tests.browser.table.stage import WEB, Stage

MELDS = str(Path(__file__).parents[2] / "generality" / "melds")
GAMES = sorted(rulewright.bundled())
OFFERED = ".thing[data-state='offered'], .prompt .actions button:not(.refused):not([aria-pressed])"
Stages = Callable[..., Stage]


def offered_words(stage: Stage) -> set[str]:
    return {c["words"] for decision in stage.position["decisions"] for c in decision["choices"]}


def chosen(page: Page, number: int) -> None:
    """Waits until so many choices were made, and the page shows what followed."""
    page.wait_for_selector(f"body[data-chosen='{number}']", timeout=20000)


def settled(page: Page) -> None:
    """Clicks on what has only just appeared are ignored."""
    page.wait_for_timeout(400)


def choose_one(page: Page, thing: Locator) -> None:
    """Chooses by keyboard alone: Enter on a thing, and on the first choice if it asks which."""
    several = "\n" in (thing.get_attribute("data-choices") or "") and thing.get_attribute("data-thing")
    thing.focus()
    page.keyboard.press("Enter")
    if several:
        expect(page.locator(".details .choices button").first).to_be_focused()
        page.keyboard.press("Enter")


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_played_by_keyboard_from_what_is_offered_on_the_table(
    name: str, stage: Stages, page: Page
) -> None:
    played = stage(name).play(10).play_until_asked().open()
    random = Random(3)
    for number in range(6):
        if played.match.over:
            break
        offered = offered_words(played)
        things = page.locator(OFFERED)
        expect(things.first).to_be_visible()
        choose_one(page, things.nth(random.randrange(things.count())))
        chosen(page, number + 1)
        assert played.chosen[-1] in offered


@pytest.mark.parametrize("name", ["pig", "ludo"])
def test_a_die_of_no_zone_lies_beside_what_is_asked_once_it_was_thrown(
    name: str, stage: Stages, page: Page
) -> None:
    played = stage(name)
    thrown = next(i for i, place in enumerate(played.description["places"]) if place["zone"] == "die")
    if name == "pig":
        played.open()
        assert page.locator(".prompt .thrown").count() == 0
        page.get_by_role("button", name="throw the die").click()
    else:
        played.play(30).play_until_asked().open()
    face = played.position["places"][thrown][0] + 1
    expect(page.get_by_role("img", name=f"die {face}", exact=True)).to_be_visible()
    assert page.locator(".prompt .thrown .pip").count() == face


@pytest.mark.parametrize("name", GAMES)
def test_every_choice_lies_on_something_with_a_name(name: str, stage: Stages, page: Page) -> None:
    afoot = (stage(name).play(number).play_until_asked() for number in (25, 5, 0))
    played = next(each for each in afoot if not each.match.over).open()
    found: set[str] = set()
    for thing in page.locator(OFFERED).all():
        words = thing.get_attribute("data-choices") or ""
        found |= set(words.split("\n"))
        assert thing.get_attribute("aria-label") or thing.inner_text().strip()
    assert offered_words(played) <= found


@pytest.mark.parametrize("name", GAMES)
def test_nothing_serious_is_found_by_axe(name: str, stage: Stages, page: Page) -> None:
    stage(name).play(25).play_until_asked().open()
    page.wait_for_timeout(600)
    found = Axe().run(page)
    serious = [v for v in found.response["violations"] if v["impact"] in ("serious", "critical")]
    assert [(v["id"], v["nodes"][0]["html"], v["nodes"][0].get("failureSummary")) for v in serious] == []


# ---- choosing


def test_a_click_on_a_place_chooses_it_with_the_action_that_asks_for_it(stage: Stages, page: Page) -> None:
    played = stage("tic_tac_toe").open()
    settled(page)
    page.get_by_role("button", name="b2: empty — choose: place on b2").click()
    chosen(page, 1)
    assert played.chosen == ["place b2"]
    expect(page.get_by_role("button", name="b2: stone: A")).to_be_visible()


def test_a_column_is_chosen_on_any_of_its_cells(stage: Stages, page: Page) -> None:
    played = stage("connect_four").open()
    settled(page)
    expect(page.locator(".cell[data-state='offered']")).to_have_count(42)
    expect(page.locator(".prompt .actions button")).to_have_count(0)
    choose_one(page, page.locator(".cell[data-thing$=' 38']"))
    chosen(page, 1)
    column = played.description["types"]["cell"]["names"][38 - played.description["types"]["cell"]["lo"]][0]
    assert played.chosen == [f"drop {column}"]


def test_whose_side_of_the_board_is_whose_is_drawn(stage: Stages, page: Page) -> None:
    stage("hex").open()
    borders = page.locator(".ground .border")
    expect(borders).to_have_count(4)
    assert borders.all_text_contents() == ["A", "A", "B", "B"]


def test_an_open_card_tells_what_it_needs(stage: Stages, page: Page) -> None:
    played = stage("augustus").play_until_asked().open()
    card = page.locator(".slot .piece.small").first
    expect(card.locator(".want").first).to_be_visible()
    decl, labels = played.description["components"]["objective"], played.description["labels"]["en"]
    rows = {labels.get(name, name): row for name, row in zip(decl["classes"], decl["rows"], strict=True)}
    row = rows[card.locator(".middle").inner_text().strip()]
    groups = (cell for column, cell in zip(decl["columns"], row, strict=True) if column["keyed_by"])
    needed = [number for group in groups for number in group]
    shown = [int(text) for text in card.locator(".want b").all_text_contents()]
    assert sorted(shown) == sorted(filter(None, needed))


def test_on_a_phone_what_can_be_chosen_is_one_press_away(stage: Stages, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 640})
    stage("roma").play(40).play_until_asked().open()
    settled(page)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    seen = """() => [...document.querySelectorAll(".thing[data-state='offered']")].some((thing) => {
        const { top, bottom } = thing.getBoundingClientRect();
        return bottom > 0 && top < document.querySelector(".prompt-bar").getBoundingClientRect().top;
    })"""
    assert not page.evaluate(seen)
    page.get_by_role("button", name="Show what can be chosen").click()
    page.wait_for_function(seen)


def test_the_second_click_of_a_double_click_chooses_nothing(stage: Stages, page: Page) -> None:
    played = stage("pig").open()
    settled(page)
    page.get_by_role("button", name="throw the die").dblclick()
    page.wait_for_timeout(500)
    assert len(played.chosen) == 1


def test_what_others_do_unseen_makes_no_click_hasty(stage: Stages, page: Page) -> None:
    played = stage("tic_tac_toe").open()
    settled(page)
    again = "document.querySelector('[aria-label^=\"b2: empty\"]').dispatchEvent(press)"
    press = "const press = new MouseEvent('click', { bubbles: true, detail: 1 });"
    page.evaluate(f"async () => {{ {press} await window.refresh(); {again}; }}")
    chosen(page, 1)
    assert played.chosen == ["place b2"]


def test_arrow_keys_move_on_a_board_and_enter_chooses(stage: Stages, page: Page) -> None:
    played = stage("tic_tac_toe").open()
    page.get_by_role("button", name="a1: empty").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    expect(page.locator(":focus")).to_have_attribute("aria-label", "b2: empty — choose: place on b2")
    page.keyboard.press("Enter")
    chosen(page, 1)
    assert played.chosen == ["place b2"]


def test_tab_stops_once_on_a_board(stage: Stages, page: Page) -> None:
    stage("othello").open()
    assert page.locator(".picture [tabindex='0']").count() == 1


def test_a_thing_with_several_choices_asks_which_one(stage: Stages, page: Page) -> None:
    played = dice_of_roma(stage)
    settled(page)
    die = page.locator(".thing[data-state='offered'].of-die").first
    die.click()
    choices = page.get_by_role("dialog").locator(".choices button")
    assert choices.count() >= 2
    assert played.chosen == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(die).to_be_focused()


def test_a_window_with_choices_stays_while_they_are_offered(stage: Stages, page: Page) -> None:
    played = dice_of_roma(stage)
    settled(page)
    page.locator(".thing[data-state='offered'].of-die").first.click()
    played.show()
    page.wait_for_timeout(200)
    expect(page.get_by_role("dialog").locator(".choices button").first).to_be_visible()
    played.match.choose("AB"[played.seat], "pass")
    played.show()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_tall_picture_of_a_seat_takes_no_more_room_than_a_wide_one(stage: Stages, page: Page) -> None:
    stage("trajan").open()
    page.set_viewport_size({"width": 1440, "height": 900})
    rem = page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
    heights = "(all) => all.map((one) => one.getBoundingClientRect().height)"
    own, other = page.locator(".seat .picture svg").evaluate_all(heights)
    assert 0 < own <= 24 * rem + 1
    assert 0 < other <= 17 * rem + 1


def test_an_action_that_is_picked_leaves_only_its_own_things(stage: Stages, page: Page) -> None:
    played = dice_of_roma(stage)
    settled(page)
    page.locator(".prompt").get_by_role("button", name="take money with").click()
    page.locator(".thing[data-state='offered'].of-die").first.click()
    chosen(page, 1)
    assert played.chosen[0].startswith("take_money ")


def test_escape_takes_back_what_is_half_chosen(stage: Stages, page: Page) -> None:
    played = stage("breakthrough").open()
    page.get_by_role("button", name="b2: pawn: A").focus()
    page.keyboard.press("Enter")
    chosen(page, 1)
    assert played.chosen == ["advance b2"]
    expect(page.get_by_role("button", name="Take back")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="b2: pawn: A — choose: advance b2")).to_be_visible()
    assert [step.seat for step in played.match.steps] == [None]


def test_a_set_says_which_value_of_how_many_and_what_is_chosen(stage: Stages, page: Page) -> None:
    played = stage(MELDS, seats=2).open()
    bar = page.locator(".prompt")
    expect(bar.locator(".asked")).to_have_text("Choose: card, 1 of 2")
    expect(bar.locator(".chosen")).to_have_count(0)
    settled(page)
    page.locator(OFFERED).first.press("Enter")
    chosen(page, 1)
    first = played.chosen[0].replace("_", " ")
    expect(bar.locator(".asked")).to_have_text("Choose: card, 2 of 2")
    expect(bar.locator(".chosen")).to_have_text(f"Chosen: {first}")
    expect(bar.get_by_role("button", name=f"Take back {first}")).to_be_visible()
    page.keyboard.press("Escape")
    expect(bar.locator(".asked")).to_have_text("Choose: card, 1 of 2")
    expect(bar.locator(".chosen")).to_have_count(0)


@pytest.mark.parametrize(
    ("words", "asked", "so_far"),
    [
        (["meld 3"], "Choose: card, 1 of 3", None),
        (["meld 3", "clubs_two", "hearts_two"], "Choose: card, 3 of 3", "Chosen: clubs two and hearts two"),
        (["meld_run hearts_two"], "Choose: card, 2 of 3", "Chosen: hearts two"),
        (["pass"], "Choose: card, 1 of at most 2", None),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, list) else "",
)
def test_the_number_of_a_set_is_that_which_was_chosen(
    words: list[str], asked: str, so_far: str | None, stage: Stages, page: Page
) -> None:
    played = stage(MELDS, seats=2)
    hand = ["hearts_two", "hearts_two", "clubs_two", "hearts_three", "hearts_four"]
    values = {"hand of A": hand, "hand of B": ["spades_two"] * 2}
    played.match = Match.from_position(played.match.game, values, at="turn.melds")
    for each in words:
        played.match.choose("A", each)
    played.open()
    expect(page.locator(".prompt .asked")).to_have_text(asked)
    expect(page.locator(".prompt .chosen")).to_have_text(so_far or [])


def test_many_numbers_are_chosen_by_a_slider(stage: Stages, page: Page) -> None:
    played = stage("constantinopolis", seats=2, seed=1).play_until("bid_for.bid")
    played.open()
    settled(page)
    slider = page.get_by_role("slider")
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.locator(".stepper .main").click()
    chosen(page, 1)
    assert played.chosen[0].isdigit()


def test_a_viewer_who_wants_to_be_asked_confirms_each_choice(stage: Stages, page: Page) -> None:
    played = stage("tic_tac_toe").open("confirming")
    settled(page)
    page.get_by_role("button", name="b2: empty").click()
    assert played.chosen == []
    page.get_by_role("dialog").get_by_role("button", name="place on b2").press("Enter")
    chosen(page, 1)
    assert played.chosen == ["place b2"]


def test_a_button_is_confirmed_too_and_escape_chooses_nothing(stage: Stages, page: Page) -> None:
    played = stage("pig").open("confirming")
    settled(page)
    throw = page.locator(".prompt").get_by_role("button", name="throw the die")
    throw.click()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert played.chosen == []
    throw.press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="throw the die").press("Enter")
    chosen(page, 1)
    assert len(played.chosen) == 1


def test_the_next_choice_does_not_wait_for_an_acknowledgement(stage: Stages, page: Page) -> None:
    """A server may tell the position before it acknowledges the choice that led to it."""
    played = stage("breakthrough").open()
    page.evaluate("window.hold()")
    page.get_by_role("button", name="b2: pawn: A").press("Enter")
    target = page.locator(".cell[data-state='offered']").filter(has_not_text="A").first
    expect(page.get_by_role("button", name="Take back")).to_be_visible()
    target.press("Enter")
    expect(page.get_by_role("button", name="Take back")).to_have_count(0)
    assert len(played.chosen) == 2


# ---- why not


def test_a_greyed_action_says_why_and_links_to_its_clause(stage: Stages, page: Page) -> None:
    stage("hex").open()
    settled(page)
    page.get_by_role("button", name="swap the first stone — why not?").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".refusal").first).to_be_visible()
    clause = dialog.locator(".clause").first
    clause.click()
    assert page.evaluate("window.opened") == clause.inner_text()


REFUSED = [
    ({"kind": "cannot pay", "name": "gold_coin", "numbers": [3, 2]}, "gold coin: 3 kell, de csak 2 van."),
    ({"kind": "out of range", "name": "vp"}, "vp túllépné a határait."),
    ({"kind": "nothing to choose", "name": "gold_coin"}, "Utána nem volna mit választani ehhez: gold coin."),
    ({"kind": "not here"}, "Ez most nem lehetséges."),
    ({"kind": "condition", "condition": "x > 2", "facts": [["x", "2"]]}, "Feltétel: x > 2"),
]


def test_a_refusal_is_told_in_the_viewers_language(stage: Stages, page: Page) -> None:
    """The page makes the sentences from names and numbers; a condition is quoted."""
    blank = {"name": "", "numbers": [], "condition": "", "facts": [], "clauses": [], "at": None, "parts": []}
    parts = [blank | refused for refused, _ in REFUSED]
    played = stage("hex")
    played._why = lambda *_: json.dumps(blank | {"kind": "words", "parts": parts})  # type: ignore[method-assign]
    played.open("language=hu")
    settled(page)
    page.locator(".prompt .actions .refused").first.click()
    told = page.locator(".refusal .refusal")
    expect(told).to_have_count(len(REFUSED))
    assert [each.locator("p").first.inner_text() for each in told.all()] == [said for _, said in REFUSED]
    expect(told.last.locator("p").nth(1)).to_have_text("De x: 2")


def test_a_score_is_read_line_by_line(stage: Stages, page: Page) -> None:
    stage("trajan", seats=2).play(30).open()
    page.get_by_role("button", name="Score of A").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("tbody tr")).to_have_count(7)
    expect(dialog.locator("tr.total")).to_be_visible()


@pytest.mark.parametrize("query", ["still", "won=1"])
def test_in_the_past_and_after_the_end_one_looks_but_chooses_nothing(
    query: str, stage: Stages, page: Page
) -> None:
    stage("trajan", seats=2).play(30).play_until_asked().open(query)
    assert page.locator("[data-state='offered']").count() == 0
    page.get_by_role("button", name="Score of A").click()
    page.wait_for_timeout(200)
    expect(page.get_by_role("dialog").locator("tr.total")).to_be_visible()
    won = page.locator(".seat", has=page.get_by_text("winner", exact=True))
    assert [seat.get_attribute("data-seat") for seat in won.all()] == (["1"] if query == "won=1" else [])


def test_the_story_says_what_has_ended_the_match_if_not_its_rules(stage: Stages, page: Page) -> None:
    stage("hex").play(3).open("won=1&ended=A+has+run+out+of+time.")
    expect(page.locator(".story li").first).to_have_text("A has run out of time.")


def test_the_window_of_a_thing_leaves_out_columns_that_are_zero(stage: Stages, page: Page) -> None:
    played = stage("augustus").play_until_asked().open()
    card = played.description["components"]["objective"]
    page.locator(".piece.shape-card:not(.back)").first.click(button="right")
    rows = page.get_by_role("dialog").locator("dd")
    expect(rows.first).to_be_visible()
    assert "0" not in rows.all_text_contents()
    assert any(0 in row for row in card["rows"])


@pytest.mark.parametrize("width", [390, 1280])
def test_very_long_words_are_broken(width: int, stage: Stages, page: Page) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    played = stage("roma").play(12).play_until_asked()
    labels = played.description["labels"]["en"]
    labels |= {word: text and "Donaudampfschifffahrtsgesellschaft" * 2 for word, text in labels.items()}
    played.open()
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator(".thing").first.click(button="right")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert (
        page.evaluate("""[...document.querySelectorAll(".details, .prompt button, .seat h3, .value")]
        .filter(e => e.getBoundingClientRect().right > innerWidth).length""")
        == 0
    )


# ---- what others see


def test_unseen_pieces_of_others_are_a_number(stage: Stages, page: Page) -> None:
    played = stage("roma", seat=0).play(5)
    number = next(
        n for n, p in enumerate(played.description["places"]) if (p["zone"], p["of"]) == ("hand", 1)
    )
    held = played.position["places"][number]
    assert isinstance(held, int)
    played.open()
    expect(page.get_by_role("group", name="hand of B")).to_contain_text(str(held))
    expect(page.get_by_role("button", name="hand of B")).to_have_count(0)


@pytest.mark.parametrize("width", [360, 1280])
def test_a_pile_tells_how_many_there_are_and_how_many_one_does_not_see(
    width: int, stage: Stages, page: Page
) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    played = stage("leduc_poker", seat=0).open()
    places, cards = played.description["places"], played.description["components"]["card"]["classes"]
    (own,) = next(
        held
        for place, held in zip(places, played.position["places"], strict=True)
        if (place["zone"], place["of"]) == ("hand", 0)
    )
    page.locator(".pile").press("Enter")
    told = page.locator(".in-sight")
    expect(told.locator("summary")).to_have_text("Not in sight: 5 of 6")
    rows = [row.split("\t") for row in told.locator("tbody tr").all_inner_texts()]
    assert rows == [[name, "1" if i == own else "2", "2"] for i, name in enumerate(cards)]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert Axe().run(page).response["violations"] == []


def test_what_nobody_can_hide_is_not_counted(stage: Stages, page: Page) -> None:
    stage("connect_four").play(6).open()
    page.locator(".cell").first.click(button="right")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert page.locator(".in-sight").count() == 0


def test_the_story_tells_odds_only_where_they_are_known(stage: Stages, page: Page) -> None:
    """Odds of a draw, if all that is unseen lies in the pile; else what was not in sight."""
    played = stage("leduc_poker", seat=0)
    while not [entry for entry in entries(played.match, 0) if entry["pool"]][1:]:
        played.match.take(played.match.waiting()[0], played.match.waiting()[0].options[0])
    played.open()
    told = page.locator(".odds")
    expect(told).to_have_count(2)
    assert told.locator("table").count() == 0  # they are made when they are looked at
    for each in told.all():
        each.locator("summary").click()
    later, first = told.all()
    expect(first.locator("td:not(.share)")).to_have_text(["33.3 %"] * 3)
    expect(later.locator("caption")).to_have_text("deck. Not in sight: 5 of 6")
    numbers = later.locator("td:not(.share)").all_inner_texts()
    assert sorted(numbers) == ["1", "2", "2"]
    expect(later.locator("tr[data-came='true']")).to_have_count(1)


def test_what_has_happened_is_told_and_read_out(stage: Stages, page: Page) -> None:
    played = stage("tic_tac_toe").open()
    page.get_by_role("button", name="b2: empty").press("Enter")
    chosen(page, 1)
    expect(page.locator(".story li").last).to_contain_text("A: place on b2")
    expect(page.locator("[aria-live][role='status']")).to_contain_text("place on b2")
    assert played.chosen


def test_much_that_has_happened_is_folded(stage: Stages, page: Page) -> None:
    stage("trajan", seats=2).play(60).open()
    folded = page.locator(".story .more").first
    rest = folded.locator(".facts")
    expect(rest).to_be_hidden()
    told = folded.locator("summary").inner_text()
    folded.locator("summary").press("Enter")
    expect(rest).to_be_visible()
    assert len(rest.inner_text().split("; ")) == int(told.split()[0])


def test_moves_of_one_kind_are_one_sentence(stage: Stages, page: Page) -> None:
    """Pieces that go from places of one zone to places of another are told together."""
    stage("trajan", seats=2).play(60).open()
    page.get_by_role("button", name="Show all").click()
    texts = page.locator(".story .facts").all_text_contents()
    sentences = [part for text in texts for part in text.split("; ")]
    assert any("hidden Trajan tile" in part for part in sentences)
    assert max(sum("hidden Trajan tile" in part for part in text.split("; ")) for text in texts) < 4


def test_a_spectator_sees_the_table_and_may_choose_nothing(stage: Stages, page: Page) -> None:
    stage("roma", seat=-1).play(30).open()
    expect(page.locator(".seat")).to_have_count(2)
    assert page.locator("[data-state='offered']").count() == 0
    assert page.locator(".prompt .actions").count() == 0


def test_pieces_slide_unless_less_motion_is_wanted(stage: Stages, page: Page) -> None:
    dice_of_roma(stage)
    for motion, ghosts in (("no-preference", True), ("reduce", False)):
        page.emulate_media(reduced_motion=motion)
        before = page.evaluate("window.ghosts ?? 0")
        page.evaluate(COUNT_GHOSTS)
        page.locator(".thing[data-state='offered'].of-die").first.press("Enter")
        page.keyboard.press("Enter")
        page.wait_for_timeout(900)
        assert (page.evaluate("window.ghosts") > before) is ghosts
        assert page.locator(".ghost").count() == 0


COUNT_GHOSTS = """() => {
    window.ghosts ??= 0;
    window.watcher ??= new MutationObserver((all) => all.forEach((each) => each.addedNodes.forEach(
        (node) => (window.ghosts += node.classList?.contains("ghost") ? 1 : 0))));
    window.watcher.observe(document.querySelector(".table-root"), { childList: true });
}"""


@pytest.mark.parametrize(("language", "asked"), [("hu", "Válassz"), ("ro", "Alege")])
def test_the_table_speaks_the_viewers_language(language: str, asked: str, stage: Stages, page: Page) -> None:
    stage("tic_tac_toe").open(f"language={language}")
    expect(page.locator(".asked")).to_contain_text(asked)


def test_every_language_has_the_same_messages() -> None:
    found = [
        {line.split(" = ")[0] for line in file.read_text().splitlines() if line.startswith("table-")}
        for file in sorted((WEB.parent / "i18n" / "locales").glob("*/table.ftl"))
    ]
    assert len(found) == 3
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("width", [360, 1280])
def test_targets_are_large_enough_and_nothing_is_cut_off(width: int, stage: Stages, page: Page) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    for_width = stage("hex").open()
    assert for_width.match.waiting()
    least = "all => all.map(e => e.getBoundingClientRect()).map(r => Math.min(r.width, r.height))"
    sizes = page.eval_on_selector_all(".thing:not(.cell), button", least)
    assert min(size for size in sizes if size) >= 24
    cells = page.eval_on_selector_all(".cell", least)
    assert min(cells) >= (16 if width == 360 else 24)  # seen whole on a phone: it can be zoomed
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def dice_of_roma(stage: Stages) -> Stage:
    """A seat in the phase of dice, with several dice."""
    return stage("roma").play_until("actions").open()
