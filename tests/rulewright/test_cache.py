"""Compiled modules on disk: met again, refused when changed, done without where nothing can be kept."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

import rulewright
from dsl.diagnostics import ErrorsReported, InternalError
from interpreter.messages import Fault
from interpreter.wasm import cache as seals
from interpreter.wasm.build_config import FAST, PLAYOUT
from interpreter.wasm.program import Program
from rulewright import cache

TIMING = (" playouts in ", " playouts/s,")


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache and a key of this test's own."""
    monkeypatch.setenv(cache.PLACE, str(tmp_path / "modules"))
    monkeypatch.setattr(cache, "key_file", lambda: tmp_path / "state" / "module.key")
    return tmp_path / "modules"


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Says each time that a game is compiled."""
    found = []
    before = cache._compiled

    def counting(reader, *rest):
        found.append(reader.name)
        return before(reader, *rest)

    monkeypatch.setattr(cache, "_compiled", counting)
    return found


def figures(output: str) -> list[str]:
    return [line for line in output.splitlines() if not any(word in line for word in TIMING)]


def modules(place: Path) -> list[Path]:
    return sorted(place.glob("*.module"))


def test_a_game_is_compiled_once(run, game: Path, place: Path, compiled: list[str]) -> None:
    one, two = (run("simulate", "dice", "-n", "20") for _ in range(2))
    assert figures(one.output) == figures(two.output)
    assert "Dice: 20 playouts" in two.output
    assert len(compiled) == len(modules(place)) == 1


def test_a_game_in_two_languages_is_compiled_once(run, game: Path, compiled: list[str]) -> None:
    """And a translation that changes does not change the module."""
    for language in ("en", "hu"):
        (game / f"{language}.yaml").write_text("hold: Hold\n", encoding="utf-8")
    file = game / "game.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("labels/en.yaml", "{en: en.yaml, hu: hu.yaml}"), encoding="utf-8")
    for _ in range(2):
        assert run("simulate", "dice", "-n", "1").exit_code == 0
    (game / "hu.yaml").write_text("hold: Megállok\n", encoding="utf-8")
    run("simulate", "dice", "-n", "1")
    assert len(compiled) == 1
    (game / "en.yaml").write_text("hold: Stop\n", encoding="utf-8")
    run("simulate", "dice", "-n", "1")
    assert len(compiled) == 2


def test_other_rules_seats_options_and_flavours_are_other_modules(
    run, game: Path, place: Path, compiled: list[str]
) -> None:
    for words in ((), ("--seats", "3"), ("--option", "goal=20")):
        run("simulate", "dice", "-n", "1", *words)
    cache.entry("dice", None, {}, FAST, lambda *_: None)
    file = game / "dice.rules"
    file.write_text(file.read_text() + "\n# nothing else\n")
    run("simulate", "dice", "-n", "1")
    assert len(compiled) == len(modules(place)) == 5


def test_another_lowering_never_meets_an_old_module(
    run, game: Path, place: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run("simulate", "dice", "-n", "1")
    monkeypatch.setattr(cache, "built", lambda: "something else")
    run("simulate", "dice", "-n", "1")
    assert len(compiled) == len(modules(place)) == 2


def test_every_source_counts() -> None:
    parts = {"a.py": b"one", "b.py": b"two"}
    others = ({"a.py": b"one", "b.py": b"three"}, {"a.py": b"one"}, {"a.py": b"onetwo", "b.py": b""})
    assert len({seals.build(p) for p in (parts, *others)}) == 4
    assert seals.build(dict(reversed(parts.items()))) == seals.build(parts)


@pytest.mark.parametrize("where", [0, 30, 60, 70, 300, -1])
def test_a_changed_file_is_refused_and_made_anew(
    run, game: Path, place: Path, compiled: list[str], where: int
) -> None:
    """Whichever byte is changed: of the beginning, the seal, the head or the machine code."""
    before = run("simulate", "dice", "-n", "20")
    (file,) = modules(place)
    data = bytearray(file.read_bytes())
    data[where] ^= 1
    file.write_bytes(data)
    result = run("simulate", "dice", "-n", "20")
    assert result.exit_code == 0
    (line,) = result.stderr.splitlines()
    assert line.startswith("warning[R226]: a compiled module cannot be trusted: ")
    assert str(file) in line
    assert figures(result.stdout) == figures(before.stdout)
    assert len(compiled) == 2
    assert run("simulate", "dice", "-n", "20").stderr == ""
    assert len(compiled) == 2


@pytest.mark.parametrize("length", [0, 10, 55, 1000])
def test_a_file_that_was_cut_off_is_refused(run, game: Path, place: Path, length: int) -> None:
    run("simulate", "dice", "-n", "1")
    (file,) = modules(place)
    file.write_bytes(file.read_bytes()[:length])
    result = run("simulate", "dice", "-n", "1")
    assert (result.exit_code, "R226" in result.stderr) == (0, True)


def test_no_code_runs_before_its_seal_is_compared(
    run, game: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("simulate", "dice", "-n", "1")
    (file,) = modules(place)
    file.write_bytes(file.read_bytes()[:-1] + b"?")
    monkeypatch.setattr(seals, "restore_module", lambda _: pytest.fail("it was looked at"))
    assert "R226" in run("simulate", "dice", "-n", "1").stderr


def test_a_module_under_another_name_is_refused(run, game: Path, place: Path) -> None:
    run("simulate", "dice", "-n", "1")
    (old,) = modules(place)
    run("simulate", "dice", "-n", "1", "--seats", "3")
    (new,) = set(modules(place)) - {old}
    new.write_bytes(old.read_bytes())
    result = run("simulate", "dice", "-n", "1", "--seats", "3")
    assert "it belongs to other rules" in result.stderr
    assert "\nC " in result.stdout


def test_a_module_sealed_with_another_key_is_refused(run, game: Path, place: Path, tmp_path: Path) -> None:
    run("simulate", "dice", "-n", "1")
    (tmp_path / "state" / "module.key").unlink()
    assert "its seal does not match" in run("simulate", "dice", "-n", "1").stderr


def test_the_key_is_nobody_elses(run, game: Path, place: Path, tmp_path: Path) -> None:
    run("simulate", "dice", "-n", "1")
    key = tmp_path / "state" / "module.key"
    first = key.read_bytes()
    assert len(first) == seals.KEY
    assert not any(first in file.read_bytes() for file in place.iterdir())
    if os.name == "posix":
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
        key.chmod(0o644)
        assert "R226" in run("simulate", "dice", "-n", "1").stderr
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
        assert key.read_bytes() != first


def test_a_list_of_files_that_is_wrong_does_no_harm(run, game: Path, place: Path) -> None:
    """It is a hint only: the content hash comes from the files."""
    before = run("simulate", "dice", "-n", "20")
    (noted,) = place.glob("*.files")
    for text in ("", "no list", "{}", "[1]", "7", '["game.yaml"]', '["../dice/game.yaml"]', '["nothing"]'):
        noted.write_text(text)
        result = run("simulate", "dice", "-n", "20")
        assert (result.exit_code, result.stderr) == (0, "")
        assert figures(result.stdout) == figures(before.stdout)


def test_without_a_place_there_is_no_cache(run, game: Path, tmp_path: Path, compiled: list[str]) -> None:
    (tmp_path / "modules").write_text("a file, not a folder")
    for _ in range(2):
        result = run("simulate", "dice", "-n", "1")
        assert (result.exit_code, result.stderr) == (0, "")
    assert len(compiled) == 2


def test_without_a_key_there_is_no_cache(run, game: Path, place: Path, tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file, not a folder")
    assert run("simulate", "dice", "-n", "1").exit_code == 0
    assert not place.exists()


def test_the_oldest_modules_go(run, game: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST", 2)
    for goal in (10, 20, 30, 40):
        run("simulate", "dice", "-n", "1", "--option", f"goal={goal}")
    assert len(modules(place)) == 2
    assert not list(place.glob("new-*"))


def test_mistakes_are_found_though_a_module_is_there(run, game: Path) -> None:
    run("simulate", "dice", "-n", "1")
    assert run("simulate", "dice", "-n", "1", "--seats", "17").exit_code == 2
    file = game / "dice.rules"
    file.write_text(file.read_text() + "\nnonsense\n")
    assert run("simulate", "dice", "-n", "1").exit_code == 1


def test_a_fault_is_told_though_the_rules_were_not_read(run, game: Path) -> None:
    """The first run compiles; the second has the module from the cache and opens the rules to explain."""
    file = game / "game.yaml"
    text = file.read_text()
    file.write_text(text.replace("points: {of: seat, range: 0..99", "points: {of: seat, range: 0..20"))
    one, two = (run("simulate", "dice", "-n", "50", "--option", "goal=40") for _ in range(2))
    assert "error[R201]: `points` would become" in two.stderr
    assert one.stderr == two.stderr


def test_a_program_for_python(run, game: Path, compiled: list[str]) -> None:
    one, two = (rulewright.open_program("dice", 3).playouts(50, 7) for _ in range(2))
    assert one == two
    assert sum(one.wins) == pytest.approx(50)
    assert len(compiled) == 1
    with pytest.raises(ErrorsReported):
        rulewright.open_program("dice", 17)


def test_a_program_from_the_cache_explains_faults(run, game: Path) -> None:
    file = game / "game.yaml"
    text = file.read_text()
    file.write_text(text.replace("points: {of: seat, range: 0..99", "points: {of: seat, range: 0..20"))
    for _ in range(2):
        with pytest.raises(Fault, match="`points` would become"):
            rulewright.open_program("dice", options={"goal": "40"}).playouts(50)
    bare = cache.entry("dice", None, {"goal": "40"}, PLAYOUT, lambda *_: None).code
    with pytest.raises(InternalError):
        Program(bare).playouts(50)


def test_a_program_warns_of_a_file_that_it_does_not_trust(run, game: Path, place: Path) -> None:
    rulewright.open_program("dice")
    (file,) = modules(place)
    file.write_bytes(b"?")
    with pytest.warns(UserWarning, match="cannot be trusted"):
        assert rulewright.open_program("dice").playouts(5).playouts == 5
