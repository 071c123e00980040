"""Fuzzer of the two executors: what loads must mean the same on both, by choices and by themselves."""

from __future__ import annotations

from random import Random
from typing import Any

from dsl.diagnostics import DiagnosticError, ErrorsReported
from dsl.load import load
from dsl.rules import Rules
from interpreter import ir
from interpreter.chance import Choosing
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.messages import Fault
from interpreter.wasm.build_config import FAST, PLAYOUT
from tests.fuzz.corpus import games, mutants_of, mutated, small_first
from tests.fuzz.edits import edit_text
from tests.fuzz.inputs import Input, Wrong, folder_of
from tests.fuzz.rulesets import setting
from tests.wasm.lockstep import Lockstep, Pair
from tests.wasm.rollouts import Rollouts, reference_row, same
from tests.wasm.test_batch import Rows

NAME = "lockstep"
CHOICES = 40
LOOKS = 4
"""How many stops of a match are looked at from all sides."""
SLOW = frozenset({"go"})
"""Games that take the reference executor a second for one list of choices; `tests/library` plays them."""
LONGEST = 150
"""The choices of all playouts of an input: what goes beyond is not held against the reference executor, which
may take a twentieth of a second for each where it tries every pair of places."""


def make(pick: Random) -> Input:
    """A game with one of the slips that authors make, or with a name or phrase of another place."""
    name = small_first(pick, [name for name in games() if name not in SLOW])
    found = mutants_of(name)
    texts = mutated(name, pick.choice(found)) if found and pick.random() < 0.8 else dict(games()[name])
    if not found or pick.random() < 0.5:
        for _ in range(pick.randint(1, 2)):
            path = pick.choice([p for p in texts if p.endswith(".rules")] or list(texts))
            texts[path] = edit_text(pick, path, texts[path], texts[path])
    flavour = pick.choice(("", "", "FAST", "PLAYOUT", "batch"))
    return Input(
        NAME, {"seed": pick.randrange(1 << 20), "by": flavour, "checked": pick.random() < 0.3}, texts
    )


BUDGETS = ("R209", "R227")
"""Faults of a run that has used up its work. What one executor tries, the other may answer by a set of bits,
so close to the bound only one of them comes to it (decision 0017)."""


def run(tried: Input) -> str:
    try:
        rules, _ = load(folder_of(tried.files))
        machine = compile_rules(rules, *setting(rules, Random(tried.said["seed"])))
    except (ErrorsReported, DiagnosticError):
        return "refused"
    try:
        played = by_choices(rules, machine, tried.said)
        by_itself(rules, machine, tried.said)
    except AssertionError as error:
        slug = _slug(error)
        if any(code in slug for code in BUDGETS):
            return "bounded"
        raise Wrong(slug, str(error)) from error
    return played


def _slug(error: AssertionError) -> str:
    """The kind of a difference: the codes that both have said, or that their states are others."""
    text = str(error)
    if text.startswith("reference: "):
        codes = [part.split(":")[1].strip()[:4] for part in text.split(";")[:2]]
        return "differ-" + "-".join(c if c[:1] == "R" and c[1:].isdigit() else "value" for c in codes)
    return "differ-state" if "words of the state" in text else "differ"


def by_choices(rules: Rules, machine: ir.Machine, said: Any) -> str:
    """The same choices on both executors; some stops are looked at from all sides."""
    pair, pick = Pair(rules, machine), Choosing(said["seed"]).below
    both = pair.lockstep(said["seed"])
    for match in both.matches:
        match.checked = said["checked"]
    both.start()
    for number in range(CHOICES):
        if both.faulted or both.over:
            break
        if number < LOOKS:
            _look(both)
        waiting = both.waiting()
        if both.faulted:
            break
        one = waiting[pick(len(waiting))]
        both.take(one, one.options[pick(len(one.options))])
    _look(both)
    return both.code or ("over" if both.over else "played")


def _look(both: Lockstep) -> None:
    diagnostic = both.diagnostic
    if diagnostic is None:
        both.same_looks()
    both.same_account()
    both.diagnostic = diagnostic


def by_itself(rules: Rules, machine: ir.Machine, said: Any) -> None:
    """Playouts and batches of equal seeds come to what the reference executor comes to."""
    if said["by"] in ("FAST", "PLAYOUT"):
        flavour = FAST if said["by"] == "FAST" else PLAYOUT
        left = LONGEST
        for seed in (said["seed"], said["seed"] + 1):
            row = reference_row(rules, machine, seed, left)
            if row is None:
                return
            same(Rollouts(machine, flavour), seed, [row])
            left -= row.decisions
    elif said["by"] == "batch":
        try:
            rows = Rows(Game(rules, machine), 2, said["seed"])
        except Fault:
            return
        try:
            rows.play(20)
        except AssertionError:
            faults = [rows.batch.fault(i) for i in range(2)]
            if not any(fault is not None and fault.diagnostic.code in BUDGETS for fault in faults):
                raise
