"""Whatever bytes a log holds: it is read, or refused with R221 (or another code that says why)."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from dsl.source import Source
from interpreter import log
from interpreter.bots.random import pick
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import BrokenLog, Fault
from interpreter.replay import replay
from rulewright.library import open_game

GAME = "roll_through_the_ages"
NONCE = "0123456789abcdef" * 2
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 2, 10**9, -(10**9), 10**79, 1.5, "", "A", "Z", "\0", "x" * 20_000, "1 2 3 4",
    "\ud800", [], [1], ["A"], [[]], {}, {"A": "B"}, {"A": True}, {"A": 1.5}, {"A": []}, [None],
)  # fmt: skip
RAW = (
    "9" * 5000, "-" + "9" * 5000, "1e999", "NaN", "Infinity", "-Infinity", "[" * 100_000, '{"a":' * 100_000,
    '{"a": 1, "a": 2}', '"\\ud800"', "tru", '"', "\0", "\u2028",
)  # fmt: skip


@pytest.fixture(scope="module")
def game() -> Game:
    return open_game(GAME, 2)


@pytest.fixture(scope="module")
def lines(game: Game) -> list[dict[str, Any]]:
    """The lines of a whole match, without their seals."""
    match = Match(game, seed=3).start()
    while not match.over:
        waiting = match.waiting()[0]
        match.take(waiting, pick(3, match.state[:], waiting))
    found = [json.loads(line) for line in log.write(match, {}, ["human", "random"], None, NONCE).splitlines()]
    for line in found:
        del line["seal"]
    return found


def sealed(lines: list[dict[str, Any]]) -> str:
    """With seals that fit, as somebody who lies would make them."""
    seal, found = "", []
    for line in lines:
        body = json.dumps(line, separators=(", ", ": "))
        seal = log._seal(seal, body)
        found.append(body[:-1] + (", " if len(body) > 2 else "") + f'"seal": "{seal}"}}\n')
    return "".join(found)


def outcome(text: str, game: Game, trusted: bool) -> str:
    """`good` if it is read and replayed, else the code that it is refused with."""
    try:
        replay(game, log.read(Source("x.log", text), trusted), not trusted)
    except Fault as fault:
        return fault.diagnostic.code if fault.diagnostic.message else "no words"
    return "good"


@pytest.mark.parametrize("trusted", [False, True])
@pytest.mark.parametrize("key", ["seat", "chance", "choose", "outcome", "hash", "supplied", "events", "start",
                                 "over", "winners", "scores", "unknown"])  # fmt: skip
def test_any_value_in_any_line(key: str, trusted: bool, game: Game, lines: list[dict[str, Any]]) -> None:
    chooser, codes = random.Random(key), set()
    places = [i for i, line in enumerate(lines) if key in line] or [5, 6, 7]
    for value in VALUES:
        for at_line in {chooser.choice(places[:20]), chooser.randrange(1, 60)}:
            changed = [*lines[:at_line], lines[at_line] | {key: value}, *lines[at_line + 1 :]]
            codes.add(outcome(sealed(changed[: max(40, at_line + 3)]), game, trusted))
    assert codes <= {"good", "R221", "R224"}
    assert key in ("unknown", "events", "supplied") or "R221" in codes


@pytest.mark.parametrize("key", ["rulewright", "game", "rules", "seats", "options", "seed", "players",
                                 "small", "nonce", "commitment"])  # fmt: skip
def test_any_value_in_the_head(key: str, game: Game, lines: list[dict[str, Any]]) -> None:
    codes = {outcome(sealed([lines[0] | {key: value}, *lines[1:20]]), game, False) for value in VALUES}
    assert codes <= {"good", "R221", "R222", "R232"}
    assert "R221" in codes


@pytest.mark.parametrize("raw", RAW, ids=lambda raw: raw[:6])
@pytest.mark.parametrize("key", ["seed", "hash", "events", "unknown"])
def test_raw_text_where_a_value_stands(raw: str, key: str, game: Game, lines: list[dict[str, Any]]) -> None:
    """In the middle of a log, sealed: it is refused, with and without seals checked."""
    if (raw, key) == (RAW[9], "unknown"):
        return  # a text like any other, in a key that nobody reads
    at = 0 if key == "seed" else 5
    texts = sealed([{**lines[at], key: "HERE"}]).replace('"HERE"', raw)
    whole = "".join(
        [texts, sealed(lines[1:20])] if not at else [sealed(lines[:5]), texts, sealed(lines[6:20])]
    )
    assert outcome(whole, game, True) == "R221"
    assert outcome(whole, game, False) == "R221"


ChangeLines = Callable[[random.Random, list[dict[str, Any]]], None]


def drop_key(chooser: random.Random, lines: list[dict[str, Any]]) -> None:
    line = chooser.choice(lines)
    line.pop(chooser.choice([*line]))


def other_type(chooser: random.Random, lines: list[dict[str, Any]]) -> None:
    line = chooser.choice(lines)
    line[chooser.choice([*line])] = chooser.choice(VALUES)


def swap_lines(chooser: random.Random, lines: list[dict[str, Any]]) -> None:
    i, j = chooser.randrange(len(lines)), chooser.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]


def merge_lines(chooser: random.Random, lines: list[dict[str, Any]]) -> None:
    chooser.choice(lines).update(chooser.choice(lines))


def double_line(chooser: random.Random, lines: list[dict[str, Any]]) -> None:
    lines.insert(chooser.randrange(len(lines)), dict(chooser.choice(lines)))


def drop_line(chooser: random.Random, lines: list[dict[str, Any]]) -> None:
    lines.pop(chooser.randrange(len(lines)))


def other_words(chooser: random.Random, lines: list[dict[str, Any]]) -> None:
    line = chooser.choice([line for line in lines if "choose" in line] or lines)
    words = str(line.get("choose", "")).split() or ["x"]
    line["choose"] = " ".join(
        chooser.choices([*words, "pass", "0", "-1", "9" * 400, ",", "of", "\u202e"], k=3)
    )


CHANGES: tuple[ChangeLines, ...] = (
    drop_key, other_type, swap_lines, merge_lines, double_line, drop_line, other_words,
)  # fmt: skip


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_mutants_with_seals_that_fit(change: ChangeLines, game: Game, lines: list[dict[str, Any]]) -> None:
    codes = []
    for seed in range(40):
        chooser = random.Random(seed)
        mutant = [dict(line) for line in lines[: chooser.randrange(2, 60)]]
        change(chooser, mutant)
        codes.append(outcome(sealed(mutant), game, chooser.random() < 0.5))
    assert set(codes) <= {"good", "R221", "R222", "R224", "R232"}
    assert "R221" in codes


def test_mutants_of_the_bytes(game: Game, lines: list[dict[str, Any]]) -> None:
    data, codes = sealed(lines[:30]).encode(), set()
    for seed in range(300):
        chooser, mutant = random.Random(seed), bytearray(data)
        for _ in range(chooser.randrange(1, 4)):
            at = chooser.randrange(len(mutant))
            mutant[at : at + chooser.choice((0, 1, 40))] = chooser.randbytes(chooser.choice((0, 1, 3)))
        codes.add(outcome(log.text_of(bytes(mutant)), game, chooser.random() < 0.5))
    assert "R221" in codes
    assert codes <= {"good", "R221", "R222", "R224", "R232"}


# ---- torn logs


def test_every_cut_is_read_up_to_the_last_whole_line(game: Game, lines: list[dict[str, Any]]) -> None:
    data = sealed(lines[:6]).encode()
    first = data.index(b"\n")
    for end in range(first, len(data) + 1):
        read = log.read(Source("x.log", log.text_of(data[:end])))
        whole = data[:end].count(b"\n") + (data[end : end + 1] == b"\n")
        assert 1 + len(read.entries) == whole - (whole > 1)  # the second line is the start
        rest = end - (data[:end].rfind(b"\n") + 1)
        assert (read.torn is None) == (rest == 0 or data[end : end + 1] == b"\n")
        assert read.torn is None or (read.torn.line, read.torn.size) == (whole, rest)


@pytest.mark.parametrize(
    "tail", [b"\0" * 4096, b"\xff\xfe", b"{", b"rubbish\nand more\n", b"\n\n\0", b'{"a": 1}']
)
def test_a_tail_of_rubbish_is_left_out(tail: bytes, lines: list[dict[str, Any]]) -> None:
    data = sealed(lines[:9]).encode()
    read = log.read(Source("x.log", log.text_of(data + tail)))
    assert len(read.entries) == 7
    assert read.torn is not None
    assert read.torn.line == 9


@pytest.mark.parametrize("rubbish", [b"\0" * 40, b"rubbish", b"{", b"\xff"])
def test_rubbish_in_the_middle_is_refused(rubbish: bytes, lines: list[dict[str, Any]]) -> None:
    texts = sealed(lines[:9]).encode().splitlines(keepends=True)
    texts[4] = rubbish + b"\n"
    with pytest.raises(Fault) as caught:
        log.read(Source("x.log", log.text_of(b"".join(texts))))
    assert isinstance(caught.value.diagnostic, BrokenLog)
    assert caught.value.diagnostic.span.place == "x.log:5:1"


def test_a_message_about_a_log_does_not_print_its_lines(lines: list[dict[str, Any]]) -> None:
    """They tell the seed and what is hidden."""
    with pytest.raises(Fault) as caught:
        log.read(Source("x.log", sealed([lines[0] | {"players": 3}, *lines[1:]])))
    assert "seed" not in caught.value.diagnostic.span.source.text


def test_a_log_of_another_program_is_replayed(game: Game, lines: list[dict[str, Any]]) -> None:
    """It needs no hashes, events or seed: all outcomes are in it. See `docs/log-format.md`."""
    first = {key: value for key, value in lines[0].items() if key not in ("nonce", "commitment")}
    rest = [{key: value for key, value in line.items() if key != "events"} for line in lines[1:]]
    rest = [line | {"hash": ""} if "hash" in line else line for line in rest]
    rest = [line | {"supplied": True} if "chance" in line else line for line in rest]
    text, seal = "", ""
    for line in (first | {"seed": 0}, *rest):
        body = json.dumps(line)
        seal = hashlib.sha256(f"{seal}\n{body}".encode()).hexdigest()[:16]
        text += f'{body[:-1]}, "seal": "{seal}"}}\r\n'
    verdict = replay(game, log.read(Source("other.log", log.text_of(text.encode()))))
    assert verdict.match.over
    assert verdict.steps == verdict.total > 20
