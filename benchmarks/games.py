"""The games that are measured: their names at each peer, and their yardsticks."""

from __future__ import annotations

from dataclasses import dataclass, field

from benchmarks.tally import Figures


@dataclass(frozen=True)
class Entry:
    """A game: our ruleset, its names elsewhere, how it opens, and the figures of uniformly random play.

    `cut` says how our ruleset cuts the same play into other choices than OpenSpiel does, if it does.

    The yardsticks are OpenSpiel's, from 100,000 playouts or as many as ten minutes gave.
    """

    name: str
    openspiel: str = ""
    pgx: str = ""
    pettingzoo: str = ""
    plain_c: bool = False
    seats: int = 2
    options: dict[str, str] = field(default_factory=dict)
    yardstick: Figures | None = None
    cut: str = ""


ENTRIES = (
    Entry(
        "tic_tac_toe",
        "tic_tac_toe",
        "tic_tac_toe",
        "tictactoe_v3",
        True,
        yardstick=Figures(7.627, 0.585, 1_000_000),
    ),
    Entry(
        "connect_four",
        "connect_four",
        "connect_four",
        "connect_four_v3",
        True,
        yardstick=Figures(21.31, 0.556),
    ),
    Entry("breakthrough", "breakthrough", plain_c=True, yardstick=Figures(64.07, 0.51)),
    Entry("hex", "hex(board_size=11)", "hex", yardstick=Figures(107.56, 0.521)),
    Entry("othello", "othello", "othello", yardstick=Figures(60.41, 0.455)),
    Entry("kalah", "mancala", yardstick=Figures(43.9, 0.486)),
    Entry("oware", "oware", yardstick=Figures(104.06, 0.456)),
    Entry("pig", "pig", plain_c=True, yardstick=Figures(120.95, 0.512, 1_000_000)),
    Entry(
        "backgammon",
        "backgammon",
        "backgammon",
        yardstick=Figures(113.0, 0.506, 19_394),
        cut="a throw die by die",
    ),
    Entry("nine_mens_morris", "nine_mens_morris", yardstick=Figures(154.41, 0.364)),
    Entry("kuhn_poker", "kuhn_poker", "kuhn_poker", yardstick=Figures(2.251, 0.562)),
    Entry("leduc_poker", "leduc_poker", "leduc_holdem", yardstick=Figures(4.065, 0.494)),
    Entry("yacht", "yacht", yardstick=Figures(71.29, 0.515, 813), cut="dice kept one by one"),
    Entry("roma"),
    Entry("roll_through_the_ages"),
)

HELD_OUT = frozenset(
    {
        "blackjack",
        "bridge",
        "clobber",
        "crazy_eights",
        "gin_rummy",
        "gomoku",
        "goofspiel",
        "nim",
        "oshi_zumo",
        "spades",
    }
)
"""A third of the library's games that OpenSpiel has, drawn by lot before anything was tuned for them.

Whoever makes the executor faster does not look at how it runs these. What they show is what a game can expect
that nobody tuned for.
"""
