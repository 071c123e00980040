"""Who may send requests, what answers carry, and what links and cookies open."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
import pytest
from starlette.requests import Request
from websockets.exceptions import InvalidStatus

from rulewright.http.errors import ApiError
from rulewright.serve.access.security import document_policy, known_host, same_origin
from rulewright.serve.access.visitors import SeatLink, Signer
from rulewright.serve.api.bodies import body_of
from rulewright.serve.config import Limits, ServeConfig
from tests.serve.clients import LAVISH, SECRET, Player, Served, serving

HEADERS = ("x-content-type-options", "referrer-policy", "content-security-policy", "permissions-policy")


def run(folder: Path, act: Callable[[Served], Awaitable[None]], limits: Limits = LAVISH) -> None:
    """Run something against a server."""

    async def main() -> None:
        async with serving(folder, "tic_tac_toe", "roma", limits=limits) as served:
            await act(served)

    asyncio.run(main())


def config(url: str) -> ServeConfig:
    return ServeConfig({}, url, SECRET, Path())


# ---- headers


def test_every_answer_is_protected(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        visitor = served.browser()
        paths = ("/", "/health", "/api/games", "/api/games/roma/rulebook", "/nothing", "/web/none.js")
        for path in (*paths, "/seat/none", "/notices/stop/none", "/api/games/roma/picture.svg"):
            answer = await visitor.http.get(path)
            assert all(name in answer.headers for name in HEADERS), path
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["referrer-policy"] == "no-referrer"
            policy = answer.headers["content-security-policy"]
            assert "unsafe-eval" not in policy.replace("'wasm-unsafe-eval'", "")
            assert "script-src 'self' 'wasm-unsafe-eval';" in policy or "default-src 'none'" in policy
            assert "server" not in answer.headers
        page = (await visitor.http.get("/api/server")).headers["content-security-policy"]
        assert "frame-ancestors 'none'" in page
        assert "unsafe-inline" not in page

    run(tmp_path, act)


LOOKING = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.parametrize("path", ["/nonsense", "/game/a/b", "/match", "/notices/stop/none", "/%ff/x"])
def test_a_browser_is_shown_a_page_where_there_is_nothing(path: str, tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        http = served.browser().http
        shown = await http.get(path, headers=LOOKING)
        assert shown.status_code == 404
        assert '<div id="page">' in shown.text
        assert (await http.get(path)).json()["error"]["code"] == "not-found"

    run(tmp_path, act)


def test_programs_are_answered_in_json_whoever_asks(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        for path in ("/api/nonsense", "/api/matches/none", "/web/none.js"):
            answer = await served.browser().http.get(path, headers=LOOKING)
            assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not-found")

    run(tmp_path, act)


def test_a_browser_that_asks_too_often_is_shown_a_page(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        http = served.browser().http
        answers = [await http.get("/seat/none", headers=LOOKING) for _ in range(4)]
        assert answers[-1].status_code == 429
        assert "<h1>Rulewright</h1>" in answers[-1].text
        assert "retry-after" in answers[-1].headers
        assert "default-src 'none'" in answers[-1].headers["content-security-policy"]

    run(tmp_path, act, Limits(changes=("2/minute",)))


def test_a_rulebook_runs_nothing_and_keeps_its_styles(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        answer = await served.browser().http.get("/api/games/roma/rulebook?seats=2")
        assert answer.status_code == 200
        assert "<script" not in answer.text
        assert not re.search(r"<[^>]+ style=", answer.text)
        assert 'id="clause-4-3"' in answer.text
        policy = answer.headers["content-security-policy"]
        assert "style-src 'sha256-" in policy
        assert "script" not in policy
        assert "frame-ancestors 'self'" in policy

    run(tmp_path, act)


def test_documents_without_styles_allow_none() -> None:
    assert "style-src 'none'" in document_policy([])


def test_the_cookie(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        cookie = (await served.browser().http.get("/api/games")).headers["set-cookie"]
        assert all(part in cookie for part in ("HttpOnly", "SameSite=Lax", "Path=/"))
        assert "Secure" not in cookie
        assert "set-cookie" not in (await served.browser().http.get("/web/none.js")).headers

    run(tmp_path, act)
    from rulewright.serve.access.visitors import KnownVisitors

    secure = KnownVisitors(lambda *_: None, config("https://a.example"), Signer(SECRET))  # type: ignore[arg-type,return-value]
    assert "Secure" in secure._cookie("x")


# ---- origins and hosts


def test_pages_of_other_sites_change_nothing(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        for origin in ("https://evil.example", "null", served.url + ".evil.example", "http://127.0.0.1:1"):
            visitor = served.browser(Origin=origin)
            answer = await visitor.http.post("/api/matches", json={"game": "roma"})
            assert answer.status_code == 403
            assert answer.json()["error"]["code"] == "other-origin"
        bare = httpx.AsyncClient(base_url=served.url)
        assert (await bare.post("/api/matches", json={"game": "roma"})).status_code == 403
        text = await served.browser().http.post(
            "/api/matches", content="{}", headers={"content-type": "text/plain"}
        )
        assert text.status_code == 400

    run(tmp_path, act)


def test_sockets_of_other_sites_are_refused(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        owner = served.browser()
        made = await owner.make("tic_tac_toe")
        for origin in ("https://evil.example", None):
            with pytest.raises(InvalidStatus) as refused:
                async with owner.socket(made["match"], origin=origin):
                    pass
            assert refused.value.response.status_code == 403

    run(tmp_path, act)


def test_names_of_other_sites_lead_nowhere(tmp_path: Path) -> None:
    """A name that an attacker makes lead to this computer does not get the page's rights."""

    async def act(served: Served) -> None:
        rebound = {"host": "evil.example", "origin": "http://evil.example"}
        visitor = served.browser()
        assert (await visitor.http.get("/api/matches", headers=rebound)).status_code == 403
        answer = await visitor.http.post("/api/matches", json={}, headers=rebound)
        assert answer.status_code == 403

    run(tmp_path, act)


@pytest.mark.parametrize(
    "host", ["[", "]", "[::1", "[x]", "a:b:c", "127.0.0.1:x", "a b", "a/b", "%", "[::1]]", ""]
)
@pytest.mark.parametrize("kind", ["application/json", "text/html"])
def test_hosts_that_are_none_are_refused(host: str, kind: str, tmp_path: Path) -> None:
    """Whatever a browser or a program asks for; nothing of it is read as an address."""

    async def act(served: Served) -> None:
        for path in ("/", "/api/games", "/nothing/"):
            reader, writer = await asyncio.open_connection("127.0.0.1", int(served.url.rpartition(":")[2]))
            lines = f"GET {path} HTTP/1.1", f"Host: {host}", f"Accept: {kind}", "Connection: close"
            writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
            head = await reader.readline()
            assert head.split()[1] == b"400", head
            writer.close()

    run(tmp_path, act)


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("a.example", True), ("a.example:443", False), ("b.example", False), ("127.0.0.1:8000", True),
        ("[::1]:8000", True), ("localhost:9", True), ("localhost.evil.example", False), ("", False),
    ],
)  # fmt: skip
def test_known_hosts(host: str, known: bool) -> None:
    assert known_host(host, config("https://a.example")) is known


def test_origins() -> None:
    secure, plain = config("https://a.example"), config("http://127.0.0.1:8000")
    assert same_origin("https://a.example", "a.example", secure)
    assert not same_origin("http://a.example", "a.example", secure)
    assert same_origin("http://192.168.0.9:8000", "192.168.0.9:8000", plain)
    assert not same_origin("http://192.168.0.9:8001", "192.168.0.9:8000", plain)
    assert not same_origin(None, "127.0.0.1:8000", plain)


# ---- cookies and links


def test_foreign_cookies_open_nothing(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        owner = served.browser()
        made = await owner.make("tic_tac_toe", players=["me", "invited"], visibility="private")
        path = f"/api/matches/{made['match']}"
        assert (await owner.get(path))["owner"]
        forged = ("", "x", "IngiOg.forged", Signer(b"another secret of thirty-two bytes").cookie("x"))
        for cookie in forged:
            stranger = served.browser()
            stranger.http.cookies.set("rulewright", cookie)
            async with stranger.socket(made["match"], 0) as socket:
                await socket.wait_closed()
                assert socket.close_code == 4404
            assert (await stranger.http.get(path)).status_code == 404
        stranger = served.browser()
        for action, body in (
            ("join", {"seat": 1}),
            ("leave", {"seat": 0}),
            ("name", {"seat": 0, "name": "x"}),
        ):
            assert (await stranger.http.post(f"{path}/{action}", json=body)).status_code == 404
        assert (await stranger.http.request("DELETE", f"{path}/seats/0/link", json={})).status_code == 404

    run(tmp_path, act)


def test_a_seat_link_is_exchanged_at_once_and_can_be_revoked(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        owner, friend = served.browser(), served.browser()
        made = await owner.make("tic_tac_toe", name="Ann", players=["me", "invited"], visibility="private")
        match, link = made["match"], made["links"][0]["link"]
        assert link.startswith(f"{served.url}/seat/")
        looked = await friend.http.get(link)
        assert looked.status_code == 303
        assert looked.headers["location"] == f"/match/{match}?seat=1"
        assert looked.headers["referrer-policy"] == "no-referrer"
        seen = await friend.get(f"/api/matches/{match}")
        assert seen["seats"][1]["invitation"]
        await friend.post(f"/api/matches/{match}/join", {"name": "Ben"})
        late = served.browser()
        assert (await late.http.get(link)).headers["location"] == "/?lost=seat", "taken: the link is used up"
        own = await friend.post(f"/api/matches/{match}/seats/1/link")
        await served.browser().post(f"/api/matches/{match}/seats/1/link", status=404)
        phone = served.browser()
        await phone.http.get(own["link"])
        async with friend.seat(match) as desk, phone.seat(match) as other:
            assert desk.table["seat"] == other.table["seat"] == 1
            gone = await owner.http.request("DELETE", f"/api/matches/{match}/seats/1/link", json={})
            for player in (desk, other):
                with pytest.raises(Exception):  # noqa: B017, PT011
                    await player.until(lambda: False)
                assert player.socket.close_code == 4403
                assert player.errors[-1]["code"] == "revoked"
        assert (await friend.http.get(f"/api/matches/{match}")).status_code == 404
        assert (await late.http.get(own["link"])).headers["location"] == "/?lost=seat"
        await friend.http.get(gone.json()["link"])
        async with friend.seat(match) as back:
            assert back.table["seat"] == 1
        refused = await friend.http.request("DELETE", f"/api/matches/{match}/seats/0/link", json={})
        assert refused.status_code == 403, "only the owner revokes"

    run(tmp_path, act)


def test_links_cannot_be_made_by_others() -> None:
    signer, link = Signer(SECRET), SeatLink("match", 1, "token")
    token = signer.seat_token(link)
    assert signer.seat_link(token) == link
    assert Signer(b"another secret of thirty-two bytes").seat_link(token) is None
    assert signer.seat_link(token[:-1]) is None
    assert signer.seat_link("x" * 5000) is None
    assert signer.seat_link(signer.cookie("visitor")) is None, "signed for something else"
    assert signer.stop_link(token) is None


# ---- files, bodies, rates


@pytest.mark.parametrize(
    "path",
    ["../app.py", "..%2fserve%2fapp.py", "%2e%2e/app.py", "style/../../main.py", "/etc/passwd",
     "%2fetc/passwd", ".hidden", "a//b", "a\\..\\b", "%00"],
)  # fmt: skip
def test_paths_stay_in_the_folder_of_the_page(path: str, tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(served.url.rpartition(":")[2]))
        host = served.url.removeprefix("http://")
        writer.write(f"GET /web/{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        head = await reader.readline()
        assert head.split()[1] in (b"404", b"400"), head
        writer.close()

    run(tmp_path, act)


def test_bodies_are_read_strictly(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        visitor = served.browser()
        json_type = {"content-type": "application/json"}
        wrong = [
            b"",
            b"[]",
            b"{",
            b"[" * 5000,
            b'{"game": NaN}',
            b'{"game": 1}',
            b'{"game": "roma", "seats": "2"}',
        ]
        wrong += [b'{"game": "roma", "players": ["me"]}', b'{"game": "roma", "players": ["me", "king"]}']
        wrong += [b'{"game": "roma", "spectators": {"delay": 1000}}', b'{"game": "roma", "name": "\\u0007"}']
        wrong += [
            b'{"game": "roma", "clock": {"kind": "move"}}',
            b'{"game": "roma", "seats": 99999999999999999}',
        ]
        for body in wrong:
            answer = await visitor.http.post("/api/matches", content=body, headers=json_type)
            assert answer.status_code == 400, (body[:80], answer.text)
            assert answer.json()["error"]["code"] == "malformed"
        large = await visitor.http.post("/api/matches", content=b" " * 70_000, headers=json_type)
        assert large.status_code == 413
        assert (await visitor.http.post("/api/matches", json={"game": "none"})).status_code == 404
        odd = await visitor.http.post("/api/matches", json={"game": "roma", "options": {"none": "x"}})
        assert odd.status_code == 422
        assert odd.json()["error"]["diagnostics"][0]["code"]

    run(tmp_path, act)


def test_a_body_that_breaks_off_is_a_mistake_of_the_client() -> None:
    messages = [{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}]

    async def receive() -> dict[str, object]:
        return messages.pop(0)

    request = Request({"type": "http", "method": "POST", "headers": []}, receive)
    with pytest.raises(ApiError, match="ended too early"):
        asyncio.run(body_of(request, 100))


def test_too_many_requests(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        visitor = served.browser()
        answers = [await visitor.http.get("/api/server") for _ in range(8)]
        assert answers[0].status_code == 200
        assert answers[-1].status_code == 429
        assert int(answers[-1].headers["retry-after"]) >= 1

    run(tmp_path, act, Limits(requests=("5/minute",)))


def test_too_many_sockets(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        owner = served.browser()
        made = await owner.make("tic_tac_toe")
        async with owner.seat(made["match"]), owner.seat(made["match"]):
            with pytest.raises(InvalidStatus) as refused:
                async with owner.socket(made["match"]):
                    pass
            assert refused.value.response.status_code == 429
        await asyncio.sleep(0.1)
        async with owner.seat(made["match"]) as again:
            assert isinstance(again, Player)

    run(tmp_path, act, Limits(sockets=2))


def test_logs_tell_no_more_than_seats_may_know(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        ann, ben = served.browser(), served.browser()
        made = await ann.make("roma", name="Ann")
        match = made["match"]
        assert (await ann.http.get(f"/api/matches/{match}/log")).status_code == 409
        await ben.post(f"/api/matches/{match}/join", {"name": "Ben"})
        own = await ann.get(f"/api/matches/{match}/log?seat=0")
        assert own["entries"]
        assert (await ann.http.get(f"/api/matches/{match}/log?seat=1")).status_code == 403
        text = (await ann.http.get(f"/api/matches/{match}/log")).text
        assert "seed" not in text
        assert "hash" not in text
        async with ann.seat(match) as player:
            await player.ask("resign")
        whole = await ben.http.get(f"/api/matches/{match}/log")
        assert whole.text.startswith('{"rulewright"')

    run(tmp_path, act)
