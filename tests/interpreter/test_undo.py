"""What may be taken back: to the last moment at which somebody learned something; further, if all agree."""

from __future__ import annotations

from dsl.load import Folder, load
from dsl.source import Source
from interpreter import log, undo
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match
from interpreter.redacted_log import notated
from interpreter.replay import replay
from rulewright.library import open_game
from tests.properties import secrets

MORE = """
action earn
    gain 1 coins
action hide
    move 1 from deck to stash of me
action seek
    choose card from deck if any
        gain 1 coins
"""
ALL = frozenset({"A", "B"})


def game(seats: int = 2) -> Game:
    return secrets.game(MORE, seats, ("earn", "hide", "seek"))


def at_the_acts(made: Game | None = None, **outcomes: list[str | None]) -> Match:
    """A match whose first seat may act: all have exchanged."""
    match = Match(made or game(), seed=3, outcomes=dict(outcomes)).start()
    while match.decisions()[0].name != "acts":
        waiting = match.waiting()[0]
        match.take(waiting, waiting.options[0])
    return match


def does(match: Match, *written: str) -> Match:
    """Choices of whoever is asked first; a word with `...` is completed by what is offered first."""
    for text in written:
        decision = match.decisions()[0]
        begins = text.removesuffix("...")
        exact = next(c.text for c in decision.choices if c.text.startswith(begins))
        match.choose(decision.seat, exact if text.endswith("...") else text)
    return match


# --- how far --------------------------------------------------------------------------------------


def test_before_the_first_choice_there_is_nothing() -> None:
    match = Match(game(), seed=3).start()
    assert match.undo_depth() == 0
    assert match.why_no_undo() == undo.UndoBlocker(undo.UndoReason.NOTHING, frozenset())
    assert not match.undo(ALL)


def test_open_choices_in_a_row_all_go_back() -> None:
    match = at_the_acts()
    assert match.undo_depth() == 0  # the exchange is over, and all have seen it
    before = match.state[:]
    does(match, "earn", "earn", "earn")
    assert match.undo_depth() == 3
    assert match.why_no_undo(3) is None
    assert not match.undo(number=4)
    assert match.undo(number=3)
    assert match.state == before


def test_one_choice_goes_back_at_a_time() -> None:
    match = does(at_the_acts(), "earn")
    before, steps = match.state[:], len(match.steps)
    does(match, "earn")
    assert match.undo()
    assert (match.state, len(match.steps)) == (before, steps)
    assert match.undo_depth() == 1


def test_a_draw_stands() -> None:
    match = does(at_the_acts(), "earn", "take")
    assert match.undo_depth() == 0
    assert match.why_no_undo() == undo.UndoBlocker(undo.UndoReason.CHANCE, ALL)
    assert not match.undo()
    does(match, "earn", "earn")
    assert match.undo_depth() == 2


def test_a_card_that_nobody_sees_drawn_goes_back() -> None:
    match = does(at_the_acts(), "earn", "hide", "earn")
    assert match.undo_depth() == 3


def test_a_throw_stands_even_if_one_seat_alone_sees_it() -> None:
    match = does(at_the_acts(), "shake")
    assert match.why_no_undo() == undo.UndoBlocker(undo.UndoReason.CHANCE, ALL)


def test_what_is_shown_stands() -> None:
    for act, why in (("peek...", undo.UndoReason.MAY_BE_SHOWN), ("boast", undo.UndoReason.SHOWN)):
        match = does(at_the_acts(), act)
        assert match.why_no_undo() == undo.UndoBlocker(why, ALL)


def test_what_is_uncovered_stands_and_what_stays_covered_does_not() -> None:
    match = does(at_the_acts(), "lay...", "1")
    assert match.undo_depth() == 2
    does(match, "spring...")
    assert match.undo_depth() == 0
    assert match.why_no_undo() == undo.UndoBlocker(undo.UndoReason.UNCOVERED, ALL)


def test_a_choice_among_what_was_not_seen_stands() -> None:
    match = does(at_the_acts(), "earn", "seek")
    assert match.why_no_undo() == undo.UndoBlocker(undo.UndoReason.UNCOVERED, ALL)


def test_a_choice_of_another_seat_stops_it() -> None:
    match = does(at_the_acts(), "earn", "pass")
    assert match.undo_depth() == 2
    does(match, "earn")
    assert match.undo_depth() == 1  # its own
    assert match.why_no_undo(2) == undo.UndoBlocker(undo.UndoReason.CHOSEN_SINCE, ALL, "B")
    assert not match.undo(number=2)
    assert not match.undo(frozenset({"B"}), 2)
    assert match.undo(ALL, 3)
    assert match.decisions()[0].seat == "A"


def test_only_those_who_chose_are_asked_if_nobody_has_learned_anything() -> None:
    match = does(at_the_acts(game(3)), "earn", "pass", "earn")
    assert match.why_no_undo(2) == undo.UndoBlocker(undo.UndoReason.CHOSEN_SINCE, ALL, "B")
    does(match, "take")
    assert match.why_no_undo() == undo.UndoBlocker(undo.UndoReason.CHANCE, frozenset({"A", "B", "C"}))


def test_a_game_alone_has_nobody_to_ask_and_still_no_second_throw() -> None:
    match = Match(open_game("roll_through_the_ages", 1), seed=1).start()
    while match.undo_depth() or not match.history:
        waiting = match.waiting()[0]
        match.take(waiting, waiting.options[0])
    assert match.why_no_undo() == undo.UndoBlocker(undo.UndoReason.CHANCE, frozenset({"A"}))
    assert not match.undo()


def test_without_a_history_nothing_goes_back() -> None:
    match = Match(game(), seed=3, keep_history=False).start()
    waiting = match.waiting()[0]
    match.take(waiting, waiting.options[0])
    assert match.undo_depth() == 0
    assert not match.undo(ALL)


# --- while all choose at once ---------------------------------------------------------------------


def chooses(match: Match, seat: int) -> None:
    waiting = next(w for w in match.waiting() if w.seat == seat)
    match.take(waiting, waiting.options[0])


def test_at_once_each_takes_back_its_own_until_another_chooses() -> None:
    match = Match(game(), seed=3).start()
    chooses(match, 0)
    assert match.undo_depth() == 0  # its die was thrown after the card
    chooses(match, 0)
    chooses(match, 0)
    assert match.undo_depth() == 2
    chooses(match, 1)
    assert match.undo_depth() == 0
    chooses(match, 1)
    assert match.undo_depth() == 1


def test_at_once_it_is_not_told_what_others_have_learned() -> None:
    match = Match(game(), seed=3).start()
    chooses(match, 0)
    chooses(match, 1)
    assert match.why_no_undo(2) == undo.UndoBlocker(undo.UndoReason.STILL, ALL)


def test_when_all_have_finished_everything_is_known() -> None:
    match = Match(game(), seed=3).start()
    for seat in (0, 0, 0, 1, 1):
        chooses(match, seat)
    assert match.undo_depth() == 1
    chooses(match, 1)
    assert match.why_no_undo() == undo.UndoBlocker(undo.UndoReason.AT_ONCE, ALL)
    assert match.undo(ALL, len(match.history))
    assert match.history == []


OPENLY = {
    "game.yaml": """
game: openly
seats: 2
rules: [openly.rules]
types: {sort: [red, blue]}
components: {chip: {kinds: sort, count: 4}}
zones:
  box: {holds: chip, order: bag, seen_by: count, start: all}
  hand: {holds: chip, of: seat, seen_by: owner, counted_by: all}
  table: {holds: chip, of: seat, seen_by: all}
flow:
  only: {do: [deal, lay], then: last}
  last: {score: highest}
""",
    "openly.rules": """
procedure deal
    each seat in turn
        move 3 from box to hand of me
procedure lay
    each seat together
        may keep choosing chip from hand of me
            move chip to table of me
score laid = size(table of me)
""",
}


def test_at_once_what_is_laid_openly_goes_back_until_all_have_finished() -> None:
    files = {name: text.encode() for name, text in OPENLY.items()}
    rules, _ = load(Folder("openly", files.__getitem__))
    match = Match(Game(rules, compile_rules(rules, 2)), seed=3).start()
    before = match.state[:]
    chooses(match, 0)
    chooses(match, 0)
    assert match.undo_depth() == 2  # the other seat still sees an empty table
    assert match.undo(number=2)
    assert match.state == before


# --- chance after taking back ---------------------------------------------------------------------


def test_the_same_choice_comes_to_the_same_outcome_again() -> None:
    match = does(at_the_acts(), "take")
    after = match.hash()
    assert match.undo(ALL)
    does(match, "take")
    assert match.hash() == after


def test_what_was_supplied_is_supplied_again() -> None:
    match = at_the_acts(deck=[None] * 6)
    match.outcomes["deck"] = ["c1", None, "c3"]
    does(match, "take", "take", "take")
    names = [step.text for step in match.steps if step.stream == "deck"][-3:]
    assert (names[0], names[2]) == ("c1", "c3")
    assert match.undo(ALL, 2)
    assert match.outcomes["deck"] == [None, "c3"]
    does(match, "take", "take")
    assert [step.text for step in match.steps if step.stream == "deck"][-3:] == names


def test_a_log_knows_nothing_of_what_was_taken_back() -> None:
    match = does(at_the_acts(), "take", "earn")
    assert match.undo(ALL, 2)
    does(match, "earn", "take", "pass")
    text = log.write(match, {}, [])
    again = replay(match.game, log.read(Source("x.log", text))).match
    assert again.state == match.state
    assert again.undo_depth() == match.undo_depth()


def test_what_was_chosen_at_once_and_told_is_not_taken_back_where_all_begin_anew() -> None:
    """B alone chooses in each round, and the counters are the same before and after it."""
    files = {
        "game.yaml": b"game: small\nseats: 2\nrules: [small.rules]\n"
        b"counters: {bid: {of: seat, range: 0..9}}\n"
        b"flow: {main: {do: [run], score: highest}}\n",
        "small.rules": b"procedure run\n    repeat 3 times\n"
        b"        each seat together\n            bid of me = 0\n            if me is B\n"
        b"                choose x from 0..3\n                bid of me = x\n"
        b"        each seat in turn\n            bid of me = 0\n",
    }
    rules, _ = load(Folder("small", files.__getitem__))
    match = Match(Game(rules, compile_rules(rules)), seed=1).start()
    match.choose("B", "3")
    assert "B: 3" in notated(match, 0)
    assert not match.can_undo()


# --- together -------------------------------------------------------------------------------------


def chosen(match: Match, seat: str, number: int) -> Match:
    """A choice of a seat in a running `together`, by its number."""
    decision = next(d for d in match.decisions() if d.seat == seat)
    match.take(decision.waiting, decision.choices[number].option)
    return match


def test_in_together_an_own_choice_is_taken_back_though_others_have_chosen() -> None:
    roma = open_game("roma")
    changed = Match(roma, seed=4).start()
    for seat, number in (("A", 0), ("B", 1), ("B", 0)):
        chosen(changed, seat, number)
    assert undo.branch_depth(changed, 0) == 1
    assert changed.undo_in_branch(0)
    assert [step.seat for step in changed.steps if step.seat] == ["B", "B"]
    chosen(changed, "A", 2)
    straight = Match(roma, seed=4).start()
    for seat, number in (("B", 1), ("B", 0), ("A", 2)):
        chosen(straight, seat, number)
    assert changed.hash() == straight.hash()


def test_in_together_nothing_is_taken_back_that_is_not_there() -> None:
    match = Match(open_game("roma"), seed=4).start()
    chosen(match, "A", 0)
    before = match.hash()
    assert not match.undo_in_branch(1)
    assert not match.undo_in_branch(0, 2)
    assert match.hash() == before
