"""A match in JavaScript is the match in Python, step by step: a quick sample, in node."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from dsl.source import Source
from interpreter.chance import below, stream_key
from interpreter.log import _parsed as parsed_line
from interpreter.messages import Fault
from tests.web.in_node import run_in_node
from tests.web.logs import edits
from tests.web.recording import equipment, recording

GENERALITY = Path(__file__).parent.parent / "generality"
COMPARE = """
import { compareAll } from "./tests/web/lockstep.js";
console.log(JSON.stringify(await compareAll(given)));
"""
JUDGE = """
import { judge } from "./tests/web/lockstep.js";
console.log(JSON.stringify(await judge(given.equipment, given.logs)));
"""
NUMBERS = """
import { below, streamKey } from "./rulewright/web/match/chance.js";
import { blakeOfText, hexadecimal, shaOfText } from "./rulewright/web/match/hashes.js";
const drawn = given.seeds.map((seed) => {
    const key = streamKey(BigInt(seed), "dice");
    let [number, counter] = [0, 0];
    return given.totals.map((total) => {
        [number, counter] = below(total, counter, key);
        return [number, counter];
    });
});
const hashes = given.texts.map((text) => [hexadecimal(blakeOfText(text)), shaOfText(text)]);
console.log(JSON.stringify({ drawn, hashes }));
"""


READ = """
import { parse, write } from "./rulewright/web/match/json.js";
const read = (text) => {
    try {
        return write(parse(text));
    } catch {
        return null;
    }
};
console.log(JSON.stringify(given.map(read)));
"""
LINES = [
    '{"a": 1, "b": [true, false, null, {"c": -5}]}',
    '{"seed": 3402823669209384634633746074317682114, "less": -12345678901234567, "text": "1234567890123456"}',
    '{"": 1, "x": {"": {"": 2}}}',
    r'{"a\"b": "c: 1, \"d\": 2", "e": "\\\\u0000", "f": "\u00e9"}',
    '{"__proto__": 1, "constructor": 2}',
    '{"a" : 1 , "b":2}',
    '{"a": 1, "a": 2}',
    '{"x": [{"a": 1, "b": 2, "a": 3}]}',
    '{"a": 1.0}',
    '{"a": 1e3}',
    '{"a": NaN}',
    '{"a": 01}',
    '{"a": 00000000000000000001}',
    '{"a": 1-2}',
    f'{{"a": {"9" * 81}}}',
    '{"a": 1} {"b": 2}',
    '{"a": 1,}',
    "{'a': 1}",
    "",
]
"""Lines of a log, or none."""

HIDING = [
    (str(GENERALITY / "purses"), 3, ()),
    (str(GENERALITY / "partners"), 4, ()),
    (str(GENERALITY / "lanterns"), 2, ()),
    (str(GENERALITY / "quarry"), 3, ()),
    (str(GENERALITY / "moonlight"), 4, ()),
    (str(GENERALITY / "letters"), 3, ()),
    ("euchre", 4, ()),
    ("gin_rummy", 2, ()),
    (str(GENERALITY / "bids"), 3, ()),
]
"""Games with values that not everybody sees, hands that only the others see, piles of which all see the top,
and numbers that are too many to list."""
TOLD = [
    ("carillon", 2, ()),
    ("crazy_eights", 2, ()),
    ("oshi_zumo", 2, ()),
    ("twenty_forty_eight", 1, ()),
    (str(GENERALITY / "storm"), 2, ()),
]
"""Games whose ends have names, whose values are shown to all, or in which chance chooses values."""


@pytest.mark.parametrize(
    "table", [("kuhn_poker", 2, ()), ("roma", 2, ()), ("pig", 4, ()), *HIDING, *TOLD], ids=str
)
def test_a_match_in_javascript_is_the_match_in_python(table: Any, tmp_path: Path) -> None:
    report = run_in_node(COMPARE, tmp_path, recording(table, [1, 7], 35 if table in TOLD else 25))
    assert report["wrong"] == []
    assert report["compared"] > 25


BLIND = {
    "game.yaml": """game: blind
seats: 2
rules: [blind.rules]
types: {rank: 1..6}
components: {card: {kinds: rank, count: 2}}
zones:
  deck: {holds: card, order: shuffled, seen_by: count, start: all}
  hand: {holds: card, of: seat, seen_by: owner, counted_by: all}
flow:
  deal: {do: [deal], then: turn}
  turn: {seat: rotates, do: [rob], then: turn}
  final: {score: highest}
""",
    "blind.rules": """procedure deal
    each seat in turn
        move 5 from deck to hand of me
procedure rob
    choose 2 card from hand of opponent as taken
    move all from taken to hand of me
    choose up to 3 card from hand of me as given
    move all from given to hand of opponent
score held = size(hand of me)
""",
}


def test_sets_of_unseen_pieces_are_the_same_in_both(tmp_path: Path) -> None:
    for name, text in BLIND.items():
        (tmp_path / name).write_text(text)
    report = run_in_node(COMPARE, tmp_path, recording((str(tmp_path), 2, ()), [7, 8], 25))
    assert report["wrong"] == []
    assert report["compared"] > 25


BEHIND = {
    "game.yaml": """game: behind
seats: 2
rules: [behind.rules]
counters:
  gold: {of: seat, range: 0..9, start: 3}
  omen: {of: seat, range: 0..9, start: 4, seen_by: owner, at_edge: clamp}
flow:
  turn: {seat: rotates, do: [play], then: turn}
  final: {score: highest}
""",
    "behind.rules": """procedure play
    do one of act, spend, give, rest
action act(n from 1..5)                                §1.1
    if omen of opponent > n                            §1.2
        costs(2 * n)
    costs(n)                                           §1.3
procedure costs(n: 0..20)                              §2.1
    pay n gold
    needs gold of me < 3                               §2.2
action spend(n from 0..9 where n < gold of me + 2)     §3.1
    needs omen of me < 3 and n > 0
    pay n gold
action give                                            §4.1
    needs omen of opponent > 2                         §4.2
    omen of opponent -= 1
    gain 1 gold
action rest                                            §5.1
    omen of me += 1
score gold = gold of me
""",
}


def test_what_hides_a_refusal_is_the_same_in_both(tmp_path: Path) -> None:
    for name, text in BEHIND.items():
        (tmp_path / name).write_text(text)
    found = recording((str(tmp_path), 2, ()), [7, 8], 25)
    report = run_in_node(COMPARE, tmp_path, found)
    assert report["wrong"] == []
    acts = [act for match in found["matches"] for act in match["acts"]]
    told = [json.loads(why[-1]) for act in acts for why in act["why"] + act["whyValue"]]
    cited = {clause for why in told for part in (why, *why["parts"]) for clause in part["clauses"]}
    assert "§1.1" in cited
    assert not cited & {"§1.2", "§1.3", "§4.2"}


TIED = {
    "game.yaml": """game: tied
seats: 3
rules: [tied.rules]
counters: {debts: {of: seat, range: 0..3}, rounds: {range: 0..9}}
flow:
  turn: {seat: rotates, do: [{do one of: [owe]}], then: {rounds is 3: final, otherwise: turn}}
  final: {score: highest}
""",
    "tied.rules": """action owe(number: 1..3)
    debts of me = number
    rounds += 1
score shared = 0
tiebreak lowest debts = debts of me
""",
}


def test_the_lowest_breaks_a_tie_in_both(tmp_path: Path) -> None:
    for name, text in TIED.items():
        (tmp_path / name).write_text(text)
    found = recording((str(tmp_path), 3, ()), [1, 2, 3, 4], 25)
    assert run_in_node(COMPARE, tmp_path, found)["wrong"] == []
    ends = [json.loads(match["acts"][-1]["views"][0][2]) for match in found["matches"]]
    for end in ends:
        debts = [score["ties"][0][1] for score in end["scores"]]
        assert end["winners"] == [seat for seat, owed in enumerate(debts) if owed == min(debts)]
    assert len({len(end["winners"]) for end in ends}) > 1


def test_a_difference_is_found(tmp_path: Path) -> None:
    found = recording(("kuhn_poker", 2, ()), [7], 25)
    act = found["matches"][0]["acts"][-1]
    act["views"][0][2] = act["views"][0][2].replace('"over":true', '"over":false')
    assert len(run_in_node(COMPARE, tmp_path, found)["wrong"]) == 1


def test_edits_of_a_log_are_found(tmp_path: Path) -> None:
    table = ("roma", 2, ())
    log = recording(table, [3], 30)["matches"][0]["log"]
    edited = edits(log)
    answers = run_in_node(JUDGE, tmp_path, {"equipment": equipment(table), "logs": [log, *edited.values()]})
    assert answers[0] == ""
    assert {name for name, answer in zip(edited, answers[1:], strict=True) if not answer} == set()


def test_random_numbers_and_hashes_are_those_of_python(tmp_path: Path) -> None:
    texts = [("aé" * n)[:n] for n in (0, 1, 55, 56, 63, 64, 127, 128, 129, 255, 256, 1000)]
    seeds, totals = ["0", "7", "-5", str(1 << 70), str((1 << 64) - 1)], [6, 1, 52, 3_000_000_000, 2]
    given = {"texts": texts, "seeds": seeds, "totals": totals}
    found = run_in_node(NUMBERS, tmp_path, given)
    for text, hashes in zip(texts, found["hashes"], strict=True):
        data = text.encode()
        assert hashes == [hashlib.blake2b(data, digest_size=8).hexdigest(), hashlib.sha256(data).hexdigest()]
    for seed, drawn in zip(seeds, found["drawn"], strict=True):
        key, counter = stream_key(int(seed), "dice"), 0
        for total, (number, after) in zip(totals, drawn, strict=True):
            wanted, counter = below(total, counter, key)
            assert (number, after) == (wanted, counter)


def test_a_line_of_a_log_is_read_as_in_python(tmp_path: Path) -> None:
    def read(text: str) -> str | None:
        source = Source("log", text)
        try:
            return json.dumps(parsed_line(text, source.span_of_line(1)), ensure_ascii=False)
        except Fault:
            return None

    wanted = [read(text) for text in LINES]
    assert wanted.count(None) == 13
    assert run_in_node(READ, tmp_path, LINES) == wanted
