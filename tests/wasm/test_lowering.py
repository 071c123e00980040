"""Every form of node, expression and collection, lowered: the pages `lowering.md` and `differences.md`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from dsl.rules import Rules
from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.wasm.build_config import FAST, PLAYOUT, BuildConfig
from tests.wasm.lockstep import HEAD, TURNS, Pair, small_rules
from tests.wasm.rollouts import Rollouts, reference_row, same

HERE = Path(__file__).parent
CONFIGS = (PLAYOUT, FAST)
FENCE = re.compile(r"^```(?P<kind>[a-z]+) ?(?P<name>\S*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
ENDING = "\nprocedure count_\n    turns_ += 1\n\nvalue over_ = turns_ > 5\n"
ENDS = TURNS.replace("do: [", "do: [count_, ").replace("then: turn}", "then: {over_: fin, otherwise: turn}}")
"""Without a flow of its own a match ends after some turns, so that there is a last position to compare."""


@dataclass(frozen=True)
class Case:
    name: str
    text: str

    def ruleset(self) -> tuple[Rules, ir.Machine]:
        fences = [(f["kind"], f["name"], f["text"]) for f in FENCE.finditer(self.text)]
        found = {kind: text for kind, _, text in fences}
        head = HEAD.replace("seats: 2\n", found.get("head", "seats: 2\n"))
        files = {name: text for kind, name, text in fences if kind == "csv"}
        yaml, rules, flow = found["yaml"], found["rules"], found.get("flow", TURNS)
        if flow == TURNS and "counters: {" in yaml:
            yaml = yaml.replace("counters: {", "counters: {turns_: {range: 0..99}, ")
            rules, flow = rules + ENDING, ENDS
        made = small_rules(yaml, rules, flow, head, **files)
        return made, compile_rules(made)


def cases(page: str) -> list[Case]:
    parts = re.split(r"^## +", (HERE / page).read_text("utf-8"), flags=re.MULTILINE)[1:]
    return [Case(*part.split("\n", 1)) for part in parts]


def by_choices(case: Case, seeds: range, most: int = 40) -> None:
    pair = Pair(*case.ruleset())
    for seed in seeds:
        pair.play(seed, most)


def by_itself(case: Case, seeds: range, configs: Sequence[BuildConfig] = CONFIGS) -> None:
    rules, machine = case.ruleset()
    modules = [Rollouts(machine, config) for config in configs]
    for seed in seeds:
        row = reference_row(rules, machine, seed, 30)
        if row is not None:
            for found in modules:
                same(found, seed, [row])


LOWERING, DIFFERENCES = cases("lowering.md"), cases("differences.md")


@pytest.mark.parametrize("case", LOWERING, ids=lambda c: c.name)
def test_alike(case: Case) -> None:
    by_choices(case, range(2), 20)


@pytest.mark.parametrize("case", LOWERING, ids=lambda c: c.name)
def test_alike_by_itself(case: Case) -> None:
    """In one configuration, that of the next case in the other; `test_alike_often` has both."""
    by_itself(case, range(1), [CONFIGS[LOWERING.index(case) % 2]])


@pytest.mark.long
@pytest.mark.parametrize("case", LOWERING, ids=lambda c: c.name)
def test_alike_often(case: Case) -> None:
    by_choices(case, range(60))
    by_itself(case, range(60))


@pytest.mark.parametrize("case", DIFFERENCES, ids=lambda c: c.name)
@pytest.mark.xfail(raises=AssertionError, strict=True)
def test_differences(case: Case) -> None:
    """Mended ones pass, and must move."""
    by_choices(case, range(3), 4)
