"""Tables: matches through real sockets, from the first message to the end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from rulewright.library import bundled
from rulewright.serve.tables import open_tables as tables
from tests.games import seats_of
from tests.serve.clients import Browser, Player, Served, play_out, serving

SHORT = ("connect_four", "kuhn_poker", "leduc_poker", "roma", "tic_tac_toe", "yacht")
"""Games that are played to the end in every run; of the others, the beginning."""
FIRST = 30
"""Choices of a beginning."""


def run(folder: Path, act: Callable[[Served], Awaitable[None]], *games: str) -> None:
    """Run something against a server."""

    async def main() -> None:
        async with serving(folder, *games) as served:
            await act(served)

    asyncio.run(main())


async def seated(served: Served, game: str, seats: int, **body: object) -> tuple[str, list[Browser]]:
    """A match with a visitor at each seat."""
    browsers = [served.browser() for _ in range(seats)]
    made = await browsers[0].make(game, seats=seats, name="P0", **body)
    for number, browser in enumerate(browsers[1:], 1):
        await browser.post(f"/api/matches/{made['match']}/join", {"name": f"P{number}"})
    return made["match"], browsers


@asynccontextmanager
async def at_table(match: str, browsers: Sequence[Browser]) -> AsyncIterator[list[Player]]:
    """A socket for each visitor, with its first position."""
    async with AsyncExitStack() as stack:
        players = [await stack.enter_async_context(browser.seat(match)) for browser in browsers]
        for player in players:
            await player.until(lambda p=player: bool(p.position))
        yield players


async def caught_up(served: Served, match: str, players: Sequence[Player]) -> None:
    """Wait until each page has what its viewer may know now."""
    live = await served.service.open(match)
    for player in players:
        await player.until(lambda p=player: p.version >= live.version(p.table["seat"]))


async def replayed(served: Served, match: str, players: Sequence[Player]) -> None:
    """What each page has is what the referee would tell its seat."""
    from rulewright.presentation.position import entries, position

    await caught_up(served, match, players)
    live = await served.service.open(match)
    for player in players:
        assert player.entries == entries(live.match, player.table["seat"])
        assert player.position == position(live.match, player.table["seat"])


@pytest.mark.parametrize("game", bundled())
def test_a_match_by_sockets(game: str, tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        match, browsers = await seated(served, game, max(2, seats_of(game)[0]))
        async with at_table(match, browsers) as players:
            await play_out(players, most=1000 if game in SHORT else FIRST)
            await replayed(served, match, players)
            assert game not in SHORT or all(player.position["over"] for player in players)

    run(tmp_path, act, game)


@pytest.mark.long
@pytest.mark.parametrize("game", sorted({*bundled()} - {*SHORT}))
def test_a_whole_match_by_sockets(game: str, tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        match, browsers = await seated(served, game, seats_of(game)[1])
        async with at_table(match, browsers) as players:
            await play_out(players)
            await replayed(served, match, players)
            over = await browsers[0].get(f"/api/matches/{match}")
            assert over["status"] == "over"

    run(tmp_path, act, game)


def test_a_page_goes_on_after_a_cut(tmp_path: Path) -> None:
    """A page that comes back with its mark is sent the later entries alone, and nothing twice."""

    async def act(served: Served) -> None:
        match, (ann, ben) = await seated(served, "connect_four", 2)
        async with at_table(match, [ann, ben]) as players:
            await play_out(players, most=6)
            before, mark = list(players[0].entries), players[0].mark
            await players[0].socket.close()
            await players[1].until(lambda: not players[1].table["seats"][0]["present"])
        async with ann.socket(match) as socket:
            back = Player(socket, entries=list(before))
            await back.hello(len(before), mark)
            await back.until(lambda: bool(back.position))
            assert back.entries[: len(before)] == before
            assert '"entries":[]' in back.received[-1] or back.position["seq"] > len(before)
        async with ann.socket(match) as socket:
            lost = Player(socket)
            await lost.hello(len(before), "0123456789abcdef")
            await lost.until(lambda: bool(lost.position))
            assert lost.entries[: len(before)] == before
        async with at_table(match, [ann, ben]) as players:
            await play_out(players)
            await replayed(served, match, players)

    run(tmp_path, act, "connect_four")


def test_a_lost_acknowledgement_is_had_again(tmp_path: Path) -> None:
    """A choice that is sent again, over another socket, is acknowledged and not made twice."""

    async def act(served: Served) -> None:
        match, (ann, ben) = await seated(served, "connect_four", 2)
        async with at_table(match, [ann]) as (player,):
            words, version = player.choices[0], player.version
            await player.send({"type": "choose", "id": "x", "version": version, "words": words})
            player.socket.transport.abort()
        async with at_table(match, [ann, ben]) as players:
            answer = await players[0].ask("choose", id="x", version=version, words=words)
            again = await players[0].ask("choose", id="x", version=version, words=words)
            assert answer["type"] == again["type"] == "ack"
            assert answer["version"] == again["version"]
            ben_ = players[1]
            await caught_up(served, match, players)
            other = await ben_.ask("choose", id="x", version=ben_.version, words=ben_.choices[0])
            assert other["type"] == "ack", "ids of other seats are others"
            live = await served.service.open(match)
            assert len(live.match.history) == 2

    run(tmp_path, act, "connect_four")


def test_the_acknowledgement_comes_before_its_position(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        match, browsers = await seated(served, "connect_four", 2)
        async with at_table(match, browsers) as players:
            for _ in range(8):
                player = next(p for p in players if p.choices)
                first = len(player.received)
                await player.choose(player.choices[0])
                kinds = [text.split('"')[3] for text in player.received[first:]]
                assert [kind for kind in kinds if kind != "table"] == ["ack", "position"]
                for other in players:
                    await other.until(lambda o=other, p=player: o.position["seq"] == p.position["seq"])

    run(tmp_path, act, "connect_four")


def test_what_is_refused_says_why(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        match, browsers = await seated(served, "roma", 2)
        async with at_table(match, browsers) as (ann, ben):
            refused = await ann.ask("choose", version=ann.version, words="lay nero")
            assert refused["code"] == "not-offered"
            assert refused["refusal"]["kind"]
            why = await ann.ask("why", words="lay nero")
            assert why["refusal"] == refused["refusal"]
            assert (await ann.ask("why", words=ann.choices[0]))["refusal"] is None
            wrong = await ann.ask("why", action="lay", value=["piece", 10**6, 5])
            assert wrong["refusal"]["kind"]
            stale = await ann.ask("choose", version=0, words=ann.choices[0])
            assert stale["code"] == "stale"
            account = await ben.ask("account")
            assert len(account["scores"]) == 2
            no_proposal = await ann.ask("answer", proposal=99, agree=True)
            assert no_proposal["code"] == "not-now"
            assert (await ann.ask("at", seq=999))["code"] == "not-now"
            assert (await ann.ask("at", seq=0, seat=1))["code"] == "not-now"
            assert (await ann.ask("at", seq=0))["position"]["seat"] == 0

    run(tmp_path, act, "roma")


def test_all_seats_of_a_hot_seat_are_present(tmp_path: Path) -> None:
    """One browser has several seats and shows one of them; nobody is away who sits before it."""

    async def act(served: Served) -> None:
        ann, ben = served.browser(), served.browser()
        made = await ann.make("augustus", seats=3, players=["me", "me", "open"], name="Ann")
        await ben.post(f"/api/matches/{made['match']}/join", {"name": "Ben"})
        async with ann.seat(made["match"], 1) as shown:
            assert [seat["present"] for seat in shown.table["seats"]] == [True, True, False]
            seats = (await ben.get(f"/api/matches/{made['match']}"))["seats"]
            assert [seat["present"] for seat in seats] == [True, True, False]
            await ann.post(f"/api/matches/{made['match']}/leave", {"seat": 0})
            await shown.until(lambda: not shown.table["seats"][0]["present"])

    run(tmp_path, act, "augustus")


def test_undo_and_consent(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        match, browsers = await seated(served, "connect_four", 2)
        async with at_table(match, browsers) as (ann, ben):
            start = ann.position["seq"]
            await ann.choose(ann.choices[0])
            assert (await ann.ask("undo", version=ann.version, number=1))["type"] == "ack"
            await ann.until(lambda: ann.position["seq"] == start)
            await ann.choose(ann.choices[1])
            await caught_up(served, match, [ben])
            await ben.choose(ben.choices[0])
            asked = await ann.ask("undo", number=1)
            assert asked["type"] == "answer"
            await ben.until(lambda: bool(ben.table["proposals"]))
            (proposal,) = ben.table["proposals"]
            assert proposal["by"] == 0
            assert proposal["asked"] == [1]
            answer = await ben.ask("answer", proposal=proposal["proposal"], agree=True)
            assert answer["type"] == "ack"
            await ann.until(lambda: ann.position["seq"] == start)
            await replayed(served, match, [ann, ben])

    run(tmp_path, act, "connect_four")


def test_spectators_look_and_nothing_else(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        match, browsers = await seated(served, "roma", 2, spectators={"allowed": True, "delay": 2})
        async with at_table(match, browsers) as players, served.browser().seat(match) as eve:
            await eve.until(lambda: bool(eve.position))
            assert eve.table["seat"] == eve.position["seat"] == -1
            assert eve.position["decisions"] == []
            for request in ("choose", "undo", "resign", "abandon"):
                refused = await eve.ask(request, words="pass", number=1)
                assert refused["code"] == "spectator"
            seen = eve.position["seq"]
            await play_out(players, most=2)
            await asyncio.sleep(0.1)
            assert (await eve.ask("at", seq=seen))["position"]["seat"] == -1
            assert eve.position["seq"] == seen, "two choices behind"
            await play_out(players)
            await eve.until(lambda: eve.position["over"])
            opened = await eve.ask("at", seq=0, seat=-2)
            assert opened["position"]["seat"] == -2, "after the end everything may be seen"

    run(tmp_path, act, "roma")


def test_a_table_without_spectators(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        match, _ = await seated(served, "tic_tac_toe", 2, spectators={"allowed": False})
        async with served.browser().socket(match) as socket:
            await socket.wait_closed()
            assert socket.close_code in (4403, 4404)

    run(tmp_path, act, "tic_tac_toe")


def test_bots_and_resigning(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        ann = served.browser()
        made = await ann.make("tic_tac_toe", name="Ann", players=["me", "bot"])
        async with at_table(made["match"], [ann]) as (player,):
            await player.choose(player.choices[0])
            await player.until(lambda: bool(player.choices) and player.position["seq"] >= 3)
            assert (await player.ask("resign"))["type"] == "ack"
            await player.until(lambda: player.table["status"] == "over")
            assert player.table["result"]["by"] == "resignation"
            assert (await player.ask("choose", words=player.choices[0]))["type"] == "refused"
            again = await ann.post(f"/api/matches/{made['match']}/rematch", {}, 201)
            await player.until(lambda: player.table["rematch"] == again["match"])
        async with at_table(made["match"], [ann]) as (back,):
            assert back.table["rematch"] == again["match"]
        assert [seat["kind"] for seat in again["seats"]] == ["bot", "person"]
        assert again["seats"][1]["mine"]

    run(tmp_path, act, "tic_tac_toe")


def test_a_slow_reader_gets_one_fresh_view(tmp_path: Path) -> None:
    """Whoever does not read costs bounded memory, and sees the latest position when reading again."""

    async def act(served: Served) -> None:
        match, browsers = await seated(served, "othello", 2)
        eve = served.browser()
        async with at_table(match, browsers) as players, eve.socket(match, max_queue=1) as socket:
            slow = Player(socket)
            await slow.hello()
            await slow.until(lambda: bool(slow.position))
            table = served.context.tables.known(match)
            (connection,) = [c for c in table.connections if c.viewer == -1]
            blocked = asyncio.Event()
            send = connection.outbox._send

            async def stuck(text: str) -> None:
                await blocked.wait()
                await send(text)

            connection.outbox._send = stuck
            await play_out(players, most=40)
            assert len(connection.outbox._waiting) == 0, "no old views wait"
            before = len(slow.received)
            blocked.set()
            await caught_up(served, match, [slow, players[0]])
            positions = [text for text in slow.received[before:] if '"type":"position"' in text]
            assert len(positions) <= 2, "the one that was stuck, and a fresh one"
            assert slow.entries == players[0].entries

    run(tmp_path, act, "othello")


def test_answers_that_wait_are_bounded() -> None:
    from rulewright.serve.tables.outbox import MOST_BYTES, MOST_WAITING, Outbox

    async def never(_: str) -> None:
        await asyncio.Event().wait()

    outbox = Outbox(never, lambda: None)
    assert all(outbox.put("x") for _ in range(MOST_WAITING))
    assert not outbox.put("x")
    assert outbox.dropped == 1
    large = Outbox(never, lambda: None)
    assert large.put("x" * (MOST_BYTES - 1))
    assert not large.put("xx")


def test_a_match_survives_a_restart(tmp_path: Path) -> None:
    async def main() -> None:
        async with serving(tmp_path, "yacht") as served:
            match, browsers = await seated(served, "yacht", 2)
            async with at_table(match, browsers) as players:
                await play_out(players, most=7)
                await caught_up(served, match, players)
                entries, cookies = players[0].entries, [dict(b.http.cookies) for b in browsers]
        async with serving(tmp_path, "yacht") as served:
            again = [served.browser() for _ in browsers]
            for browser, cookie in zip(again, cookies, strict=True):
                browser.http.cookies.update(cookie)
            async with at_table(match, again) as players:
                assert players[0].entries == entries
                await play_out(players)
                await replayed(served, match, players)
            listed = await again[0].get("/api/matches")
            assert [m["match"] for m in listed["mine"]] == [match]

    asyncio.run(main())


def test_many_who_come_are_told_of_together(tmp_path: Path) -> None:
    """Who comes to look is told of at most once a second, and nothing else is sent again."""

    async def act(served: Served) -> None:
        match, (ann, _) = await seated(served, "connect_four", 2)
        async with ann.seat(match) as first, AsyncExitStack() as there:
            before = len(first.received)
            for _ in range(30):
                await there.enter_async_context(served.browser().seat(match))
            await first.until(lambda: first.table["watching"] == 30)
            news = [json.loads(text) for text in first.received[before:]]
            said = [message for message in news if message["type"] != "position"]
            assert len(said) <= 30 // 3
            assert all(set(message) == {"type", "watching"} for message in said)

    run(tmp_path, act, "connect_four")


def test_what_changes_of_a_table_is_sent_alone(tmp_path: Path) -> None:
    """A proposal and the clock are told as such; a page of the first protocol gets the whole table."""

    async def act(served: Served) -> None:
        match, browsers = await seated(served, "connect_four", 2, clock={"kind": "match", "seconds": 600})
        async with at_table(match, browsers) as (ann, ben), browsers[0].socket(match) as old:
            await old.send('{"type": "hello", "protocol": 1, "seq": 0}')
            await asyncio.sleep(tables.AROUND)
            for player in (ann, ben):
                player.received.clear()
            await play_out([ann, ben], most=2)
            await ann.ask("abandon")
            await ben.until(lambda: bool(ben.table["proposals"]))
            changes = [one for one in map(json.loads, ben.received) if one["type"] in ("table", "changes")]
            assert [set(one) for one in changes if "proposals" in one] == [{"type", "proposals"}]
            assert all(set(one) <= {"type", "clocks", "proposals", "watching", "seats"} for one in changes)
            assert all("now" in one["clocks"] for one in changes if "clocks" in one)
            found = []
            while not found or not found[-1].get("proposals"):
                message = json.loads(await asyncio.wait_for(old.recv(), 20))
                found += [message] if message["type"] in ("table", "changes") else []
            assert all(one["type"] == "table" and one["title"] for one in found)

    run(tmp_path, act, "connect_four")
