"""Rulesets from strangers: only where they are allowed, read in a bounded process."""

from __future__ import annotations

import asyncio
import json
import re
import stat
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from dsl.load import load
from rulewright.library import files_of, find, folder
from rulewright.serve.api.uploads import is_uploaded
from rulewright.serve.config import ServeConfig
from rulewright.serve.games import unpacking
from rulewright.serve.games.unpacking import UploadRefused, unpacked
from rulewright.serve.games.upload_process import answered
from tests.serve.clients import Served, play_out, serving

SMALL = {"game.yaml": b"x"}


def zipped(files: dict[str, bytes], mode: int = 0o644) -> bytes:
    """An archive of files by path."""
    data = BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path)
            entry.external_attr = mode << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return data.getvalue()


def ruleset(name: str = "tic_tac_toe", inner: str = "") -> dict[str, bytes]:
    """The files of a bundled game."""
    return {f"{inner}{path}": data for path, data in files_of(find(name)).items()}


@pytest.mark.parametrize("inner", ["", "my_game/"])
def test_the_folder_may_be_the_top_or_the_only_one(inner: str) -> None:
    extra = {f"{inner}.git/config": b"x", f"{inner}program.py": b"x", "__MACOSX/game.yaml": b"x"}
    assert unpacked(zipped({**ruleset(inner=inner), **extra})) == ruleset()


@pytest.mark.parametrize(
    "path",
    [
        "../game.yaml",
        "a/../../game.yaml",
        "/game.yaml",
        "a\\..\\game.yaml",
        "C:/game.yaml",
        "a/\x1b.yaml",
        "a" * 300,
        "\N{BOMB}" * 60 + ".md",
    ],
)
def test_no_path_leads_out(path: str) -> None:
    with pytest.raises(UploadRefused, match="path"):
        unpacked(zipped({**SMALL, path: b"x"}))


def test_links_and_doubles_are_refused() -> None:
    with pytest.raises(UploadRefused, match="link"):
        unpacked(zipped({"game.yaml": b"/etc/passwd"}, stat.S_IFLNK | 0o777))
    with pytest.raises(UploadRefused, match="twice"):
        unpacked(zipped({**SMALL, "GAME.yaml": b"y"}))
    with pytest.raises(UploadRefused, match=r"game\.yaml"):
        unpacked(zipped({"a/game.yaml": b"x", "b/game.yaml": b"x"}))


def test_a_file_is_no_folder() -> None:
    for paths in (("a.md", "a.md/b.md"), ("A.md/b.md", "a.md")):
        with pytest.raises(UploadRefused, match="file"):
            unpacked(zipped({**SMALL, **dict.fromkeys(paths, b"x")}))


def test_bombs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = zipped({**SMALL, "cards.csv": b"0" * 50_000_000})
    assert len(bomb) < 100_000
    with pytest.raises(UploadRefused, match="too large"):
        unpacked(bomb)
    many = zipped({f"{number}.csv": b"0" * 400_000 for number in range(40)})
    with pytest.raises(UploadRefused, match="too large"):
        unpacked(many)
    with pytest.raises(UploadRefused, match="files"):
        unpacked(zipped({f"{number}.csv": b"" for number in range(unpacking.MOST_FILES + 1)}))
    for broken in (b"", b"PK\x03\x04", bomb[:-10], b"\0" * 1000):
        with pytest.raises(UploadRefused):
            unpacked(broken)


def test_a_size_that_the_archive_hides() -> None:
    """The size in the directory is not believed: what comes out is counted."""
    data = bytearray(zipped({"game.yaml": b"0" * 1_000_000}))
    at = data.rfind(b"PK\x01\x02")
    data[at + 24 : at + 28] = (10).to_bytes(4, "little")
    with pytest.raises(UploadRefused):
        unpacked(bytes(data))


def test_mistakes_are_diagnostics() -> None:
    found = answered("check", zipped({**ruleset(), "game.yaml": b"game: x\n"}))
    assert found["diagnostics"][0]["code"]
    assert answered("check", zipped(ruleset()))["title"]


def test_uploads_where_they_are_allowed(tmp_path: Path) -> None:
    async def main() -> None:
        async with serving(tmp_path, "pig") as served:
            refused = await served.browser().http.post(
                "/api/games", content=zipped(ruleset()), headers={"content-type": "application/zip"}
            )
            assert refused.json()["error"]["code"] == "not-allowed"
        async with serving(tmp_path, "pig", uploads=True) as served:
            visitor, kind = served.browser(), {"content-type": "application/zip"}
            done = await visitor.http.post("/api/games", content=zipped(ruleset()), headers=kind)
            assert done.status_code == 201, done.text
            game = done.json()["game"]
            wrong = await visitor.http.post("/api/games", content=b"PK", headers=kind)
            assert wrong.status_code == 422
            large = await visitor.http.post("/api/games", content=b"0" * (5 << 20), headers=kind)
            assert large.status_code == 413
            assert (await visitor.http.post("/api/games", json={})).status_code == 400
            made = await visitor.make(game, players=["me", "bot"])
            async with visitor.seat(made["match"]) as player:
                await player.until(lambda: bool(player.position))
                await play_out([player])
        async with serving(tmp_path, "pig", uploads=True) as served:
            games = (await served.browser().get("/api/games"))["games"]
            assert game in [one["game"] for one in games], "kept"

    asyncio.run(main())


def test_a_ruleset_that_takes_too_long_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rulewright.serve.games import bounded_process

    sleeping = (*bounded_process.command_of("time")[:3], "import time; time.sleep(60)")
    monkeypatch.setattr(bounded_process, "command_of", lambda module: sleeping)
    monkeypatch.setattr(bounded_process, "LONGEST", 0.5)

    async def main() -> None:
        async with serving(tmp_path, "pig", uploads=True) as served:
            kind = {"content-type": "application/zip"}
            answer = await served.browser().http.post("/api/games", content=zipped(SMALL), headers=kind)
            assert answer.status_code == 422
            assert "time or memory" in answer.json()["error"]["text"]

    asyncio.run(main())


def with_other_names(name: str) -> dict[str, bytes]:
    """A copy of a bundled game with the same rules, in which things are called otherwise in Romanian."""
    reader, path = folder(find(name)), "labels/ro.yaml"
    load(reader)
    files = {**reader.files, **reader.looks}
    return files | {path: re.sub(rb"(?m)^(\w+): .*$", rb"\1: Gotcha", files[path])}


def test_an_upload_changes_no_game_with_the_same_rules(tmp_path: Path) -> None:
    """Their digest is the same, as it leaves out translations and looks."""

    async def main() -> None:
        async with serving(tmp_path, "roma", uploads=True) as served:
            ids = [await sent(served, with_other_names("roma")) for _ in range(2)]
            assert ids[0] == ids[1]
            remarked = {
                path: data + b"\n" for path, data in with_other_names("roma").items() if "look" in path
            }
            assert await sent(served, {**with_other_names("roma"), **remarked}) != ids[0], (
                "nor does it change another upload"
            )
            hashes = []
            for game in (ids[0], "roma"):
                made = await served.browser().make(game, seats=2, players=["me", "me"])
                live = await served.service.open(made["match"])
                found = await served.context.catalogue.description(live.match.game)
                assert (b"Gotcha" in found.data) == (game != "roma")
                hashes.append((live.row.digest, live.row.archive))
            assert hashes[0][0] == hashes[1][0] == hashes[1][1] != hashes[0][1]
        async with serving(tmp_path, "roma", uploads=True) as served:
            live = await served.service.open(made["match"])
            found = await served.context.catalogue.description(live.match.game)
            assert b"Gotcha" not in found.data

    asyncio.run(main())


async def sent(served: Served, files: dict[str, bytes]) -> str:
    """The id of an uploaded game."""
    kind = {"content-type": "application/zip"}
    done = await served.browser().http.post("/api/games", content=zipped(files), headers=kind)
    assert done.status_code == 201, done.text
    return str(done.json()["game"])


@pytest.mark.parametrize(("source", "uploaded"), [
    ("/data/uploads/upload-1", True), ("data/uploads/upload-1", True), ("/moved/uploads/upload-1", True),
    ("roma", False), ("/home/ann/upload-1", False), ("/home/uploads/my_game", False),
])  # fmt: skip
def test_rules_of_a_stranger_are_known_wherever_the_data_lies(source: str, uploaded: bool) -> None:
    config = ServeConfig({}, "http://x", b"", Path("/data"))
    assert is_uploaded(config, source) is uploaded


# ---- texts that everybody is sent

LONG, NAME = "x" * 12_000, "x" * 1_000
"""A key of a mapping has at most 1,024 characters in YAML itself."""
PLACES = {
    "a name": ("game.yaml", "game: pig", f"game: {LONG}"),
    "a title": ("game.yaml", "title: Pig", f"title: {LONG}"),
    "a component": ("game.yaml", "  die: {", f"  {NAME}: {{"),
    "a counter": ("game.yaml", "  points: {", f"  {NAME}: {{"),
    "an option": ("game.yaml", "  goal:", f"  {NAME}:"),
    "a ruling": ("game.yaml", "  empty_hold:", f"  {NAME}:"),
    "a reading": ("game.yaml", "a turn begins with a throw", LONG),
    "the name of a reading": ("game.yaml", "allowed: a turn", f"{NAME}: a turn"),
    "a reason": ("game.yaml", "nothing says that", LONG),
    "a phase": ("game.yaml", "  turn:\n", f"  {NAME}:\n"),
    "a language": (
        "game.yaml",
        "labels: labels/en.yaml",
        "labels: {en" + "-abcde" * 150 + ": labels/en.yaml}",
    ),
    "a label": ("labels/en.yaml", "points at stake", LONG),
    "a help": ("labels/en.yaml", "help:\n", f"help:\n  die: {LONG}\n"),
    "a clause": ("rulebook.yaml", "§1.1:", f"§{NAME}:"),
    "a heading": ("rulebook.yaml", "The die", LONG),
    "what a clause says": ("rulebook.yaml", "One die with six", LONG),
    "an action": ("pig.rules", "action hold", f"action {LONG}"),
    "a column": (
        "game.yaml",
        "longest: 40000",
        "longest: 40000\n"
        f"boards: {{spot: {{line: 1, columns: {{{NAME}: 0..9}}, rows: {{1: {{{NAME}: 1}}}}}}}}",
    ),
    "a noun": ("labels/en.yaml", "nouns:\n", f"nouns:\n  die: {LONG}\n"),
    "a line about it": ("about.yaml", "Throw again", LONG),
    "another name of it": ("about.yaml", "[hog]", f"[{LONG}]"),
    "why rows are uncertain": (
        "game.yaml",
        "longest: 40000",
        f"longest: 40000\nprovenance: [{{of: die, status: partly, why: {LONG}}}]",
    ),
    "why a finding is allowed": (
        "game.yaml",
        "longest: 40000",
        f"longest: 40000\nallow: [{{finding: V304, about: turn, why: {LONG}}}]",
    ),
    "the section of a clause": ("rulebook.yaml", "§1.1: {", f"§1.1: {{section: {LONG}, "),
    "a value": ("pig.rules", "value somebody_there", f"value {LONG}"),
}


@pytest.mark.parametrize("place", sorted(PLACES))
def test_no_text_that_everybody_is_sent_is_long(place: str) -> None:
    """Whatever it is a text of, and however well it is packed."""
    files = {path: data.decode() for path, data in ruleset("pig").items()}
    path, before, after = PLACES[place]
    assert before in files[path]
    files[path] = files[path].replace(before, after, 1)
    archive = zipped({name: text.encode() for name, text in files.items()})
    assert len(archive) < 16_000
    found = answered("check", archive)
    codes = [one["code"] for one in found["diagnostics"]]
    assert "D120" in codes, found
    assert len(json.dumps(found)) < 20_000, "the message itself is short"
