"""What a seat, a spectator or an owner could try in order to know or to do more than they may."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random

import pytest

from dsl.diagnostics import DiagnosticError
from interpreter import ir
from rulewright.serve.matches.clocks import ClockRule
from rulewright.serve.matches.live import LiveMatch
from rulewright.serve.matches.service import MatchService
from tests.serve.clients import Served, serving
from tests.serve.playing import HUMAN, TOGETHER, Time, an_offer, play, served, table


def run(folder: Path, act: Callable[[Served], Awaitable[None]], *games: str) -> None:
    """Run something against a server."""

    async def main() -> None:
        async with serving(folder, *(games or ("tic_tac_toe",))) as found:
            await act(found)

    asyncio.run(main())


# ---- at the same time


async def second_fork(service: MatchService, match: str) -> LiveMatch:
    """Play until all are to choose at the same time, once more than at the beginning."""
    random, number = Random(3), 0
    while True:
        live = await service.open(match)
        if number > 9 and live.match.state[ir.FORKED] and len(live.asked) == live.row.seats:
            return live
        seat, words = an_offer(live, random)
        await service.choose(match, seat, f"c{number}", None, words)
        number += 1


def what_is_told(live: LiveMatch, seat: int) -> tuple[object, ...]:
    """What depends on the log of what a seat is sent, beside its position."""
    proposals = [(one.id, one.seat, one.what, one.needed, one.agreed) for one in live.proposals]
    return live.version(seat), live.changed, proposals


def own_rows(live: LiveMatch, seat: int) -> int:
    """How many rows a seat alone was told of."""
    return live.log.apart[seat]


def test_nothing_tells_who_has_chosen_at_the_same_time(tmp_path: Path) -> None:
    """Versions, times, numbers of proposals and of choices: all are as if the others had not chosen."""
    time = Time()

    async def act(service: MatchService) -> None:
        match = (await service.create(table(TOGETHER, HUMAN, HUMAN, HUMAN))).id
        live = await second_fork(service, match)
        step = next(i for i, row in enumerate(live.log.standing) if row.seq == live.log.joined)
        await service.propose(match, 0, "p", "repair", {"step": step})
        told = what_is_told(await service.open(match), 0)
        assert told[2] == [(1, 0, "repair", frozenset({1, 2}), frozenset())]
        for number, seat in enumerate((1, 2, 1)):
            time.now += 5_000
            now = await service.open(match)
            if number == 2:
                await service.undo(match, 1, "u", now.version(1))
            else:
                await service.choose(match, seat, f"o{number}", None, an_offer(now, Random(1), (seat,))[1])
            after = await service.open(match)
            assert what_is_told(after, 0) == told
            assert after.version(-1) == told[0] - own_rows(after, 0)
        again = await service.propose(match, 0, "p2", "abandon", {})
        assert (again.proposal, again.version) == (2, told[0] + 1)  # type: ignore[operator]
        live = await service.open(match)
        own = await service.choose(match, 0, "own", live.version(0), an_offer(live, Random(2), (0,))[1])
        assert own.version == again.version + 1

    served(str(tmp_path / "db"), act, clock=time)


def test_versions_grow_with_what_a_viewer_is_told(tmp_path: Path) -> None:
    async def act(service: MatchService) -> None:
        match = (await service.create(table(TOGETHER, HUMAN, HUMAN))).id
        known: dict[int, tuple[int, str]] = {}
        for number in range(60):
            live = await play(service, match, 1, seed=number)
            for viewer in (-1, 0, 1):
                version = live.version(viewer)
                seen = str(live.game.views.words(live.match.state, viewer))
                seen += str(live.game.views.pieces(live.match.state, viewer))
                before = known.setdefault(viewer, (version, seen))
                assert version >= before[0]
                assert version > before[0] or seen == before[1], "a change that nobody would be sent"
                known[viewer] = version, seen
        again = await service.open(match)
        await service.registry.session(match).reload()
        anew = await service.open(match)
        assert [again.version(v) for v in (-1, 0, 1)] == [anew.version(v) for v in (-1, 0, 1)]

    served(str(tmp_path / "db"), act)


def test_nobody_is_told_who_was_late_at_the_same_time(tmp_path: Path) -> None:
    time = Time()
    clock = ClockRule("move", 10, expiry="absent")

    async def act(service: MatchService) -> None:
        match = (await service.create(table(TOGETHER, HUMAN, HUMAN, HUMAN, clock=clock))).id
        live = await service.open(match)
        assert live.match.state[ir.FORKED]
        await service.choose(match, 0, "c", None, an_offer(live, Random(1), (0,))[1])
        before = await service.open(match)
        time.now += 11_000
        await service.scheduler.expire(match)
        late = await service.open(match)
        assert late.log.length > before.log.length
        assert late.match.state[ir.FORKED]
        assert late.version(-1) == before.version(-1)
        rows = [row for row in late.log.rows if row.kind == "clock" and row.data["event"] == "expired"]
        assert rows
        assert all(row.data["branch"] == row.seat for row in rows)

    served(str(tmp_path / "db"), act, clock=time)


def test_what_is_chosen_at_the_same_time_is_repaired_afterwards(tmp_path: Path) -> None:
    async def act(service: MatchService) -> None:
        match = (await service.create(table(TOGETHER, HUMAN, HUMAN, HUMAN))).id
        live = await second_fork(service, match)
        await service.choose(match, 0, "own", None, an_offer(live, Random(2), (0,))[1])
        live = await service.open(match)
        assert live.match.state[ir.FORKED]
        with pytest.raises(DiagnosticError, match="at the same time"):
            await service.propose(match, 0, "p", "repair", {"step": len(live.log.standing) - 1})

    served(str(tmp_path / "db"), act)


# ---- before the start, and after the end


def test_the_cards_are_not_seen_before_the_start(tmp_path: Path) -> None:
    """Else one could choose the better seat, or another match."""

    async def act(served: Served) -> None:
        owner, stranger = served.browser(), served.browser()
        match = (await owner.make("kuhn_poker", players=["me", "open"]))["match"]
        for visitor in (owner, stranger):
            async with visitor.seat(match) as player:
                requests = [("at", {"seq": 0}), ("account", {})]
                if player.table["seat"] >= 0:
                    requests += [("why", {"words": "check"}), ("abandon", {}), ("choose", {"words": "check"})]
                for kind, fields in requests:
                    answer = await player.ask(kind, **fields)
                    assert (answer["type"], answer["code"]) == ("refused", "not-now"), kind
                assert not player.position

    run(tmp_path, act, "kuhn_poker")


def test_a_seat_that_was_lost_is_not_had_again_by_a_rematch(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        ann, ben = served.browser(), served.browser()
        first = (await ann.make("tic_tac_toe", players=["me", "open"]))["match"]
        await ben.post(f"/api/matches/{first}/join", {"name": "Ben"})
        async with ben.seat(first) as player:
            await player.ask("resign")
        again = await ann.post(f"/api/matches/{first}/rematch", {}, 201)
        own = [seat["seat"] for seat in again["seats"] if seat["mine"]]
        assert own == [1]
        path = f"/api/matches/{again['match']}"
        assert (await ben.get(path))["seats"][0]["mine"]
        await ann.http.request("DELETE", f"{path}/seats/0/link", json={})
        assert not (await ben.get(path))["seats"][0]["mine"]
        await ben.post(f"/api/matches/{first}/rematch", {}, 201)
        assert not (await ben.get(path))["seats"][0]["mine"]
        assert (await ann.get(path))["seats"][1]["mine"]

    run(tmp_path, act)


# ---- the owner, and who proposes


def test_an_owner_does_not_look_at_the_cards_of_others(tmp_path: Path) -> None:
    """A taken seat's link is its holder's; who takes it away is noticed."""

    async def act(served: Served) -> None:
        ann, ben = served.browser(), served.browser()
        made = await ann.make("tic_tac_toe", players=["me", "invited"])
        path = f"/api/matches/{made['match']}"
        await ann.post(f"{path}/seats/1/link")
        await ben.http.get(made["links"][0]["link"])
        await ben.post(f"{path}/join", {"name": "Ben"})
        await ann.post(f"{path}/seats/1/link", status=403)
        await ben.post(f"{path}/seats/1/link")
        await ann.post(f"{path}/seats/0/link")
        async with ben.seat(made["match"], 1) as player:
            await ann.http.request("DELETE", f"{path}/seats/1/link", json={})
            await player.socket.wait_closed()
            assert player.socket.close_code == 4403

    run(tmp_path, act)


def test_who_has_proposed_withdraws_it(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        ann, ben = served.browser(), served.browser()
        match = (await ann.make("tic_tac_toe", players=["me", "open"]))["match"]
        await ben.post(f"/api/matches/{match}/join", {"name": "Ben"})
        async with ann.seat(match) as a, ben.seat(match) as b:
            asked = await a.ask("abandon")
            await b.until(lambda: bool(b.table["proposals"]))
            assert (await a.ask("answer", proposal=asked["proposal"], agree=True))["code"] == "not-now"
            assert (await a.ask("answer", proposal=asked["proposal"], agree=False))["type"] == "ack"
            await b.until(lambda: not b.table["proposals"])
            late = await b.ask("answer", proposal=asked["proposal"], agree=True)
            assert late["code"] == "not-now"
            assert b.table["status"] == "running"

    run(tmp_path, act)


def test_spectators_that_are_not_allowed_do_not_come_by_a_free_seat(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        ann, eve = served.browser(), served.browser()
        made = await ann.make(
            "tic_tac_toe", players=["me", "bot"], visibility="invited", spectators={"allowed": False}
        )
        path = f"/api/matches/{made['match']}"
        await eve.get(path, 404)
        await ann.post(f"{path}/seats/1/bot", {"bot": None})
        await eve.get(path, 404)
        link = (await ann.post(f"{path}/seats/1/link"))["link"]
        await eve.http.get(link)
        assert (await eve.get(path))["seats"][1]["invitation"]

    run(tmp_path, act)


def test_an_unknown_bot_does_not_sit_down(tmp_path: Path) -> None:
    """Nobody could play its seat, and the match would stand still."""

    async def act(served: Served) -> None:
        ann = served.browser()
        made = await ann.make("tic_tac_toe", players=["me", "invited"])
        path = f"/api/matches/{made['match']}/seats/1/bot"
        await ann.post(path, {"bot": "nobody"}, 400)
        assert (await ann.post(path, {"bot": "random"}))["seats"][1]["kind"] == "bot"

    run(tmp_path, act)
