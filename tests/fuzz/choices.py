"""Fuzzer of what people and programs say to a match: at every seam a word is taken or refused, never lost."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console

from dsl.diagnostics import DiagnosticError, ErrorsReported, Report
from dsl.load import load_for_questions
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.queries import QueryEvaluator
from interpreter.redacted_log import notated
from rulewright.tui.game_loop import play
from rulewright.tui.prompt import Leave
from rulewright.tui.screen import Screen
from rulewright.tui.session import Session, SessionConfig
from tests.fuzz.corpus import games, rules_of, small_first
from tests.fuzz.edits import RULES, TOKEN, WORDS
from tests.fuzz.inputs import Input, Wrong, folder_of
from tests.fuzz.rulesets import setting, told

NAME = "choices"
HOSTILE = (
    "", " ", "pass", "PASS", "0", "-1", "1", "99999999999999999999", "1e9", "²", "٣", "none", "A", "B",
    "me", "?", "why", "undo", "undo 0", "undo -1", "undo 99999", "undo x", "view", "log", "log all",
    "score", "save", "help", "save x", "/help", "? ?", "why why", "\x1b[2J", "\x00", "é",
    "a b c d e f", ",", ",,", "x" * 5000, "{}", "%s", "\\", "\u202e", "is none", "of of",
)  # fmt: skip
ACTS = ("take", "take", "take", "take", "choose", "near", "why", "undo", "view", "look", "ask", "story")


def make(pick: Random) -> Input:
    """Acts on a match of a game: most are choices that are offered, between them stands what is not."""
    name = small_first(pick, [n for n in games() if not n.startswith("diagnostics")])
    executor = pick.choice(("reference", "wasm"))
    said: dict[str, Any] = {"game": name, "seed": pick.randrange(1 << 20), "executor": executor}
    if pick.random() < 0.4:
        said["typed"] = [_typed(pick, name) for _ in range(pick.randint(4, 40))]
        said["auto"] = pick.random() < 0.5
    else:
        said["acts"] = [_act(pick, name) for _ in range(pick.randint(4, 40))]
    return Input(NAME, said)


def _words(pick: Random, name: str) -> str:
    """Words that mean something in the game, in no good order, or such that mean nothing anywhere."""
    if pick.random() < 0.3:
        return pick.choice(HOSTILE)
    known = _tokens(name)
    return " ".join(pick.choice(known) for _ in range(pick.randint(1, 4)))


@cache
def _tokens(name: str) -> list[str]:
    text = "\n".join(
        t for p, t in games()[name].items() if p.endswith((".rules", ".csv")) or p == "game.yaml"
    )
    return sorted({t for t in TOKEN.findall(text) if t not in "/~"})


def _typed(pick: Random, name: str) -> str:
    """A line at the terminal: mostly a number, so that the match goes on."""
    if pick.random() < 0.5:
        return str(pick.choice((0, 1, 1, 2, 3, 4, 5, 7, 12)))
    command = pick.choice(("", "", "", "? ", "why ", "undo ", "log ", "/"))
    return command + _words(pick, name)


def _act(pick: Random, name: str) -> list[Any]:
    kind = pick.choice(ACTS)
    if kind == "ask":
        return [kind, _question(pick, name)]
    return [kind, pick.randrange(1000), _words(pick, name)]


def _question(pick: Random, name: str) -> str:
    """A line of the rules with some edits: an expression, if it is one."""
    texts = [t for p, t in games()[name].items() if p.endswith(".rules")] or ["1"]
    line = pick.choice(texts[0].split("\n")).split("§")[0].strip()
    for start in ("needs ", "if ", "while ", "let "):
        line = line.removeprefix(start)
    line = line.split(" = ", 1)[-1] if pick.random() < 0.5 else line
    other = " ".join(WORDS)
    return pick.choice(RULES)(pick, line, other) if pick.random() < 0.6 else line


# ---- trying


@cache
def game_of(name: str, seed: int, executor: Any) -> Game:
    """A game with some number of seats and options, all of which follow from a small number."""
    rules = rules_of(name)
    return Game(rules, compile_rules(rules, *setting(rules, Random(seed))), executor)


def run(tried: Input) -> str:
    said = tried.said
    game = game_of(said["game"], said["seed"] % 3, said["executor"])
    match = Match(game, said["seed"])
    try:
        match.start()
    except Fault:
        return "fault"
    if "typed" in said:
        return _at_the_table(match, said)
    for act in said["acts"]:
        _carry_out(match, said["game"], act)
    return "over" if match.over else "played"


def _carry_out(match: Match, name: str, act: list[Any]) -> None:
    """One act. Whatever is refused leaves the match as it was."""
    before, steps = match.state[:], len(match.steps)
    try:
        DOING[act[0]](match, name, act)
    except Fault as fault:
        told(Report([fault.diagnostic]))
        if match.state != before or len(match.steps) != steps:
            raise Wrong("refused-and-changed", f"{act} {fault}") from fault


def _take(match: Match, name: str, act: list[Any]) -> None:
    if not match.over:
        waiting = match.waiting()[act[1] % len(match.waiting())]
        match.take(waiting, waiting.options[act[1] // 7 % len(waiting.options)])


def _choose(match: Match, name: str, act: list[Any]) -> None:
    match.choose("ABCDX"[act[1] % 5], act[2])


def _near(match: Match, name: str, act: list[Any]) -> None:
    """Words of a choice, with one left out, doubled or exchanged."""
    if match.over:
        return
    decision = match.decisions()[act[1] % len(match.decisions())]
    words = list(decision.choices[act[1] // 3 % len(decision.choices)].words)
    at = act[1] % len(words)
    words[at : at + 1] = ([], [words[at]] * 2, [act[2]], [words[at].upper()])[act[1] // 5 % 4]
    match.choose(decision.seat, " ".join(words))


def _why(match: Match, name: str, act: list[Any]) -> None:
    before = match.state[:]
    for waiting in () if match.over else match.waiting():
        match.game.refusals.why(match.state[:], waiting, act[2])
    if match.state != before:
        raise Wrong("asked-and-changed", str(act))


def _undo(match: Match, name: str, act: list[Any]) -> None:
    """What is taken back is as it was before; who may agree is asked or not."""
    number = 1 + act[1] % 3
    if number > len(match.history):
        return
    then = match.history[-number][0][:]
    everybody = {match.game.names.seat(i) for i in range(match.game.machine.seats)}
    if match.undo(everybody if act[1] % 2 else set(), number) and match.state != then:
        raise Wrong("undone-and-other", str(act))


def _view(match: Match, name: str, act: list[Any]) -> None:
    before = match.state[:]
    for seat in range(-2, match.game.machine.seats):
        match.view(seat)
    match.accounts(), match.winners(), match.hash(), match.undo_depth()
    if match.state != before:
        raise Wrong("looked-and-changed", str(act))


def _look(match: Match, name: str, act: list[Any]) -> None:
    if not match.over and not match.decisions():
        raise Wrong("nobody-asked", str(act))


def _story(match: Match, name: str, act: list[Any]) -> None:
    for seat in range(-2, match.game.machine.seats):
        notated(match, seat)


@cache
def _questions(name: str) -> Any:
    return load_for_questions(folder_of(games()[name], name))[2]


def _ask(match: Match, name: str, act: list[Any]) -> None:
    """A question about the position, as scenarios ask it."""
    try:
        question = _questions(name).ask(act[1])
    except (DiagnosticError, ErrorsReported):
        return
    before = match.state[:]
    QueryEvaluator(match.game).answer(match.state, question)
    if match.state != before:
        raise Wrong("asked-and-changed", str(act))


DOING: dict[str, Callable[[Match, str, list[Any]], None]] = {
    "take": _take, "choose": _choose, "near": _near, "why": _why, "undo": _undo, "view": _view, "look": _look,
    "ask": _ask, "story": _story,
}  # fmt: skip


# ---- at the terminal


def _at_the_table(match: Match, said: Any) -> str:
    """People type these lines, and then leave. Files that they save lie in a folder of their own."""
    lines = iter(said["typed"])

    def ask(prompt: str) -> str:
        for line in islice(lines, 1):
            return str(line).replace("\n", " ")
        raise EOFError

    console = Console(
        file=io.StringIO(), width=60 + said["seed"] % 80, height=24, force_terminal=True, color_system=None,
        highlight=False, markup=False, emoji=False,
    )  # fmt: skip
    people = ["human"] * match.game.machine.seats
    before = Path.cwd()
    with TemporaryDirectory() as at:
        os.chdir(at)
        try:
            setting = SessionConfig(people, {}, Path(at) / "match.log", said["auto"])
            play(Session(match, setting, Screen(console, ask)))
        except (EOFError, Leave, Fault, DiagnosticError):
            return "left"
        finally:
            os.chdir(before)
    return "over"
