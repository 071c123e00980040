"""`rulewright export`: a game as one HTML file."""

from __future__ import annotations

import base64
import hashlib
import random
import re
import zlib
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulewright.bundling import scripts
from rulewright.bundling.descriptions import carried_description, carried_tables
from rulewright.bundling.messages import messages
from rulewright.bundling.payload import (
    BYTES,
    DIGITS,
    FIRST_OF_15,
    HALVES,
    LEFT_OUT,
    LETTERS,
    as_digits,
    capacity,
    character,
    deflated,
    packed,
)
from rulewright.bundling.rulebooks import with_index, without_index
from rulewright.bundling.scripts import (
    COMPANION,
    LOADER,
    PAGE,
    POLICY,
    SINGLE,
    modules,
    script,
    seal,
)
from rulewright.bundling.styles import short_variables
from rulewright.main import main
from rulewright.presentation.description import describe
from rulewright.presentation.host_tables import host_tables
from tests.games import game_of
from tests.web.in_node import run_in_node

META = re.compile(r'<meta http-equiv=Content-Security-Policy content="([^"]*)">')


def run(*words: str) -> tuple[int, str]:
    found = CliRunner().invoke(main, list(words))
    return found.exit_code, found.output


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("exported") / "game.html"
    code, output = run("export", "kuhn_poker", "--into", str(file))
    assert code == 0, output
    return file.read_bytes().decode("utf-16")


# ---- the command


def test_what_is_there_is_replaced_only_when_told(tmp_path: Path) -> None:
    file = tmp_path / "game.html"
    file.write_text("mine")
    code, output = run("export", "kuhn_poker", "--into", str(file))
    assert (code, file.read_text()) == (2, "mine")
    assert "C480" in output
    assert run("export", "kuhn_poker", "--into", str(file), "--overwrite")[0] == 0
    assert file.read_bytes().decode("utf-16").startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["kuhn_poker", "--into", "nowhere/game.html"], "C401"),
        (["kuhn_poker", "--into", "."], "C480"),
        (["kuhn_poker", "--into", "game.html", "--language", "xx"], "C430"),
        (["no_such_game", "--into", "game.html"], "D062"),
        (["kuhn_poker", "--into", "game.html", "--option", "nonsense"], "C404"),
    ],
)
def test_what_cannot_be_written_is_said(
    words: list[str], code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result, output = run("export", *words)
    assert result != 0
    assert f"error[{code}]" in output
    assert list(tmp_path.iterdir()) == []


# ---- the file


def test_nothing_is_fetched_and_only_the_own_scripts_run(page: str) -> None:
    found = META.search(page)
    assert found is not None
    rules = dict(part.split(" ", 1) for part in found[1].split("; "))
    assert rules["default-src"] == "'none'"
    assert "connect-src" not in rules
    loader = re.search(r"<script>(.*?)</script>", page, re.S)
    assert loader is not None
    code, start = script(SINGLE), script(LOADER).strip()
    start += " " * (len(start) % 2)
    hashes = [
        base64.b64encode(hashlib.sha256(x.encode()).digest()).decode() for x in (loader[1], start, code)
    ]
    assert rules["script-src"] == " ".join([*(f"'sha256-{x}'" for x in hashes), "'wasm-unsafe-eval'"])
    assert not re.search(r"""(?:src|href)=["']?(?!data:)[a-z]""", page.split("id=packed")[0])


def test_the_file_is_the_same_each_time(page: str, tmp_path: Path) -> None:
    file = tmp_path / "again.html"
    assert run("export", "kuhn_poker", "--into", str(file))[0] == 0
    assert file.read_bytes().decode("utf-16") == page


def test_what_is_packed_ends_no_element_early(page: str) -> None:
    inside = page.split("id=packed>")[1].split("</script>")[0]
    assert not {*LEFT_OUT, *HALVES} & set(map(ord, inside))
    head, size, _ = inside.split(" ", 2)
    assert int(size) > int(head) > 10_000


# ---- packing


def numbers(text: str) -> bytes:
    """The bytes whose digits are in a text."""
    left_out = {*HALVES, *LEFT_OUT}
    digits = {chr(code): i for i, code in enumerate(x for x in range(0x10000) if x not in left_out)}
    assert len(digits) == DIGITS
    found = b""
    for at in range(0, len(text), LETTERS):
        number = 0
        for letter in text[at : at + LETTERS]:
            number = number * DIGITS + digits[letter]
        found += number.to_bytes(capacity(len(text[at : at + LETTERS])), "big")
    return found


@pytest.mark.parametrize(
    "data", [b"", b"a", bytes(BYTES), b"\xff" * 2 * BYTES, random.Random(0).randbytes(9_999)]
)
def test_all_bytes_can_be_packed(data: bytes) -> None:
    text = as_digits(data)
    assert not {*HALVES, *LEFT_OUT} & set(map(ord, text))
    assert numbers(text).removeprefix(data) in (b"", *(bytes(n) for n in range(7)))
    assert len(text.encode("utf-16-le")) <= 1.003 * len(data) + 8


def test_the_digits_are_all_characters_that_a_page_keeps() -> None:
    found = "".join(map(character, range(DIGITS)))
    assert sorted(found) == list(found)
    assert not {*HALVES, *LEFT_OUT} & set(map(ord, found))
    assert ord(found[-1]) == 0xFFFF


@pytest.mark.parametrize("text", ["", "a", "const a = 1;" * 99, "".join(map(chr, range(32, 127)))])
def test_a_deflated_text_is_found_again(text: str) -> None:
    found = deflated(text)
    assert not {*HALVES, *LEFT_OUT} & set(map(ord, found))
    bits = "".join(f"{ord(character) - FIRST_OF_15:015b}" for character in found)
    data = bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits) - 7, 8))
    assert zlib.decompressobj(-zlib.MAX_WBITS).decompress(data) == text.encode()


def test_packed_parts_are_named_with_their_lengths() -> None:
    size, whole, rest = packed({"all": bytes(range(256)) * 9}).split(" ", 2)
    assert int(whole) == 256 * 9 + len('[["all", 2304]]\n')
    assert len(numbers(rest)) - int(size) in range(7)


# ---- the scripts


@pytest.mark.parametrize("entry", [PAGE, SINGLE, COMPANION, POLICY, LOADER])
def test_the_short_scripts_are_made_of_the_modules(entry: str) -> None:
    assert len(script(entry)) < sum(map(len, modules().values())) / 2


def test_other_modules_have_another_seal(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = scripts.modules()
    seals = {seal()}
    for changed in (
        {**texts, "main.js": ""},
        {**texts, "more.js": ""},
        {"x" + p: t for p, t in texts.items()},
    ):
        monkeypatch.setattr(scripts, "modules", lambda changed=changed: changed)
        seals.add(seal())
    assert len(seals) == 4


def test_scripts_of_other_modules_are_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = scripts.modules()
    monkeypatch.setattr(scripts, "modules", lambda: {**texts, "single.js": "here();\n"})
    script.cache_clear()
    code, output = run("export", "tic_tac_toe", "--into", "-")
    assert code == 2
    assert output.startswith("error[C462]: the modules of the page have changed since `minified/single.js`")
    assert "help: run `python tools/minify.py`" in output


def test_only_some_languages_are_carried() -> None:
    described = {
        "languages": ["en", "hu", "ro"],
        "labels": {"en": {}, "hu": {}, "ro": {}},
        "helps": {"en": {}},
        **{part: {} for part in ("types", "decisions", "routines", "clauses", "zones", "options")},
        "scores": [],
        "variables": [],
    }
    found = carried_description(described, ("hu", "en"))
    assert found["languages"] == ["en", "hu"]
    assert set(found["labels"]) == {"en", "hu"}


# ---- what is carried


@pytest.mark.parametrize(("name", "largest"), [("roma", 127_500), ("trajan", 220_000)])
def test_a_file_is_as_small_as_it_was_promised(name: str, largest: int, tmp_path: Path) -> None:
    file = tmp_path / "game.html"
    assert run("export", name, "--into", str(file))[0] == 0
    assert file.stat().st_size <= largest


def test_a_file_has_a_companion_only_if_it_is_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "game.html"
    assert run("export", "kuhn_poker", "--companion", "--into", str(file))[0] == 0
    rules = META.search(file.read_bytes().decode("utf-16"))
    assert rules is not None
    codes = {entry: hashlib.sha256(script(entry).encode()).digest() for entry in (SINGLE, COMPANION)}
    hashes = {entry: base64.b64encode(code).decode() for entry, code in codes.items()}
    assert hashes[COMPANION] in rules[1]
    assert hashes[SINGLE] not in rules[1]
    assert "companion" not in messages("en", "file")
    assert "companion" in messages("en", "file", "companion")


BOOK = """<section id="a"><h2>One</h2>
<p>Said here. ⟦1.1⟧
</section>
<section id="clauses"><h3>Index of clauses</h3>
<div class="table"><table><thead><tr><th>Clause<th>Told in<tbody>
<tr id="clause-1-1"><td>§1.1 First (colour)<td>
<tr id="clause-1-2"><td><a id="clause-1-3"></a><a id="clause-R2"></a>§1.2 Second; §1.3 Third (ruling): It is said; yes; §R2 Fourth<td><a href="#a">One</a>
<tr id="here"><td>§1.4 Fifth<td><a href="#a">One</a>
</table></div>
</section>"""  # noqa: E501


def test_the_index_of_clauses_is_made_anew() -> None:
    short = without_index(BOOK)
    assert with_index(short) == BOOK
    assert len(short) < len(BOOK) - 70
    assert 'id="here"' in short


def test_the_page_makes_the_same_index(tmp_path: Path) -> None:
    program = """
    import { withIndex } from "./rulewright/web/shell/local_rules.js";
    console.log(JSON.stringify(withIndex(given)));
    """
    short = without_index(BOOK)
    assert run_in_node(program, tmp_path, short) == BOOK


def test_variables_of_a_style_are_short_where_no_module_names_them() -> None:
    css = ":root{--paper:#fff;--seat-0:red;--tone:1}a{color:var(--paper);top:var(--tone)}"
    found = short_variables(css, "`var(--seat-${seat})` '--tone'")
    assert found == ":root{--a:#fff;--seat-0:red;--tone:1}a{color:var(--a);top:var(--tone)}"


def test_what_the_page_does_not_read_is_left_out() -> None:
    game = game_of("roma", 2)
    described = describe(game)
    found = carried_description(described, ("en",))
    assert set(described) - set(found) == {"format", "rulings", "tables"}
    assert set(described["types"]) - set(found["types"]) == {f"{x} reading" for x in described["options"]} - {
        "mercator_cap reading"
    }
    assert set(described["clauses"]) == {"en", "ro"}
    assert "§1.1" in described["clauses"]["en"]
    assert set(found["clauses"]) == {"en"}
    assert set(found["clauses"]["en"]) == set(described["clauses"]["en"])
    tables = host_tables(game)[1]
    for node, decision in carried_tables(tables, found)["decisions"].items():
        whole = {**found["decisions"][node], **decision}
        assert whole["name"] == tables["decisions"][node]["name"]
        assert (whole["type"] or None) == tables["decisions"][node].get("type")
