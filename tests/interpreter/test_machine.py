"""Small rulesets that once went wrong in the machine, and must not again."""

from __future__ import annotations

import pytest

from dsl.load import Folder, load
from interpreter.compile.program import compile_rules
from interpreter.game import ExecutorKind, Game
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.redacted_log import notated

HEAD = "game: small\nseats: 2\nrules: [small.rules]\n"
FLOW = "flow: {main: {do: [run], then: fin}, fin: {score: highest}}\n"
OFFER = "flow: {main: {do: [{may keep doing: [act]}], then: fin}, fin: {score: highest}}\n"
HUES = "types: {hue: [red, blue]}\n"


def made(yaml: str, rules: str, flow: str, executor: ExecutorKind = "reference") -> Match:
    files = {"game.yaml": (HEAD + yaml + flow).encode(), "small.rules": rules.encode()}
    found, _ = load(Folder("small", files.__getitem__))
    return Match(Game(found, compile_rules(found), executor), seed=1)


def started(yaml: str, rules: str, flow: str = FLOW) -> Match:
    return made(yaml, rules, flow).start()


def words(match: Match) -> list[str]:
    return [c.text for d in match.decisions() for c in d.choices]


def fault(match: Match, seat: str, text: str) -> str:
    before = match.state[:]
    with pytest.raises(Fault) as caught:
        match.choose(seat, text)
    assert match.state == before
    return caught.value.diagnostic.code


def test_a_choice_within_an_action_is_no_parameter() -> None:
    gold = "counters: {gold: {of: seat, range: 0..9}}\n"
    match = started(gold, "action act\n    choose number from 1..3\n    gain number gold\n", OFFER)
    assert words(match) == ["act", "pass"]
    match.choose("A", "act")
    assert words(match) == ["1", "2", "3"]


def test_shuffling_an_ordered_zone_touches_nothing_else() -> None:
    yaml = (
        HUES + "components: {cube: {kinds: hue, count: 3}}\n"
        "zones: {pool: {holds: cube, order: stack, seen_by: all, start: all}}\n"
        "counters: {a1: {range: 0..99, start: 5}}\n"
    )
    match = started(yaml, "procedure run\n    shuffle pool\n    choose x from 0..1\n")
    assert match.view(-2).counters["a1"] == 5
    assert len(match.view(-2).zones["pool"]) == 6  # type: ignore[arg-type]


def test_a_zone_holds_no_more_than_its_size() -> None:
    yaml = (
        "components: {pawn: {count: 9}}\n"
        "zones: {pool: {holds: pawn, seen_by: all, start: all}, two: {holds: pawn, seen_by: all, size: 2}}\n"
    )
    match = started(yaml, "action act\n    move 1 from pool to two\n", OFFER)
    match.choose("A", "act")
    match.choose("A", "act")
    assert fault(match, "A", "act") == "R205"


def test_a_draw_from_nothing_names_nothing() -> None:
    yaml = (
        HUES + "components: {cube: {kinds: hue, count: 2}}\n"
        "zones: {pool: {holds: cube, seen_by: all, start: all},"
        " bag: {holds: cube, order: bag, seen_by: count}, out: {holds: cube, seen_by: all}}\n"
    )
    rules = "action act\n    draw cube from bag to out\n    move cube to out\n"
    match = started(yaml, rules, OFFER)
    assert fault(match, "A", "act").startswith("R20")
    assert match.view(-2).zones["out"] == []


def test_a_collection_larger_than_its_bound_is_a_fault() -> None:
    yaml = "counters: {gold: {range: 0..99, start: 20}, hits: {range: 0..9999}}\n"
    rules = (
        "action act\n    p(gold)\n\nprocedure p(number: 0..3)\n    for i in 0..number\n        hits += 1\n"
    )
    match = started(yaml, rules, OFFER)
    size = len(match.state)
    assert fault(match, "A", "act") == "R207"
    assert len(match.state) == size


def test_the_end_within_together_is_seen_by_all() -> None:
    yaml = "counters: {gold: {of: seat, range: 0..9}}\n"
    rules = (
        "procedure run\n    each seat together\n        choose x from 1..3\n        gold of me = x\n"
        "        choose w from 1..3\n        gain w gold\n\n"
        "when gold of seat >= 5\n    end game\n"
    )
    match = started(yaml, rules)
    match.choose("A", "3")
    match.choose("A", "3")
    assert match.over
    assert match.view(1).counters["gold of A"] == 6
    assert any("over" in line for line in notated(match, 1))


POOL = """types: {ware: [wood, stone]}
components: {crate: {kinds: ware, copies: {wood: 1, stone: 1}}}
counters: {gold: {of: seat, range: 0..9}}
zones:
  pool: {holds: crate, seen_by: all, shared: first come, start: all}
  hand: {holds: crate, of: seat, seen_by: all}
"""


def test_who_has_nothing_left_to_choose_goes_on() -> None:
    """Two crates for two seats that want two each: whoever comes first may leave the other nothing."""
    rules = (
        "procedure run\n    each seat together\n        repeat 2 times\n"
        "            choose crate from pool if any\n                move crate to hand of me\n"
        "        choose x from 1..3\n        gold of me = x\n"
    )
    match = started(POOL, rules)
    match.choose("B", "wood")
    match.choose("B", "stone")
    assert [(d.seat, [c.text for c in d.choices]) for d in match.decisions()] == [
        ("A", ["1", "2", "3"]),
        ("B", ["1", "2", "3"]),
    ]


def test_whoever_leaves_another_nothing_that_must_choose_is_refused() -> None:
    rules = (
        "procedure run\n    each seat together\n        repeat 2 times\n"
        "            choose crate from pool\n            move crate to hand of me\n"
    )
    match = started(POOL, rules)
    match.choose("B", "wood")
    before = match.state[:]
    assert fault(match, "A", "stone") == "R202"
    assert match.state == before
    assert [d.seat for d in match.decisions()] == ["A", "B"]
    with pytest.raises(Fault) as caught:
        match.choose("B", "stone")
    assert (
        caught.value.diagnostic.message == "A has nothing to choose for `crate`: there is nothing in `pool`"
    )


def test_what_lasts_a_phase_starts_again_as_declared() -> None:
    yaml = (
        "types: {ware: [wood, stone]}\n"
        "counters: {st: {of: ware, range: 0..9, start: {wood: 1, stone: 5}, lasts: main}}\n"
    )
    flow = "flow: {main: {do: [run], then: rest}, rest: {do: [run], then: fin}, fin: {score: highest}}\n"
    match = started(yaml, "procedure run\n    choose x from 0..1\n", flow)
    match.choose("A", "0")
    assert match.view(-2).counters["st of stone"] == 5


def test_arithmetic_faults_while_looking_have_a_place() -> None:
    rules = "procedure run\n    choose num from 0..3 where 6 div (2 - num) > 0\n"
    match = started("", rules)
    with pytest.raises(Fault) as caught:
        match.decisions()
    assert caught.value.diagnostic.code == "R213"


def test_choices_from_two_places_differ_in_words() -> None:
    yaml = (
        HUES + "boards: {disc: {line: 2}}\ncomponents: {cube: {kinds: hue, count: 2}}\n"
        "zones: {pool: {holds: cube, seen_by: all, start: all},"
        " slot: {holds: cube, of: seat, at: disc, size: 1, seen_by: all}}\n"
    )
    rules = (
        "procedure run\n    each seat in turn\n        for disc\n            choose cube from pool\n"
        "            move cube to slot of me at disc\n"
        "    choose c from slot of me + slot of opponent\n"
    )
    match = started(yaml, rules)
    for _ in range(4):
        waiting = match.waiting()[0]
        match.take(waiting, waiting.options[0])
    assert len(words(match)) == len(set(words(match))) == 4


def test_a_shown_hand_is_seen_until_it_changes_unseen() -> None:
    yaml = (
        HUES + "components: {card: {kinds: hue, count: 4}}\n"
        "zones: {deck: {holds: card, order: shuffled, seen_by: count, start: all},"
        " hand: {holds: card, of: seat, seen_by: owner, counted_by: all}}\n"
    )
    rules = (
        "action act\n    move 1 from deck to hand of opponent\n    show hand of opponent to me\n"
        "    choose x from 1..2\n"
    )
    match = started(yaml, rules, OFFER)
    match.choose("A", "act")
    assert isinstance(match.view(0).zones["hand of B"], list)
    match.choose("A", "1")
    assert isinstance(match.view(0).zones["hand of B"], list), "nothing has changed there"
    assert not any("red" in line or "blue" in line for line in notated(match, 0) if "deck" in line)


def test_a_trigger_notices_what_another_one_undoes() -> None:
    yaml = "counters: {x: {of: seat, range: 0..9}, num: {range: 0..99}}\n"
    first = "when x of seat is 1\n    x of seat = 0\n\n"
    second = "when x of seat is 0\n    num += 1\n\n"
    for order in (first + second, second + first):
        match = started(yaml, "action act\n    x of me += 1\n\n" + order, OFFER)
        match.choose("A", "act")
        assert match.view(-2).counters["num"] == 1


@pytest.mark.parametrize(
    "sum_",
    [
        "count(y in 0..100000000 where y > num)",
        "sum(sum(sum(i + j + k for i in 0..900) for j in 0..900) for k in 0..900)",
    ],
)
def test_endless_sums_are_a_fault(sum_: str) -> None:
    yaml = "counters: {num: {range: 0..999}, x: {range: 0..9}}\n"
    match = started(yaml, f"action act\n    if {sum_} > 2\n        x += 1\n", OFFER)
    assert fault(match, "A", "act") == "R209"


@pytest.mark.parametrize("executor", ["reference", "wasm"])
def test_chance_that_leads_to_chance_is_a_fault(executor: ExecutorKind) -> None:
    """Nobody is ever asked, and each throw begins a run of its own."""
    match = made(
        "components: {die: {die: 1..6, count: 1}}\n",
        "procedure throw\n    roll die\n",
        "flow: {turn: {do: [throw], then: turn}, final: {score: highest}}\n",
        executor,
    )
    with pytest.raises(Fault, match="10000 outcomes of chance without a decision") as caught:
        match.start()
    assert caught.value.diagnostic.code == "R209"
    assert match.steps == []


def test_what_was_done_at_once_is_told_when_all_have_finished_also_while_they_begin_anew() -> None:
    rules = (
        "procedure run\n    repeat 2 times\n        each seat together\n"
        "            choose x from 1..3\n            gain x gold\n"
    )
    match = started("counters: {gold: {of: seat, range: 0..9}}\n", rules)
    match.choose("B", "2")
    assert not any("B" in line for line in notated(match, 0))
    assert "gold of B: 0 -> 2" in notated(match, 1)
    match.choose("A", "3")
    match.choose("B", "1")
    assert [line for line in notated(match, 0) if "B" in line] == ["B: 2", "gold of B: 0 -> 2"]
    assert [line for line in notated(match, 1) if "A" in line] == ["A: 3", "gold of A: 0 -> 3"]


def test_what_another_branch_does_is_told_to_its_seat_alone() -> None:
    """A takes the last crate, and B's branch goes on in the same step."""
    rules = (
        "procedure run\n    each seat together\n        gain 1 gold\n"
        "        choose crate from pool where crate.good is wood if any\n"
        "            move crate to hand of me\n"
        "        else\n            gain 5 gold\n        choose x from 1..3\n"
    )
    pool = POOL.replace("types: {ware: [wood, stone]}\n", "types: {good: [wood, stone]}\n").replace(
        "ware", "good"
    )
    for executor in ("reference", "wasm"):
        match = made(pool, rules, FLOW, executor).start()
        assert notated(match, 0) == ["phase: main", "gold of A: 0 -> 1"]
        match.choose("A", "wood")
        assert match.view(1).counters["gold of B"] == 6
        assert notated(match, 0) == ["phase: main", "gold of A: 0 -> 1", "A: wood", "wood: pool -> hand of A"]
        assert notated(match, 1) == ["phase: main", "gold of B: 0 -> 1", "gold of B: 1 -> 6"]
        assert match.steps[-1].branch == "A"


@pytest.mark.parametrize("executor", ["reference", "wasm"])
def test_all_may_act_at_once_where_nobody_chooses(executor: ExecutorKind) -> None:
    rules = "procedure run\n    each seat together\n        gain 2 gold\n"
    match = made("counters: {gold: {of: seat, range: 0..9}}\n", rules, FLOW, executor).start()
    assert match.over
    assert match.view(0).counters["gold of B"] == 2


@pytest.mark.parametrize("executor", ["reference", "wasm"])
def test_a_fault_among_the_options_of_a_branch_leaves_the_state(executor: ExecutorKind) -> None:
    yaml = "counters: {zero: {range: 0..9}, got: {of: seat, range: 0..9}}\n"
    rules = (
        "procedure run\n    each seat together\n"
        "        choose x from 1..3 where 6 div (zero + 3 - x) > 0\n        got of me = x\n"
    )
    match = made(yaml, rules, FLOW, executor).start()
    before = match.state[:]
    with pytest.raises(Fault):
        match.decisions()
    assert match.state == before


def test_views_are_called_by_numbers_or_names_of_seats() -> None:
    yaml = "counters: {k: {of: seat, range: 1..9, seen_by: owner}}\n"
    match = started(yaml, "procedure run\n    choose x from 1..2\n    k of me = x\n")
    assert match.view("A") == match.view(0) != match.view("B")
    with pytest.raises(KeyError, match="C"):
        match.view("C")


def test_a_shuffle_that_is_supplied_in_words_is_told_how() -> None:
    yaml = (
        HUES + "components: {cube: {kinds: hue, count: 3}}\n"
        "zones: {pool: {holds: cube, order: stack, seen_by: all, start: all}}\n"
    )
    match = made(yaml, "procedure run\n    shuffle pool\n", FLOW)
    match.outcomes["pool"] = ["red"]
    with pytest.raises(Fault) as caught:
        match.start()
    assert "set the pile itself: `set: {pool: [...]}`" in caught.value.diagnostic.help
