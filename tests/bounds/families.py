"""Families of hostile rulesets: functions from a size to the texts of `game.yaml` and of the rules."""

from __future__ import annotations

from collections.abc import Callable

Texts = tuple[str, str]
Family = Callable[[int], Texts]

GAME = """game: demo
seats: 2
rules: [demo.rules]
counters: {coins: {range: 0..50, start: 5}, points: {of: seat, range: 0..50}}
flow:
  turn: {seat: rotates, do: [{may do: [act]}], then: {over: final, otherwise: turn}}
  final: {score: highest}
"""
END = "value over = coins is 0\nscore points = points of me\n"
ACT = "action act\n    lose 1 coins\n"


def needing(condition: str) -> str:
    return f"action act\n    needs {condition}\n    lose 1 coins\n"


def values(size: int, text: Callable[[int], str], first: str = "value v0 = coins\n") -> Texts:
    """A value `v0`, then so many of which each has its text, and an action that needs the last."""
    rules = first + "".join(f"{text(i)}\n" for i in range(1, size + 1))
    return GAME, rules + needing(f"v{size} > 0") + END


def with_parameters(size: int, text: Callable[[int], str]) -> Texts:
    rules = "value v0(x: 0..9) = x + coins\n" + "".join(f"{text(i)}\n" for i in range(1, size + 1))
    return GAME, rules + needing(f"v{size}(3) > 0") + END


def procedures(size: int, body: str) -> Texts:
    """So many procedures; `body` calls the next, which is `NEXT`."""
    made = "".join(f"procedure p{i}\n{body.replace('NEXT', f'p{i + 1}')}" for i in range(size))
    return GAME, f"{ACT}    p0\n{made}procedure p{size}\n    gain 1 points\n{END}"


def modified(i: int) -> str:
    return f"value v{i} = 1\nmodify v{i} by v{i - 1}\nmodify v{i} by v{i - 1} while v{i - 1} > 1"


def cased(i: int) -> str:
    return f"value v{i}\n    v{i - 1} when v{i - 1} > 3\n    otherwise v{i - 1} + 1"


def phases(size: int) -> Texts:
    more = "".join(f"  q{i}: {{then: q{i + 1}}}\n" for i in range(size)) + f"  q{size}: {{then: turn}}\n"
    return GAME.replace("otherwise: turn}", "otherwise: q0}").replace(
        "  final:", more + "  final:"
    ), ACT + END


def phases_everywhere(size: int) -> Texts:
    ways = ", ".join(f"c{i}: q{i}" for i in range(size))
    more = "".join(f"  q{i}: {{then: {{{ways}, otherwise: turn}}}}\n" for i in range(size))
    made = "".join(f"value c{i} = coins is {i % 40}\n" for i in range(size))
    game = GAME.replace("otherwise: turn}", "otherwise: q0}").replace("  final:", more + "  final:")
    return game, made + ACT + END


def triggers(size: int) -> Texts:
    made = "".join(f"when coins is {i % 40}\n    gain 1 points\n" for i in range(size))
    return GAME, ACT + "    lose 1 coins\n    gain 1 coins\n" * size + made + END


def declared(text: str) -> Callable[[int], Texts]:
    """So many counters, with `#` for the number, of types of 256 and 4,096 values."""

    def made(size: int) -> Texts:
        counters = ", ".join(text.replace("#", str(i)) for i in range(size))
        return (
            GAME.replace("counters: {", f"types: {{t: 0..255, w: 0..4095}}\ncounters: {{{counters}, "),
            ACT + END,
        )

    return made


def zones(size: int) -> Texts:
    made = "".join(f"  z{i}: {{holds: c, of: k, seen_by: all}}\n" for i in range(size))
    more = f"types: {{k: 0..255}}\ncomponents: {{c: {{kinds: k, count: 1}}}}\nzones:\n{made}"
    return GAME.replace(
        "counters:", f"{more}  home: {{holds: c, seen_by: all, start: all}}\ncounters:"
    ), ACT + END


def options(size: int) -> Texts:
    made = ", ".join(f"o{i}: {{default: false}}" for i in range(size))
    return GAME.replace("counters:", f"options: {{{made}}}\ncounters:"), ACT + END


def actions(size: int) -> Texts:
    names = ", ".join(["act", *(f"a{i}" for i in range(size))])
    made = "".join(f"action a{i}\n    lose 1 coins\n" for i in range(size))
    return GAME.replace("[act]", f"[{names}]"), ACT + made + END


def lines(line: str) -> Family:
    return lambda size: (GAME, ACT + line * size + END)


def condition(text: Callable[[int], str]) -> Family:
    return lambda size: (GAME, needing(text(size)) + END)


def block(line: str) -> Family:
    """So many blocks one in the other."""
    return lambda size: (
        GAME,
        ACT
        + "".join("    " * (i + 1) + line + "\n" for i in range(size))
        + "    " * (size + 1)
        + "gain 1 points\n"
        + END,
    )


def all_at_once(size: int) -> Texts:
    """Boards, links, phases, promises and numbers of seats, each as many as is allowed, or nearly."""
    places = [f"n{i}" for i in range(min(size, 1000))]
    near = min(len(places) // 2, 40)
    links = "".join(
        f"      {name}: [{', '.join((places * 2)[i + 1 : i + near])}]\n" for i, name in enumerate(places)
    )
    boards = "".join(f"  b{i}: {{grid: [64, 64], neighbours: all, directions: way{i}}}\n" for i in range(8))
    game, rules = phases(min(size, 200))
    game = game.replace("seats: 2\n", "seats: 1..12\n").replace(
        "counters:", f"boards:\n{boards}  g:\n    graph: [{', '.join(places)}]\n    links:\n{links}counters:"
    )
    for i in range(4):
        far = ", ".join(f"those(z in b{i} where z.{line} > coins)" for line in ("row", "column"))
        rules += f"always any(x in b{i} where count(y in ray(x, north)) > coins) or any(x in spread({far}))\n"
    few = "those(x in g where coins > 1), those(x in g where coins > 3)"
    return game, rules + f"value reached = count(spread({few}))\nalways reached > coins\n"


FAMILIES: dict[str, Family] = {
    "all at once": all_at_once,
    "a value twice": lambda n: values(n, lambda i: f"value v{i} = v{i - 1} + v{i - 1}"),
    "a value in an if": lambda n: values(n, lambda i: f"value v{i} = v{i - 1} if v{i - 1} > 3 else 2"),
    "a value in a where": lambda n: values(
        n, lambda i: f"value v{i} = count(seat where v{i - 1} + v{i - 1} > points of seat)"
    ),
    "a value in those": lambda n: values(
        n, lambda i: f"value v{i} = count(x in those(y in 0..3 where y < v{i - 1}) where x < v{i - 1})"
    ),
    "a value in modifiers": lambda n: values(n, modified),
    "a value in cases": lambda n: values(n, cased),
    "a chain of values": lambda n: values(n, lambda i: f"value v{i} = v{i - 1} + 1"),
    "a parameter": lambda n: with_parameters(n, lambda i: f"value v{i}(x: 0..9) = v{i - 1}(x) + v{i - 1}(x)"),
    "an argument": lambda n: with_parameters(
        n, lambda i: f"value v{i}(x: 0..9) = v{i - 1}(min(9, v{i - 1}(x)))"
    ),
    "calls twice": lambda n: procedures(n, "    NEXT\n    NEXT\n"),
    "a chain of calls": lambda n: procedures(n, "    NEXT\n"),
    "calls in branches": lambda n: procedures(n, "    if coins > 3\n        NEXT\n    else\n        NEXT\n"),
    "phases in a row": phases,
    "phases everywhere": phases_everywhere,
    "triggers and lines": triggers,
    "modifiers": lambda n: (
        GAME,
        "value v = coins\n" + "modify v by 1 while coins > 3\n" * n + needing("v > 0") + END,
    ),
    "cases": lambda n: (
        GAME,
        "value v\n" + "    1 when coins > 3\n" * n + "    otherwise 1\n" + needing("v > 0") + END,
    ),
    "many lines": lines("    gain 1 points\n"),
    "many ifs": lines("    if coins > 1\n        gain 1 points\n    else\n        lose 1 points\n"),
    "arguments of max": condition(lambda n: f"max({', '.join(['coins'] * n)}) > 0"),
    "a long sum": condition(lambda n: " + ".join(["coins"] * n) + " > 0"),
    "a long and": condition(lambda n: " and ".join(["coins > 0"] * n)),
    "a long or": condition(lambda n: " or ".join(["coins > 0"] * n)),
    "a long list": condition(lambda n: f"coins in [{', '.join(['3'] * n)}]"),
    "deep brackets": condition(lambda n: "(" * n + "coins" + ")" * n + " > 0"),
    "many signs": condition(lambda n: "-" * n + "coins < 3"),
    "deep ifs": block("if coins > 1"),
    "deep loops": block("repeat 50 times"),
    "counters of many words": declared("k#: {of: t, at: t, range: 0..9}"),
    "many small counters": declared("k#: {range: 0..9}"),
    "zones": zones,
    "options": options,
    "actions": actions,
    "parameters": lambda n: (
        GAME,
        "action act(" + ", ".join(f"a{i} from 0..1" for i in range(n)) + ")\n    lose 1 coins\n" + END,
    ),
    "promises": lambda n: (GAME, ACT + "always coins < 51\n" * n + END),
}
