"""An exported game, opened from the disk."""

from __future__ import annotations

import json
import re
import shutil
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from playwright.sync_api import BrowserContext, Page, expect

from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.log import write
from interpreter.match import Match
from rulewright.library import bundled, find, read_rules
from rulewright.main import main
from rulewright.provenance import provenance_lines
from rulewright.rulebook.configured import configured_book
from rulewright.rulebook.html import html
from tests.games import rules_of

LARGEST = 200_000
"""Bytes of the largest file of a bundled game."""


def exported(name: str, folder: Path, *words: str) -> Path:
    file = folder / f"{name}.html"
    found = CliRunner().invoke(main, ["export", name, "--into", str(file), *words])
    assert found.exit_code == 0, found.output
    return file


def eventually(page: Page, expression: str) -> Any:
    """The value of an expression when it is true. The policy of the page forbids `wait_for_function`."""
    for _ in range(200):
        if found := page.evaluate(expression):
            return found
        page.wait_for_timeout(50)
    raise AssertionError(f"{expression} does not become true")


@pytest.fixture
def requests(page: Page) -> list[str]:
    """The addresses that the page asks for."""
    found: list[str] = []
    page.on("request", lambda request: found.append(request.url))
    return found


@pytest.mark.parametrize("name", ["kuhn_poker", "roma", "trajan"])
def test_it_opens_from_the_disk_and_fetches_nothing(
    page: Page, requests: list[str], tmp_path: Path, name: str
) -> None:
    file = exported(name, tmp_path)
    start = time.monotonic()
    page.goto(file.as_uri())
    eventually(page, "document.querySelector('#page main, #page [id=main]')?.textContent.length > 50")
    assert time.monotonic() - start < 5
    assert [url for url in requests if not url.startswith("blob:")] == [file.as_uri()]
    assert page.evaluate("globalThis.carried.games[0].description.game") == name


@pytest.mark.parametrize("name", [name for name in bundled() if rules_of(name).provenance])
def test_rows_that_are_not_known_to_be_as_printed_are_said_beside_a_match(
    page: Page, tmp_path: Path, name: str
) -> None:
    page.goto(exported(name, tmp_path).as_uri())
    said = page.locator("main .provenance li")
    expect(said).to_have_count(len(rules_of(name).provenance))
    for text, line in zip(said.all_inner_texts(), provenance_lines(rules_of(name)), strict=True):
        assert text.partition(":")[0].strip() == line.partition(":")[0]
        assert line.partition("(")[2].removesuffix(")") in text


def test_what_a_host_says_of_its_encoding_does_not_matter(page: Page, tmp_path: Path) -> None:
    data = exported("kuhn_poker", tmp_path).read_bytes()

    class Host(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Host) as host:
        threading.Thread(target=host.serve_forever, daemon=True).start()
        page.goto(f"http://127.0.0.1:{host.server_port}/")
        eventually(page, "document.querySelector('#table .thing')")
        host.shutdown()
    assert page.evaluate("document.characterSet") == "UTF-16LE"


def test_the_rulebook_is_read_as_it_was_written(page: Page, tmp_path: Path) -> None:
    page.goto(exported("roma", tmp_path).as_uri())
    eventually(page, "document.querySelector('#table .thing')")
    page.get_by_role("button", name="Rules", exact=True).click()
    page.locator(".rulebook h2").first.wait_for()
    rules = read_rules("roma")[0]
    written = html(configured_book("roma", rules, compile_rules(rules).seats, {}))
    count = """(html) => {
        const main = html ? new DOMParser().parseFromString(html, "text/html").querySelector("main") : null;
        const root = main ?? document.querySelector(".rulebook");
        root.querySelectorAll(".drawing").forEach((it) => it.remove());
        const places = [...root.querySelectorAll("a")].map((it) => it.getAttribute("href"));
        return [root.textContent.replace(/\\s+/g, ""), places, root.querySelectorAll("li, td, p, tr").length];
    }"""
    assert page.evaluate(count) == page.evaluate(count, written)


def test_its_policy_holds(context: BrowserContext, tmp_path: Path) -> None:
    page = context.new_page()
    page.goto(exported("kuhn_poker", tmp_path).as_uri())
    page.evaluate(
        """() => {
            globalThis.refused = [];
            addEventListener("securitypolicyviolation", (event) => refused.push(event.effectiveDirective));
            const script = document.createElement("script");
            script.textContent = "globalThis.ran = true";
            document.head.append(script);
            new Image().src = "https://example.org/";
        }"""
    )
    eventually(page, "refused.length >= 2")
    assert page.evaluate("[globalThis.ran, refused.sort()]") == [None, ["img-src", "script-src-elem"]]


@pytest.mark.long
@pytest.mark.parametrize("name", bundled())
def test_no_file_is_larger_than_it_may_be(tmp_path: Path, name: str) -> None:
    assert exported(name, tmp_path).stat().st_size <= LARGEST


def test_the_match_goes_on_when_the_file_is_opened_again(page: Page, tmp_path: Path) -> None:
    file = exported("pig", tmp_path)
    kept = "Object.values(localStorage).find((text) => text.includes('choose'))"
    page.goto(file.as_uri())
    button = page.get_by_role("button", name=re.compile("throw the die", re.I)).first
    button.wait_for()
    page.wait_for_timeout(700)  # what is clicked as soon as it appears is taken for a slip
    button.click()
    before = eventually(page, kept)
    page.goto(file.as_uri())
    eventually(page, "document.querySelector('#page')?.textContent.length > 50")
    assert page.evaluate(kept)[:300] == before[:300]


def test_a_bot_chooses_in_a_worker_and_the_page_answers_meanwhile(page: Page, tmp_path: Path) -> None:
    workers: list[str] = []
    page.on("worker", lambda worker: workers.append(worker.url))
    page.goto(exported("kuhn_poker", tmp_path).as_uri())
    bet = page.get_by_role("button", name=re.compile("^bet", re.I)).first
    bet.wait_for(timeout=10_000)
    page.wait_for_timeout(700)  # what is clicked as soon as it appears is taken for a slip
    bet.click()
    page.evaluate(
        """() => {
            globalThis.longest = 0;
            let last = performance.now();
            setInterval(() => {
                longest = Math.max(longest, performance.now() - last);
                last = performance.now();
            }, 5);
        }"""
    )
    kept = "(Object.values(localStorage).join('').match(/choose/g) ?? []).length"
    assert eventually(page, f"{kept} >= 2")
    assert [url.startswith("blob:") for url in workers] == [True]
    assert page.evaluate("longest") < 500


STRANGE = {
    "card": "toString",
    "deck": "__proto__",
    "hand": "constructor",
    "shown": "hasOwnProperty",
    "chips": "valueOf",
    "pot": "toLocaleString",
    "bet": "isPrototypeOf",
    "worth": "propertyIsEnumerable",
}
"""Names that every object of JavaScript has, for those of a game."""


def test_a_game_may_use_names_that_every_object_has(page: Page, tmp_path: Path) -> None:
    folder = tmp_path / "strange"
    shutil.copytree(find("kuhn_poker"), folder, ignore=shutil.ignore_patterns("labels", "scenarios"))
    words = re.compile(rf"\b({'|'.join(STRANGE)})\b")
    for name in ("game.yaml", "kuhn_poker.rules", "look.yaml", "cards.csv"):
        text = words.sub(lambda m: STRANGE[m[1]], (folder / name).read_text())
        text = text.replace("labels: labels/en.yaml", "").replace("toStrings.csv", "cards.csv")
        text = text.replace("shape: toString", "shape: card")
        (folder / name).write_text(text)
    page.goto(exported(str(folder), tmp_path).as_uri())
    kept = "(Object.values(localStorage).join('').match(/choose/g) ?? []).length"
    for _ in range(3):
        if page.get_by_text("The match is over").count():
            break
        made = page.evaluate(kept)
        page.wait_for_timeout(800)  # what is clicked as soon as it appears is taken for a slip
        page.get_by_role("button", name=re.compile("^(isPrototypeOf|pass)", re.I)).first.click()
        eventually(page, f"{kept} > {made}")
        eventually(page, "/Your turn|is over/.test(document.querySelector('header').textContent)")
    text = page.inner_text("body")
    assert "constructor" in text
    assert "isPrototypeOf" in text
    assert not re.search(r"native code|\[object|\{\$", text)


def test_the_screen_is_handed_over_and_shows_nothing_meanwhile(page: Page, tmp_path: Path) -> None:
    cards = "(document.querySelector('#page').outerHTML.match(/jack|queen|king/gi) ?? []).length"
    page.goto(exported("kuhn_poker", tmp_path).as_uri())
    page.locator("summary, button").filter(has_text="⋯").first.click()
    page.get_by_text("New match").first.click()
    for choice in page.locator("dialog select").all():
        choice.select_option("human")
    page.get_by_role("button", name="Begin").click()
    cover = page.locator("dialog.cover[open]")
    for number in range(2):
        cover.wait_for()
        assert page.evaluate(cards) == 0
        for _ in range(3):
            page.keyboard.press("Escape")
        cover.wait_for()
        cover.get_by_role("button").click()
        eventually(page, f"{cards} > 0")
        if not number:
            page.wait_for_timeout(800)  # what is clicked as soon as it appears is taken for a slip
            page.locator("button.pass").first.click()


BLOCKED = (
    "globalThis.Worker = class { constructor() { throw new DOMException('blocked', 'SecurityError'); } };"
)
SILENT = """globalThis.dropped = 0;
globalThis.Worker = class { postMessage() {} terminate() { globalThis.dropped += 1; } };"""
BROKEN = """globalThis.Worker = class {
    postMessage() { setTimeout(() => this.onerror(new Event("error"))); }
    terminate() {}
};"""


@pytest.mark.parametrize("worker", [BLOCKED, SILENT, BROKEN], ids=["blocked", "silent", "broken"])
def test_a_bot_without_a_worker_chooses_while_the_page_is_idle(
    worker: str, page: Page, tmp_path: Path
) -> None:
    page.add_init_script(worker)
    page.goto(exported("kuhn_poker", tmp_path).as_uri())
    bet = page.get_by_role("button", name=re.compile("^bet", re.I)).first
    bet.wait_for(timeout=20_000)
    bet.press("Enter")
    kept = "(Object.values(localStorage).join('').match(/choose/g) ?? []).length"
    assert eventually(page, f"{kept} >= 2")
    if worker == SILENT:
        assert page.evaluate("dropped") >= 1


def test_what_was_before_cannot_be_chosen_from_when_a_match_begins(page: Page, tmp_path: Path) -> None:
    page.goto(exported("tic_tac_toe", tmp_path).as_uri())
    page.wait_for_selector(".table-root .thing[data-state='offered']")
    page.get_by_label("More", exact=True).click()
    page.get_by_role("button", name="New match").click()
    page.get_by_role("dialog", name="New match").get_by_role("button", name="Begin").wait_for()
    kept = page.evaluate(
        """async () => {
            const before = document.querySelector(".table-root");
            document.querySelector("dialog form button[type=submit]").click();
            await new Promise((drawn) => setTimeout(drawn));
            return before.isConnected;
        }"""
    )
    assert not kept
    page.wait_for_selector(".table-root .thing[data-state='offered']")


def test_a_file_without_a_companion_says_so(page: Page, tmp_path: Path) -> None:
    page.goto(exported("pig", tmp_path).as_uri())
    page.wait_for_selector(".table-root")
    page.get_by_label("More", exact=True).click()
    page.get_by_role("button", name="New match").click()
    dialog = page.get_by_role("dialog", name="New match")
    dialog.get_by_role("button", name="Begin").wait_for()
    assert dialog.get_by_role("checkbox").count() == 0
    page.keyboard.press("Escape")
    drop = """() => {
        const files = new DataTransfer();
        files.items.add(new File(['{"rulewright": "log 1", "companion": true}\\n'], "told.log"));
        dispatchEvent(new DragEvent("drop", { dataTransfer: files, cancelable: true }));
    }"""
    page.evaluate(drop)
    page.get_by_text("--companion").wait_for()


DROP = """([name, text]) => {
    const files = new DataTransfer();
    text === null ? files.items.add("some words", "text/plain") : files.items.add(new File([text], name));
    dispatchEvent(new DragEvent("drop", { dataTransfer: files, cancelable: true }));
}"""


def test_a_dropped_log_opens_or_says_why_not(page: Page, tmp_path: Path) -> None:
    logs = {}
    for game, words in (("pig", ()), ("tic_tac_toe", ()), ("three", ("pig", "--seats", "3"))):
        log = tmp_path / f"{game}.log"
        played = CliRunner().invoke(main, ["play", *(words or (game,)), "--seed", "3", "--log", str(log)])
        assert played.exit_code == 0, played.output
        logs[game] = log.read_text(encoding="utf-8")
    page.goto(exported("pig", tmp_path).as_uri())
    page.wait_for_selector(".table-root")
    header, _, rest = logs["pig"].partition("\n")
    digest = re.search(r'"rules": "([^"]+)"', header)
    assert digest is not None
    for text, said in (
        ("no log at all", "This is no log of a match."),
        (None, "This is no log of a match."),
        ("x" * (17 << 20), "The file is too large."),
        (logs["tic_tac_toe"], "another game"),
        (logs["three"], "another number of players"),
        (logs["pig"].replace(digest[1], "0" * len(digest[1])), "other rules"),
        (
            f"{header}\n{rest.replace('roll', 'hold', 1) if 'roll' in rest else rest[40:]}",
            "or it was changed",
        ),
    ):
        page.evaluate(DROP, ["a.log", text])
        page.get_by_text(said).first.wait_for()
    page.evaluate(DROP, ["a.log", logs["pig"]])
    page.get_by_text("The match is over").first.wait_for()


def test_the_next_match_begins_with_what_carries_over(page: Page, tmp_path: Path) -> None:
    folder = Path(__file__).parent.parent / "generality" / "voyages"
    rules, _ = read_rules(str(folder))
    match = Match(Game(rules, compile_rules(rules, 2), "wasm"), seed=4).start()
    while not match.over:
        decision = match.decisions()[0]
        match.choose(decision.seat, decision.choices[-1].text)
    log = tmp_path / "match.log"
    log.write_text(write(match, {}, ["human", "human"]), "utf-8")
    file = tmp_path / "voyages.html"
    assert CliRunner().invoke(main, ["export", str(folder), "--into", str(file)]).exit_code == 0
    page.goto(file.as_uri())
    page.locator("input[type=file]").first.set_input_files(log)
    page.get_by_role("button", name="Next match").click()
    expect(page.get_by_role("button", name="Next match")).to_have_count(0)
    expect(page.locator("main")).to_contain_text("voyage")
    kept = eventually(page, "Object.values(localStorage).find((text) => text.includes('carried'))")
    assert json.loads(json.loads(kept)["log"].splitlines()[0])["position"]["set"]["voyage"] == ["2"]
