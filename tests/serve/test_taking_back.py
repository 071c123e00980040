"""Undo, repair and proposals: what is taken back stays in the log, and a match is the rest of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from random import Random

import pytest

from dsl.diagnostics import DiagnosticError
from interpreter import ir
from rulewright.presentation.position import undo
from rulewright.serve.matches import actions
from rulewright.serve.matches.live import LiveMatch, built
from rulewright.serve.matches.service import MatchService
from tests.serve.playing import BOT, CARDS, DICE, HUMAN, TOGETHER, an_offer, choose, play, served, table


class Lucky:
    """The last outcome each time: of a die, the highest face."""

    def pick(self, stream: str, outcomes: Sequence[tuple[str, int]]) -> str:
        return outcomes[-1][0]


def check_log(service: MatchService, live: LiveMatch) -> None:
    """The rows lead to the position without what was taken back, and have no gap."""
    rows = service.storage.rows(live.id)
    assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
    anew = built(live.row, live.seats, rows, live.game)
    assert anew.match.state == live.match.state
    assert anew.match.steps == live.match.steps
    given_back = [{k: v for k, v in m.outcomes.items() if v} for m in (anew.match, live.match)]
    assert given_back[0] == given_back[1]
    assert anew.log == live.log


def test_what_nobody_has_learned_from_is_taken_back_freely(address: str) -> None:
    async def act(service: MatchService) -> None:
        created = await service.create(table("connect_four"))
        live = await play(service, created.id, 3)
        before, seat = live, live.asked[0]
        answer = await choose(service, created.id, Random(5), "a")
        back = await service.undo(created.id, seat, "u", answer.version)
        live = await service.open(created.id)
        assert live.match.state == before.match.state
        assert back.proposal is None
        assert live.log.length == before.log.length + 2
        assert (await service.undo(created.id, seat, "u", None)).former
        assert (await service.open(created.id)) is live
        check_log(service, live)

    served(address, act)


def test_dice_that_were_seen_are_taken_back_by_consent(address: str) -> None:
    async def act(service: MatchService) -> None:
        created = await service.create(table(DICE))
        live = await service.open(created.id)
        asked = await service.choose(created.id, 0, "a", None, "throw")
        after = await service.open(created.id)
        proposal = (await service.undo(created.id, 0, "u", asked.version)).proposal
        assert proposal is not None
        assert [p.needed for p in (await service.open(created.id)).proposals] == [frozenset({1})]
        for seat in (0, 2):
            with pytest.raises(DiagnosticError):
                await service.answer(created.id, seat, "n", proposal, True)
        await service.answer(created.id, 1, "no", proposal, False)
        assert (await service.open(created.id)).match.state == after.match.state
        proposal = (await service.undo(created.id, 0, "v", None)).proposal
        assert proposal is not None
        await service.answer(created.id, 1, "yes", proposal, True)
        back = await service.open(created.id)
        assert back.match.state == live.match.state
        assert back.proposals == ()
        check_log(service, back)
        await service.choose(created.id, 0, "b", None, "throw")
        again = await service.open(created.id)
        assert again.match.state == after.match.state, "the same die falls again"
        check_log(service, again)

    served(address, act, chance=Lucky())


def test_a_proposal_is_void_when_somebody_chooses(address: str) -> None:
    async def act(service: MatchService) -> None:
        created = await service.create(table(DICE))
        await service.choose(created.id, 0, "a", None, "throw")
        proposal = (await service.undo(created.id, 0, "u", None)).proposal
        assert proposal is not None
        await choose(service, created.id, Random(1), "b")
        with pytest.raises(DiagnosticError):
            await service.answer(created.id, 1, "y", proposal, True)

    served(address, act)


def test_a_bot_agrees_to_nothing(address: str) -> None:
    async def act(service: MatchService) -> None:
        created = await service.create(table(DICE, HUMAN, BOT))
        await service.choose(created.id, 0, "a", None, "throw")
        with pytest.raises(DiagnosticError, match="cannot agree"):
            await service.undo(created.id, 0, "u", None)

    served(address, act, chance=Lucky())


def test_the_choices_of_bots_are_taken_back_unasked(address: str) -> None:
    """Nobody has learned anything: the person is where they were before their last choice."""

    async def act(service: MatchService) -> None:
        created = await service.create(table("connect_four", HUMAN, BOT))
        before = await service.open(created.id)
        await choose(service, created.id, Random(1), "a")
        while (await service.open(created.id)).asked != (0,):
            await asyncio.sleep(0.01)
        live = await service.open(created.id)
        assert undo(live.match, 0) == {"free": 0, "ask": 2, "why": "chosen-since", "consent": [1]}
        assert undo(live.match, 0, live.people) == {"free": 0, "ask": 2, "why": "", "consent": []}
        back = await service.undo(created.id, 0, "u", live.version(0))
        assert back.proposal is None
        live = await service.open(created.id)
        assert live.match.state == before.match.state
        check_log(service, live)

    served(address, act)


def granted(live: LiveMatch, seat: int) -> bool:
    """Whether a seat may take back, or ask for it."""
    try:
        actions.check_playing(live, seat)
        actions.undone(live, live.row.updated, seat, 1, None)
    except DiagnosticError:
        return False
    return True


KINDS = ((HUMAN, HUMAN), (HUMAN, BOT), (BOT, HUMAN), (HUMAN, HUMAN, BOT), (HUMAN, BOT, HUMAN))


@pytest.mark.parametrize("game", [DICE, CARDS, TOGETHER, "connect_four", "gin_rummy", "hearts", "roma"])
def test_what_is_offered_to_be_taken_back_is_granted(game: str, sqlite: Callable[[], str]) -> None:
    """And nothing else is: in matches of people and bots, and when somebody has given up."""

    async def act(service: MatchService) -> None:
        low, high = (await asyncio.to_thread(service.games.read, game)).rules.seats
        found = set()
        for kinds in KINDS:
            seats = (*kinds, *(BOT,) * (low - len(kinds)))
            if len(seats) > high:
                continue
            created, random = await service.create(table(game, *seats)), Random(len(found))
            gone = random.randrange(8, 14)
            for turn in range(16):
                live = await service.open(created.id)
                for seat in [number for number, one in enumerate(seats) if one is HUMAN]:
                    offered = undo(live.match, seat, live.people)
                    assert bool(offered["free"] or offered["ask"]) == granted(live, seat), (offered, seat)
                    assert seat not in offered["consent"]
                    found.add(granted(live, seat))
                people = [seat for seat in live.asked if seat in live.people]
                if turn == gone:
                    await service.resign(created.id, next(s for s in live.people), "gone")
                elif people:
                    seat, words = an_offer(live, random, tuple(people))
                    await service.choose(created.id, seat, f"{turn}", None, words)
                await asyncio.sleep(0.02)
                if not (await service.open(created.id)).running:
                    break
            live = await service.open(created.id)
            if not live.running:
                assert all(undo(live.match, seat, live.people)["ask"] == 0 for seat in range(len(seats)))
        assert found == {False, True}

    served(sqlite(), act)


def test_a_repair_goes_back_to_a_step(address: str) -> None:
    async def act(service: MatchService) -> None:
        created = await service.create(table(CARDS))
        live = await play(service, created.id, 1)
        step = len(live.match.steps)
        later = await play(service, created.id, 2, seed=7)
        what = {"step": step}
        proposal = (await service.propose(created.id, 0, "p", "repair", what)).proposal
        assert proposal is not None
        assert (await service.open(created.id)).match.state == later.match.state
        await service.answer(created.id, 1, "y", proposal, True)
        back = await service.open(created.id)
        assert back.match.state == live.match.state
        check_log(service, back)
        check_log(service, await play(service, created.id, 9, seed=9))

    served(address, act)


def test_a_repair_gives_an_outcome_another_value(address: str) -> None:
    async def act(service: MatchService) -> None:
        created = await service.create(table(DICE))
        await service.choose(created.id, 0, "a", None, "throw")
        live = await service.open(created.id)
        step = next(i for i, s in enumerate(live.match.steps) if s.stream)
        thrown = live.match.steps[step].text
        other = next(face for face in "23456" if face != thrown)
        for wrong in ({"step": 99}, {"step": "1"}, {"step": 0, "outcome": "3"}, {}, {"step": 0}):
            with pytest.raises(DiagnosticError):
                await service.propose(created.id, 0, "w", "repair", wrong)
        for text, expected in (("9", thrown), (other, other)):
            data = {"step": step, "outcome": text}
            proposal = (await service.propose(created.id, 0, f"p{text}", "repair", data)).proposal
            assert proposal is not None
            if text == "9":
                with pytest.raises(DiagnosticError, match="cannot be the outcome"):
                    await service.answer(created.id, 1, f"y{text}", proposal, True)
                await service.answer(created.id, 1, "n", proposal, False)
            else:
                await service.answer(created.id, 1, f"y{text}", proposal, True)
            live = await service.open(created.id)
            assert live.match.steps[step].text == expected
            check_log(service, live)
        check_log(service, await play(service, created.id, 5, seed=4))

    served(address, act)


def test_all_agree_to_abandon(address: str) -> None:
    async def act(service: MatchService) -> None:
        created = await service.create(table(DICE, HUMAN, HUMAN, HUMAN))
        proposal = (await service.propose(created.id, 2, "p", "abandon", {})).proposal
        assert proposal is not None
        await choose(service, created.id, Random(1), "goes on")
        await service.answer(created.id, 0, "y", proposal, True)
        assert (await service.open(created.id)).running
        await service.answer(created.id, 1, "y", proposal, True)
        live = await service.open(created.id)
        assert (live.row.status, live.row.result) == ("abandoned", {"by": "agreement", "winners": []})

    served(address, act)


def test_a_choice_among_simultaneous_ones_is_taken_back_unseen(address: str) -> None:
    async def act(service: MatchService) -> None:
        created = await service.create(table(TOGETHER))
        random = Random(2)
        for i in range(300):
            live = await service.open(created.id)
            if (
                live.match.state[ir.FORKED]
                and len(live.asked) == 2
                and len(live.match.offered_to(0)[0].choices) > 1
            ):
                break
            await choose(service, created.id, random, f"{i}")
        _, words = an_offer(live, random, (0,))
        await service.choose(created.id, 0, "mine", None, words)
        alone = await service.open(created.id)
        _, other = an_offer(live, random, (1,))
        if len(live.asked) == 2 and 0 not in alone.asked:
            return  # with the other's choice, all would have chosen
        await service.choose(created.id, 1, "theirs", None, other)
        before = (await service.open(created.id)).version(1)
        await service.undo(created.id, 0, "u", None)
        back = await service.open(created.id)
        assert back.version(1) == before
        check_log(service, back)
        check_log(service, await play(service, created.id, 20, seed=3))

    served(address, act)


def test_much_is_taken_back_at_random(address: str) -> None:
    """Choices, undo and repairs in any order: the log always leads to the position."""

    async def act(service: MatchService) -> None:
        for seed, game in enumerate((DICE, CARDS, TOGETHER, "roma")):
            created, random = await service.create(table(game)), Random(seed)
            for i in range(60):
                live = await service.open(created.id)
                if not live.running:
                    break
                try:
                    if random.random() < 0.7:
                        await choose(service, created.id, random, f"c{i}")
                        continue
                    seat = random.randrange(2)
                    if random.random() < 0.7:
                        done = await service.undo(created.id, seat, f"u{i}", None, random.choice((1, 1, 2)))
                    else:
                        what = {"step": random.randrange(len(live.match.steps))}
                        done = await service.propose(created.id, seat, f"p{i}", "repair", what)
                    if done.proposal is not None:
                        await service.answer(created.id, 1 - seat, f"a{i}", done.proposal, True)
                except DiagnosticError:
                    continue
            check_log(service, await service.open(created.id))

    served(address, act)


@pytest.mark.parametrize("gone", [0, 1])
def test_the_end_is_proposed_anew_when_somebody_has_given_up(gone: int, address: str) -> None:
    """Who has gone could neither agree nor withdraw, so the proposal would wait for ever."""

    async def act(service: MatchService) -> None:
        created = await service.create(table(TOGETHER, HUMAN, HUMAN, HUMAN))
        first = (await service.propose(created.id, 0, "p", "abandon", {})).proposal
        await service.resign(created.id, gone, "r")
        assert not (await service.open(created.id)).proposals
        with pytest.raises(DiagnosticError):
            await service.answer(created.id, 2, "a", first or 0, True)
        again = (await service.propose(created.id, 1 - gone, "q", "abandon", {})).proposal
        await service.answer(created.id, 2, "b", again or 0, True)
        live = await service.open(created.id)
        assert live.row.status == "abandoned"
        check_log(service, live)

    served(address, act)
