"""The pairings of card games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.agree import ours
from benchmarks.agree.pairing import PASS, Key, Pairing
from benchmarks.agree.series import Series, SeriesState
from interpreter.executor_protocol import Option, Waiting
from interpreter.match import Match

RANKS = (
    *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    "jack",
    "queen",
    "king",
    "ace",
)
SUITS = ("clubs", "diamonds", "hearts", "spades")


def one_by_one(_match: Match, _waiting: Waiting, _option: Option) -> Match | None:
    """Each decision of ours is a choice of its own on the other side, too."""
    return None


def last_word(path: ours.Path) -> str:
    return path.words[-1][-1]


def rank_major(suits: tuple[str, ...], word: str) -> int:
    """The number of `clubs_ten` among cards that are counted rank by rank."""
    suit, _, rank = word.rpartition("_")
    return RANKS.index(rank) * 4 + suits.index(suit)


def suit_major(suits: tuple[str, ...], word: str) -> int:
    """The number of `clubs_ten` among cards that are counted suit by suit."""
    suit, _, rank = word.rpartition("_")
    return suits.index(suit) * 13 + RANKS.index(rank)


def by_turns(outcomes: list[str], hands: int, size: int) -> None:
    """Has the cards of hands that were dealt one after the other dealt one card at a time."""
    outcomes[: hands * size] = [outcomes[hand * size + card] for card in range(size) for hand in range(hands)]


def action_number(_: Any, action: int) -> Key:
    return action


# ---- hearts

HEARTS_PASSING = (1, 3, 2, 0)
"""To the left, to the right, across, and not at all."""


def hearts_series(goal: int, parameters: str) -> Callable[[], Series]:
    def made() -> Series:
        import pyspiel

        game = pyspiel.load_game(f"hearts({parameters})")
        return Series(
            4,
            lambda *_: game.new_initial_state(),
            lambda totals, _: max(totals) >= goal,
            counted=hearts_points,
        )

    return made


def hearts_points(deal: Any) -> tuple[float, ...]:
    return tuple(26 - n for n in deal.returns())


def hearts_card(_: Match, path: ours.Path) -> Key:
    return rank_major(SUITS, last_word(path))


def hearts_chance(state: SeriesState, outcomes: list[str]) -> int:
    if not state.deal.history():
        by_turns(outcomes, 4, 13)
        return HEARTS_PASSING[state.deals % 4]
    return rank_major(SUITS, outcomes.pop(0))


def hearts(goal: int, queen_breaks: bool) -> Pairing:
    return Pairing(
        hearts_series(goal, f"qs_breaks_hearts={queen_breaks}"),
        hearts_card,
        action_number,
        hearts_chance,
        ours.by_scores,
        one_by_one,
        ruleset="hearts",
        seats=4,
        options={"goal": goal, "queen_breaks": "true" if queen_breaks else "false"},
    )


# ---- bridge

LEVELS = ("one", "two", "three", "four", "five", "six", "seven")
STRAINS = ("clubs", "diamonds", "hearts", "spades", "no_trumps")
CALLS = {"pass": 52, "double": 53, "redouble": 54}


def bridge_deal(deal: int, _: Any) -> Any:
    import pyspiel

    dealer, other = str(deal % 4 > 0).lower(), str(deal % 4 == 3).lower()
    return pyspiel.load_game(
        f"bridge(use_double_dummy_result=false,dealer={deal % 4},dealer_vul={dealer},non_dealer_vul={other})"
    ).new_initial_state()


def bridge_series() -> Series:
    return Series(4, bridge_deal, lambda _, deals: deals == 4)


def bridge_key(_: Match, path: ours.Path) -> Key:
    action, *rest = path.words[-1]
    if action != "bid":
        return CALLS[action] if action in CALLS else rank_major(SUITS, rest[0])
    level, strain = rest[0].split("_in_")
    return 55 + LEVELS.index(level) * 5 + STRAINS.index(strain)


def bridge_action(state: Any, action: int) -> Key:
    """Whoever can only pass is not asked by us."""
    return PASS if state.legal_actions() == [CALLS["pass"]] else action


def dealt_by_turns(state: Any, outcomes: list[str]) -> int:
    """Thirteen cards each: one hand after the other with us, one card after the other with OpenSpiel."""
    if not state.history():
        by_turns(outcomes, 4, 13)
    return rank_major(SUITS, outcomes.pop(0))


def against_the_other_side(match: Match) -> tuple[float, ...]:
    first, second, *_ = ours.by_scores(match)
    return (first - second, second - first) * 2


# ---- spades


def spades_series(goal: int, deals: int) -> Callable[[], Series]:
    def made() -> Series:
        import pyspiel

        game = pyspiel.load_game("spades(use_mercy_rule=false,win_threshold=100000)")

        def begun(deal: int, totals: tuple[float, ...]) -> Any:
            state = game.new_initial_state()
            state.set_current_scores([int(totals[(deal + side) % 4]) % 10 for side in (0, 1)])
            return state

        return Series(
            4,
            begun,
            lambda totals, number: number == deals or max(totals) >= goal,
            shift=lambda deal: deal % 4,
        )

    return made


def spades_key(_: Match, path: ours.Path) -> Key:
    action, word = path.words[0]
    return 52 + int(word) if action == "bid_for" else suit_major(SUITS, word)


def spades_chance(state: Any, outcomes: list[str]) -> int:
    if not state.history():
        by_turns(outcomes, 4, 13)
    return suit_major(SUITS, outcomes.pop(0))


# ---- oh hell

OH_HELL_SUITS = ("clubs", "diamonds", "spades", "hearts")


def oh_hell_series(seats: int, most: int) -> Callable[[], Series]:
    def begun(deal: int, _: Any) -> Any:
        import pyspiel

        return pyspiel.load_game(
            f"oh_hell(players={seats},num_tricks_fixed={most - deal})"
        ).new_initial_state()

    return lambda: Series(seats, begun, lambda _, deals: deals == most)


def oh_hell_chance(state: SeriesState, outcomes: list[str]) -> int:
    """The number of tricks, the dealer, the cards."""
    made = len(state.history())
    if made == 0:
        return int(state.legal_actions()[0])
    if made == 1:
        seats = state.series.seats
        by_turns(outcomes, seats, int(state.history()[0]))
        return state.deals % seats
    return rank_major(OH_HELL_SUITS, outcomes.pop(0))


def oh_hell_key(_: Match, path: ours.Path) -> Key:
    action, word = path.words[0]
    return 52 + int(word) if action == "bid_for" else rank_major(OH_HELL_SUITS, word)


def oh_hell(seats: int, most: int) -> Pairing:
    return Pairing(
        oh_hell_series(seats, most),
        oh_hell_key,
        action_number,
        oh_hell_chance,
        ours.by_scores,
        one_by_one,
        ruleset="oh_hell",
        seats=seats,
    )


# ---- euchre

EUCHRE_RANKS = RANKS[7:]


def euchre_series() -> Series:
    import pyspiel

    game = pyspiel.load_game("euchre")
    return Series(
        4,
        lambda *_: game.new_initial_state(),
        lambda totals, _: max(totals) >= 10,
        counted=lambda deal: tuple(max(0.0, n) for n in deal.returns()),
    )


def euchre_number(word: str) -> int:
    suit, _, rank = word.partition("_")
    return EUCHRE_RANKS.index(rank) * 4 + SUITS.index(suit)


def euchre_key(match: Match, path: ours.Path) -> Key:
    action, *rest = path.words[0]
    if action in ("pass", "play_alone", "order_up"):
        return action
    return (
        25 + SUITS.index(rest[0]) if action == "name_trumps" else euchre_number(rest[0] if rest else action)
    )


def euchre_action(state: SeriesState, action: int) -> Key:
    if action in (24, 30):
        return "pass"
    if action == 29:
        return "play_alone"
    ordered = 25 <= action <= 28 and len(state.history()) - 22 < 4
    return "order_up" if ordered else action


def euchre_chance(state: SeriesState, outcomes: list[str]) -> int:
    """The dealer, who gets the first card with OpenSpiel and the last one with us; then the cards."""
    if not state.history():
        outcomes[:20] = outcomes[15:20] + outcomes[:15]
        by_turns(outcomes, 4, 5)
        return state.deals % 4
    return euchre_number(outcomes.pop(0))


CARDS = {
    "euchre": Pairing(
        euchre_series,
        euchre_key,
        euchre_action,
        euchre_chance,
        ours.by_scores,
        one_by_one,
        seats=4,
    ),
    "oh_hell": oh_hell(seats=4, most=10),
    "oh_hell_3": oh_hell(seats=3, most=10),
    "oh_hell_7": oh_hell(seats=7, most=7),
    "spades": Pairing(
        spades_series(goal=300, deals=12),
        spades_key,
        action_number,
        spades_chance,
        ours.by_scores,
        one_by_one,
        seats=4,
        options={"goal": 300, "most_deals": 12, "spades_break": "false"},
    ),
    "bridge": Pairing(
        bridge_series,
        bridge_key,
        bridge_action,
        dealt_by_turns,
        against_the_other_side,
        one_by_one,
        seats=4,
    ),
    "hearts": hearts(goal=100, queen_breaks=False),
    "hearts_queen": hearts(goal=30, queen_breaks=True),
}
