"""The games that are measured: their names at each peer, and their yardsticks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from benchmarks import counting
from benchmarks.tally import Figures


@dataclass(frozen=True)
class Entry:
    """A game: our ruleset, its names elsewhere, how it opens, and the figures of uniformly random play.

    `ruleset` is ours, if it is not called like the entry. `cut` says how our ruleset cuts the same play
    into other choices than OpenSpiel does, if it does; `whole_actions`, that moves can be counted
    nevertheless. `count` says how many of our decisions an action of OpenSpiel's is. `first` is the
    number that OpenSpiel gives our first seat, `partners` are those who win with it. `openings` are
    OpenSpiel's first outcomes of chance where ours are settled; if there are several, a match of ours is
    as many deals, and a playout of OpenSpiel's is one deal of each. `differs` says by library in which
    rules its environment is another one than ours.

    The yardsticks are OpenSpiel's, counted in our decisions by `benchmarks.yardsticks`.
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
    ruleset: str = ""
    count: counting.Count = counting.one
    whole_actions: bool = False
    first: int = 0
    partners: tuple[int, ...] = ()
    openings: tuple[tuple[int, ...], ...] = ((),)
    pettingzoo_settings: dict[str, Any] = field(default_factory=dict)
    differs: dict[str, str] = field(default_factory=dict)

    @property
    def side(self) -> frozenset[int]:
        """Who wins when the first seat wins alone: itself and its partners, by our numbers."""
        return frozenset((0, *self.partners))

    @property
    def their_side(self) -> frozenset[int]:
        """The same by OpenSpiel's numbers."""
        return frozenset((self.first, *self.partners))


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
    Entry("leduc_poker", "leduc_poker", "leduc_holdem", "leduc_holdem_v4", yardstick=Figures(4.065, 0.494)),
    Entry("yacht", "yacht", yardstick=Figures(71.29, 0.515, 813), cut="dice kept one by one"),
    Entry("roma"),
    Entry("roll_through_the_ages"),
)

PARTNERS = (2,)
"""Who wins with the first of four seats, if those who sit opposite each other are partners."""

HOLDEM = (
    "universal_poker(betting=nolimit,bettingAbstraction=fullgame,numRounds=4,numSuits=4,numRanks=13,"
    "numHoleCards=2,numBoardCards=0 3 1 1,numPlayers=6,blind=1 2 0 0 0 0,firstPlayer=3 1 1 1,"
    "stack=20 20 20 20 20 20)"
)

KO = {
    "PettingZoo": "forbids simple ko, and does not end a match at a repetition",
    "pgx": "whoever repeats a position loses",
}
"""How Go of others treats repetitions; ours and OpenSpiel's end the match."""

LIBRARY = (
    *(entry for entry in ENTRIES if entry.openspiel),
    # boards
    Entry(
        "amazons",
        "amazons",
        yardstick=Figures(207.12, 0.502, 20_000),
    ),
    Entry(
        "checkers",
        "checkers",
        yardstick=Figures(68.712, 0.43, 20_000),
    ),
    Entry(
        "chess",
        "chess",
        "chess",
        "chess_v6",
        first=1,
        cut="a promotion, then the man it becomes",
        whole_actions=True,
        count=counting.promotion,
        yardstick=Figures(344.02, 0.077, 16_430),
    ),
    Entry(
        "dark_hex",
        "dark_hex(num_rows=4,num_cols=4)",
        yardstick=Figures(19.168, 0.5, 20_000),
    ),
    Entry(
        "dots_and_boxes",
        "dots_and_boxes(num_rows=4,num_cols=4)",
        yardstick=Figures(40, 0.467, 20_000),
    ),
    Entry(
        "game_of_y",
        "y(board_size=13)",
        yardstick=Figures(81.692, 0.531, 20_000),
    ),
    Entry(
        "go_9",
        "go(board_size=9)",
        "go_9x9",
        "go_v5",
        ruleset="go",
        pettingzoo_settings={"board_size": 9},
        differs=KO,
        options={"lines": "9", "repetition": "no_result"},
        yardstick=Figures(118.55, 0.369, 20_000),
    ),
    Entry(
        "go_19",
        "go(board_size=19)",
        "go_19x19",
        "go_v5",
        ruleset="go",
        differs=KO,
        options={"lines": "19", "repetition": "no_result"},
        yardstick=Figures(582.13, 0.469, 2_301),
    ),
    Entry(
        "havannah",
        "havannah(board_size=8)",
        yardstick=Figures(120.45, 0.506, 20_000),
    ),
    Entry(
        "lines_of_action",
        "lines_of_action",
        options={"repetitions": "2"},
        yardstick=Figures(193.35, 0.4, 7_021),
    ),
    Entry(
        "phantom_tic_tac_toe",
        "phantom_ttt",
        yardstick=Figures(10.525, 0.585, 20_000),
    ),
    Entry(
        "quoridor",
        "quoridor",
        yardstick=Figures(238.18, 0.3, 11_153),
    ),
    Entry(
        "twenty_forty_eight",
        "2048(max_tile=2048)",
        "2048",
        seats=1,
        differs={"pgx": "goes on behind the tile 2048"},
        yardstick=Figures(117.29, 1.0, 3_903),
    ),
    Entry(
        "ultimate_tic_tac_toe",
        "ultimate_tic_tac_toe",
        count=counting.field_and_cell,
        yardstick=Figures(58.751, 0.408, 20_000),
    ),
    Entry(
        "clobber",
        "clobber(rows=5,columns=6)",
        yardstick=Figures(18.956, 0.503, 20_000),
    ),
    Entry(
        "gomoku",
        "mnk(m=15,n=15,k=5)",
        yardstick=Figures(108.56, 0.519, 1_800),
    ),
    Entry(
        "nim",
        "nim",
        yardstick=Figures(7.6967, 0.499, 20_000),
    ),
    # cards, one deal each
    Entry(
        "cribbage",
        "cribbage",
        options={"four_in_the_crib": "true"},
        count=counting.crib,
        yardstick=Figures(150.46, None, 2_459),
    ),
    Entry(
        "euchre",
        "euchre",
        seats=4,
        options={"goal": "1"},
        partners=PARTNERS,
        openings=((0,),),
        yardstick=Figures(21.371, 0.593, 20_000),
    ),
    Entry(
        "hearts",
        "hearts",
        seats=4,
        options={"goal": "1"},
        openings=((1,),),
        yardstick=Figures(64, 0.186, 15_090),
    ),
    Entry(
        "oh_hell",
        "oh_hell(players=4)",
        seats=4,
        openings=tuple((tricks, deal % 4) for deal, tricks in enumerate(range(10, 0, -1))),
        yardstick=Figures(260, 0.242, 2_632),
    ),
    Entry(
        "texas_holdem",
        HOLDEM,
        seats=6,
        options={"stack": "20", "hands": "1", "short_raise": "open"},
        count=counting.unasked(1),
        first=5,
        yardstick=Figures(8.3939, 0.157, 20_000),
    ),
    Entry(
        "blackjack",
        "blackjack",
        seats=1,
        options={"naturals": "false"},
        yardstick=Figures(1.3731, 0.283, 20_000),
    ),
    Entry(
        "bridge",
        "bridge(use_double_dummy_result=false)",
        seats=4,
        options={"boards": "1"},
        count=counting.unasked(52),
        partners=PARTNERS,
        yardstick=Figures(60.069, 0.496, 13_653),
    ),
    Entry(
        "crazy_eights",
        "crazy_eights(players=4,max_turns=10000)",
        seats=4,
        options={"goal": "1", "one_more_pass": "true"},
        openings=((52,),),
        yardstick=Figures(82.929, 0.255, 11_398),
    ),
    Entry(
        "gin_rummy",
        "gin_rummy",
        options={"most_deals": "1", "put_back": "true", "ties_undercut": "false"},
        count=counting.unasked(53, 54),
        yardstick=Figures(110.67, 0.009, 1_821),
    ),
    Entry(
        "spades",
        "spades(use_mercy_rule=false,win_threshold=100000)",
        seats=4,
        options={"most_deals": "1", "spades_break": "false"},
        partners=PARTNERS,
        yardstick=Figures(56, 0.466, 14_558),
    ),
    # dice, and what is hidden or chosen at the same time
    Entry(
        "battleship",
        "battleship(allow_repeated_shots=False,num_shots=100)",
        count=counting.berths,
        yardstick=Figures(204.36, 0.514, 105),
    ),
    Entry(
        "liars_dice",
        "liars_dice(players=2,numdice=5)",
        options={"wild": "6", "one_round": "true"},
        yardstick=Figures(4.7718, 0.494, 20_000),
    ),
    Entry(
        "goofspiel",
        "turn_based_simultaneous_game(game=goofspiel(players=2,returns_type=point_difference))",
        yardstick=Figures(24, 0.497, 20_000),
    ),
    Entry(
        "oshi_zumo",
        "turn_based_simultaneous_game(game=oshi_zumo(size=3,coins=50,min_bid=1))",
        yardstick=Figures(10.659, 0.429, 20_000),
    ),
)
"""All rulesets of ours that OpenSpiel has as a game."""

ALL = (*ENTRIES, *(entry for entry in LIBRARY if entry not in ENTRIES))

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
