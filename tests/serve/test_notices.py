"""Notifier of one's turn: by mail to a real server on this computer, and by webhook."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from rulewright.i18n.messages import languages
from rulewright.serve.access.visitors import StopLink
from rulewright.serve.config import MailConfig
from rulewright.serve.notices.mail import is_address, turn_mail
from rulewright.serve.notices.notifier import Timing
from rulewright.serve.notices.webhooks import Failed, Refused, call, is_public, target_of
from rulewright.serve.words import said
from tests.serve.clients import LAVISH, Served, serving

HURRY = Timing(grace=0.05, waits=(0.05, 0.05))


@dataclass
class Sink:
    """A server that keeps what it is sent."""

    port: int = 0
    received: list[str] = field(default_factory=list)
    calls: int = 0
    failures: int = 0
    """How many calls fail first."""

    async def until(self, number: int, seconds: float = 10) -> None:
        """Wait until so many things were received."""
        async with asyncio.timeout(seconds):
            while len(self.received) < number:
                await asyncio.sleep(0.02)

    async def smtp(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One session of SMTP."""
        writer.write(b"220 sink\r\n")
        while line := await reader.readline():
            word = line.split()[0].upper() if line.split() else b""
            if word == b"DATA":
                writer.write(b"354 go\r\n")
                self.received.append((await reader.readuntil(b"\r\n.\r\n")).decode())
            if word == b"QUIT":
                writer.write(b"221 bye\r\n")
                break
            writer.write(b"250 ok\r\n")
        writer.close()

    async def http(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request of HTTP."""
        self.calls += 1
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = int(re.findall(r"(?i)content-length: (\d+)", head)[0])
        body = (await reader.readexactly(length)).decode()
        if self.calls <= self.failures:
            writer.write(b"HTTP/1.1 500 No\r\n\r\n")
        else:
            self.received.append(body)
            writer.write(b"HTTP/1.1 204 Yes\r\n\r\n")
        await writer.drain()
        writer.close()

    async def silence(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Accepts, and never answers."""
        self.calls += 1
        await reader.read()


@asynccontextmanager
async def sink(kind: str, failures: int = 0) -> AsyncIterator[Sink]:
    """A running sink of `smtp`, `http` or `silence`."""
    found = Sink(failures=failures)
    server = await asyncio.start_server(getattr(found, kind), "127.0.0.1", 0)
    found.port = server.sockets[0].getsockname()[1]
    try:
        yield found
    finally:
        server.close()


async def asked_seat(served: Served, **where: str) -> str:
    """A match in which seat 0 is asked and not there, and is told as it wishes."""
    ann = served.browser()
    match = (await ann.make("connect_four", name="Ann", players=["me", "open"]))["match"]
    await ann.post(f"/api/matches/{match}/notices", {"seat": 0, **where}, 204)
    await served.browser().post(f"/api/matches/{match}/join", {"name": "Ben"})
    return str(match)


def test_mail_at_ones_turn(tmp_path: Path) -> None:
    async def main() -> None:
        async with sink("smtp") as mails:
            config = MailConfig("127.0.0.1", mails.port, "table@example.org")
            async with serving(tmp_path, "connect_four", mail=config, timing=HURRY) as served:
                match = await asked_seat(served, mail="ann@example.org")
                await mails.until(1)
                (mail,) = mails.received
                assert "To: ann@example.org" in mail
                assert "Subject: Your turn: Connect Four" in mail
                assert f"{served.url}/match/{match}?seat=0" in mail.replace("=\r\n", "").replace("=3D", "=")
                stop = re.findall(r"List-Unsubscribe: <([^>]+)>", re.sub(r"\r\n[ \t]", "", mail))[0]
                served.context.notices.changed(match)
                await asyncio.sleep(0.3)
                assert len(mails.received) == 1, "once for each time that it is asked"
                bare = served.browser()
                del bare.http.headers["origin"]
                assert "No more notices" in (await bare.http.get(stop)).text
                rows = await asyncio.to_thread(served.context.storage.notices, match, 0)
                assert rows, "looking changes nothing"
                assert (await bare.http.post(stop)).status_code == 200
                assert not await asyncio.to_thread(served.context.storage.notices, match, 0)
                assert (await bare.http.post(stop + "x")).status_code == 404

    asyncio.run(main())


@pytest.mark.parametrize(
    ("language", "said"), [("hu", "Te jössz"), ("ro", "Este rândul tău"), ("en", "It is your")]
)
def test_a_notice_is_in_the_language_of_its_player(language: str, said: str, tmp_path: Path) -> None:
    async def main() -> None:
        async with (
            sink("http") as calls,
            serving(tmp_path, "connect_four", webhooks=True, private_webhooks=True, timing=HURRY) as served,
        ):
            await asked_seat(served, webhook=f"http://127.0.0.1:{calls.port}/", language=language)
            await calls.until(1)
            assert json.loads(calls.received[0])["text"].startswith(said)

    asyncio.run(main())


def test_a_mail_and_the_page_that_ends_mails_speak_each_language() -> None:
    config, subjects = MailConfig("smtp.example.org", 25, "table@example.org"), set()
    for language in languages():
        mail = turn_mail(config, "a@b.c", "Hex", "http://x/match", "http://x/stop", language)
        assert "Hex" in mail["Subject"]
        assert all(url in mail.get_content() for url in ("http://x/match", "http://x/stop"))
        subjects.add(mail["Subject"])
    assert len(subjects) == len(languages())
    assert said("ro", "rulings-changed", number=2) != said("ro", "rulings-changed", number=20)
    with pytest.raises(KeyError):
        said("en", "rulings-changed")


@pytest.mark.parametrize(
    "title", ["=?utf-8?q?=0D=0ABcc:_x@y.z?=", "=?utf-8?b?DQpCY2M6IHhAeS56?= b", "ő" * 5000]
)
def test_a_title_brings_no_further_header(title: str) -> None:
    config = MailConfig("smtp.example.org", 25, "table@example.org")
    for language in languages():
        mail = turn_mail(config, "a@b.c", title, "http://x/match", "http://x/stop", language).as_bytes()
        head = re.sub(rb"\r\n[ \t]", b"", mail.partition(b"\r\n\r\n")[0]).split(b"\r\n")
        assert all(re.match(rb"[A-Z][\w-]*: ", line) for line in head)
        assert not any(line.startswith(b"Bcc") for line in head)
        assert sum(line.startswith(b"Subject:") for line in head) == 1
        assert max(map(len, head)) < 1000


def test_notices_to_a_long_address_can_be_ended(tmp_path: Path) -> None:
    url = "http://127.0.0.1:1/" + "h" * 480

    async def main() -> None:
        async with serving(
            tmp_path, "connect_four", webhooks=True, private_webhooks=True, timing=HURRY
        ) as served:
            match = await asked_seat(served, webhook=url)
            storage, notices = served.context.storage, served.context.notices
            (row,) = await asyncio.to_thread(storage.notices, match, 0)
            stop = notices.stop_address(row)
            assert "hhh" not in stop, "nor does it tell the address"
            other = notices.stop_address(replace(row, target=url + "x"))
            assert (await served.browser().http.post(other)).status_code == 200
            assert await asyncio.to_thread(storage.notices, match, 0), "another address"
            assert (await served.browser().http.post(stop)).status_code == 200
            assert not await asyncio.to_thread(storage.notices, match, 0)

    asyncio.run(main())


def test_older_links_that_name_the_address_still_end_notices() -> None:
    link = StopLink("m", 0, "mail", "a@b.c")
    assert link.ends("mail", "a@b.c")
    assert not link.ends("webhook", "a@b.c")
    assert not link.ends("mail", "a@b.d")


def test_mails_to_an_address_are_counted_however_it_is_written(tmp_path: Path) -> None:
    async def main() -> None:
        async with sink("smtp") as mails:
            config = MailConfig("127.0.0.1", mails.port, "table@example.org")
            limits = replace(LAVISH, mails=("1/hour",))
            async with serving(tmp_path, "connect_four", mail=config, timing=HURRY, limits=limits) as served:
                await asked_seat(served, mail="ann@example.org")
                await mails.until(1)
                match = await asked_seat(served, mail="Ann@Example.org")
                while await served.context.grants.untold(match) or not await noted(served, match):
                    await asyncio.sleep(0.02)
                assert len(mails.received) == 1

    asyncio.run(main())


async def noted(served: Served, match: str, kind: str = "mail") -> bool:
    """Whether it was noted that a seat of a match is to be told."""
    return not await served.context.grants.note(match, 0, kind, 0)


def test_nobody_is_told_who_is_there(tmp_path: Path) -> None:
    async def main() -> None:
        async with (
            sink("http") as calls,
            serving(tmp_path, "connect_four", webhooks=True, private_webhooks=True, timing=HURRY) as served,
        ):
            ann, ben = served.browser(), served.browser()
            match = (await ann.make("connect_four", players=["me", "open"]))["match"]
            url = f"http://127.0.0.1:{calls.port}/hook?x=1"
            await ann.post(f"/api/matches/{match}/notices", {"seat": 0, "webhook": url}, 204)
            async with ann.seat(match) as player:
                await ben.post(f"/api/matches/{match}/join", {"name": "Ben"})
                await player.until(lambda: bool(player.choices))
                await asyncio.sleep(0.3)
                assert not calls.received
            assert (await ann.get(f"/api/matches/{match}/notices?seat=0")) == {
                "webhook": True,
                "mail": None,
            }
            await ben.get(f"/api/matches/{match}/notices?seat=0", 403)

    asyncio.run(main())


def test_a_webhook_is_tried_again_and_a_bad_one_blocks_nobody(tmp_path: Path) -> None:
    async def main() -> None:
        async with (
            sink("http", failures=2) as good,
            sink("silence") as bad,
            serving(tmp_path, "connect_four", webhooks=True, private_webhooks=True, timing=HURRY) as served,
        ):
            for _ in range(4):
                await asked_seat(served, webhook=f"http://localhost:{bad.port}/")
            match = await asked_seat(served, webhook=f"http://127.0.0.1:{good.port}/hook")
            await good.until(1)
            assert good.calls == 3
            assert match in good.received[0]
            assert 1 <= bad.calls <= 2, "no more than two at once at one host"

    asyncio.run(main())


def test_a_host_is_called_so_often_in_a_minute_and_no_more(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """From one table after the other, by whatever name; what is over is dropped, and counted in the log."""
    limits = replace(LAVISH, webhooks=("3/minute",))
    given = {"webhooks": True, "private_webhooks": True}

    async def main() -> None:
        async with (
            sink("http") as calls,
            serving(tmp_path, "connect_four", timing=HURRY, limits=limits, **given) as served,
        ):
            names = ("127.0.0.1", "localhost", "127.0.0.1", "LOCALHOST", "127.0.0.1")
            for number, name in enumerate(names):
                match = await asked_seat(served, webhook=f"http://{name}:{calls.port}/{number}")
                while await served.context.grants.untold(match) or not await noted(served, match, "webhook"):
                    await asyncio.sleep(0.02)
            assert calls.calls == 3
            assert "were dropped" not in caplog.text

    asyncio.run(main())
    assert [line for line in caplog.messages if "were dropped" in line] == [
        "2 notices to 127.0.0.1 were dropped: it was called too often"
    ]


@pytest.mark.parametrize("patience", [0.05, 60.0])
def test_what_was_not_sent_is_sent_after_a_restart(tmp_path: Path, patience: float) -> None:
    """Whether the server ended before it tried for the first time, or between two tries; and only once."""
    given = {"webhooks": True, "private_webhooks": True}

    async def main() -> None:
        async with sink("http", failures=1) as calls:
            hurry = Timing(grace=patience, waits=(60.0,))
            async with serving(tmp_path, "connect_four", timing=hurry, **given) as served:
                await asked_seat(served, webhook=f"http://127.0.0.1:{calls.port}/hook")
                while patience < 1 and not calls.calls:
                    await asyncio.sleep(0.02)
            calls.failures = 0
            async with serving(tmp_path, "connect_four", timing=HURRY, **given):
                await calls.until(1)
            async with serving(tmp_path, "connect_four", timing=HURRY, **given):
                await asyncio.sleep(0.4)
            assert len(calls.received) == 1

    asyncio.run(main())


def test_private_addresses_are_not_called(tmp_path: Path) -> None:
    async def main() -> None:
        async with sink("http") as inner:
            with pytest.raises(Refused):
                await call(f"http://127.0.0.1:{inner.port}/", {})
            with pytest.raises(Refused):
                await call(f"http://localhost:{inner.port}/", {})
            with pytest.raises(Failed):
                await call("http://none.invalid/", {})
            assert not inner.calls
            async with serving(tmp_path, "connect_four", webhooks=True, timing=HURRY) as served:
                ann = served.browser()
                match = (await ann.make("connect_four"))["match"]
                path = f"/api/matches/{match}/notices"
                for url in (
                    f"http://127.0.0.1:{inner.port}/",
                    "file:///etc/passwd",
                    "http://[::1]/",
                    "x" * 499,
                ):
                    await ann.post(path, {"seat": 0, "webhook": url}, 400)
                await ann.post(path, {"seat": 0, "mail": "a@b.example"}, 403)
                await ann.post(path, {"seat": 1, "webhook": None}, 403)
                await ann.post(path, {"seat": 0, "webhook": None}, 204)

    asyncio.run(main())


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True), ("2606:4700::1111", True), ("10.0.0.1", False), ("127.1.2.3", False),
        ("169.254.169.254", False), ("::1", False), ("fe80::1%eth0", False), ("::ffff:10.0.0.1", False),
        ("64:ff9b::a00:1", False), ("2002:0a00:0001::", False), ("0.0.0.0", False), ("224.0.0.1", False),
        ("100.64.0.1", False), ("fd00::1", False), ("fec0::1", False), ("::127.0.0.1", False),
        ("64:ff9b:1::7f00:1", False), ("3fff::1", False), ("5f00::1", False), ("192.88.99.1", False),
    ],
)  # fmt: skip
def test_public_addresses(address: str, public: bool) -> None:
    assert is_public(address) is public


@pytest.mark.parametrize(
    "url", ["", "http://", "ftp://a.b/", "http://u:p@a.b/", "http://a.b:x/", "http://a.b/\r\nX: y"]
)
def test_no_address(url: str) -> None:
    with pytest.raises(Refused):
        target_of(url)


def test_mail_addresses() -> None:
    assert is_address("a.b+c@d-e.example.org")
    for wrong in ("", "a", "a@b", "a@b.c\r\nBcc: x@y.z", "a b@c.d", "a@b.c, d@e.f", "<a@b.c>", "é@b.c"):
        assert not is_address(wrong)
