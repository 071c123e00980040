"""`python -m benchmarks.agree.perft`: how many ways positions of chess and Xiangqi can go on, by depth.

Those of chess are the ones by which programs of chess are commonly tested; python-chess counts the same.
"""

from __future__ import annotations

import sys
from time import perf_counter

import click

from benchmarks.agree import ours
from benchmarks.agree.chess_men import goes_on
from interpreter.compile.program import compile_rules
from interpreter.game import ExecutorKind, Game
from interpreter.match import Match
from rulewright.library import read_rules

POSITIONS = {
    "start": ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", (20, 400, 8902, 197281)),
    "kiwipete": ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", (48, 2039, 97862)),
    "endgame": ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", (14, 191, 2812, 43238)),
    "promotion": ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -", (6, 264, 9467)),
    "middle": ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -", (44, 1486, 62379)),
}
"""What to play from, and the numbers of move sequences of 1, 2, 3 and 4 moves."""

LINE_UPS = {"xiangqi": (44, 1920, 79666)}
"""The same numbers for other games, from where they begin."""

KINDS = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
RIGHTS = {"K": "A at east", "Q": "A at west", "k": "B at east", "q": "B at west"}


def position(record: str) -> tuple[dict[str, str | bool], str]:
    """What a scenario sets for a position in Forsyth's notation, and whose turn it is."""
    rows, turn, rights, passing = record.split()
    found: dict[str, str | bool] = {}
    for i, row in enumerate(rows.split("/")):
        column = 0
        for sign in row:
            if sign.isdigit():
                column += int(sign)
                continue
            seat = "A" if sign.isupper() else "B"
            found[f"stand at {'abcdefgh'[column]}{8 - i}"] = f"{seat}_{KINDS[sign.lower()]}"
            column += 1
    found |= {f"may_castle of {RIGHTS[x]}": True for x in rights if x in RIGHTS}
    seat = "A" if turn == "w" else "B"
    if passing != "-":
        found[f"passing of {seat}"] = passing[0] + {"3": "4", "6": "5"}[passing[1]]
    return found, seat


def begun(game: Game, record: str) -> Match:
    chosen, seat = position(record)
    return Match.from_position(game, chosen, at="turn", seat=seat)


def count(match: Match, depth: int) -> int:
    """The number of sequences of so many moves."""
    if match.over:
        return 0
    paths = ours.paths(match, goes_on)
    if depth == 1:
        return sum(1 for _ in paths)
    return sum(count(path.behind(), depth - 1) for path in paths)


@click.command()
@click.argument("positions", nargs=-1, type=click.Choice([*POSITIONS, *LINE_UPS]))
@click.option("--depth", default=4, show_default=True, help="At most so many moves.")
@click.option("--executor", type=click.Choice(("reference", "wasm")), default="wasm", show_default=True)
def main(positions: tuple[str, ...], depth: int, executor: ExecutorKind) -> None:
    """Count how POSITIONS can go on, and compare with what is known of them."""
    good = True
    for name in positions or (*POSITIONS, *LINE_UPS):
        record, known = POSITIONS[name] if name in POSITIONS else (None, LINE_UPS[name])
        rules, _ = read_rules(name if record is None else "chess")
        game = Game(rules, compile_rules(rules, 2, {}), executor)
        began = perf_counter()
        matches = (Match(game).start() if record is None else begun(game, record) for _ in known[:depth])
        found = tuple(count(match, i + 1) for i, match in enumerate(matches))
        good &= found == known[: len(found)]
        told = "as is known" if found == known[: len(found)] else f"NOT {known}"
        click.echo(f"{name:<10} {' '.join(map(str, found))} {told} ({perf_counter() - began:.0f} s)")
    sys.exit(int(not good))


if __name__ == "__main__":
    main()
