"""Fuzzer of logs: whatever lines a log has, it is replayed, resumed and judged, or refused with a code."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from random import Random
from typing import Any

from dsl.diagnostics import DiagnosticError, ErrorsReported, Report
from dsl.load import load
from dsl.source import Source
from interpreter import log
from interpreter.chance import Choosing
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.redacted_log import notated
from interpreter.replay import replay
from rulewright.matches.saves import check_game, kinds_of, resumed
from tests.fuzz.choices import game_of
from tests.fuzz.corpus import games, mutants_of, mutated, rules_of
from tests.fuzz.edits import NUMBERS, YAML, lines
from tests.fuzz.inputs import Input, folder_of
from tests.fuzz.rulesets import told
from validators.diff.compare import compare
from validators.diff.log_replay.verdicts import CompatChecker

NAME = "logs"
PLAYED = (
    "pig", "tic_tac_toe", "kuhn_poker", "leduc_poker", "roma", "backgammon", "generality/tricks",
    "generality/posts",
)  # fmt: skip
CHOICES = 30
OTHERS = (
    [],
    {},
    None,
    True,
    0,
    -1,
    1.5,
    "",
    "A",
    "Z",
    "2",
    "none",
    [[]],
    {"a": 1},
    10**30,
    "x" * 999,
    "\udc80",
)
DIGEST = "of the rules"
"""Stands for the digest of the rules as they are when the log is tried."""


def make(pick: Random) -> Input:
    """A log of a match, with some lines that are not as they were written; sealed anew or not."""
    name = pick.choice(PLAYED)
    text = _written(name, pick.randrange(6))
    rows = text.rstrip("\n").split("\n")
    sealed = pick.random() < 0.7
    for _ in range(min(4, 1 + int(pick.expovariate(0.9)))):
        rows = _edited(pick, rows, name)
    said = {
        "game": name,
        "lines": rows,
        "sealed": sealed,
        "trusted": pick.random() < 0.3,
        "how": pick.randrange(1 << 10),
    }
    return Input(NAME, said)


@cache
def _written(name: str, seed: int) -> str:
    """The log of the beginning of a match."""
    game = game_of(name, seed % 3, "reference")
    match, below = Match(game, seed).start(), Choosing(seed).below
    for _ in range(CHOICES * (1 + seed % 3)):
        if match.over:
            break
        waiting = match.waiting()[below(len(match.waiting()))]
        match.take(waiting, waiting.options[below(len(waiting.options))])
    options = {k: str(v) for k, v in game.machine.options.items()} if seed % 2 else {}
    text = log.write(match, options, ["human"] * game.machine.seats)
    return text.replace(game.machine.digest, DIGEST)


def _edited(pick: Random, rows: list[str], name: str) -> list[str]:
    """One edit: of a value by its key, of the text, of the order of lines, or a splice with another log."""
    match pick.randrange(5):
        case 0 | 1:
            at = 0 if pick.random() < 0.4 else pick.randrange(len(rows))
            return [*rows[:at], _keyed(pick, rows[at]), *rows[at + 1 :]]
        case 2:
            at = pick.randrange(len(rows))
            return [*rows[:at], pick.choice(YAML)(pick, rows[at], pick.choice(rows)), *rows[at + 1 :]]
        case 3:
            more = (
                _written(pick.choice((name, pick.choice(PLAYED))), pick.randrange(6)).rstrip("\n").split("\n")
            )
            first, at = pick.randrange(len(more)), pick.randrange(len(rows) + 1)
            return (
                [*rows[:at], *more[first:]] if pick.random() < 0.5 else [*rows[:at], more[first], *rows[at:]]
            )
    if pick.random() < 0.3:
        return rows[: pick.randrange(len(rows)) + 1]
    return lines(pick, "\n".join(rows), "\n".join(rows)).split("\n")


def _keyed(pick: Random, row: str) -> str:
    """A line of which one value is another, or that has a key more or less."""
    try:
        found = json.loads(row)
    except (ValueError, RecursionError):
        return row
    if not isinstance(found, dict) or not found:
        return row
    key = pick.choice(sorted(found))
    if pick.random() < 0.15:
        del found[key]
    elif pick.random() < 0.15:
        found[
            pick.choice(("seat", "chance", "choose", "outcome", "supplied", "over", "start", "small", "x"))
        ] = pick.choice(OTHERS)
    else:
        found[key] = pick.choice((*OTHERS, pick.choice(NUMBERS)))
    return json.dumps(found, ensure_ascii=pick.random() < 0.2, separators=(", ", ": "))


# ---- trying


def run(tried: Input) -> str:
    said = tried.said
    digest = rules_of(said["game"]).digest
    rows = [row.replace(DIGEST, digest) for row in said["lines"]]
    text = "".join(f"{row}\n" for row in (_sealed(rows) if said["sealed"] else rows))
    try:
        text = text.encode(errors="surrogateescape").decode()
    except UnicodeError:
        return "refused"
    try:
        found = log.read(Source("match.log", text), trusted=said["trusted"])
    except Fault as fault:
        told(Report([fault.diagnostic]))
        return "refused"
    return "+".join((_replayed(found, said), _resumed(found, said), _judged(found, said)))


def _sealed(rows: list[str]) -> list[str]:
    """The lines with seals that fit, as far as they have any."""
    seal, found = "", []
    for row in rows:
        mark = ', "seal": "'
        body = row[: row.rfind(mark)] + "}" if mark in row else row
        seal = hashlib.sha256(f"{seal}\n{body}".encode(errors="surrogateescape")).hexdigest()[:16]
        found.append(f'{body[:-1]}, "seal": "{seal}"}}')
    return found


def _replayed(found: log.Log, said: Any) -> str:
    game = game_of(said["game"], said["how"] % 3, "reference" if said["how"] % 2 else "wasm")
    steps = said["how"] // 8 % 40 if said["how"] % 8 > 5 else None
    try:
        match = replay(game, found, verify=said["how"] % 4 != 0, steps=steps).match
        notated(match, -1)
        match.decisions()
    except Fault as fault:
        told(Report([fault.diagnostic]))
        return "not"
    return "replayed"


def _resumed(found: log.Log, said: Any) -> str:
    rules = rules_of(said["game"])
    try:
        check_game(found, rules)
        kinds_of(found, None)
        match = resumed(rules, found, "reference")
        notated(match, 0)
    except (Fault, DiagnosticError, ErrorsReported) as error:
        told(Report([error.diagnostic]) if isinstance(error, Fault | DiagnosticError) else error.report)
        return "not"
    return "resumed"


@cache
def _judge(name: str, other: int) -> CompatChecker:
    """Judges logs under the rules as they are, and under a mutant of them."""
    rules = rules_of(name)
    choices = mutants_of(name)
    for mutant in (choices[(other * 37 + i) % len(choices)] for i in range(20) if other):
        try:
            return CompatChecker(compare(rules, load(folder_of(mutated(name, mutant), name))[0]))
        except (ErrorsReported, DiagnosticError):
            continue
    return CompatChecker(compare(rules, rules))


def _judged(found: log.Log, said: Any) -> str:
    if said["game"] not in games() or said["how"] % 16 > 3:
        return "-"
    verdict = _judge(said["game"], said["how"] % 4).judge(found)
    if verdict.diagnostic is not None:
        told(Report([verdict.diagnostic]))
    return verdict.kind
