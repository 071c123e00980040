"""A refusal names the condition that fails, its numbers and its clause."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dsl.load import Folder, load
from interpreter.compile.program import compile_rules
from interpreter.game import ExecutorKind, Game
from interpreter.match import Match
from interpreter.messages import Fault, NotOffered
from interpreter.position import Position
from interpreter.refusal import Refusal
from interpreter.sights import REFEREE, SPECTATOR
from rulewright.library import open_game
from rulewright.sentences.worded_game import worded_game
from tests.wasm.lockstep import small_rules


@pytest.fixture(scope="module")
def game() -> Game:
    return open_game("roma", 2)


def standing(game: Game) -> Match:
    position = Position(game)
    position.set_pieces(position.place("hand of A"), ["forum", "templum"], False)
    position.set_pieces(position.place("slot of A at 2"), ["turris"], False)
    position.set_pieces(position.place("slot of A at 4"), ["legionarius"], False)
    position.set_pieces(position.place("dice of A"), ["2", "3", "4"], False)
    position.set_number("money of A", 3)
    match = Match(game)
    match.state = position.state
    return match.run_from(position.stand_at("turn.actions", 0))


def refusal(match: Match, words: str, seat: str = "A") -> NotOffered:
    before = match.state[:]
    with pytest.raises(Fault) as caught:
        match.choose(seat, words)
    assert match.state == before
    diagnostic = caught.value.diagnostic
    assert isinstance(diagnostic, NotOffered)
    return diagnostic


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (
            "lay forum",
            "only if your sestertii are at least the card's price, but your sestertii are 3; "
            "the card's price is 5  §4.3",
        ),
        (
            "activate 3",
            "only if there is a card on your side of the dice disc with the number on the die  §4.7",
        ),
        ("activate 2", "only if the card has a power"),
        ("activate 4", "only if there is a card on your opponent's side of the card's dice disc  §9.8"),
        ("activate 6", "it is not among the values here"),
        ("dance", "no action of this name is offered now"),
    ],
)
def test_reasons(game: Game, words: str, wanted: str) -> None:
    assert wanted in refusal(standing(game), words).why


def test_what_is_offered_is_said(game: Game) -> None:
    assert "lay templum" in refusal(standing(game), "lay forum").hint


def test_wrong_seat_and_end(game: Game) -> None:
    match = standing(game)
    with pytest.raises(Fault) as caught:
        match.choose("B", "pass")
    assert "nothing to decide" in caught.value.diagnostic.message


def test_words_that_may_mean_two_things(game: Game) -> None:
    assert "it may mean" in refusal(standing(game), "take_money").why


def test_without_words_the_rules_are_quoted(game: Game) -> None:
    match = standing(Game(game.ruleset, game.machine))
    assert refusal(match, "lay forum").why == (
        "needs money of me >= card.cost, but money of me is 3; card.cost is 5  §4.3"
    )


def small(choice: str, words: str = "", executor: ExecutorKind = "reference") -> Match:
    """A match of a small game in which A has three gold and a hidden card, and makes a choice."""
    files = {
        "game.yaml": (
            "game: small\nseats: 2\nrules: [small.rules]\n"
            "types: {rank: [low, high]}\n"
            "components: {card: {kinds: rank, copies: {low: 1, high: 1}}}\n"
            "counters:\n  gold: {of: seat, range: 0..9, start: 3}\n"
            "  goods: {of: seat, at: rank, range: 0..9}\n"
            "  pot: {range: 0..9, start: 2}\n"
            "  purse: {of: seat, range: 0..9, start: 2, seen_by: owner}\n"
            "zones:\n  deck: {holds: card, start: all, seen_by: nobody, order: shuffled}\n"
            "  hand: {holds: card, of: seat, seen_by: owner, counted_by: all}\n"
            "  shown: {holds: card, of: seat, seen_by: all}\n"
            "flow:\n  turn: {do: [deal, act], score: highest}\n"
        ),
        "small.rules": (
            "procedure deal\n    each seat in turn\n        move 1 from deck to hand of me\n\n"
            f"procedure act\n    {choice}\n    gain x gold\n\nscore gold = gold of me\n{words}"
        ),
    }
    written = {name: text.encode() for name, text in files.items()}
    rules, _ = load(Folder("small", written.__getitem__))
    return Match(Game(rules, compile_rules(rules), executor), seed=1).start()


def test_the_part_of_a_condition_that_fails_is_said() -> None:
    match = small("choose x from 1..6 where x > gold of me and x is not 5")
    assert refusal(match, "2").why == "only where x > gold of me, but x is 2; gold of me is 3"
    assert refusal(match, "5").why == "only where x is not 5, but x is 5"


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ("seat is not me", "only where seat is not me"),
        ("not (me is seat)", "only where not (me is seat)"),
        ("seat is opponent", "only where seat is opponent, but seat is A; opponent is B"),
    ],
)
def test_that_a_seat_is_itself_is_no_news(asked: str, why: str) -> None:
    match = small(f"choose who from seats where {asked.replace('seat', 'who')}\n    let x = 1")
    assert refusal(match, "A").why == why.replace("seat", "who")


def test_a_condition_about_hidden_pieces_is_not_said() -> None:
    both = "any(card in hand of opponent where card.rank is low and card.rank is high)"
    match = small(f"choose x from 1..2 where x is 1 or {both}")
    assert refusal(match, "2").why == "a condition of the choice does not hold"


def test_a_local_that_may_hold_a_secret_is_not_said() -> None:
    secret = "let q = 1 if any(card in hand of opponent where card.rank is low) else 2\n    "
    match = small(secret + "choose x from 1..6 where x > q and x is 6")
    assert refusal(match, "1").why == "a condition of the choice does not hold"


OWN = "count(card in hand of me where card.rank is low)"


@pytest.mark.parametrize(
    ("line", "words", "why"),
    [
        (f"choose x from 2..6 where x <= {OWN}", "", f"x <= {OWN}, but x is 3; {OWN} is LOW"),
        (
            "choose x from 2..6 where x <= lows(me)",
            "value lows(seat) = count(card in hand of seat where card.rank is low)\n",
            "x <= lows(me), but x is 3; lows(me) is LOW",
        ),
        (f"let q = {OWN}\n    choose x from 2..6 where x <= q", "", "x <= q, but x is 3; q is LOW"),
        (
            "choose x from 2..6 where x <= purse of me",
            "",
            "x <= purse of me, but x is 3; purse of me is 2",
        ),
        (
            "choose x from 2..6 where size(hand of opponent) >= x",
            "",
            "size(hand of opponent) >= x, but size(hand of opponent) is 1; x is 3",
        ),
    ],
)
def test_what_a_seat_holds_itself_is_said(line: str, words: str, why: str) -> None:
    match = small(line.replace("choose x from 2..6", "choose x from 0..6"), words)
    low = "low" in str(match.view(0).zones["hand of A"])
    assert refusal(match, "3").why == f"only where {why.replace('LOW', str(int(low)))}"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("choose x from 0..6 where x <= lows(opponent)", ""),
        ("choose x from 0..6 where x <= lows(me) + lows(opponent)", ""),
        ("choose x from 0..6 where x <= purse of opponent", ""),
        ("each seat in turn\n        let q = lows(me)\n    choose x from 0..6 where x < 1", ""),
        (
            "capped(lows(opponent))\n    let x = 0",
            "procedure capped(q: 0..9)\n    choose x from 0..6 where x <= q\n",
        ),
        (
            "for card in hand of opponent\n        let q = 1 if card.rank is low else 2\n"
            "        choose x from 0..6 where x <= q\n    let x = 0",
            "",
        ),
    ],
)
def test_what_others_hold_is_not_said(line: str, words: str) -> None:
    lows = "value lows(seat) = count(card in hand of seat where card.rank is low)\n"
    match = small(line, lows + words)
    told = refusal(match, "3").why
    if "x < 1" in line:
        assert told == "only where x < 1, but x is 3"
    else:
        assert told == "a condition of the choice does not hold"


LOWS = "value lows(seat) = count(card in hand of seat where card.rank is low)\n"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("choose y from 0..6 where y > gold of me", "y > gold of me, but y is 0; gold of me is 3"),
        ("choose y from 0..6 where y > pot", "y > pot, but y is 0; pot is 2"),
        (
            "choose y from 0..6 where y > gold of opponent",
            "y > gold of opponent, but y is 0; gold of opponent is 3",
        ),
        ("choose y from 0..6 where y > purse of me", "y > purse of me, but y is 0; purse of me is 2"),
        ("let q = 3 + lows(me)\n        choose y from 0..6 where y >= q", "y >= q, but y is 0; q is LOW"),
        (
            "choose card from hand of me secretly\n        let q = 3 + (1 if card.rank is low else 0)\n"
            "        choose y from 0..6 where y >= q",
            "y >= q, but y is 0; q is LOW",
        ),
        ("above(3 + lows(me))", "y >= q, but y is 0; q is LOW"),
    ],
)
def test_what_no_other_seat_may_change_is_said_while_all_choose(line: str, why: str) -> None:
    """With the clause of the procedure, as elsewhere; others may change their goods."""
    words = (
        f"{LOWS}procedure at_once   §7.1\n    each seat together\n        {line}\n"
        "        gain 1 goods at low\n"
        "procedure above(q: 0..9)   §7.1\n    choose y from 0..6 where y >= q\n"
    )
    match = small("at_once\n    let x = 0", words)
    low = "low" in str(match.view(0).zones["hand of A"])
    if "secretly" in line:
        match.choose("A", "low" if low else "high")
    assert refusal(match, "0").why == f"only where {why.replace('LOW', str(3 + int(low)))}  §7.1"


@pytest.mark.parametrize(
    "line",
    [
        "choose y from 0..6 where y > goods of opponent at low",
        "choose y from 0..6 where y > sum(goods of seat at low for seat)",
        "choose y from 0..6 where y > size(hand of opponent)",
        "let q = lows(opponent)\n        choose y from 0..6 where y > q",
    ],
)
def test_what_another_seat_may_change_is_not_said_while_all_choose(line: str) -> None:
    changes = "        gain 1 goods at low\n        move all from hand of me to shown of me\n"
    words = f"{LOWS}procedure at_once   §7.1\n    each seat together\n        {line}\n{changes}"
    match = small("at_once\n    let x = 0", words)
    assert refusal(match, "0").why == "a condition of the choice does not hold  §7.1"


@pytest.mark.parametrize(
    "line",
    [
        "let q = 1 + OWN\n    opponent chooses y from 0..6 where y > q",
        "let q = 1 + OWN\n    each opponent in turn\n        choose y from 0..6 where y > q",
        "let q = 1 + OWN\n    each seat together\n        choose y from 0..6 where y > q",
        "all_above(1 + OWN)",
    ],
)
def test_what_one_seat_holds_is_not_said_to_another(line: str) -> None:
    asked = "    each opponent in turn\n        choose y from 0..6 where y > q\n"
    words = f"{LOWS}procedure all_above(q: 0..9)\n{asked}"
    match = small(f"{line.replace('OWN', OWN)}\n    let x = 0", words)
    assert refusal(match, "0", "B").why == "a condition of the choice does not hold"


BUYING = "do one of buy, idle\n    let x = 0"
IDLE = "action idle\n    nothing\n"


def test_a_payment_names_what_is_paid() -> None:
    match = small(BUYING, f"action buy(rank)\n    pay 2 goods at rank\n{IDLE}")
    assert refusal(match, "buy high").why == "2 goods (high) must be paid, but there are 0"


def test_a_payment_of_a_hidden_amount_is_not_said() -> None:
    """Nor that it is the payment that fails: what is asked behind it would be told by that."""
    lows = "let q = 5 + count(card in hand of opponent)\n    "
    match = small(BUYING, f"action buy(rank)\n    {lows}pay q gold\n{IDLE}")
    assert refusal(match, "buy high").why == "it is not allowed now"


def test_the_first_that_is_missing_is_said() -> None:
    words = (
        "value dear(rank)\n    3 when rank is high\n    otherwise 0\n"
        "value affordable = all(goods of me at rank >= dear(rank) for rank)\n"
    )
    match = small(BUYING, f"{words}action buy\n    needs affordable\n{IDLE}")
    why = "needs affordable, but rank is high; goods of me at rank is 0; dear(rank) is 3"
    assert refusal(match, "buy").why == why


CASES = """\
value fits(x: 0..6)
    true when gold of me is 0
    x < 3 when gold of me < 3
    x > floor when gold of me is 3
    false when gold of me is 4
    otherwise not (x is 6)

value floor
    1 when gold of me > 3
    2 when gold of me is 3
    otherwise gold of me

value forbidden(x: 0..6)
    x > 3 when gold of me is 3
    otherwise x > 5

value listed(x: 0..6)
    true when x is 3
    true when x is 4
    otherwise false
"""
OF_CASES = [
    ("fits(x)", 2, "4", "x is 4; “gold of me < 3” is true; “x < 3” is false"),
    ("fits(x)", 3, "2", "x is 2; “gold of me is 3” is true; “x > floor” is false; floor is 2"),
    ("fits(x)", 4, "2", "x is 2; “gold of me is 4” is true"),
    ("fits(x)", 5, "6", "x is 6; “not (x is 6)” is false"),
    ("not forbidden(x)", 3, "5", "x is 5; “gold of me is 3” is true; “x > 3” is true"),
    ("not forbidden(x)", 1, "6", "x is 6; “x > 5” is true"),
    ("listed(x)", 3, "6", "x is 6; “x is 3” is false; “x is 4” is false"),
    ("(x < 3 if gold of me is 3 else x > 1)", 3, "4", "x is 4; “gold of me is 3” is true; “x < 3” is false"),
    ("(x < 3 if gold of me is 3 else x > 1)", 4, "1", "x is 1; “x > 1” is false"),
    ("x > floor", 3, "2", "x is 2; floor is 2; “gold of me is 3” is true"),
    ("x > floor + 0", 3, "1", "x is 1; floor + 0 is 2"),
    ("x > floor", 2, "1", "x is 1; floor is 2"),
]


@pytest.mark.parametrize(("condition", "gold", "chosen", "facts"), OF_CASES)
@pytest.mark.parametrize("executor", ["reference", "wasm"])
def test_of_a_value_with_cases_the_one_that_applies_is_said(
    condition: str, gold: int, chosen: str, facts: str, executor: ExecutorKind
) -> None:
    act = f"gold of me = {gold}\n    choose x from 0..6 where {condition} or x is 0"
    found = refusal(small(act, CASES, executor), chosen).why
    assert found == f"only where {condition} or x is 0, but {facts}"


@pytest.mark.parametrize("executor", ["reference", "wasm"])
def test_the_case_that_a_hidden_piece_decides_is_not_said(executor: ExecutorKind) -> None:
    low = "any(card in hand of opponent where card.rank is low)"
    secret = f"value fits(x: 0..6)\n    x < 3 when {low}\n    otherwise x > 3\n"
    match = small("choose x from 3..6 where fits(x) or x is 4", secret, executor)
    assert refusal(match, "3").why == "a condition of the choice does not hold"


def test_what_a_seat_has_chosen_itself_is_said() -> None:
    match = small("choose y from 2..3\n    choose x from 1..6 where x > y")
    match.choose("A", "2")
    assert refusal(match, "1").why == "only where x > y, but x is 1; y is 2"


SHOP = """\
game: shop
seats: 2
rules: [shop.rules]
boards:
  spot: {grid: [2, 2]}
counters:
  coins: {of: seat, range: 0..9, start: START}
pointers:
  stall: {at: spot, to: seat}
flow:
  turn: {seat: rotates, do: [{do one of: [open_stall, wait]}], then: {coins of A > 8: final, otherwise: turn}}
  final: {score: highest}
"""
SHOP_RULES = """\
action open_stall(spot where stall at spot is none)
    needs spot.row is 1
    pay 2 coins
    stall at spot = me
action wait
    nothing
score coins = coins of me
"""


@pytest.mark.parametrize(
    ("start", "wanted"),
    [
        (
            "1",
            "for it: 2 coins must be paid, but there are 1; or needs spot.row is 1",
        ),
        ("2", "it may mean `open_stall a1`, `open_stall b1`"),
    ],
)
def test_an_action_that_has_no_value_says_why(start: str, wanted: str) -> None:
    files = {"game.yaml": SHOP.replace("START", start), "shop.rules": SHOP_RULES}
    rules, _ = load(Folder("shop", lambda name: files[name].encode()))
    match = Match(Game(rules, compile_rules(rules))).start()
    assert wanted in refusal(match, "open_stall").why


@pytest.mark.parametrize(
    ("start", "words", "wanted"),
    [
        ("1", "open_stall a1", "2 coins must be paid, but there are 1"),
        ("9", "wait", "coins would leave its range"),
    ],
)
def test_what_has_an_empty_label_is_named_all_the_same(start: str, words: str, wanted: str) -> None:
    """Choices and news leave it out; a refusal without it says nothing."""
    files = {
        "game.yaml": SHOP.replace("range: 0..9", "range: 0..9, at_edge: refuse").replace("START", start)
        + "labels: labels.yaml\n",
        "shop.rules": SHOP_RULES.replace("    nothing\n", "    gain 1 coins\n"),
        "labels.yaml": 'coins: ""\n',
    }
    rules, _ = load(Folder("shop", lambda name: files[name].encode()))
    match = Match(worded_game(rules, compile_rules(rules))).start()
    assert wanted in refusal(match, words).why


# ---- the innermost condition


DEEP = """\
value good(x: 0..6)                                                  §2.1
    false when x is 0                                                §2.2
    x < 3 when gold of me is 3                                       §2.3
    true when x is 6
    otherwise x > 4 or odd(x)
value odd(x: 0..6) = x mod 2 is 1 or x is 4                          §2.4
value rich(x: 0..6) = x > 4 and gold of me > pot                     §3.1
value low(x: 0..6) = x < limit(x)                                    §4.1
value limit(x: 0..6)
    2 when x < 2                                                     §4.2
    otherwise 4                                                      §4.3
value open_numbers = those(x in 0..6 where x > 1 and x is not 5)     §5.1
value near(rank)                                                     §6.1
    rank is low and gold of me > 8
action dare(x from 0..6 where WHERE)                                  §1.1
    gain x gold
"""
DEEPEST = [
    ("good(x)", 3, "0", ("§2.2",), "not (x is 0)", (("x", "0"),)),
    ("good(x)", 3, "4", ("§2.3",), "x < 3", (("“gold of me is 3”", "true"), ("x", "4"))),
    ("good(x)", 2, "2", ("§2.4",), "x > 4 or odd(x)", (("x", "2"),)),
    ("not good(x)", 2, "6", ("§2.1",), "not (x is 6)", (("x", "6"),)),
    ("x > 1 and rich(x)", 1, "6", ("§3.1",), "gold of me > pot", (("gold of me", "1"), ("pot", "2"))),
    ("x > 1 and rich(x)", 1, "1", ("§1.1",), "x > 1", (("x", "1"),)),
    ("not rich(x) or x is 2", 9, "5", ("§3.1",), "not rich(x) or x is 2", (("x", "5"), ("pot", "2"))),
    ("low(x)", 1, "5", ("§4.1", "§4.3"), "x < limit(x)", (("x", "5"), ("limit(x)", "4"))),
    ("low(x) and x in open_numbers", 1, "1", ("§5.1",), "x > 1", (("x", "1"),)),
    ("all(near(rank) for rank)", 1, "1", ("§6.1",), "gold of me > 8", (("rank", "low"), ("gold of me", "1"))),
    ("(x is 6 if gold of me is 1 else x is 5)", 1, "2", ("§1.1",), "x is 6",
     (("“gold of me is 1”", "true"), ("x", "2"))),
    ("not any(rank where goods of me at rank < x)", 1, "2", ("§1.1",),
     "not any(rank where goods of me at rank < x)", (("rank", "low"),)),
]  # fmt: skip


@pytest.mark.parametrize(("where", "gold", "chosen", "clauses", "text", "facts"), DEEPEST)
def test_the_innermost_condition_that_fails_is_said(
    where: str,
    gold: int,
    chosen: str,
    clauses: tuple[str, ...],
    text: str,
    facts: tuple[tuple[str, str], ...],
) -> None:
    """With its own clause; that of the action is cited only where nothing within has one."""
    match = small(
        f"gold of me = {gold}\n    do one of dare, idle\n    let x = 0", DEEP.replace("WHERE", where) + IDLE
    )
    found = match.game.refusals.explain(match.state[:], match.waiting()[0], f"dare {chosen}", 0)
    assert (found.clauses, found.condition) == (clauses, text)
    assert set(facts) <= set(found.facts)


def test_a_hidden_part_tells_neither_its_words_nor_its_clause() -> None:
    hidden = "any(card in hand of opponent where card.rank is low)"
    words = (
        f"value secret(x: 0..6)                                §2.1\n    x > 3 when {hidden}   §2.2\n"
        "    otherwise x < 2   §2.3\n"
        f"value mixed(x: 0..6) = x > 1 and {hidden} and x > 2   §3.1\n"
        "action dare(x from 0..6 where CONDITION)   §1.1\n    gain x gold\n"
    )
    for condition, chosen, told in (
        ("secret(x)", "2", ()), ("mixed(x) or x > 5", "2", ()), ("mixed(x)", "1", ("§3.1",)),
        ("mixed(x) and x > 2", "2", ()),
    ):  # fmt: skip
        match = small("do one of dare, idle\n    let x = 0", words.replace("CONDITION", condition) + IDLE)
        found = match.game.refusals.explain(match.state[:], match.waiting()[0], f"dare {chosen}", 0)
        assert found.clauses == (told or ("§1.1",)), condition
        assert bool(found.condition) is bool(told)


def test_a_row_that_is_left_out_says_so_with_its_clause() -> None:
    game = open_game("roll_through_the_ages", seats=2)
    match = Match(game, seed=3).start()
    while match.decisions()[0].name != "build":
        decision = match.decisions()[0]
        match.choose(decision.seat, decision.choices[-1].text)
    why = refusal(match, "tick temple", match.decisions()[0].seat).why
    assert why == "only where the project is in play with 2 players  §6.2"


def test_of_oneself_it_is_said_as_a_person_would() -> None:
    match = small("choose who from seats where who is opponent\n    let x = 1")
    match.game = worded_game(match.game.rules, match.game.machine)
    assert refusal(match, "A").why == "only where the who is your opponent, but you are the who"


@pytest.mark.parametrize("kind", ["reference", "wasm"])
def test_a_seat_that_does_not_play_is_no_value_of_a_selection(kind: ExecutorKind) -> None:
    rules = small_rules(
        "counters: {points: {of: seat, range: 0..9}}\n",
        "value rich = those(seat where points of seat > 5)\n\n"
        "action rob(seat from rich)\n    points of seat = 0\n\naction wait\n    points of me += 1\n",
        "flow: {turn: {do: [{do one of: [rob, wait]}], then: fin}, fin: {score: highest}}\n",
        "game: small\nseats: 2..3\nrules: [small.rules]\n",
    )
    match = Match(Game(rules, compile_rules(rules, 2), kind), 1).start()
    assert "it is not among the values here" in refusal(match, "rob C").message
    assert "but points of seat is 0" in refusal(match, "rob B").message
    assert "nothing can be chosen for it" in refusal(match, "rob").message


# ---- nothing to choose from


@pytest.mark.parametrize(
    ("range_", "why"),
    [
        ("5..points of me", "nothing can be chosen for it now: there is no number from 5 to 0"),
        ("points of me + 3..2", "nothing can be chosen for it now: there is no number from 3 to 2"),
        ("9000..40", "nothing can be chosen for it now"),
        ("9000..points of me", "nothing can be chosen for it now: there is no number from 9000 to 0"),
        ("5..purse of me", "nothing can be chosen for it now: there is no number from 5 to 3"),
        ("8..points of me where n > 3", "nothing can be chosen for it now: there is no number from 8 to 0"),
    ],
)
def test_an_empty_range_says_so_with_its_numbers(range_: str, why: str) -> None:
    """Unless they are read from what the seat does not see."""
    match = purses(3, f"act(n from {range_})", "")
    for words in ("act", "act 3"):
        assert told_of(match, words, 0).text.partition("  §")[0] == why


# ---- what was read before


PURSES = (
    "counters: {points: {of: seat, range: 0..9, at_edge: refuse}, "
    "purse: {of: seat, range: 0..9, start: PURSE, seen_by: owner}}\n"
    "pointers: {friend: {of: seat, to: seat, seen_by: owner}}\n"
)
NEED = "needs points of me > 8"
ASKS = "procedure asks(seat)\n    needs purse of seat < 5                        §3.1\n"
BEHIND = {
    "a need of the same line": "    needs purse of seat < 5 and points of me > 8\n",
    "a need of another line": f"    needs purse of seat < 5   §2.1\n    {NEED}   §2.2\n",
    "a need of another seat": "    needs purse of seat < 5\n    needs points of seat > 8\n",
    "a value": "    needs not rich(seat) and points of seat > 8\n",
    "a call of a need": f"    asks(seat)\n    {NEED}\n",
    "a call of a public need": "    needs purse of seat < 5   §2.1\n    wants\n",
    "both in calls": "    asks(seat)\n    wants\n",
    "a call of a call": "    asks(seat)\n    wanted\n",
    "a call of itself": "    needs purse of seat < 5\n    again(2)\n",
    "a call behind a condition": "    if purse of seat < 5\n        wants\n"
    "    else\n        needs points of me > 7\n",
    "a call behind a local": "    let deep = purse of seat\n    if deep < 5\n        wants\n"
    "    else\n        pay 1 points\n",
    "a call with an argument": "    over(purse of seat)\n",
    "a call in a loop": "    repeat 2 times\n        wants\n        asks(seat)\n",
    "a loop of so many": f"    repeat purse of seat - 3 times\n        {NEED}\n    pay 1 points\n",
    "a written counter": "    points of seat = 9 if purse of seat < 5 else 8\n    needs points of seat > 9\n"
    "    needs points of seat is 9\n",
    "a payment behind it": "    needs purse of seat < 5   §2.1\n    pay 2 points   §2.2\n",
    "a hidden payment": "    seat pays 1 + purse of seat mod 3 points\n    needs points of me > 8\n",
    "a range behind it": "    asks(seat)\n    points of me -= 1\n",
    "no choice behind it": "    needs purse of seat < 5\n    choose x from 1..3 where x > 4\n",
    "no chance behind it": "    needs purse of seat < 5\n    chance chooses x from 1..3 where x > 4\n",
    "a need of all": "    each seat in turn\n        needs purse of me < 5\n    needs points of me > 8\n",
    "a trigger": "    points of seat += 1\n    needs points of seat > 8\n",
}
PURSE_RULES = (
    "value rich(seat) = purse of seat > 5\n"
    "value poor = those(seat in opponents where purse of seat < 5)\n"
    f"procedure wants                                            §4.1\n    {NEED}\n"
    f"procedure wanted                                           §4.2\n    wants\n"
    "procedure over(n: 0..9)                                     §4.3\n    needs n < 5\n"
    f"    {NEED}\n"
    "procedure again(n: 0..3) nests up to 4                   §4.4\n"
    f"    {NEED}\n    if n > 0\n        again(n - 1)\n" + ASKS
)
PURSE_FLOW = "flow: {turn: {do: [{do one of: [act, wait]}], then: fin}, fin: {score: none}}\n"
PURSE_WAIT = "action wait\n    purse of me = 1\n"


def purses(purse: int, action: str, body: str, more: str = "") -> Match:
    """A match in which the purses hold so much, of which each seat sees only its own."""
    rules = small_rules(
        PURSES.replace("PURSE", str(purse)),
        f"{PURSE_RULES}action {action}   §1.1\n{body}    points of me = 0\n{PURSE_WAIT}{more}",
        PURSE_FLOW,
    )
    return Match(Game(rules, compile_rules(rules)), 1).start()


def told_of(match: Match, words: str, seat: int) -> Refusal:
    """A refusal without its place, since the two worlds are two texts."""
    found = match.game.refusals.explain(match.state[:], match.waiting()[0], words, seat)
    return replace(found, span=None, parts=tuple(replace(part, span=None) for part in found.parts))


OPEN = {"a need of another line", "a call with an argument"}
"""Where the public need is asked first, since it waits for no value."""


@pytest.mark.parametrize("body", BEHIND)
def test_what_was_read_before_tells_no_secret_by_what_is_said_after_it(body: str) -> None:
    """That the second need is named would tell that the first one holds, which reads what A does not see."""
    trigger = "when points of seat > 0\n    if purse of seat > 5\n        points of seat = 8\n"
    more = trigger if body == "a trigger" else ""
    poor, rich = (purses(purse, "act(seat from opponents)", BEHIND[body], more) for purse in (3, 7))
    for seat in (0, SPECTATOR):
        assert told_of(poor, "act B", seat) == told_of(rich, "act B", seat)
        assert told_of(poor, "act", seat) == told_of(rich, "act", seat)
    assert (told_of(poor, "act B", 0).text == "it is not allowed now  §1.1") is (body not in OPEN)
    assert told_of(poor, "act B", REFEREE).text != "it is not allowed now  §1.1"


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ("seat from opponents where purse of seat < 5", "act B"),
        ("seat from poor", "act B"),
        ("seat from poor where points of seat < 9", "act B"),
        ("seat from opponents where purse of seat < 5, x from 1..3", "act B"),
        ("seat from opponents where not rich(seat) and points of seat > 3", "act B"),
    ],
)
def test_a_hidden_condition_of_a_choice_and_what_is_asked_after_it_are_told_alike(
    parameters: str, words: str
) -> None:
    body = "    needs points of seat > 8                       §2.1\n"
    poor, rich = (purses(purse, f"act({parameters})", body) for purse in (3, 7))
    for seat in (0, SPECTATOR):
        assert told_of(poor, words, seat) == told_of(rich, words, seat)
    assert told_of(poor, words, REFEREE) != told_of(rich, words, REFEREE)


def test_what_the_acting_seat_sees_itself_hides_nothing_from_it() -> None:
    mine = purses(3, "act(seat from opponents)", "    if purse of me < 5\n        wants\n")
    assert told_of(mine, "act B", 0).text == "needs points of me > 8, but points of me is 0  §4.1"
    assert told_of(mine, "act B", 1).text == "it is not allowed now  §1.1"


def test_what_is_read_behind_a_choice_hides_no_need_before_it() -> None:
    """An action is tried up to the first choice of somebody."""
    body = f"    {NEED}\n    opponent chooses x from 1..2\n    asks(seat)\n    wants\n"
    match = purses(3, "act(seat from opponents)", body)
    assert told_of(match, "act B", 0).text == "needs points of me > 8, but points of me is 0  §1.1"


@pytest.mark.parametrize(
    "test", ["    if purse of seat < 5\n", "    let deep = purse of seat\n    if deep < 5\n"]
)
def test_what_decides_whether_a_need_is_asked_may_be_known_to_name_it(test: str) -> None:
    rules = small_rules(
        "counters: {points: {of: seat, range: 0..9}, "
        "purse: {of: seat, range: 0..9, start: 3, seen_by: owner}}\n",
        f"action act(seat from opponents)\n{test}        needs points of me > 8\n    points of me = 0\n"
        "action wait\n    purse of me += 1\n",
        "flow: {turn: {do: [{do one of: [act, wait]}], then: fin}, fin: {score: none}}\n",
    )
    match = Match(Game(rules, compile_rules(rules)), 1).start()
    assert match.game.refusals.why(match.state[:], match.waiting()[0], "act B")[0] == "it is not allowed now"
