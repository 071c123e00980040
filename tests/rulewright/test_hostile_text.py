"""Texts from somebody else that would speak to the terminal: refused where they come in, or escaped."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from html.parser import HTMLParser
from importlib import import_module
from io import StringIO
from pathlib import Path

import pytest
from click.testing import Result
from rich.console import Console
from rich.panel import Panel
from rich.text import Text

import rulewright
from dsl.characters import forbidden, visible
from dsl.render import printable
from rulewright.main import COMMANDS as ALL
from rulewright.terminal.streams import EscapingStream
from rulewright.tui.screen import Screen
from tests.processes import Process

Run = Callable[..., Result]
STEERING = {
    "escape": "\x1b[2J",
    "bell": "\x07",
    "title": "\x1b]0;owned\x07",
    "backspace": "\x08",
    "carriage return": "\rall well",
    "delete": "\x7f",
    "C1": "\x9b2J",
    "next line": "\x85",
    "line separator": "\u2028",
    "override": "\u202e",
    "isolate": "\u2066",
    "annotation": "\ufff9",
    "mark": "a\ufeff",
    "tag": "\U000e0041",
    "noncharacter": "\uffff",
}
LEGIT = (
    "עברית\u200f וגם\u200e English",
    "العربية\u061c ١٢٣",
    "e\u0301 ő Ű ñ ไทย\u200b हिन्दी क\u094d\u200dष",
    "👩\u200d👩\u200d👧 ❤\ufe0f",
    "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "soft\u00adhyphen, no\u00a0break",
)
RAW = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufff9\ufeff\uffff\U000e0041]"
)


def harmless(text: str) -> bool:
    return RAW.search(text) is None


# ---- characters


@pytest.mark.parametrize("text", STEERING.values(), ids=list(STEERING))
def test_what_steers_is_forbidden_and_shown(text: str) -> None:
    assert forbidden(f"before{text}after") is not None
    assert harmless(visible(text))
    assert harmless(printable(text))
    assert json.loads(f'"{visible(text)}"') == text


@pytest.mark.parametrize("text", LEGIT)
def test_text_of_every_language_stays(text: str) -> None:
    assert forbidden(text) is None
    assert visible(text) == text


def test_surrogates_are_shown() -> None:
    assert visible("\udcff") == "\\udcff"


# ---- texts of a ruleset


PLACES = ("game.yaml", "dice.rules", "rulebook.yaml", "labels/en.yaml", "scenarios/turns.yaml")
COMMANDS = ("list", "simulate", "explore", "rules", "graph", "trace", "check", "test", "mutate", "profile")


@pytest.mark.parametrize("name", STEERING)
@pytest.mark.parametrize("file", PLACES)
def test_a_raw_character_is_refused(run: Run, game: Path, file: str, name: str) -> None:
    path = game / file
    path.write_text(path.read_text() + f"\n# {STEERING[name]}\n", newline="")
    result = run("test", "dice")
    assert result.exit_code == 1
    assert "error[D070]" in result.output
    assert harmless(result.output)


@pytest.mark.parametrize("escape", [r"\e[31m", r"\x07", r"\r", r"\N", r"\L", r"\P", r"\u202e", r"\uD800"])
@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        ("game.yaml", "title: Dice", 'title: "Dice{}"'),
        ("labels/en.yaml", "", 'goal: "the goal{}"\n'),
        ("scenarios/turns.yaml", "", '- name: "a name{}"\n  given: start\n'),
    ],
)
def test_an_escape_of_yaml_is_refused(
    run: Run, game: Path, file: str, before: str, after: str, escape: str
) -> None:
    path = game / file
    text = path.read_text()
    written = after.replace("{}", escape)
    path.write_text(text.replace(before, written) if before else written)
    result = run("test", "dice")
    assert "error[D070]" in result.output
    assert harmless(result.output)


def test_a_cell_of_a_table_is_refused(run: Run, game: Path) -> None:
    path = game / "game.yaml"
    path.write_text(path.read_text() + "components: {card: {table: cards.csv, columns: {cost: 0..9}}}\n")
    (game / "cards.csv").write_text("name,cost\nsm\x9bith,3\n", encoding="utf-8")
    result = run("check", "dice", "--fast")
    assert "error[D0" in result.output
    assert harmless(result.output)


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_prints_what_steers(run: Run, game: Path, command: str) -> None:
    path = game / "game.yaml"
    path.write_text(path.read_text().replace("title: Dice", 'title: "\\e]0;owned\\a\\u202eDice"'))
    result = run(command, "dice")
    assert "owned" not in result.output or "error[D070]" in result.output
    assert harmless(result.output)


@pytest.mark.parametrize("text", LEGIT)
def test_a_title_in_any_language_is_shown(run: Run, game: Path, text: str) -> None:
    path = game / "game.yaml"
    path.write_text(path.read_text().replace("title: Dice", f"title: {text}"), encoding="utf-8")
    assert text in run("list", "dice").output
    svg = run("graph", "dice", "--format", "svg").output
    ElementTree.fromstring(svg)


def test_no_text_writes_attributes(run: Run, game: Path) -> None:
    """The characters by which sentences mark their links are for private use, so a ruleset may hold them."""
    path = game / "rulebook.yaml"
    link = '\ue000x\\" onmouseover=\\"steal()\ue001here\ue002 <script>steal()</script>'
    text = re.sub("says: [^}\n]+", lambda _: f'says: "{link}"', path.read_text())
    path.write_text(text.replace("clauses:", f'brief: {{role: "{link}"}}\nclauses:'), encoding="utf-8")
    assert run("rules", "dice", "--into", "rules.html").exit_code == 0
    page = (game.parent / "rules.html").read_text(encoding="utf-8")
    assert ">here</a>" in page
    assert "onmouseover" not in attributes(page)
    assert "<script" not in page


MARKUP = "<script>steal()</script><b title='x' onclick=\\\"steal()\\\">&lt;"


@pytest.mark.parametrize(
    "words",
    [
        ("check", "dice", "--fast", "--html", "page.html"),
        ("trace", "dice", "--playouts", "1", "--html", "page.html"),
        ("diff", "old", "dice", "--html", "page.html"),
        ("rules", "dice", "--into", "page.html"),
    ],
    ids=lambda words: words[0],
)
def test_no_text_writes_elements(run: Run, game: Path, words: tuple[str, ...]) -> None:
    shutil.copytree(game, game.parent / "old")
    for file, key in (
        ("game.yaml", "title"),
        ("rulebook.yaml", "heading"),
        ("rulebook.yaml", "section"),
        ("rulebook.yaml", "says"),
        ("scenarios/turns.yaml", "name"),
    ):
        path = game / file
        changed = re.sub(
            rf'{key}: ("[^"]*"|[^,}}\n]+)', lambda _, key=key: f'{key}: "{MARKUP}"', path.read_text()
        )
        path.write_text(changed, encoding="utf-8")
    rules = game / "dice.rules"
    rules.write_text(f"# {MARKUP}\n{rules.read_text()}")
    result = run(*words)
    assert result.exit_code in (0, 1), result.output
    page = (game.parent / "page.html").read_text(encoding="utf-8")
    assert "&lt;script&gt;steal()" in page
    assert "<script" not in page
    assert "<b title" not in page
    assert "onclick" not in attributes(page)


def attributes(page: str) -> set[str]:
    """The names of all attributes of a page."""
    found: set[str] = set()
    parser = HTMLParser()
    parser.handle_starttag = lambda _, attrs: found.update(name for name, _ in attrs)  # type: ignore[method-assign]
    parser.feed(page)
    return found


def test_a_rulebooks_text(run: Run, game: Path) -> None:
    (game.parent / "rules.txt").write_text("Throw the die.\n\fTake \x1b[31mthe pot.\n")
    result = run("locate", "rules.txt", "--language", "en")
    assert "error[D070]: an escape character (U+001B)" in result.output
    (game.parent / "rules.txt").write_text("Throw the die.\n\fTake the pot.\n")
    result = run("locate", "rules.txt", "--language", "en")
    assert "Take the pot." in result.output
    assert harmless(result.output)


def test_names_of_files(run: Run, game: Path) -> None:
    (game / "scenarios" / "\x1b[31m.yaml").write_text("")
    result = run("test", "dice")
    assert result.exit_code == 1
    assert "error[D001]" in result.output
    assert harmless(result.output)


# ---- logs


@pytest.mark.parametrize("name", STEERING)
@pytest.mark.parametrize("raw", [True, False])
def test_a_log_is_refused(run: Run, log: Path, name: str, raw: bool) -> None:
    """Players, texts and keys, as they are or as escapes of JSON."""
    head, *rest = log.read_text().splitlines()
    for key, value in (
        ("players", [STEERING[name], "b"]),
        (STEERING[name], {"x": 1}),
        ("options", {"a": [STEERING[name]]}),
    ):
        changed = json.dumps({**json.loads(head), key: value}, ensure_ascii=not raw)
        log.write_text("\n".join((changed, *rest)), encoding="utf-8", newline="")
        for words in (
            ("replay", "match.log", "--no-verify", "--game", "dice"),
            ("diff", "dice", "dice", "--logs", "."),
        ):
            result = run(*words)
            assert "R221" in result.output or "cannot be compared" in result.output
            assert harmless(result.output)


def test_a_lone_surrogate_in_a_log(run: Run, log: Path) -> None:
    head, *rest = log.read_text().splitlines()
    log.write_text("\n".join((head.replace('"players": [', '"players": ["\\ud800", '), *rest)))
    result = run("replay", "match.log", "--no-verify", "--game", "dice", "--json")
    assert result.exit_code == 1
    assert "error[R221]" in result.output


# ---- the command line


@pytest.mark.parametrize("name", STEERING)
@pytest.mark.parametrize(
    "words", [("check", "{}"), ("simulate", "dice", "--option", "goal={}"), ("{}",), ("explain", "--{}")]
)
def test_words_of_the_command_line(run: Run, game: Path, words: tuple[str, ...], name: str) -> None:
    result = run(*(word.replace("{}", f"x{STEERING[name]}") for word in words))
    assert result.exit_code == 2
    assert harmless(result.output)


def test_a_new_line_in_a_word(run: Run, game: Path) -> None:
    (game.parent / "x\nchecked: no mistakes").mkdir()
    assert "error[C412]" in run("check", "x\nchecked: no mistakes").output


def test_a_folder_whose_name_is_no_text(run: Run, game: Path) -> None:
    strange = os.fsdecode(b"caf\xe9")
    game.rename(game.parent / strange)
    result = run("test", strange)
    assert result.exit_code == 0
    assert "caf\\udce9: " in result.output


def test_on_a_terminal(game: Path) -> None:
    """The bytes that really come to a terminal, of a command that echoes the name of a folder."""
    code = (
        "from rulewright.main import main; import click; "
        "print_ = click.command('x')(lambda: click.echo("
        "click.style('own', fg='red') + '\\x1b[31mforeign\\x1b]0;t\\x07\\x9b2J\\u202e')); "
        "main.get_command = lambda ctx, name: print_; main(['x'])"
    )
    seen = on_terminal(sys.executable, "-c", code)
    assert b"\x1b[31mown\x1b[0m" in seen
    assert b"]0;t" in seen
    assert b"\x1b]" not in seen
    assert b"\\u202e" in seen
    assert b"\x07" not in seen


def test_a_bar_on_a_terminal(game: Path, run: Run) -> None:
    """Rich moves the cursor; what is printed while its bar stands is escaped all the same."""
    code = (
        "import sys, time; from rulewright.terminal.output import progress; "
        "from rulewright.terminal.streams import escaped_output\n"
        "with escaped_output(), progress('testing', 3) as done:\n"
        "    done(); print('\\x1b]0;owned\\x07', file=sys.stderr); time.sleep(0.3); done(); done()"
    )
    seen = on_terminal(sys.executable, "-c", code)
    assert b"\x1b[2K" in seen
    assert b"testing" in seen
    assert b"\\u001b[2K" not in seen
    assert b"\x1b]0;" not in seen
    assert b"\x07" not in seen


def test_what_takes_long_is_said_on_a_terminal_after_a_moment() -> None:
    code = (
        "import time; from rulewright.terminal import output\n"
        "output.SOON = {soon}\n"
        "with output.activity('checking [red] it') as told:\n"
        "    told('first'); time.sleep(0.3); told('second'); time.sleep(0.3)\n"
        "with output.progress('playing one', 1) as done:\n"
        "    time.sleep(0.3); done()"
    )
    seen = on_terminal(sys.executable, "-c", code.format(soon=0.05))
    assert b"checking [red] it: first" in seen
    assert b"checking [red] it: second" in seen
    assert b"playing one" in seen
    assert on_terminal(sys.executable, "-c", code.format(soon=60)) == b""


LONG_COMMANDS = [
    pytest.param("check --fast", b"checking tic_tac_toe: ", id="check"),
    pytest.param("simulate -n 1", b"compiling tic_tac_toe", id="simulate"),
    pytest.param("profile -n 2", b"compiling tic_tac_toe", id="profile"),
    pytest.param("graph", b"reading tic_tac_toe", id="graph"),
    pytest.param("rules", b"reading tic_tac_toe", id="rules"),
    pytest.param("words", b"reading tic_tac_toe", id="words"),
    pytest.param("list", b"reading games: tic_tac_toe", id="list"),
    pytest.param("format --check", b"formatting: ", id="format"),
    pytest.param("export --into -", b"making one file of tic_tac_toe", id="export"),
    pytest.param("print --into -", b"drawing tic_tac_toe", id="print", marks=pytest.mark.long),
    pytest.param("update", b"reading tic_tac_toe", id="update", marks=pytest.mark.long),
    pytest.param("diff tic_tac_toe", b"comparing tic_tac_toe with tic_tac_toe", id="diff"),
    pytest.param("explore --states 3000", b" deep", id="explore", marks=pytest.mark.long),
    pytest.param("mutate --sample 2", b"making the mutants", id="mutate", marks=pytest.mark.long),
    pytest.param("trace --playouts 2", b"reading the rules", id="trace", marks=pytest.mark.long),
]


@pytest.mark.parametrize(("words", "said"), LONG_COMMANDS)
def test_commands_say_what_takes_long(words: str, said: bytes) -> None:
    code = (
        "import sys; from rulewright.terminal import output; output.SOON = 0\n"
        "from rulewright.main import main; main(sys.argv[1:])"
    )
    command, *rest = words.split()
    assert said in on_terminal(sys.executable, "-c", code, command, "tic_tac_toe", *rest)


AT_ONCE = ("new", "schema", "grammar")
"""Commands that take no time, however large a game is."""
OPEN_ENDED = ("play", "serve", "lsp", "mcp", "studio")
"""Commands that talk with somebody."""


@pytest.mark.parametrize("command", [name for name in ALL if name not in (*AT_ONCE, *OPEN_ENDED)])
def test_every_other_command_can_say_what_takes_long(command: str) -> None:
    module = import_module(f"rulewright.commands.{command}")
    assert {"activity", "progress"} & vars(module).keys()


def on_terminal(*command: str) -> bytes:
    """What a command writes to a terminal that it sits at."""
    ours, theirs = pty.openpty()
    here = {**os.environ, "PYTHONPATH": str(Path(rulewright.__file__).parents[1])}
    with Process(command, stdout=theirs, stderr=theirs, stdin=subprocess.DEVNULL, env=here) as process:
        os.close(theirs)
        seen = b""
        try:
            while part := os.read(ours, 10_000):
                seen += part
        except OSError:  # the terminal is closed when nobody sits at it any more
            pass
        process.wait(60)
    os.close(ours)
    return seen


# ---- the second wall


@pytest.mark.parametrize("text", STEERING.values(), ids=list(STEERING))
def test_the_stream_escapes(text: str) -> None:
    behind = StringIO()
    stream = EscapingStream(behind)
    stream.write(f"before {text} after\n\x1b[1mbold\x1b[0m")
    stream.writelines([text])
    shown = behind.getvalue()
    assert shown.startswith("before ")
    assert "\x1b[1mbold\x1b[0m" in shown
    assert harmless(shown.replace("\x1b[1m", "").replace("\x1b[0m", ""))


@pytest.mark.parametrize("text", STEERING.values(), ids=list(STEERING))
def test_the_screen_escapes(text: str) -> None:
    behind = StringIO()
    screen = Screen(Console(file=behind, highlight=False, markup=False))
    screen.say(f"said {text}")
    screen.long(f"long {text}")
    screen.show(f"shown {text}")
    screen.show(Text(f"text {text}"))
    screen.show(Panel(f"panel {text}"))
    assert harmless(behind.getvalue())
    assert behind.getvalue().count("\n") == 7
