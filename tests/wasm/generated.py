"""Rulesets made at random: conditions and sums over boards, as no designer would write them.

Faults are kept out: numbers stay small, steps are asked for before they are used.
"""

from __future__ import annotations

import random

SHAPES = [
    ("{grid: [3, 3], directions: way}", 3, 3),
    ("{grid: [5, 4], neighbours: all, directions: way}", 5, 4),
    ("{grid: [8, 8], neighbours: all, directions: way}", 8, 8),
    ("{grid: [5, 13], directions: way}", 5, 13),
    ("{hex: [6, 6], directions: way}", 6, 6),
    ("{hex: [11, 11], directions: way}", 11, 11),
    ("{grid: [8, 16], neighbours: all, directions: way}", 8, 16),
    ("{grid: [12, 12], directions: way}", 12, 12),
]
"""Boards on both sides of 64 and of 128 places."""


class Maker:
    """Writes one ruleset."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.shape, self.rows, self.columns = self.one(SHAPES)
        self.fresh = 0
        self.values: list[str] = []
        self.depth = 2 if self.rows * self.columns < 65 else 1
        ways = "north east south west" if "grid" in self.shape else "northeast east southwest west"
        self.ways = ["way", *ways.split()]

    def one(self, things: list) -> object:  # type: ignore[type-arg]
        return self.random.choice(things)

    def name(self) -> str:
        self.fresh += 1
        return f"x{self.fresh}"

    # ---- expressions

    def condition(self, x: str, depth: int, ways: bool = False) -> str:
        """Something that a place may be."""
        if depth <= 0:
            return self.plain(x)
        kind = self.random.randrange(15)
        if kind >= 10:
            return self.looking_on(x, depth, ways)
        if kind < 3:
            word = self.one(["and", "or"])
            return f"({self.condition(x, depth - 1, ways)} {word} {self.condition(x, depth - 1, ways)})"
        if kind == 3:
            return f"(not {self.condition(x, depth - 1, ways)})"
        y = self.name()
        source = self.beside(x, depth - 1, ways)
        inner = self.condition(y, depth - 1, ways)
        if kind < 6:
            return f"any({y} in {source} where {inner})"
        if kind == 6:
            return f"all({inner} for {y} in {source})"
        if kind == 7:
            return f"(count({y} in {source} where {inner}) {self.one(['>', 'is', '<='])} {self.below(3)})"
        if kind == 8:
            return f"(count({y} in {self.line(x, ways)} while {inner}) > {self.below(2)})"
        return f"({x} in {self.places(depth - 1, ways)})"

    def looking_on(self, x: str, depth: int, ways: bool) -> str:
        """Something that asks of places which follow from a place, or compares numbers of places."""
        y, kind, line = self.name(), self.below(7), self.line(x, ways)
        inner = self.condition(y, depth - 1, ways and kind != 1)
        step = f"step({line[4:-1]}{self.one(['', ', 2'])})"
        if kind == 0:
            other = self.one(["me", "none", f"owner at {x}"])
            return f"({step} exists and owner at {x} exists and owner at {step} is {other})"
        if kind == 1:
            return self.first(self.one(self.ways[1:]), y, inner) + f"({x})"
        if kind == 2:
            return f"({step} is none or lit of me at {step} or count({y} in {line} while {inner}) is 1)"
        if kind == 3:
            one, two = (f"count({y} in {self.line(x, ways)} while {inner})" for _ in range(2))
            return f"({self.one([f'{one} + {two}', f'max({one}, {two})'])} {self.one(['>=', 'is'])} 2)"
        if kind == 4:
            z = self.name()
            other = f"count({z} in neighbours({x}) where {self.plain(z)})"
            return f"(count({y} in {line} where {inner}) {self.one(['<', '>=', 'is'])} {other})"
        if kind == 5:
            w = self.name()
            return (
                f"any({w} in way where any({y} in ray({x}, {w}) where {inner} and {y} is not step({x}, {w})))"
            )
        count = f"count({y} in {line} while {inner})"
        return f"({step[:-1].removesuffix(', 2')}, 1 + {count}) exists)"

    def first(self, way: str, y: str, inner: str) -> str:
        """The name of a condition on the first place along a way that meets another one."""
        name = f"value{len(self.values)}"
        found = f"first({y} in ray(x, {way}) where {inner})"
        asked = f"owner at {{0}} is {self.one(['me', 'none'])} and {{0}} is not step(x, {way})"
        if self.below(2):
            body = f"\n    let z = {found}\n    otherwise z exists and {asked.format('z')}\n"
            self.values.append(f"value {name}(x: cell){body}")
        else:
            self.values += [
                f"value far_{name}(x: cell) = {found}",
                f"value {name}(x: cell) = far_{name}(x) exists and {asked.format(f'far_{name}(x)')}",
            ]
        return name

    def plain(self, x: str) -> str:
        return str(
            self.one(
                [
                    f"owner at {x} is me",
                    f"owner at {x} is opponent",
                    f"owner at {x} is none",
                    f"owner at {x} exists",
                    f"owner at {x} is not me",
                    f"lit of me at {x}",
                    f"not lit of opponent at {x}",
                    f"home of me is {x}",
                    f"worth at {x} > {self.below(4)}",
                    f"{x}.row is {1 + self.below(self.rows)}",
                    f"{x}.column < {1 + self.below(self.columns)}",
                    f"({x}.row + {x}.column) mod 2 is 0",
                    f"step({x}, {self.one(self.ways[1:])}) exists",
                ]
            )
        )

    def below(self, most: int) -> int:
        return self.random.randrange(most)

    def line(self, x: str, ways: bool) -> str:
        return f"ray({x}, {self.one(self.ways if ways else self.ways[1:])})"

    def beside(self, x: str, depth: int, ways: bool) -> str:
        """A collection that lies around a place."""
        kind = self.below(5)
        if kind < 2:
            return f"neighbours({x})"
        if kind == 2:
            return self.line(x, ways)
        y = self.name()
        if kind == 3:
            inner = self.condition(y, depth - 1, ways)
            return f"spread([{x}], those({y} in cell where {inner}))"
        return f"those({y} in {self.line(x, ways)} while {self.condition(y, depth - 1, ways)})"

    def places(self, depth: int, ways: bool = False) -> str:
        y = self.name()
        if depth > 0 and self.below(3) == 0:
            one, two = self.places(depth - 1, ways), self.places(depth - 1, ways)
            return f"spread({one}, {two})"
        return f"those({y} in cell where {self.condition(y, depth - 1, ways)})"

    def number(self, depth: int, ways: bool = False) -> str:
        y = self.name()
        source = self.places(depth, ways)
        inner = self.condition(y, depth - 1, ways)
        return str(
            self.one(
                [
                    f"count({y} in {source} where {inner})",
                    f"size({source})",
                    f"sum({y}.row for {y} in {source} where {inner})",
                    f"distinct({y}.column for {y} in {source})",
                    f"max(worth at {y} for {y} in {source} where {inner})",
                    f"min({y}.row + worth at {y} for {y} in {source})",
                ]
            )
        )

    # ---- rules

    def along(self, way: str) -> str:
        """A condition on the cell of an action along a way of its loop."""
        return self.condition("cell", self.depth, True).replace("way)", f"{way})").replace("way,", f"{way},")

    def action(self, name: str) -> str:
        c, d, e = self.name(), self.name(), self.name()
        best = self.one(["lowest", "highest"])
        key = self.one([f"{d}.row", f"{d}.column mod 2", f"worth at {d}, {d}.row", "1", f"0 - {d}.column"])
        lines = [
            f"action {name}(cell where {self.condition('cell', self.depth)})",
            f"    owner at cell = {self.one(['me', 'me', 'opponent', 'none'])}",
            "    home of me = cell",
            f"    for {c} in {self.places(1)} by {c}.column mod 3",
            f"        {self.one(['set', 'clear'])} lit of {self.one(['me', 'opponent'])} at {c}",
            f"    gain ({self.number(self.depth)}) mod 90 points",
            f"    for {e} in way",
            f"        if {self.along(e)}",
            f"            gain {1 + self.below(3)} points",
            f"    let best_one = {best}({d} in {self.places(1)} where {self.condition(d, 1)} by {key})",
            "    if best_one exists",
            "        worth at best_one += 1",
            f"        owner at best_one = {self.one(['me', 'opponent', 'none'])}",
        ]
        if self.below(2):
            f = self.name()
            lines += [
                f"    choose {f} from {self.places(1)} where {self.condition(f, 1)} if any",
                f"        worth at {f} += 2",
                "    else",
                "        gain 5 points",
            ]
        if self.below(2):
            lines.insert(1, f"    needs {self.condition('cell', 1)}")
        return "\n".join(lines) + "\n"

    def ruleset(self) -> tuple[str, str]:
        """`game.yaml` without its head and flow, and the rules."""
        yaml = (
            f"longest: 60\nboards: {{cell: {self.shape}}}\n"
            "pointers: {owner: {to: seat, at: cell}, home: {to: cell, of: seat}}\n"
            "marks: {lit: {of: seat, at: cell}}\n"
            "counters: {rounds: {range: 0..99}, points: {of: seat, range: 0..5000, at_edge: clamp},"
            " worth: {at: cell, range: 0..9, at_edge: clamp}}\n"
        )
        rules = f"{self.action('act')}\n{self.action('other')}\n"
        if self.below(2):
            rules += f"when {self.condition('cell', 1)}\n    gain 1 points\n\n"
        rules += f"procedure tick\n    rounds += 1\n\nvalue done = rounds > 6 or {self.number(1)} > 60\n"
        rules += f"score s = points of me + {self.number(1)}\ntiebreak t = {self.number(1)}\n"
        return yaml, rules + "".join(f"\n{value}\n" for value in self.values)


FLOW = (
    "flow: {turn: {seat: rotates, do: [tick, {may do: [act, other]}], then: {done: fin, otherwise: turn}},"
    " fin: {score: highest}}\n"
)
