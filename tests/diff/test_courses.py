"""What becomes of saved matches under single edits: verdicts held against a computation of its own."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import pytest

from dsl.rules import Rules
from dsl.source import Source
from interpreter import log as logs
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.redacted_log import notated
from interpreter.sights import REFEREE
from interpreter.views import View
from rulewright.commands.simulate import play_out
from rulewright.library import bundled_folder
from tests.diff.test_edits import EDITS, FAIR, Edit, edited, rules_of
from validators.diff.compare import compare
from validators.diff.log_replay.verdicts import CompatChecker, Verdict

SEEDS = range(3)
ROMA = {
    p.relative_to(bundled_folder() / "roma").as_posix(): p.read_text(encoding="utf-8")
    for p in sorted((bundled_folder() / "roma").rglob("*"))
    if p.is_file()
}


def changed(texts: dict[str, str], *edits: Edit) -> Rules:
    made = dict(texts)
    for file, old, new in edits:
        assert old in made[file], (file, old)
        made[file] = made[file].replace(old, new)
    return rules_of(made)


def played(
    rules: Rules, seed: int, seats: int | None = None, options: dict[str, str] | None = None
) -> logs.Log:
    """The log of a match of random choices."""
    match = Match(Game(rules, compile_rules(rules, seats, options)), seed)
    with suppress(Fault):  # a match that fails has a log too
        play_out(match)
    return logs.read(Source("match.log", logs.write(match, options or {}, [])))


def played_with(rules: Rules, choice: str) -> logs.Log:
    """The first match in which something is chosen."""
    matches = (played(rules, seed) for seed in range(99))
    return next(log for log in matches if any(entry.text == choice for entry in log.entries))


def judged(old: Rules, new: Rules, log: logs.Log) -> Verdict:
    return CompatChecker(compare(old, new)).judge(log)


# ---- the same by words alone


@dataclass
class Told:
    """A match as it is told: for each step its words, its lines for everybody, what is offered then, and
    the account."""

    steps: list[object]
    halted: bool


def told_of(rules: Rules, log: logs.Log) -> Told:
    """Plays a log by its words, and by nothing else of it."""
    outcomes: dict[str, list[str | None]] = {}
    for entry in log.entries:
        if entry.stream is not None:
            outcomes.setdefault(entry.stream, []).append(entry.text)
    match = Match(Game(rules, compile_rules(rules, log.seats, log.options)), log.seed, outcomes)
    try:
        match.start()
        found = [_stop(match, 0)]
        for entry in log.entries:
            if entry.seat is not None:
                before = len(match.steps)
                match.choose(entry.seat, entry.text)
                found.append(_stop(match, before))
    except Fault:
        return Told([], True)
    done = [(s.seat, s.stream, s.text) for s in match.steps if s.seat or s.stream]
    wanted = [(e.seat, e.stream, e.text) for e in log.entries]
    return Told(found, done[: len(wanted)] != wanted)


def _stop(match: Match, before: int) -> object:
    seats = [REFEREE, *range(match.game.machine.seats)]
    lines = [notated(match, seat, before) for seat in seats]
    views = [_used(match.view(seat)) for seat in seats[1:]]
    offers = [(d.seat, sorted(c.text for c in d.choices)) for d in match.decisions()]
    scores = {(a.seat, line[0]): line[1] for a in match.accounts() for line in a.lines}
    return lines, views, offers, scores, match.over, match.winners()


def _used(view: View) -> list[object]:
    """A view without what is as empty as it can be, which makes no difference where it is new."""
    parts = (view.zones, view.counters, view.marks, view.pointers)
    used = [{k: v for k, v in part.items() if v not in ([], 0, None, False, "none")} for part in parts]
    return [view.phase, view.active, *used]


def kind_of(before: Told, new: Rules, log: logs.Log) -> str:
    now = told_of(new, log)
    assert not before.halted
    if now.halted:
        return "diverges"
    return "unaffected" if before.steps == now.steps else "differs"


CASES: dict[str, list[Edit]] = {
    "comment": [("roma.rules", "# set-up", "# to begin with")],
    "cost": [("cards.csv", "tribunus_plebis,character,5", "tribunus_plebis,character,6")],
    "cheaper": [("cards.csv", "sicarius,character,9", "sicarius,character,1")],
    "need dropped": [("roma.rules", "    needs not blocked of me at die.face", "    # not blocked")],
    "need added": [
        ("roma.rules", "    pay card.cost money", "    needs card.cost < 9\n    pay card.cost money")
    ],
    "ruling": [("game.yaml", "chosen: both", "chosen: starter_only")],
    "another ruling": [("game.yaml", "chosen: repeated", "chosen: once")],
    "procedure renamed": [("roma.rules", "settle", "place_card"), ("labels/en.yaml", "settle", "place_card")],
    "more points": [("roma.rules", "    gain points vp  ", "    gain points + 1 vp  ")],
    "battle": [("roma.rules", "if strength >= defence(target)", "if strength > defence(target)")],
    "other end": [("roma.rules", "when stock is 0 ", "when stock <= 3 ")],
    "lowest": [("game.yaml", "score: highest", "score: lowest")],
    "score": [
        ("roma.rules", "score victory_points = vp of me", "score victory_points = vp of me + money of me")
    ],
    "no cards": [("game.yaml", "take_cards, activate", "activate")],
}


@cache
def original(game: str) -> Rules:
    """A game as it was."""
    return rules_of(FAIR if game == "fair" else ROMA)


@cache
def match_of(game: str, seed: int) -> tuple[logs.Log, Told]:
    """A match of the game as it was."""
    low, high = original(game).seats
    log = played(original(game), seed, low + seed % (high - low + 1))
    return log, told_of(original(game), log)


def with_a_match(names: Iterable[str], step: int = 1) -> list[Any]:
    """Each edit, or each one in so many, with one of the matches; in the long mode all with all of them."""
    numbered = enumerate(names)
    every = [(name, s, i % step == 0 and s == i // step % len(SEEDS)) for i, name in numbered for s in SEEDS]
    return [pytest.param(name, seed, marks=() if kept else pytest.mark.long) for name, seed, kept in every]


@pytest.mark.parametrize(("name", "seed"), with_a_match(CASES, 2))
def test_verdicts_are_what_a_replay_by_words_shows(name: str, seed: int) -> None:
    old, new = original("roma"), changed(ROMA, *CASES[name])
    log, as_told = match_of("roma", seed)
    verdict = CompatChecker(compare(old, new)).judge(log)
    assert verdict.kind == kind_of(as_told, new, log), verdict
    assert verdict.sealed == "old"


@pytest.mark.parametrize(("name", "seed"), with_a_match(EDITS["something"], 2))
def test_every_edit_of_the_small_game(name: str, seed: int) -> None:
    """Where only words are others, both are compared by words; renamed things keep their matches."""
    old, new = original("fair"), rules_of(edited(EDITS["something"][name]))
    comparison = compare(old, new)
    log, as_told = match_of("fair", seed)
    verdict = CompatChecker(comparison).judge(log)
    if not comparison.names.names and not comparison.names.values and name not in WORDS:
        assert verdict.kind == kind_of(as_told, new, log), verdict
    elif name.endswith("_renamed"):
        assert verdict.kind == "unaffected", verdict


WORDS = frozenset({"label", "zone_seen"})
"""Edits that change what people read and nothing that happens; and one after which a seat that can only
decline is not asked any more, which words alone take for another course."""


# ---- one match each


def test_a_seat_that_could_only_decline_need_not_be_asked() -> None:
    """With open hands nobody is asked for appearance's sake; the match plays on all the same."""
    new = rules_of(edited(EDITS["something"]["zone_seen"]))
    judge = CompatChecker(compare(original("fair"), new))
    verdicts = [judge.judge(match_of("fair", seed)[0]) for seed in SEEDS]
    assert {verdict.kind for verdict in verdicts} == {"differs"}
    partings = [v.parting for v in verdicts if v.parting is not None]
    assert {p.what for p in partings} <= {"hand of A", "hand of B", "hand of C"}
    assert {p.cause.changes for p in partings} == {("zone hand",)}


def test_the_line_and_clause_that_refuses() -> None:
    new = changed(ROMA, *CASES["cost"])
    log = played(original("roma"), 14)
    verdict = judged(original("roma"), new, log)
    found = verdict.divergence
    assert found is not None
    assert (found.step, found.seat, found.choice) == (63, "A", "lay turris")
    assert found.why == "needs money of me >= card.cost, but money of me is 5; card.cost is 6"
    assert found.cause.clauses == ("§4.3",)
    assert found.cause.changes == ("card tribunus_plebis",)
    assert found.cause.place.startswith("fair/roma.rules:45:")


def test_the_changed_line_that_was_run_is_the_cause() -> None:
    new = changed(ROMA, *CASES["more points"])
    found = [judged(original("roma"), new, played(original("roma"), seed)) for seed in (2, 3)]
    causes = [v.parting and (v.parting.step, v.parting.cause.changes, v.parting.cause.clauses) for v in found]
    assert causes == [(54, ("effect forum",), ("§9.21", "§R29")), (33, ("effect forum",), ("§9.21", "§R29"))]


def test_a_log_of_the_new_version_is_judged_from_there() -> None:
    """It is verified under the new rules, and cannot be followed under the old ones."""
    old, new = original("fair"), rules_of(edited(EDITS["something"]["action_added"]))
    log = played_with(new, "rest")
    verdict = judged(old, new, log)
    assert verdict.sealed == "new"
    assert verdict.divergence is not None
    assert (verdict.divergence.version, verdict.divergence.choice) == ("old", "rest")


def test_an_option_that_is_gone() -> None:
    old, new = original("fair"), rules_of(edited(EDITS["something"]["option_removed"]))
    verdict = judged(old, new, played(old, 1, options={"rain": "true"}))
    assert verdict.divergence is not None
    assert verdict.divergence.step == 0
    assert "rain" in verdict.divergence.why


def test_rules_of_a_third_version() -> None:
    """The log of rules that neither version knows is played under both all the same, and that is said."""
    old = original("fair")
    third = rules_of(edited([("fair.rules", "# a turn", "# one turn")]))
    assert third.digest != old.digest
    verdict = judged(old, old, played(third, 1))
    assert (verdict.kind, verdict.sealed) == ("unaffected", "neither")


def test_a_log_that_neither_version_can_play() -> None:
    third = rules_of(edited(EDITS["something"]["action_added"]))
    log = played_with(third, "rest")
    new = rules_of(edited(EDITS["something"]["table_cell"]))
    verdict = judged(original("fair"), new, log)
    assert verdict.kind == "incomparable"
    assert verdict.diagnostic is not None
    assert verdict.diagnostic.code == "T356"


def test_a_log_that_its_own_rules_do_not_play() -> None:
    """Sealed anew after a change: the seals fit, the states do not."""
    old = original("fair")
    log, _ = match_of("fair", 0)
    broken = replace(log, entries=tuple(replace(e, hash="0" * 16) for e in log.entries))
    verdict = judged(old, old, broken)
    assert verdict.kind == "incomparable"
    assert verdict.diagnostic is not None
    assert verdict.diagnostic.code == "R221"


def test_a_cut_log_is_compared_as_far_as_it_goes() -> None:
    old = original("fair")
    log, _ = match_of("fair", 0)
    for length in range(0, len(log.entries), 7):
        cut = replace(log, entries=log.entries[:length], complete=False, result=None)
        verdict = judged(old, old, cut)
        assert (verdict.kind, verdict.steps) == ("unaffected", length), verdict
