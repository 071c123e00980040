"""What the checks of secrecy say in many wordings: allowed findings, unseen pieces, others' places."""

from __future__ import annotations

import pytest

from dsl.load import Folder, load
from dsl.rules import Rules
from interpreter.compile.program import compile_rules
from validators.check import CheckContext
from validators.checks import CHECKS, hidden_guard, offered_unseen, others_read, secret_told
from validators.run_checks import CheckRun, run_checks

YAML = """
game: demo
seats: 2
rules: [demo.rules]
types:
  kind: [crown, rose, thorn]
  slot: 1..2
components:
  card: {kinds: kind, count: 4}
zones:
  deck: {holds: card, order: shuffled, seen_by: count, start: all}
  hand: {holds: card, of: seat, HAND}
  place: {holds: card, of: seat, at: slot, size: 1, seen_by: nobody, counted_by: all}
  table: {holds: card, seen_by: all}
counters:
  points: {of: seat, range: 0..99, at_edge: clamp}
  rounds: {range: 0..9}
flow:
  begin: {do: [deal], then: turn}
  turn: {seat: rotates, do: [next_round, {do one of: [play, rest]}], then: {over: last, otherwise: turn}}
  last: {score: highest}
"""
RULES = """
procedure deal
    each seat in turn
        move 2 from deck to hand of me
        for slot
            move 1 from deck to place of me at slot

procedure next_round
    rounds += 1

value over = rounds >= 6

action rest
    gain 1 points

score points = points of me
score cards = count(card in table)
"""
OWN, NOBODY = "seen_by: owner, counted_by: all", "seen_by: nobody, counted_by: all"
CODES = ("V300", "V333", "V337", "V339", "V340")
COUNT, ROW = "seen_by: count", "order: shuffled, seen_by: owner, counted_by: all"


def made(rules: str, hand: str = OWN, allow: str = "", yaml: str = YAML) -> Rules:
    files = {
        "game.yaml": (yaml.replace("HAND", hand) + allow).encode(),
        "demo.rules": (RULES + rules).encode(),
    }
    found, _ = load(Folder("demo", files.__getitem__))
    for seats in range(found.seats[0], found.seats[1] + 1):
        compile_rules(found, seats)
    return found


def said(rules: str, hand: str = OWN, allow: str = "", yaml: str = YAML) -> CheckRun:
    checks = [check for check in CHECKS if check.code in CODES]
    return run_checks(CheckContext(made(rules, hand, allow, yaml)), seconds=600, checks=checks)


def secrets(found: CheckRun) -> set[tuple[str, str]]:
    return {(f.code, f.about) for f in found.findings if f.code in CODES}


PLAY = "\naction play(card from hand of me)\n    move card to table\n"
UNSEEN = {
    "a hand that nobody sees": (PLAY, NOBODY, "play"),
    "a hand that is only counted": (PLAY, COUNT, "play"),
    "the deck": ("\naction play(card from deck)\n    move card to table\n", OWN, "play"),
    "another's hand": ("\naction play(card from hand of opponent)\n    move card to table\n", OWN, "play"),
    "all hands": ("\naction play(card from hand)\n    move card to table\n", OWN, "play"),
    "those of a hand": (
        "\naction play(card from those(other in hand of me where other is rose))\n    move card to table\n",
        NOBODY,
        "play",
    ),
    "a choice in a procedure": (
        "\naction play\n    pick(opponent)\n\nprocedure pick(seat)\n"
        "    choose card from hand of seat\n    move card to table\n",
        OWN,
        "pick",
    ),
    "a choice of another seat": (
        "\naction play\n    opponent may choose card from hand of me\n        move card to table\n",
        OWN,
        "play",
    ),
    "a place that nobody sees": (
        "\naction play(card from place of me)\n    move card to table\n",
        OWN,
        "play",
    ),
    "shown to another seat": (
        "\naction play\n    show deck to opponent\n    choose card from deck\n    move card to table\n",
        OWN,
        "play",
    ),
    "shown on one way only": (
        "\naction play\n    if points of me > 3\n        show deck to me\n"
        "    choose card from deck\n    move card to table\n",
        OWN,
        "play",
    ),
    "shown and shuffled": (
        "\naction play\n    show deck to me\n    shuffle deck\n"
        "    choose card from deck\n    move card to table\n",
        OWN,
        "play",
    ),
    "an action that another is offered": (
        "\naction play\n    opponent may do take(me)\n\naction take(seat, card from hand of seat)\n"
        "    move card to table\n",
        OWN,
        "take",
    ),
}
BLIND = {
    "one's own hand": (PLAY, OWN),
    "by chance": ("\naction play\n    draw card from hand of opponent to hand of me\n", ROW),
    "some by chance": ("\naction play\n    move 1 from hand of opponent to hand of me\n", ROW),
    "by its place": (
        "\naction play(slot where place of me at slot is not empty)\n    move place of me at slot to table\n",
        OWN,
    ),
    "shown before": (
        "\naction play\n    show deck to me\n    choose card from deck\n    move card to table\n"
        "    shuffle deck\n",
        OWN,
    ),
    "shown before by a procedure": (
        "\naction play\n    look\n    choose card from deck\n    move card to table\n    shuffle deck\n"
        "\nprocedure look\n    show deck to me\n",
        OWN,
    ),
    "the hand of who chooses": (
        "\naction play\n    give(opponent)\n\nprocedure give(seat)\n"
        "    seat chooses card from hand of seat if any\n        move card to table\n",
        OWN,
    ),
}


@pytest.mark.parametrize(("rules", "hand", "about"), UNSEEN.values(), ids=UNSEEN)
def test_unseen_pieces_that_are_offered_by_name_are_an_error(rules: str, hand: str, about: str) -> None:
    assert ("V339", about) in secrets(said(rules, hand))


def test_locals_that_are_listed_are_looked_into() -> None:
    rules = (
        "\naction play\n    let one = place of me at 1\n    let two = place of me at 2\n"
        "    needs one exists and two exists\n    choose card from [one, two]\n    move card to table\n"
    )
    assert {f.about for f in offered_unseen.find(CheckContext(made(rules)))} == {"play"}


@pytest.mark.parametrize(("rules", "hand"), BLIND.values(), ids=BLIND)
def test_there_are_ways_to_choose_what_is_not_seen(rules: str, hand: str) -> None:
    assert secrets(said(rules, hand)) == set()


@pytest.mark.parametrize(("rules", "hand"), BLIND.values(), ids=BLIND)
def test_pieces_that_are_seen_or_not_named_may_be_offered(rules: str, hand: str) -> None:
    assert not list(offered_unseen.find(CheckContext(made(rules, hand))))


def test_what_is_allowed_of_a_zone_hides_no_other_action() -> None:
    """An entry written for a blind hand, and an action that reads the hand to its owner."""
    allow = "allow:\n  - {finding: V333, about: hand, why: a blind hand is needed}\n"
    found = secrets(said(PLAY, NOBODY, allow))
    assert found == {("V339", "play"), ("V300", "hand")}


def test_an_entry_is_not_called_unused_where_its_check_did_not_look() -> None:
    """Behind a leak that the rules show, leaks in play are not searched for."""
    allow = "allow:\n  - {finding: V337, about: rest, why: meant}\n"
    found = said(PLAY, NOBODY, allow)
    assert secrets(found) == {("V339", "play")}
    assert "V337" not in [*found.done, *found.left]
    assert ("V300", "rest") in secrets(said("", OWN, allow, YAML.replace("[play, rest]", "[rest]")))


STEAL = "\naction play\n    needs any(card in hand of opponent where card is crown)\n    gain 2 points\n"


def test_an_entry_for_a_zone_is_told_what_it_should_name() -> None:
    allow = "allow:\n  - {finding: V333, about: hand, why: a guess}\n"
    found = next(f for f in said(STEAL, OWN, allow).findings if f.code == "V300")
    assert found.help == "name what reads it, `play` (V333), not what it reads; write an entry for each"
    found = next(f for f in said(PLAY, NOBODY, allow).findings if f.code == "V300")
    assert "`play` (V339)" in found.help
    found = next(f for f in said(PLAY, OWN, allow).findings if f.code == "V300")
    assert found.help.endswith("reads the zone, not the zone")


def test_a_told_secret_is_found_in_spite_of_an_allowed_guard() -> None:
    allow = "allow:\n  - {finding: V333, about: play, why: it is a guess}\n"
    found = said(STEAL, OWN, allow)
    assert secrets(found) == {("V337", "play")}
    (finding,) = (f for f in found.findings if f.code == "V337")
    assert finding.span.text.startswith("action play")
    assert "2 seats, seed" in finding.pointer
    assert "where hand of" in finding.help
    both = allow + "  - {finding: V337, about: play, why: it is a guess}\n"
    assert secrets(said(STEAL, OWN, both)) == set()


def test_a_name_is_told_once_whatever_the_number_of_seats() -> None:
    yaml = YAML.replace("seats: 2", "seats: 2..4")
    assert yaml != YAML
    counts = "    gain count(card in hand of other where card is crown) points\n"
    rules = f"\naction play(other from opponents)\n{counts}"
    assert [f.about for f in said(rules, yaml=yaml).findings if f.code == "V337"] == ["play"]
    allow = "allow:\n  - {finding: V337, about: play, why: it is counted aloud}\n"
    assert len(said(rules, allow=allow, yaml=yaml).allowed) == 1


TOLD = {
    "a counter": "\naction play\n    gain count(card in hand of opponent where card is crown) points\n",
    "a local": "\naction play\n    let crowns = count(card in hand of opponent where card is crown)\n"
    "    if crowns > 0\n        gain 2 points\n",
    "the end of the game": "\naction play\n    if any(card in hand of opponent where card is crown)\n"
    "        end game\n",
}


@pytest.mark.parametrize("rules", TOLD.values(), ids=TOLD)
def test_what_tells_it_is_named(rules: str) -> None:
    found = said(rules)
    assert secrets(found) == {("V337", "play")}
    (finding,) = (f for f in found.findings if f.code == "V337")
    assert [step.text.partition(" ")[0] for step in finding.path][-1] in ("A", "B")


SHOWN = {
    "shown and moved": "\naction play(slot where place of opponent at slot is not empty)\n"
    "    show place of opponent at slot to me\n    move place of opponent at slot to hand of opponent\n",
    "shown and exchanged": "\naction play(slot where place of opponent at slot is not empty"
    " and place of me at slot is not empty)\n    show place of opponent at slot to me\n"
    "    swap place of opponent at slot with place of me at slot\n",
    "hands shown and exchanged": "\naction play\n    swap hand of me with hand of opponent\n"
    "    show hand of me to opponent\n",
    "shown, tested, and put back": "\naction play\n    show hand of me to opponent\n"
    "    if any(card in hand of me where card is crown)\n        gain 1 points\n"
    "    move all from hand of me to deck\n",
    "laid openly for a moment": "\naction play(card from hand of me)\n    move card to table\n"
    "    if card is crown\n        gain 1 points\n    move card to deck\n",
}


@pytest.mark.parametrize("rules", SHOWN.values(), ids=SHOWN)
def test_what_is_shown_in_the_same_step_is_no_secret(rules: str) -> None:
    assert secrets(said(rules)) == set()


TESTED = SHOWN["shown, tested, and put back"]


@pytest.mark.parametrize(
    "rules",
    [
        TESTED.replace("    show hand of me to opponent\n", ""),
        SHOWN["laid openly for a moment"].replace("move card to table", "move card to deck"),
    ],
)
def test_what_is_not_shown_is_a_secret(rules: str) -> None:
    assert ("V337", "play") in secrets(said(rules))


def test_others_than_those_who_are_shown_something_learn_it_by_what_follows() -> None:
    yaml = YAML.replace("seats: 2", "seats: 3")
    look = TESTED.replace("to opponent", "to next(me)")
    (finding,) = said(look, yaml=yaml).findings
    assert (finding.code, finding.about) == ("V337", "play")
    assert "the spectator" not in finding.message


COUNTED = YAML.replace("  rounds:", "  crowns: {of: seat, range: 0..9}\n  rounds:")
HELD = (
    "\nprocedure tell\n    for seat\n"
    "        crowns of seat = count(card in hand of seat where card is crown)\n"
    "\naction play\n    gain count(card in hand of opponent where card is crown) points\n"
)
PROMISE = "\nalways all(crowns of seat is count(card in hand of seat where card is crown) for seat)\n"


def test_a_position_that_breaks_a_promise_is_none() -> None:
    """How many crowns somebody has is told once: who is told of them later learns nothing."""
    yaml = COUNTED.replace("do: [deal]", "do: [deal, tell]")
    allow = "allow:\n  - {finding: V337, about: begin, why: they are counted openly}\n"
    assert secrets(said(HELD, allow=allow, yaml=yaml)) == {("V337", "play")}
    assert secrets(said(HELD + PROMISE, allow=allow, yaml=yaml)) == set()


def test_what_differs_is_not_cut_off() -> None:
    long = "a" * 80
    assert secret_told.apart(f"{long} one", f"{long} other") == ("…one", "…other")
    assert secret_told.apart("same\nA plays", "same\nB plays") == ("A plays", "B plays")
    assert secret_told.apart("", "x") == ("nothing", "x")


def test_what_is_shown_after_a_condition_was_not_seen_at_it() -> None:
    asks = "    needs any(card in hand of opponent where card is crown)\n"
    chooses = "    choose number from 1..2 where any(card in hand of opponent where card is crown) if any\n"
    gains = "        gain 1 points\n"
    shows = "    show hand of opponent to me\n"
    for lines in (asks + shows, chooses + gains + shows):
        assert guarded(f"\naction play\n{lines}") == {"play"}
    for shown in (shows, "    show hand of opponent to all\n"):
        assert guarded(f"\naction play\n{shown}{chooses}{gains}") == set()


def guarded(rules: str) -> set[str]:
    return {finding.about for finding in hidden_guard.find(CheckContext(made(rules)))}


SECRETS = {
    "piece": ("any(card in hand of WHO where card is crown)", "flag"),
    "number": ("purse of WHO", "number"),
    "pointer": ("liked of WHO", "kind"),
    "top": ("count(card in hand of WHO where card is rose)", "number"),
    "none left": ("those(card in hand of WHO where card is rose) is empty", "flag"),
}
"""What one seat sees of itself, and the type of it."""
TESTS = {"flag": "{0}", "number": "{0} > 1", "kind": "{0} is rose"}
GUARDS = {
    "needs": "    needs {0}\n    gain 1 points\n",
    "either": "    needs points of me > 50 or {0}\n    gain 1 points\n",
    "choice": "    choose number from 1..3 where {0} if any\n        gain number points\n",
    "test": "    needs (points of me > 3 if {0} else points of me > 2)\n    gain 1 points\n",
}
WRAPS = {
    "plain": ("", "{0}"),
    "let": ("    let found = {0}\n", "found"),
    "lets": ("    let first = {0}\n    let found = first\n", "found"),
    "seat": ("    let who = WHO\n", "{1}"),
    "value": ("", "NAME_value"),
    "cases": ("", "NAME_cases(points of me)"),
    "of": ("", "NAME_of(WHO)"),
    "other": ("", "NAME_other"),
    "cond": ("    let found = ({0} if points of me > 3 else {2})\n", "found"),
    "given": None,
    "given seat": None,
}
OF_KIND = {"flag": "true", "number": "0", "kind": "thorn"}


def spelled(who: str) -> tuple[str, set[str]]:
    """Rules with an action or procedure for each way to ask for what a seat holds, and their names."""
    text, names = "", set[str]()
    for i, (read, kind) in enumerate(SECRETS.values()):
        own, test = read.replace("WHO", who), TESTS[kind]
        text += f"\nvalue s{i}_value = {own}\nvalue s{i}_of(seat) = {read.replace('WHO', 'seat')}\n"
        text += f"\nvalue s{i}_cases(x: 0..99)\n    {own} when x > 3\n    otherwise {OF_KIND[kind]}\n"
        text += f"\nvalue s{i}_other = {read.replace('WHO', 'whom')}\n"
        for j, (wrap, parts) in enumerate(WRAPS.items()):
            for k, guard in enumerate(GUARDS.values()):
                name = f"a{i}_{j}_{k}"
                names.add(name)
                if parts is None:
                    given = f"x: {'0..9' if kind == 'number' else kind}" if wrap == "given" else "whose: seat"
                    asked = "x" if wrap == "given" else read.replace("WHO", "whose")
                    argument = own if wrap == "given" else who
                    text += f"\nprocedure {name}({given})\n" + guard.format(test.format(asked))
                    text += f"\naction call_{name}\n    {name}({argument})\n"
                    continue
                before, asked = parts
                asked = asked.format(own, read.replace("WHO", "who"), OF_KIND[kind])
                body = before.format(own, "", OF_KIND[kind]) + guard.format(test.format(asked))
                text += f"\naction {name}\n" + body.replace("NAME", f"s{i}").replace("WHO", who)
    return text + f"\nvalue whom = {who}\n", names


WIDE = YAML.replace("  rounds:", "  purse: {of: seat, range: 0..9, seen_by: owner}\n  rounds:").replace(
    "flow:", "pointers: {liked: {of: seat, to: kind, start: rose, seen_by: owner}}\nflow:"
)


@pytest.mark.parametrize("who", ["opponent", "B", "next(me)", "me"])
def test_what_is_read_is_found_in_all_spellings(who: str) -> None:
    """By its value: through locals, values, cases and what a procedure is given; nothing of what one sees."""
    text, names = spelled(who)
    files = {"game.yaml": WIDE.replace("HAND", OWN).encode(), "demo.rules": (RULES + PLAY + text).encode()}
    rules, _ = load(Folder("demo", files.__getitem__))
    found = {finding.about for finding in hidden_guard.find(CheckContext(rules))}
    assert found == (names if who != "me" else set())


UNKNOWN = {
    "a local": "    let top = place of me at 1\n    needs top exists and top is rose\n",
    "a value": "    needs next_card exists and next_card is rose\n",
    "a local of a value": "    let top = next_card\n    needs not (top exists and top is rose)\n",
    "a loop": "    for card in hand of opponent\n        needs card is rose\n",
    "a held set": "    let kinds = those(kind where any(card in hand of opponent where card.kind is kind))\n"
    "    needs size(kinds) > 1\n",
}


@pytest.mark.parametrize("lines", UNKNOWN.values(), ids=UNKNOWN)
def test_a_piece_is_followed_to_where_it_lies(lines: str) -> None:
    assert guarded(f"\nvalue next_card = place of me at 1\n\naction play\n{lines}    gain 1 points\n") == {
        "play"
    }


ASKED = {
    "a local": "\naction play\n    let crowns = count(card in hand of opponent where card is crown)\n"
    "    if crowns > 0\n        opponent chooses number from 1..3\n        gain number points\n",
    "only if": "\naction play\n    if any(card in hand of opponent where card is crown)\n"
    "        opponent chooses number from 1..3\n        gain number points\n",
    "by a procedure": "\naction play\n    if any(card in hand of opponent where card is crown)\n        ask\n"
    "\nprocedure ask\n    opponent chooses number from 1..3\n    gain number points\n",
    "what another asks of my hand": "\naction play\n    opponent may choose number from 1..3 where"
    " any(card in hand of me where card is crown)\n        gain number points\n",
    "a number that nobody counts": "\naction play\n    needs size(hand of opponent) > 1\n    gain 1 points\n",
}


@pytest.mark.parametrize("rules", ASKED.values(), ids=ASKED)
def test_who_is_asked_by_a_hidden_hand_is_found(rules: str) -> None:
    hand = "seen_by: owner" if "size" in rules else OWN
    assert ("V333", "play") in secrets(said(rules, hand))


AT_ONCE = YAML.replace("do: [next_round,", "do: [next_round, bids,").replace(
    "  rounds:", "  bid: {of: seat, range: 0..9}\n  before: {of: seat, range: 0..99}\n  rounds:"
)
BIDS = (
    "\nprocedure bids\n    each seat together\n        choose number from 0..3\n        bid of me = number\n"
)
READ = {
    "in a condition": BIDS + "        if bid of opponent > number\n            gain 1 points\n",
    "in a choice": BIDS + "        choose other: 0..9 from 0..9 where other > bid of opponent\n",
    "in a value": BIDS + "        gain lead points\n\nvalue lead = max(0, bid of me - bid of opponent)\n",
    "of all seats": BIDS + "        points of me = sum(bid of seat for seat)\n",
    "in an action": BIDS
    + "        may do boast\n\naction boast\n    needs bid of opponent < 2\n    gain 1 points\n",
    "in a payment": BIDS + "        may do boast\n\naction boast\n    pay bid of opponent points\n",
    "in a trigger": BIDS + "\nwhen sum(bid of seat for seat) > 4\n    end game\n",
    "by a parameter": BIDS
    + "        boast(opponent)\n\nprocedure boast(seat)\n    gain bid of seat points\n",
    "of pieces": "\nprocedure bids\n    each seat together\n        choose card from hand of me if any\n"
    "            move card to place of me at 1\n        if place of opponent at 1 is empty\n"
    "            gain 1 points\n",
}
KEPT = {
    "one's own": BIDS + "        gain bid of me points\n",
    "behind the block": BIDS + "    each seat in turn\n        gain bid of opponent points\n",
    "what no branch writes": BIDS + "        gain min(before of opponent, 3) points\n",
    "a trigger about one seat": BIDS + "\nwhen bid of seat > 2\n    seat gains 1 points\n",
}


@pytest.mark.parametrize("rules", READ.values(), ids=READ)
def test_what_others_may_have_written_is_not_read_at_once(rules: str) -> None:
    found = said(PLAY + rules.replace("other: 0..9 from", "other from"), yaml=AT_ONCE)
    assert "V340" in {code for code, _ in secrets(found)}


@pytest.mark.parametrize("rules", KEPT.values(), ids=KEPT)
def test_what_is_open_may_be_read_at_once(rules: str) -> None:
    assert not list(others_read.find(CheckContext(made(PLAY + rules, yaml=AT_ONCE))))
