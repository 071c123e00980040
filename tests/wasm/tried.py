"""Actions made at random whose `needs`, `let` and payments stand in any order, and may come to a fault."""

from __future__ import annotations

import random

YAML = """longest: 30
types: {hue: [red, blue, green, black]}
boards: {cell: {grid: [%s], directions: way}}
components: {cube: {kinds: hue, copies: {red: 4, blue: 3, green: 2, black: 1}}}
zones: {pool: {holds: cube, seen_by: all, start: all}, hand: {holds: cube, of: seat, seen_by: all}}
pointers: {owner: {to: seat, at: cell}, home: {to: cell, of: seat, start: a1}, leader: {to: seat}}
marks: {lit: {at: cell}}
counters:
  rounds: {range: 0..99}
  gold: {of: seat, range: 0..60, start: 6}
  num: {range: -9..9, start: 2}
  worth: {at: cell, range: 0..9}
"""
FLOW = """flow:
  turn:
    seat: rotates
    do: [tick, {may do: [first, second, third]}]
    then: {rounds > 9: fin, otherwise: turn}
  fin: {score: highest}
"""
REST = """
procedure tick
    rounds += 1
    num = rounds mod 5 - 1

value rich = sum(worth at c for c in cell) + size(hand of me)
value near(c: cell) = count(y in neighbours(c) where lit at y)
score points = gold of me
"""
SOURCES = {
    "cell": ("c: cell", ["c"]),
    "asked": ("c: cell where owner at c is none", ["c"]),
    "number": ("n from 0..5", ["n"]),
    "wide": ("n from 0..70 where n mod 3 is 0", ["n"]),
    "piece": ("cube from pool", ["cube"]),
    "cells": ("c: cell where not lit at c, d: cell where d in neighbours(c)", ["c", "d"]),
    "numbers": ("n: 0..3, m: 0..3 where 6 div (n - m + 1) > num", ["n", "m"]),
    "mixed": ("cube from pool, c: cell", ["cube", "c"]),
    "none": ("", []),
}
OF = {
    "c": ["owner at c is none", "lit at c", "worth at c > num", "near(c) <= num", "c.row > num + 1",
          "6 div (c.row - num) > 0", "any(y in neighbours(c) where owner at y is me)",
          "not any(y in ray(c, north) where worth at y > gold of me div num)"],
    "d": ["owner at d is not me", "not lit at d", "near(d) < 3", "12 div (d.column - 2) > num"],
    "n": ["n > num", "n is not 2", "8 div n > num", "n + rich > 3", "any(y in cell where y.row is n)"],
    "m": ["m > num", "5 div m > 0", "m + rich is not 4"],
    "cube": ["cube is red", "cube is not black or rich > 3",
             "cube is blue or not any(x in hand of me where x is blue)",
             "size(hand of me) < 3 or 4 div (gold of me - 5) > 0"],
    "": ["rich > 2", "any(x in hand of me where x is red)", "not any(c0 in cell where owner at c0 is me)",
         "num is not 1", "hand of me is empty or gold of me > 2", "worth at (home of me) < 3",
         "7 div num > 0", "leader is none or size(hand of leader) < 3", "9 div (size(pool) - 8) > num"],
}  # fmt: skip
CHANGES = {
    "c": ["owner at c = me", "set lit at c", "worth at c += 1", "home of me = c"],
    "d": ["owner at d = opponent", "set lit at d"],
    "n": ["gain n gold"],
    "m": ["gain m gold"],
    "cube": ["move cube to hand of me"],
    "": ["leader = me", "gain 1 gold", "lose 1 gold", "num = 3", "clear leader"],
}
EDGES = ["3, 4", "8, 8", "4, 5"]


def ruleset(seed: int) -> tuple[str, str]:
    """`game.yaml` without its head and flow, and the rules."""
    chance = random.Random(seed)
    yaml = YAML % chance.choice(EDGES)
    yaml = yaml.replace("range: 0..60, start: 6", "range: 0..60, at_edge: clamp, start: 6")
    actions = [_action(chance, name) for name in ("first", "second", "third")]
    return yaml, "\n".join(actions) + REST


def _action(chance: random.Random, name: str) -> str:
    parameters, names = SOURCES[chance.choice(list(SOURCES))]
    kinds = [*names, *names, ""]
    lines: list[str] = []
    known = [*kinds]
    for number in range(chance.randrange(5)):
        asked = chance.choice(OF[chance.choice(known)])
        match chance.randrange(8):
            case 0:
                lines += [f"    let held{number} = {asked}", f"    needs held{number} or num < 2"]
            case 1:
                lines += [f"    let held{number} = {chance.choice(['rich', 'num', 'gold of me'])}"]
                lines += [f"    needs held{number} > 0 or {asked}"]
            case 2:
                other = chance.choice(OF[chance.choice(known)])
                lines += [f"    if {asked}", f"        needs {other}"]
            case 3:
                other = chance.choice(OF[chance.choice(known)])
                lines += [f"    needs {asked} or {other}"]
            case 4:
                lines += [f"    {chance.choice(CHANGES[chance.choice(known)])}", f"    needs {asked}"]
            case _:
                lines += [f"    needs {asked}"]
    if chance.randrange(3) == 0:
        lines.append(f"    pay {chance.choice(['2', 'num', 'size(hand of me)'])} gold")
    change = chance.choice(CHANGES[chance.choice(known)])
    lines.append(f"    {change}")
    return f"action {name}({parameters})\n".replace("()", "") + "\n".join(lines) + "\n"
