"""Every mistake of a ruleset has a small ruleset that shows it alone, and its golden message.

A folder's `options.txt` holds the options (`name: value`) that it is compiled with.
`pytest --bless` records anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.diagnostics import REGISTER, Failed, Mistake, Report, Stop
from dsl.load import LARGEST_FILE, Folder, load
from dsl.render import snippets
from interpreter.compile.program import compile_rules
from rulewright.library import find, folder

HERE = Path(__file__).parent
CODES = sorted(code for code in REGISTER if code.startswith("D"))
CASES = sorted(p.parent.name for p in HERE.glob("*/game.yaml"))
ELSEWHERE = {
    "D002": "test_not_text: the file would be no text",
    "D003": "test_too_large: the file would be too large to keep",
    "D062": "test_no_such_game: there is no ruleset to keep",
}


def mistakes_of(source: Folder, options: dict[str, str] | None = None) -> list[Mistake]:
    """What loading finds, warnings too, and if there are no errors what compiling finds."""
    try:
        rules, report = load(source)
        for seats in range(rules.seats[0], rules.seats[1] + 1):
            compile_rules(rules, seats, options)
    except Stop as stop:
        return list(stop.report)
    return list(report)


def options_of(name: str) -> dict[str, str]:
    path = HERE / name / "options.txt"
    lines = path.read_text().splitlines() if path.is_file() else []
    return {key: value for key, _, value in (line.partition(": ") for line in lines)}


@pytest.mark.parametrize("name", CASES)
def test_golden(name: str, request: pytest.FixtureRequest) -> None:
    mistakes = mistakes_of(folder(HERE / name, name), options_of(name))
    golden = HERE / name / "expected.txt"
    text = snippets(Report(mistakes)) + "\n"
    if request.config.getoption("--bless", default=False):
        golden.write_text(text)
    assert [m.code for m in mistakes] == [name.split("-")[0]]
    assert text == golden.read_text()


@pytest.mark.parametrize("name", CASES)
def test_folder_is_named_by_code_and_slug(name: str) -> None:
    code, slug = name.split("-", 1)
    assert slug == REGISTER[code].slug


@pytest.mark.parametrize(("data", "offset"), [(b"game: \xff\n", 6), (b"game: a\0b\n", 7)])
def test_not_text(data: bytes, offset: int) -> None:
    (mistake,) = mistakes_of(Folder("broken", lambda _: data))
    assert mistake.code == "D002"
    assert mistake.message == f"`broken/game.yaml` is not UTF-8 text (byte {offset})"


def test_too_large() -> None:
    (mistake,) = mistakes_of(Folder("broken", lambda _: b"#" * (LARGEST_FILE + 1)))
    assert mistake.code == "D003"
    assert "`broken/game.yaml` has 1000001 bytes or more" in mistake.message


def test_no_such_game() -> None:
    with pytest.raises(Failed) as caught:
        find("no such game")
    assert caught.value.mistake.code == "D062"
    assert caught.value.mistake.message == "there is no game or ruleset `no such game`"


def test_every_code_is_shown() -> None:
    shown = [name.split("-")[0] for name in CASES]
    assert len(shown) == len(set(shown))
    assert not set(shown) & set(ELSEWHERE)
    assert set(CODES) == set(shown) | set(ELSEWHERE)


@pytest.mark.parametrize("reason", sorted(ELSEWHERE.values()))
def test_what_is_elsewhere_is_a_test_of_this_file(reason: str) -> None:
    assert callable(globals()[reason.split(":")[0]])


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_explained(code: str) -> None:
    mistake = REGISTER[code]
    assert mistake.slug
    assert len((mistake.__doc__ or "").strip()) > 60
