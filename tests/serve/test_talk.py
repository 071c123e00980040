"""Talk at a table: who is told what, what is refused, what is kept and what is not."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import given, strategies as st

from rulewright.serve.config import Limits
from rulewright.serve.store import talk_rows
from rulewright.serve.store.opening import open_storage
from rulewright.serve.store.schema import MIGRATIONS, OF_MATCHES, SAID, VERSION
from rulewright.serve.store.storage import Conflict
from rulewright.serve.store.talk_rows import TalkRow, TalkRows, TooMuchSaid
from rulewright.serve.tables.talk import LONGEST_TEXT, PHRASES, cleaned
from tests.serve.clients import LAVISH, Player, Served, serving
from tests.serve.test_storage import ARCHIVE, MATCH, SEATS, START
from tests.serve.test_tables import at_table, run, seated

TEXT = TalkRow("text", 7, 0, "Ágnes", "jó lépés", 2)
FREE = {"allowed": "free", "spectators": True}


def limited(folder: Path, act: Callable[[Served], Awaitable[None]], limits: Limits) -> None:
    async def main() -> None:
        async with serving(folder, limits=limits) as served:
            await act(served)

    asyncio.run(main())


# ---- what is kept


def test_what_is_said_is_kept_once_and_goes_with_its_match(address: str) -> None:
    storage = open_storage(address)
    storage.put_archive(ARCHIVE).result(10)
    storage.create(MATCH, SEATS, START).result(10)
    rows = TalkRows(storage)
    mark = TalkRow("mark", 8, 1, "", "star", 1, "abc")

    async def act() -> None:
        await rows.say("m", TEXT, "0:a")
        await rows.say("m", replace(TEXT, text="again"), "0:a")
        await rows.mark("m", mark, True)
        await rows.mark("m", mark, True)
        await rows.mark("m", replace(mark, text="heart"), True)
        await rows.mark("m", replace(mark, text="heart"), False)
        for allowed in ("none", "free"):
            await rows.allow("m", TalkRow("rule", 9, None, "", allowed, 0))
        kinds = [(row.kind, row.text) for row in await rows.of_match("m")]
        assert kinds == [("text", "jó lépés"), ("mark", "star"), ("rule", "free")]
        assert storage.rows("m") == START, "the log has nothing of it"
        with pytest.raises(Conflict):
            await rows.say("nowhere", TEXT, "0:a")
        assert storage.forget("m", 10**13).result(10)
        assert await rows.of_match("m") == ()

    asyncio.run(act())
    with storage.engine.connect() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(SAID)).scalar() == 0
    storage.close()
    assert SAID in OF_MATCHES


def test_the_oldest_is_forgotten_and_marks_are_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, number in (("MOST_SAID", 6), ("KEPT_SAID", 4), ("MOST_MARKS", 3)):
        monkeypatch.setattr(talk_rows, name, number)
    storage = open_storage(str(tmp_path / "m.db"))
    storage.put_archive(ARCHIVE).result(10)
    storage.create(MATCH, SEATS, START).result(10)
    rows = TalkRows(storage)

    async def act() -> None:
        for number in range(7):
            await rows.say("m", replace(TEXT, text=str(number)), f"0:{number}")
        assert [row.text for row in await rows.of_match("m")] == ["3", "4", "5", "6"]
        for step in range(3):
            await rows.mark("m", TalkRow("mark", 8, 1, "", "star", step), True)
        with pytest.raises(TooMuchSaid):
            await rows.mark("m", TalkRow("mark", 8, 1, "", "star", 9), True)

    asyncio.run(act())
    storage.close()


def test_an_older_store_gets_room_for_talk(tmp_path: Path) -> None:
    path = str(tmp_path / "m.db")
    storage = open_storage(path)
    with storage.engine.begin() as connection:
        SAID.drop(connection)
        connection.execute(VERSION.update().values(version=3))
    storage.close()
    storage = open_storage(path)
    with storage.engine.connect() as connection:
        assert sa.inspect(connection).has_table("said")
        assert connection.execute(sa.select(VERSION.c.version)).scalar() == len(MIGRATIONS)
    storage.close()


# ---- who is told what


async def told(players: list[Player], texts: list[str]) -> None:
    """Wait until each has been told some texts or phrases."""
    for player in players:
        await player.until(lambda p=player: [x.get("text") or x.get("phrase") for x in p.said] == texts)


def test_all_seats_are_told_and_spectators_if_the_owner_wants_it(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        match, browsers = await seated(served, "tic_tac_toe", 2, talk={"allowed": "free"})
        async with at_table(match, [*browsers, served.browser()]) as (ann, ben, watcher):
            assert ann.table["talk"] == {"allowed": "free", "spectators": False}
            assert (await ann.ask("say", text="hello  there"))["type"] == "ack"
            await told([ann, ben], ["hello there"])
            assert (await ben.ask("say", phrase="thanks"))["type"] == "ack"
            await told([ann, ben], ["hello there", "thanks"])
            assert (await watcher.ask("say", text="e5!"))["code"] == "spectator"
            assert watcher.said == []
            await browsers[0].post(f"/api/matches/{match}/talk", {"spectators": True})
            await told([watcher], ["hello there", "thanks"])
            assert [(x["seat"], x["name"]) for x in watcher.said] == [(0, "P0"), (1, "P1")]
            await browsers[1].post(f"/api/matches/{match}/talk", {"allowed": "none"}, 403)
            await browsers[0].post(f"/api/matches/{match}/talk", {"allowed": "phrases"})
            await told([ann, ben, watcher], ["thanks"])
            assert (await ben.ask("say", text="no?"))["code"] == "not-allowed"
            await browsers[0].post(f"/api/matches/{match}/talk", {"allowed": "none"})
            await told([ann, ben, watcher], [])
            assert (await ben.ask("say", phrase="thanks"))["code"] == "not-allowed"

    run(tmp_path, act, "tic_tac_toe")


def test_talk_outlives_the_server_and_is_in_no_log(tmp_path: Path) -> None:
    async def act() -> None:
        async with serving(tmp_path, "tic_tac_toe") as served:
            match, browsers = await seated(served, "tic_tac_toe", 2, talk=FREE)
            async with at_table(match, browsers) as (ann, ben):
                await ann.ask("say", text="a secret word", id="once")
                await ann.ask("say", text="a secret word", id="once")
                await told([ben], ["a secret word"])
                await ben.ask("resign")
                await ann.until(lambda: ann.table["status"] == "over")
            answer = await browsers[0].http.get(f"/api/matches/{match}/log")
            assert "secret" not in answer.text
            cookies = dict(browsers[0].http.cookies)
        async with serving(tmp_path, "tic_tac_toe") as served:
            again = served.browser()
            again.http.cookies.update(cookies)
            async with again.seat(match) as ann:
                await told([ann], ["a secret word"])
                assert (await ann.ask("say", phrase="well-played"))["type"] == "ack"
                await ann.hello()
                await told([ann], ["a secret word", "well-played"])

    asyncio.run(act())


def test_a_rematch_has_what_the_owner_allows_now_and_no_talk(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        match, browsers = await seated(served, "tic_tac_toe", 2, talk=FREE)
        async with at_table(match, browsers) as (ann, ben):
            await ann.ask("say", text="one more?")
            await browsers[0].post(f"/api/matches/{match}/talk", {"allowed": "phrases"})
            await ben.ask("resign")
        made = await browsers[0].post(f"/api/matches/{match}/rematch", {"agree": True}, 201)
        await browsers[1].post(f"/api/matches/{match}/rematch", {"agree": True}, 201)
        async with browsers[0].seat(made["match"]) as ann:
            assert ann.table["talk"] == {"allowed": "phrases", "spectators": True}
            assert ann.said == []

    run(tmp_path, act, "tic_tac_toe")


def test_too_much_too_long_and_too_strange_is_refused(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        match, browsers = await seated(served, "tic_tac_toe", 2, talk=FREE)
        async with at_table(match, browsers) as (ann, ben):
            for wrong in ("x" * (LONGEST_TEXT + 1), "", " \n", "\u202e\u2066\0", "\u200d"):
                assert (await ann.ask("say", text=wrong))["code"] == "malformed", wrong
            for fields in ({"phrase": "rude"}, {}, {"text": 7}, {"text": ["x"]}):
                assert (await ann.ask("say", **fields))["code"] == "malformed", fields
            for fields in ({"seq": 1, "mark": "skull", "on": True}, {"seq": 0, "mark": "star", "on": True}):
                assert (await ann.ask("mark", **fields))["code"] == "malformed"
            assert (await ann.ask("mark", seq=99, mark="star", on=True))["code"] == "not-now"
            answers = [await ann.ask("say", phrase="hello") for _ in range(4)]
            assert [answer.get("code") for answer in answers] == [None, None, None, "said-enough"]
            assert (await ben.ask("say", phrase="hello"))["type"] == "ack", "each seat has its own share"

    limited(tmp_path, act, replace(LAVISH, talk=("3/hour",)))


def test_late_spectators_are_told_late_what_was_said_about_the_board(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        late = {"allowed": True, "delay": 2}
        match, browsers = await seated(served, "tic_tac_toe", 2, talk=FREE, spectators=late)
        async with at_table(match, [*browsers, served.browser()]) as (ann, ben, watcher):
            assert (await ann.ask("say", text="before"))["type"] == "ack"
            await told([ann, ben, watcher], ["before"])
            first, second = (ann, ben) if ann.choices else (ben, ann)
            await first.choose(first.choices[0])
            assert (await ann.ask("say", text="what a corner"))["type"] == "ack"
            await told([ann, ben], ["before", "what a corner"])
            assert [x["text"] for x in watcher.said] == ["before"]
            for player in (second, first):
                await player.until(lambda p=player: bool(p.choices))
                await player.choose(player.choices[0])
            await told([watcher], ["before", "what a corner"])

    run(tmp_path, act, "tic_tac_toe")


# ---- marks on moments


def test_a_mark_is_told_of_the_entry_that_each_viewer_has_and_goes_when_it_is_taken_back(
    tmp_path: Path,
) -> None:
    async def act(served: Served) -> None:
        match, browsers = await seated(served, "tic_tac_toe", 2, talk=FREE)
        async with at_table(match, [*browsers, served.browser()]) as (ann, ben, watcher):
            first = next(player for player in (ann, ben) if player.choices)
            await first.choose(first.choices[0])
            seq = len(first.entries)
            assert (await first.ask("mark", seq=seq, mark="star", on=True))["type"] == "ack"
            seat = first.table["seat"]
            for player in (ann, ben, watcher):
                await player.until(lambda p=player: p.marks == [[seq, seat, "star"]])
            assert (await first.ask("undo", version=first.version, number=1))["type"] == "ack"
            for player in (ann, ben, watcher):
                await player.until(lambda p=player: p.marks == [])
            await first.choose(first.choices[1])
            assert first.marks == [], "another choice at the same place is not marked"

    run(tmp_path, act, "tic_tac_toe")


def test_a_mark_tells_nothing_of_what_others_choose_at_once(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        match, browsers = await seated(served, "oshi_zumo", 2, talk=FREE)
        async with at_table(match, browsers) as (ann, ben):
            await ann.choose(ann.choices[0])
            assert (await ann.ask("mark", seq=len(ann.entries), mark="wow", on=True))["type"] == "ack"
            await ann.until(lambda: len(ann.marks) == 1)
            assert (await ann.ask("say", phrase="your-turn"))["type"] == "ack"
            await told([ben], ["your-turn"])
            assert ben.marks == []
            await ben.choose(ben.choices[0])
            await ben.until(lambda: [mark[1:] for mark in ben.marks] == [[0, "wow"]])

    run(tmp_path, act, "oshi_zumo")


# ---- texts


@given(st.text(max_size=400))
def test_a_cleaned_text_is_one_harmless_line_and_stays_as_it_is(text: str) -> None:
    found = cleaned(text)
    assert cleaned(found) == found
    kinds = {unicodedata.category(c) for c in found if c not in talk_signs}
    assert not kinds & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


talk_signs = "\u200c\u200d"


def test_what_reorders_controls_or_covers_is_taken_out() -> None:
    assert cleaned("a\u202eb\u2066c\u200fd") == "abcd"
    assert cleaned("a \u200f b\u200e\u0301") == "a b\u0301"
    assert cleaned(" one\ntwo\t\u2028three ") == "one two three"
    assert cleaned("e" + "\u0301" * 40).count("\u0301") <= 3
    assert (
        cleaned("<b>x</b> & \u05e9\u05dc\u05d5\u05dd \u0151") == "<b>x</b> & \u05e9\u05dc\u05d5\u05dd \u0151"
    )
    assert (
        cleaned("\U0001f468\u200d\U0001f469\u200d\U0001f467") == "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    )


def test_all_phrases_are_ids_of_messages() -> None:
    from rulewright.i18n.messages import languages, messages_in

    for language in languages():
        assert {f"phrase-{phrase}" for phrase in PHRASES} <= set(messages_in(language, "server"))
