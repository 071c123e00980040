"""`rulewright play`: the board, the prompt and its commands, secrets at one terminal, saves."""

from __future__ import annotations

import io
import json
import random
import re
from array import array
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from interpreter import ir
from interpreter.bots.random import pick
from interpreter.compile.program import compile_rules
from interpreter.game import Choice, Game, MatchStep
from interpreter.match import Match
from interpreter.position import Position
from rulewright.i18n.messages import messages_of
from rulewright.library import open_game, read_rules
from rulewright.main import main
from rulewright.matches.saves import read_log, resumed
from rulewright.tui.game_loop import play
from rulewright.tui.menu import keys_of, menu_of
from rulewright.tui.prompt import Prompt
from rulewright.tui.screen import Screen
from rulewright.tui.session import Leave, Session, SessionConfig
from rulewright.tui.styles import plain, with_counts
from tests.wasm.lockstep import small_rules

ROOT = Path(__file__).resolve().parents[2]
CARDS, DICE = "roma", "roll_through_the_ages"
SAY = messages_of("en", "table", "terminal")
CLEAR = "\x1b[2J"


# --- tools ----------------------------------------------------------------------------------------


def run(*words: str) -> Result:
    """The command without a terminal."""
    return CliRunner().invoke(main, ["play", *words])


class Table:
    """A session whose people say what a script says; at its end they close the terminal."""

    def __init__(
        self, game: str, kinds: str, match: Match | None = None, seed: int = 7, width: int = 80,
        auto: bool = True, log: Path | None = None, options: dict[str, str] | None = None,
    ) -> None:  # fmt: skip
        seats, options = kinds.split(","), options or {}
        self.out = io.StringIO()
        self.says: Iterator[str] = iter(())
        console = Console(
            file=self.out, width=width, height=24, force_terminal=True, color_system=None,
            highlight=False, markup=False, emoji=False,
        )  # fmt: skip
        found = match or Match(open_game(game, len(seats), options), seed).start()
        self.session = Session(found, SessionConfig(seats, options, log, auto), Screen(console, self._ask))

    def _ask(self, prompt: str) -> str:
        try:
            said = next(self.says)
        except StopIteration:
            raise EOFError from None
        self.out.write(f"{prompt}{said}\n")
        return said

    @property
    def match(self) -> Match:
        return self.session.match

    def says_all(self, *lines: str) -> str:
        """What is on the screen from here on, while people say these lines."""
        before = len(self.out.getvalue())
        self.says = iter(lines)
        with pytest.raises((EOFError, Leave)):
            play(self.session)
        return self.out.getvalue()[before:]

    def plays_out(self, choose: Callable[[], str]) -> str:
        """The whole match, with people who say whatever `choose` gives."""
        self.says = iter(choose, None)
        play(self.session)
        return self.out.getvalue()


def after(screens: str, said: str) -> str:
    """What was answered to a line, without the screen that may follow."""
    return screens.split(f"> {said}\n", 1)[1].split(CLEAR, 1)[0]


def at(game: str, seats: int, step: str, pieces: dict[str, list[str]], numbers: dict[str, int]) -> Match:
    """A match at a step of the flow, in a position that was set up."""
    position = Position(open_game(game, seats))
    for address, names in pieces.items():
        position.set_pieces(position.place(address), names, True)
    for address, number in numbers.items():
        position.set_number(address, number)
    match = Match(position.game, seed=1)
    match.state = position.state
    return match.run_from(position.stand_at(step, 0))


def rich_hand() -> Match:
    pieces = {
        "hand of A": ["forum", "turris", "nero"],
        "slot of A at 1": ["legat"],
        "slot of B at 2": ["turris"],
        "slot of B at 3": ["forum"],
        "dice of A": ["1", "4", "4"],
    }
    return at(CARDS, 2, "turn.actions", pieces, {"money of A": 6})


# --- without a terminal ---------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "seats"), [(CARDS, "2"), (DICE, "1"), (DICE, "3"), (DICE, "4")])
def test_bots_play_a_whole_match_and_the_course_is_told(game: str, seats: str) -> None:
    result = run(game, "--seats", seats, "--seed", "7")
    assert result.exit_code == 0, result.output
    assert "Turn of A" in result.stdout or "\nA: " in result.stdout
    assert "The match is over" in result.stdout
    assert "§" in result.stdout.split("The match is over")[-1]
    assert "its seed was 7" in result.stdout


def test_the_same_seed_gives_the_same_match() -> None:
    assert run(CARDS, "--seed", "3").stdout == run(CARDS, "--seed", "3").stdout
    assert run(CARDS, "--seed", "3").stdout != run(CARDS, "--seed", "4").stdout


def test_people_cannot_be_asked_without_a_terminal() -> None:
    result = run(CARDS, "--seats", "human,human", "--seed", "1")
    assert result.exit_code == 0
    assert "bots take all seats" in result.stderr


@pytest.mark.parametrize("cut", [1, 40, 200])
def test_a_cut_log_goes_on_to_the_same_end(cut: int, tmp_path: Path) -> None:
    whole, part, again = (tmp_path / name for name in ("whole", "part", "again"))
    assert run(DICE, "--players", "3", "--option", "trading=on", "--log", str(whole)).exit_code == 0
    lines = whole.read_text(encoding="utf-8").splitlines(keepends=True)
    part.write_text("".join(lines[:cut]), encoding="utf-8")
    assert run(DICE, "--resume", str(part), "--log", str(again)).exit_code == 0
    assert again.read_text(encoding="utf-8") == whole.read_text(encoding="utf-8")


def test_a_finished_match_that_is_resumed_shows_its_result(tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    first = run(CARDS, "--seed", "2", "--log", str(log)).stdout
    again = run(CARDS, "--resume", str(log)).stdout
    assert first.split("The match is over", 1)[1] == again.split("The match is over", 1)[1]


# --- choosing -------------------------------------------------------------------------------------


def test_a_choice_is_made_by_number_by_words_and_by_label() -> None:
    hands = {"hand of A": ["forum", "nero", "tribunus_plebis"], "hand of B": ["legat", "turris"]}
    for said in ("1", "tribunus_plebis", "Tribunus Plebis", "tribunus plebis"):
        table = Table(CARDS, "human,random", at(CARDS, 2, "set_up.exchange", hands, {}))
        wanted = table.match.decisions()[0].choices[0].text if said == "1" else "tribunus_plebis"
        table.says_all(said)
        assert table.match.steps[-1].text == wanted


def test_where_numbers_are_chosen_the_number_is_the_key() -> None:
    table = Table(CARDS, "human,random", rich_hand())
    table.says_all("lay forum", "4")
    assert table.match.view(0).zones["slot of A at 4"] == ["forum"]


@pytest.mark.parametrize(
    ("texts", "keys"),
    [
        (["lay forum", "activate 4", "pass"], ["1", "2", "0"]),
        (["1", "3", "5"], ["1", "3", "5"]),
        (["3", "5", "pass"], ["3", "5", "0"]),
        (["0", "1", "pass"], ["0", "1", "p"]),
        (["-1", "1"], ["-1", "1"]),
        (["pass", "wood"], ["0", "1"]),
    ],
)
def test_keys(texts: list[str], keys: list[str]) -> None:
    choices = [Choice((0, i), tuple(text.split()), text) for i, text in enumerate(texts)]
    assert keys_of(choices) == keys


def test_keys_are_never_used_twice() -> None:
    for game, seats in ((CARDS, 2), (DICE, 3)):
        match = Match(open_game(game, seats), seed=1).start()
        while not match.over:
            decision = match.decisions()[0]
            items = menu_of(match.game, decision).items
            assert len({item.key for item in items}) == len(items) == len(decision.choices)
            match.take(decision.waiting, pick(1, match.state, decision.waiting))


def test_a_refused_choice_says_why_with_its_clause() -> None:
    table = Table(CARDS, "human,random", rich_hand())
    answer = after(table.says_all("lay nero"), "lay nero")
    assert "cannot be chosen" in answer
    assert "§4.3" in answer
    assert "6" in answer  # what there is
    assert table.match.steps[-1].seat is None


def test_words_that_mean_several_choices_are_asked_back() -> None:
    table = Table(CARDS, "human,random", rich_hand())
    answer = after(table.says_all("lay"), "lay")
    assert "which of these" in answer
    assert "lay Forum" in answer


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("99", "unknown choice 99"),
        ("xyzzy", "unknown command or choice `xyzzy`"),
        ("why", "why what?"),
        ("save", "save where?"),
        ("why lay forum", "it is offered"),
        ("why 1", "it is offered"),
        ("why activate 4", "§4.7"),
        ("? xyzzy", "unknown word `xyzzy`"),
        ("undo", "nothing has been chosen yet"),
    ],
)
def test_answers_at_the_prompt(said: str, answer: str) -> None:
    table = Table(CARDS, "human,random", rich_hand())
    assert answer in after(table.says_all(said), said)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("raise_to 96421", "only where n mod 20 is 0, but n mod 20 is 1"),
        ("raise to 40", "only where n > 10 * price, but n is 40; 10 * price is 90"),
        ("raise_to 30", "it is not among the values here, from 100 to 5000000 in steps of 20"),
        ("raise_to", "which of these: raise to from 100 to 5000000 in steps of 20"),
        ("why raise_to", "it is offered: raise to from 100 to 5000000 in steps of 20"),
        ("33", "from 100 to 5000000 in steps of 20"),
        ("xyzzy 40", "unknown command or choice `xyzzy 40`"),
    ],
)
def test_a_number_of_very_many_that_cannot_be_chosen_is_refused_with_its_reason(
    said: str, answer: str
) -> None:
    rules = small_rules(
        "counters: {price: {range: 0..9, start: 9}}\n",
        "action raise_to(n from 40..5000000 where n mod 20 is 0 and n > 10 * price)\n    price = 0\n",
        "flow: {turn: {do: [{do one of: [raise_to]}], then: fin}, fin: {score: highest}}\n",
    )
    table = Table("", "human,human", Match(Game(rules, compile_rules(rules)), 1).start(), width=200)
    told = " ".join(after(table.says_all(said), said).split())
    assert answer in told, told
    assert len(table.match.steps) == 1


def test_no_line_at_the_prompt_breaks_the_table() -> None:
    """Control characters, blanks, half commands, and words of every kind."""
    lines = [
        "",
        " ",
        "?",
        "? ",
        "?1",
        "/log",
        "/",
        "\x1b[2J",
        "\0",
        "§4.1",
        "? §4.1",
        "? §",
        "LOG",
        "log all",
    ]
    lines += [
        "why §4.1",
        "why \x1b",
        "? lay",
        "help",
        "view",
        "score",
        ",",
        "lay,",
        "💥",
        "a" * 5000,
        "-1",
        "1.5",
    ]
    table = Table(CARDS, "human,random", rich_hand())
    screens = table.says_all(*lines)
    shown = re.sub(r"A> .*\n", "", screens)
    assert "\0" not in shown
    assert table.match.steps[-1].seat is None


# --- explanations ---------------------------------------------------------------------------------


def test_a_question_mark_explains_the_decision() -> None:
    answer = after(Table(CARDS, "human,random").says_all("?"), "?")
    assert "§2.4" in answer
    assert "Each player gives two" in answer


def test_a_choice_is_explained_with_help_table_and_clauses() -> None:
    table = Table(CARDS, "human,random", rich_hand())
    answer = after(table.says_all("? lay forum"), "? lay forum")
    for text in (table.match.game.rules.helps["forum"][:30], "§4.3", "defence 5"):
        assert text in answer
    assert table.match.game.rules.helps["legat"][:30] in table.says_all("? legat")


def test_the_score_is_shown_with_its_clauses() -> None:
    answer = after(Table(CARDS, "human,random", rich_hand()).says_all("score"), "score")
    assert "§7.3" in answer
    assert answer.count("10") == 2


def test_a_decision_of_an_effect_is_named_after_its_card() -> None:
    slots = {"slot of A at 1": ["velites"], "slot of B at 2": ["legat"], "slot of B at 3": ["nero"]}
    match = at(CARDS, 2, "turn.actions", {**slots, "dice of A": ["1"]}, {})
    screens = Table(CARDS, "human,random", match=match).says_all("activate 1")
    assert "target (Velites)" in screens
    assert match.game.rules.helps["velites"][:40] in screens


# --- the board ------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [40, 80, 120])
@pytest.mark.parametrize(("game", "kinds"), [(CARDS, "human,random"), (DICE, "human,random,random,random")])
def test_no_line_is_wider_than_the_screen(game: str, kinds: str, width: int) -> None:
    chooser = random.Random(4)
    table = Table(game, kinds, width=width)
    screens = table.says_all(*(str(chooser.randrange(4)) for _ in range(30)))
    assert max(len(line) for line in re.sub(r"\x1b\[[\d;]*\w", "", screens).splitlines()) <= width


def test_everything_public_is_on_the_board() -> None:
    table = Table(CARDS, "human,random", rich_hand())
    board = table.says_all()
    for text in ("Legat", "Turris", "Forum ", "1 4 ×2", "draw pile", "▶A"):
        assert text in board
    assert "defence 6" in board  # the Forum that a Turris guards


def test_face_down_cards_are_question_marks() -> None:
    pieces = {"veiled of B at 3": ["nero"], "veiled of A at 2": ["forum"], "hand of A": ["legat", "turris"]}
    match = at(CARDS, 2, "set_up.lay_first_cards", pieces, {})
    board = Table(CARDS, "human,random", match=match).says_all()
    row = next(line for line in board.splitlines() if " B " in line and "?" in line)
    assert row.split()[-7:] == ["B", "·", "·", "?", "·", "·", "·"]
    assert "Nero" not in board


def test_empty_things_are_left_out() -> None:
    board = Table(DICE, "human,random").says_all()
    assert "wood" not in board
    assert "food" in board


def test_equal_things_are_counted() -> None:
    assert with_counts(SAY, ["a", "b", "a"], ", ", 9) == "a ×2, b"
    assert with_counts(SAY, "abcdef", ", ", 3) == "a, b, c, and 3 more kinds"


def test_a_ruleset_cannot_steer_the_terminal() -> None:
    assert plain("a\x1b[2Jb\x07\r\n\x9b") == "a [2Jb    "


# --- news -----------------------------------------------------------------------------------------


def test_a_forced_choice_is_taken_with_a_note_only_for_its_seat() -> None:
    says = ("1", "1", "1", "1", "1", "2", "1", "3")  # two given away, three laid; the fourth goes by itself
    told_to = Table(CARDS, "human,random")
    told_to.says_all(*says)
    assert any("(the only choice)" in line for line in told_to.session.story.all(0))
    assert not any("(the only choice)" in line for line in told_to.session.story.all(-1))
    asked = Table(CARDS, "human,random", auto=False)
    asked.says_all(*says)
    assert not any("(the only choice)" in line for line in asked.session.story.all(0))


# --- undo -----------------------------------------------------------------------------------------


def test_undo_takes_back_the_last_choice() -> None:
    table = Table(CARDS, "human,random", rich_hand())
    before = table.match.hash()
    screens = table.says_all("take_money 4", "undo")
    assert table.match.hash() == before
    assert "taken back" in screens
    assert not any("take money" in line for line in table.session.story.all(0))


def test_undo_says_why_not() -> None:
    table = Table(CARDS, "human,random", rich_hand())
    assert "a random outcome has been seen" in after(table.says_all("take_cards 4", "undo"), "undo")
    table = Table(CARDS, "human,random", rich_hand())
    assert "seen something new" in after(table.says_all("lay forum", "4", "undo"), "undo")


def test_undo_goes_back_over_forced_choices() -> None:
    pieces = {"hand of A": ["forum", "legat"], "hand of B": ["nero"]}
    table = Table(CARDS, "human,random", at(CARDS, 2, "set_up.lay_first_cards", pieces, {}))
    before = table.match.hash()
    table.says_all("forum", "2", "undo", "undo")
    assert table.match.hash() == before


def test_undo_that_stops_half_way_changes_nothing() -> None:
    """The card that is drawn alone is taken by itself; the draw before it stands."""
    table = Table(CARDS, "human,random", rich_hand())
    table.says_all("take_cards 1")
    before = table.match.hash()
    assert "a random outcome has been seen" in after(table.says_all("undo", "take_money 4"), "undo")
    assert table.match.steps[-1].text == "take_money 4"
    table.says_all("undo")
    assert table.match.hash() == before


def test_nobody_takes_back_the_choice_of_another() -> None:
    table = Table(DICE, "human,human", options={"trading": "on"})
    while table.match.decisions()[0].name != "trade":
        table.match.choose("A", "pass")
    answer = table.says_all("propose B", "pass", "food", "pass", "undo")
    assert "nothing was taken back: the last choice was made by A" in answer


# --- saving and leaving ---------------------------------------------------------------------------


def test_a_saved_match_goes_on_where_it_was(tmp_path: Path) -> None:
    save = tmp_path / "save"
    table = Table(CARDS, "human,random")
    table.says_all("1", "1", "1", "3", f"save {save}")
    again = run(CARDS, "--resume", str(save), "--log", str(tmp_path / "end"), "--seats", "random,random")
    assert again.exit_code == 0, again.output
    kept, whole = (path.read_text(encoding="utf-8").splitlines() for path in (save, tmp_path / "end"))
    assert [json.loads(line)["hash"] for line in kept[1:]] == [
        json.loads(line)["hash"] for line in whole[1 : len(kept)]
    ]


def test_a_file_that_is_no_log_is_not_written_over(tmp_path: Path) -> None:
    precious = tmp_path / "precious.txt"
    precious.write_text("precious", encoding="utf-8")
    answer = Table(CARDS, "human,random").says_all(f"save {precious}")
    assert "is not a log" in answer.replace("\n", " ")
    assert precious.read_text(encoding="utf-8") == "precious"


def test_the_log_is_written_while_people_play(tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    table = Table(CARDS, "human,random", log=log)
    table.says_all("1")
    choices = [line for line in log.read_text(encoding="utf-8").splitlines() if '"choose"' in line]
    assert len(choices) == 1


def test_leaving_offers_to_save(tmp_path: Path) -> None:
    save = tmp_path / "save"
    Table(CARDS, "human,random").says_all("1", "quit", str(save))
    assert run(CARDS, "--resume", str(save)).exit_code == 0
    assert "saved" not in Table(CARDS, "human,random").says_all("quit", "")


def test_a_resumed_story_is_the_same(tmp_path: Path) -> None:
    save = tmp_path / "save"
    table = Table(CARDS, "human,random")
    table.says_all("1", "1", "1", "3", "1", "4", f"save {save}")
    again = Table(CARDS, "human,random", match=_resumed(save))
    for who in (0, -1, -2):
        plainly = [line.replace(" (the only choice)", "") for line in table.session.story.all(who)]
        assert again.session.story.all(who) == plainly


def _resumed(save: Path) -> Match:
    return resumed(read_rules(CARDS)[0], read_log(save), "wasm")


# --- secrets at one terminal ----------------------------------------------------------------------


def test_the_screen_is_handed_over() -> None:
    screens = Table(CARDS, "human,human").says_all("", "1", "1", "", "1")
    parts = screens.split("B, it is your turn.")
    assert len(parts) == 2
    assert parts[1].startswith("\nWhen only B looks at the screen, press Enter.")


def test_a_game_without_secrets_is_not_handed_over() -> None:
    screens = Table(DICE, "human,human").says_all(*["0"] * 8)
    assert "press Enter" not in screens
    assert "B>" in screens


def test_nothing_private_is_left_for_the_next_person() -> None:
    table = Table(CARDS, "human,human")
    own = {table.match.game.names.label(w) for w in _hand(table, "A")}
    others = {table.match.game.names.label(w) for w in _hand(table, "B")}
    screens = table.says_all("", "1", "1", "", "log all", "score", "view")
    theirs = screens.split("B, it is your turn.")[1]
    assert "\x1b[3J" in screens
    assert not [name for name in own - others if name in theirs]
    assert all(name in theirs for name in others)


def _hand(table: Table, seat: str) -> list[str]:
    found = table.match.view("AB".index(seat)).zones[f"hand of {seat}"]
    assert isinstance(found, list)
    return found


def test_what_is_chosen_at_the_same_time_is_told_when_all_have_chosen() -> None:
    table = Table(CARDS, "human,human")
    table.says_all("", "1", "1", "", "1")
    news = table.session.story.all(1)
    assert not any(line.startswith("A") for line in news)
    table.says_all("1")
    assert any(re.match("A — one hidden card: hand →", line) for line in table.session.story.all(1))


@pytest.mark.parametrize("seed", range(6))
def test_positions_that_a_seat_cannot_tell_apart_look_the_same(seed: int) -> None:
    chooser = random.Random(seed)
    match = Match(open_game(CARDS, 2), seed).start()
    for _ in range(chooser.randrange(1, 60)):
        if not match.over:
            waiting = chooser.choice(match.waiting())
            match.take(waiting, chooser.choice(waiting.options))
    if match.over:
        return
    other = Match(match.game, seed)
    other.state = _dealt_anew(match, match.decisions()[0].waiting.seat, chooser)
    assert _screen(match) == _screen(other)


def _screen(match: Match) -> str:
    """What the seat that is asked first sees and is answered; the news before it are left out."""
    table = Table(CARDS, "human,human", match=_still(match))
    lines = ["?", "score", "why lay nero", "why lay forum", "why turris", "view", "? nero", "undo"]
    table.says = iter(lines)
    turn = Prompt(table.session, table.match.decisions()[0])
    with pytest.raises(EOFError):
        turn.run()
    return table.out.getvalue()


def _still(match: Match) -> Match:
    """The same position without a past."""
    still = Match(match.game, match.seed)
    still.state = match.state[:]
    still.steps = [MatchStep(None, None, "start", (), "")]
    return still


def _dealt_anew(match: Match, seat: int, chooser: random.Random) -> array[int]:
    """The position with the unseen cards dealt anew to the unseen places."""
    game, state = match.game, match.state[:]
    size = game.machine.component_classes["card"]
    places = [
        place
        for i, place in enumerate(game.machine.places)
        if place.kind == ir.COUNTS
        and game.machine.place_components[place.zone] == "card"
        and not game.views.sees(state, i, seat)
    ]
    pool = [c for p in places for c in range(size) for _ in range(state[p.base + c])]
    chooser.shuffle(pool)
    for place in places:
        number = sum(state[place.base : place.base + size])
        state[place.base : place.base + size] = array("i", [0] * size)
        for _ in range(number):
            state[place.base + pool.pop()] += 1
    return state


# --- whole matches --------------------------------------------------------------------------------


def babble(seed: int) -> Callable[[], str]:
    """People who say anything."""
    chooser = random.Random(seed)
    words = [
        "pass",
        "undo",
        "?",
        "? 1",
        "why lay forum",
        "why 3",
        "log",
        "score",
        "view",
        "help",
        "lay",
        "zz",
    ]

    def say() -> str:
        return str(chooser.randrange(8)) if chooser.random() < 0.7 else chooser.choice(words)

    return say


@pytest.mark.parametrize(
    ("game", "kinds", "seed"),
    [
        pytest.param(CARDS, "human,random", 1, marks=pytest.mark.long),
        (CARDS, "human,human", 2),
        (DICE, "human", 3),
        (DICE, "human,random", 4),
        pytest.param(DICE, "human,random,human", 4, marks=pytest.mark.long),
    ],
)
def test_whole_matches_with_people_who_say_anything(game: str, kinds: str, seed: int) -> None:
    options = {"trading": "on"} if game == DICE and "," in kinds else {}
    table = Table(game, kinds, seed=seed, options=options)
    screens = table.plays_out(babble(seed))
    assert table.match.over
    assert "Traceback" not in screens
    assert "§" in screens[-800:]


@pytest.mark.parametrize(
    "name", sorted(p.parent.name for p in (ROOT / "tests" / "generality").glob("*/game.yaml"))
)
def test_games_that_nobody_had_in_mind(name: str) -> None:
    """With somebody who says anything, most often something that is on the screen."""
    folder = str(ROOT / "tests" / "generality" / name)
    seats = max(2, open_game(folder).machine.seats)
    table = Table(folder, ",".join(["human", *["random"] * (seats - 1)]))
    anything, chooser = babble(1), random.Random(1)

    def say() -> str:
        seen = re.findall(r"\b(?!quit|save)\w+", table.out.getvalue()[-600:])
        return chooser.choice(seen) if chooser.random() < 0.6 else anything()

    table.says = (say() for _ in range(150))
    with suppress(EOFError, Leave):
        play(table.session)
    assert table.match.over or sum(step.seat is not None for step in table.match.steps) >= 8


# --- words ---------------------------------------------------------------------------------------


def test_why_takes_the_words_of_the_screen() -> None:
    game = "constantinopolis"
    table = Table(game, "human,random", at(game, 2, "round.build_and_trade", {"yard of A": ["caupona"]}, {}))
    answer = after(table.says_all("why use Caupona", "why build"), "why use Caupona")
    assert "2 goods (food) must be paid, but there are 0" in answer
    assert "it is offered: 1 build" in answer


def test_a_game_without_a_score_ends_without_a_table_of_it() -> None:
    result = run("nim", "--seats", "random,random", "--seed", "3")
    assert result.exit_code == 0
    assert "The last match loses: A (random) wins" in result.output
    assert "by" not in result.output.partition("(random) wins")[2]
