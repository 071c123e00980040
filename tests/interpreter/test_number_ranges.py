"""Choices of one of very many numbers: as ranges, on both executors, in words, and in parts."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from dsl.diagnostics import ErrorsReported
from dsl.rules import Rules
from dsl.source import Source
from interpreter import ir
from interpreter.bots.names import bot_named
from interpreter.chance import Choosing
from interpreter.compile import frames, number_choices
from interpreter.compile.program import compile_rules
from interpreter.executor_protocol import Waiting
from interpreter.game import Game
from interpreter.ir.number_parts import PARTS
from interpreter.log import read, write
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.number_ranges import NumberRange, joined
from interpreter.replay import replay
from interpreter.sights import REFEREE
from interpreter.wasm.program import Program
from rulewright.learn.space import Space
from rulewright.presentation.position import position
from rulewright.serve.matches.automatic import is_offered
from rulewright.serve.matches.live import NotedMatch
from tests.wasm.lockstep import Pair, small_rules

YAML = "options: {most: {range: 2..1000000000, default: 1000000}}\n" + (
    "counters: {chips: {of: seat, range: 0..most, start: most}, pot: {range: 0..1000000000}, "
    "gap: {range: 1..1000, start: 20}, low: {range: 0..100, start: 7}}\n"
)
CONDITIONS = (
    "n >= 4 and n < 50",
    "n mod 5 is 0 or n is chips of me",
    "n mod gap is low mod gap",
    "not (n in 10..20) and n is not 30",
    "n + pot <= 60 and pot - n < 100 or n * 3 > 2 * chips of me",
    "2 * n is chips of me or 3 * n is pot + 30",
    "n div 7 is 3 or n div 7 >= 11",
    "chips of me - n div 3 >= 80 and 2 * ((n + low) div 5) is not 6",
    "min(n, 40) >= 35 or max(n, low) <= 9",
    "n mod 4 is 2 and n mod 6 is 4",
    "(n < 20 if pot > low else n >= 90)",
    "n in [3, 4, 5, 9, 40] or low > 90",
    "10 - n > 3 and 100 - n >= n",
    "n mod 10 is low or n mod 200 is 150",
)


def bets(where: str, needs: str = "n >= 0", enough: int = 90) -> Rules:
    text = (
        f"action act(n from 0..chips of me where {where})\n    needs {needs}\n    pay n chips\n    pot += n\n"
    )
    text += "    low = (low + n) mod 101\n    gap = 1 + (gap + 3) mod 37\n"
    text += "\naction wait\n    low = (low + 13) mod 101\n    pot += 1\n"
    return small_rules(YAML, text, flow(enough))


def flow(enough: int) -> str:
    turn = f"do: [{{do one of: [act, wait]}}], then: {{pot >= {enough}: fin, otherwise: turn}}"
    return f"flow: {{turn: {{seat: rotates, {turn}}}, fin: {{score: highest}}}}\n"


def in_ranges(rules: Rules, monkeypatch: pytest.MonkeyPatch, most: int) -> ir.Machine:
    """The machine in which the choice of a few numbers is one of ranges, too."""
    with monkeypatch.context() as patched:
        patched.setattr(frames, "LARGEST", 2)
        patched.setattr(number_choices, "LARGEST", 2)
        return compile_rules(rules, options={"most": most})


def numbers(waiting: Waiting, part: int = 0) -> list[int]:
    """All numbers that a decision offers for a part."""
    found = {
        v for one in waiting.ranges if one.part == part for v in range(one.first, one.last + 1, one.step)
    }
    assert all(one.has(v) for one in waiting.ranges for v in one.few())
    return sorted(found or {value for at, value in waiting.options if at == part})


@pytest.mark.parametrize("where", CONDITIONS)
def test_ranges_are_the_numbers_that_a_list_would_have(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = bets(where, "n >= low - 90")
    listing = Game(rules, compile_rules(rules, options={"most": 100}))
    machine = in_ranges(rules, monkeypatch, 100)
    pair, random, found = Pair(rules, machine), Random(where), 0
    for seed in range(6):
        plain, both = Match(listing, seed).start(), pair.lockstep(seed).start()
        while not plain.over and len(plain.steps) < 12:
            one, two = plain.waiting()[0], both.waiting()[0]
            assert numbers(one) == numbers(two)
            found += len(two.ranges)
            option = one.options[random.randrange(len(one.options))]
            plain.take(one, option)
            both.take(two, option)
    assert found


def test_what_a_body_refuses_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = small_rules(
        YAML.replace(
            "pot: {", "spent: {of: seat, range: 0..30}, paid: {of: seat, range: 0..60, start: 60}, pot: {"
        ),
        "action act(n from 0..chips of me)\n    pay n chips\n    gain n div 3 spent\n    pay 2 * n paid\n"
        "    pot += n\n\naction wait\n    pot += 1\n",
        flow(90),
    )
    listing = Match(Game(rules, compile_rules(rules, options={"most": 100})), 1).start()
    both = Pair(rules, in_ranges(rules, monkeypatch, 100)).lockstep(1).start()
    for number in (17, 4, 9, 3):
        one, two = listing.waiting()[0], both.waiting()[0]
        assert numbers(one) == numbers(two)
        assert two.ranges
        listing.take(one, (0, number))
        both.take(two, (0, number))


@pytest.mark.parametrize("where", CONDITIONS[:4])
def test_every_number_is_chosen_in_parts_and_no_other(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = bets(where)
    whole = Match(Game(rules, in_ranges(rules, monkeypatch, 1100)), 1).start()
    game = whole.game.in_parts
    start = Match(game, 1).start()
    begin = start.waiting()[0].node

    def chosen(match: Match, first: bool) -> Iterator[int]:
        [one] = match.waiting()
        assert len(one.options) <= PARTS + 1
        if not first and one.node == begin:
            yield match.view(REFEREE).counters["pot"]
            return
        for option in one.options:
            if not first or option[0] == 0:
                after = Match(game, 1, keep_history=False)
                after.state, after.steps = match.state[:], list(match.steps)
                after.take(one, option)
                yield from [after.view(REFEREE).counters["pot"]] if after.over else chosen(after, False)

    wanted = numbers(whole.waiting()[0])
    assert len(wanted) > 30
    assert sorted(chosen(start, True)) == wanted


def test_a_number_is_said_in_words() -> None:
    rules = bets("n mod 20 is 0 and n >= 40", enough=1_000_000)
    for kind in ("reference", "wasm"):
        match = Match(Game(rules, compile_rules(rules), kind), 3).start()  # type: ignore[arg-type]
        [decision] = match.decisions()
        [offered] = decision.ranges
        assert (offered.words, offered.numbers) == (("act",), NumberRange(0, 40, 1_000_000, 20))
        assert len(decision.choices) < 40
        match.choose("A", "act 777780")
        match.choose("B", "40")
        assert [step.text for step in match.steps[1:]] == ["act 777780", "act 40"]
        assert match.view(REFEREE).counters["chips of A"] == 222_220
        assert match.undo()
        with pytest.raises(Fault) as refused:
            match.choose("B", "act 41")
        assert "from 40 to 1000000 in steps of 20" in refused.value.diagnostic.help
        with pytest.raises(Fault) as refused:
            match.choose("B", "act 1000020")
        assert "it is not among the values here" in str(refused.value)


def test_a_log_has_the_number_and_is_played_again() -> None:
    rules = bets("n > low", enough=1_000_000_000)
    game = Game(rules, compile_rules(rules, options={"most": 1_000_000_000}), "wasm")
    match = Match(game, 5).start()
    for seat, text in (("A", "act 987654321"), ("B", "act 80"), ("A", "wait")):
        if not match.over:
            match.choose(seat, text)
    text = write(match, {"most": "1000000000"}, [])
    assert "act 987654321" in text
    again = replay(Game(rules, game.machine), read(Source("x.log", text))).match
    assert again.hash() == match.hash()


def test_help_for_a_number_alone_names_the_numbers_alone() -> None:
    rules = small_rules(
        YAML,
        "procedure bid\n    choose n from 0..9000 where n mod 3 is 1\n    pot = n\n",
        "flow: {turn: {do: [bid], score: highest}}\n",
    )
    match = Match(Game(rules, compile_rules(rules)), 1).start()
    with pytest.raises(Fault) as refused:
        match.choose("A", "2")
    assert refused.value.diagnostic.help == "offered: from 1 to 8998 in steps of 3"


def test_ranges_in_order_without_empty_ones_or_breaks() -> None:
    found = joined(
        [(0, 9, 5, 1), (0, 40, 95, 20), (0, 80, 80, 1), (0, 100, 100, 1), (1, 3, 4, 1), (0, 0, 3, 1)]
    )
    assert found == (NumberRange(0, 0, 3, 1), NumberRange(0, 40, 100, 20), NumberRange(1, 3, 4, 1))
    assert [one.size for one in found] == [4, 4, 2]


@pytest.mark.parametrize(
    ("where", "needs"),
    [
        ("n * n < 2 * pot", "n > 0"),
        ("n > 3", "n * n < 2 * pot"),
        ("n mod 3 is 0 and n mod gap is 1", "n > 0"),
    ],
)
def test_what_is_no_range_is_told_at_its_place(where: str, needs: str) -> None:
    rules = bets(where, needs)
    compile_rules(rules, options={"most": 1000})
    with pytest.raises(ErrorsReported) as told:
        compile_rules(rules)
    [found] = told.value.report.errors
    assert found.code == "D160"
    assert "n" in found.span.text


def test_a_number_among_other_parameters() -> None:
    rules = small_rules(
        YAML,
        "action act(seat from opponents, n from 1..chips of me where n mod 5 is 0, more from 0..1)\n"
        "    pay n chips\n    pot += n + more\n\naction wait\n    pot += 1\n",
        flow(900_000),
        "game: small\nseats: 3\nrules: [small.rules]\n",
    )
    pair = Pair(rules, compile_rules(rules))
    for seed in range(8):
        pair.play(seed, 30)


def test_a_choice_in_a_block_and_one_that_may_be_declined() -> None:
    rules = small_rules(
        YAML,
        "action act\n    choose n from 5..chips of me where n is not 7\n    chips of me -= n\n    pot += n\n"
        "    may choose m from 0..chips of me where m > n\n        chips of me -= m\n        pot += m\n"
        "    else\n        pot += 1\n    choose k from 100..chips of me if any\n        chips of me -= k\n"
        "\naction wait\n    pot += 1\n",
        flow(900_000),
    )
    pair = Pair(rules, compile_rules(rules))
    for seed in range(8):
        pair.play(seed, 30)


def test_a_server_takes_any_number_and_says_which_there_are() -> None:
    rules = bets("n mod 20 is 0 and n >= 40", enough=1_000_000)
    match = NotedMatch(Game(rules, compile_rules(rules), "wasm"), 3)
    match.start()
    [offered] = position(match, 0)["decisions"]
    assert offered["ranges"] == [{"words": "act", "action": "act", "numbers": [40, 1_000_000, 20]}]
    assert is_offered(match, 0, "act 77760")
    assert not is_offered(match, 0, "act 77761")
    match.choose("A", "act 77760")
    assert match.view(REFEREE).counters["pot"] == 77_760


@pytest.mark.parametrize("strategy", ["random", "search:40"])
def test_bots_choose_numbers_that_are_offered(strategy: str) -> None:
    rules = bets("n mod 20 is 0 and n >= 40 or n is 7", enough=3_000_000)
    match = Match(Game(rules, compile_rules(rules), "wasm"), 3).start()
    bot = bot_named(strategy)
    for _ in range(4):
        [waiting] = match.waiting()
        option = bot.choose(match, waiting, 1)
        assert waiting.allows(option)
        match.take(waiting, option)


def test_playouts_and_batches_choose_in_parts() -> None:
    rules = bets("n mod 20 is 0 and n >= 40", enough=1_000_000)
    machine = compile_rules(rules)
    played = Program(machine).playouts(50, 1)
    again = Game(rules, machine).in_parts
    below = Choosing(1).below
    match = Match(again, 1).start()
    number = 0
    while not match.over:
        waiting = match.waiting()
        one = waiting[below(len(waiting))]
        match.take(one, one.options[below(len(one.options))])
        number += 1
    assert Program(machine).playouts(1, 1).decisions == number
    assert played.decisions > 50
    space = Space.of(Game(rules, machine))
    assert len(space.catalogue.actions) == 4 * PARTS + 1
    assert "act: act 17/32" in space.catalogue.actions
