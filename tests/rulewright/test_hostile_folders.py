"""Folders, logs and caches from somebody else: links out, pipes, devices, more than fits."""

from __future__ import annotations

import json
import os
import re
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from dsl.folder import LARGEST_FILE, MOST_FILES
from rulewright import cache
from rulewright.files import reading

Run = Callable[..., Result]
SECRET = "the colour of my house is green"
RULESET = (
    "game.yaml",
    "dice.rules",
    "rulebook.yaml",
    "labels/en.yaml",
    "scenarios/turns.yaml",
    "mutants.yaml",
)
"""Every file of a ruleset that is read for the rules or beside them."""


def command_for(file: str) -> tuple[str, ...]:
    """A command that reads a file of the ruleset `dice`."""
    if file.startswith("scenarios"):
        return ("test", "dice")
    return ("mutate", "dice", "--sample", "1") if file == "mutants.yaml" else ("check", "dice", "--fast")


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file outside of the ruleset, which no message may show a line of."""
    file = tmp_path / "secret.txt"
    file.write_text(f"{SECRET}: [\n" * 3)
    return file


def replaced(game: Path, file: str) -> Path:
    (game / file).unlink(missing_ok=True)
    return game / file


def refused(result: Result, code: str) -> bool:
    assert result.exit_code in (1, 2), result.output
    assert not result.exception or isinstance(result.exception, SystemExit), result.exception
    return f"error[{code}]" in result.output and SECRET not in result.output


# ---- links


@pytest.mark.parametrize("file", RULESET)
def test_no_file_is_a_link_out(run: Run, game: Path, secret: Path, file: str) -> None:
    replaced(game, file).symlink_to(secret)
    assert refused(run(*command_for(file)), "D071")


@pytest.mark.parametrize("folder", ["labels", "scenarios"])
def test_no_folder_is_a_link_out(run: Run, game: Path, folder: str) -> None:
    (game / folder).rename(game.parent / "elsewhere")
    (game / folder).symlink_to(game.parent / "elsewhere")
    words = ("test", "dice") if folder == "scenarios" else ("rules", "dice", "--language", "en")
    assert refused(run(*words), "D071")


def test_a_table_behind_two_links(run: Run, game: Path, secret: Path) -> None:
    (game / "inner").symlink_to(game / "middle")
    (game / "middle").symlink_to(secret.parent)
    text = (game / "game.yaml").read_text()
    (game / "game.yaml").write_text(text.replace("rules: [dice.rules]", "rules: [inner/secret.txt]"))
    assert refused(run("check", "dice", "--fast"), "D071")


def test_links_within_the_folder_are_followed(run: Run, game: Path) -> None:
    (game / "dice.rules").rename(game / "other.rules")
    (game / "dice.rules").symlink_to("other.rules")
    assert run("check", "dice", "--fast").exit_code == 0


def test_the_folder_itself_may_be_a_link(run: Run, game: Path) -> None:
    (game.parent / "linked").symlink_to(game)
    assert run("test", "linked").exit_code == 0


def test_a_link_to_itself(run: Run, game: Path) -> None:
    replaced(game, "dice.rules").symlink_to("dice.rules")
    assert run("check", "dice", "--fast").exit_code == 1


def test_a_file_that_is_exchanged_while_it_is_opened(
    game: Path, secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look at where it lies and the opening, its folder becomes a link out."""
    outside = game.parent / "outside"
    outside.mkdir()
    (outside / "en.yaml").write_text(SECRET)
    before = os.open

    def exchanging(path: str, flags: int) -> int:
        if Path(path).name == "en.yaml" and not (game / "labels").is_symlink():
            (game / "labels").rename(game / "kept")
            (game / "labels").symlink_to(outside)
        return before(path, flags)

    monkeypatch.setattr(os, "open", exchanging)
    with pytest.raises(OSError, match="replaced"):
        reading.inner_file(game, "labels/en.yaml", 100)


# ---- what is no file


@pytest.mark.parametrize("file", RULESET)
def test_no_file_is_a_named_pipe(run: Run, game: Path, file: str) -> None:
    os.mkfifo(replaced(game, file))
    result = run(*command_for(file))
    assert refused(result, "D072")
    assert "it is a named pipe, not a regular file" in result.output


def test_no_file_is_a_socket(run: Run, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(game)
    with socket.socket(socket.AF_UNIX) as listening:
        replaced(game, "dice.rules")
        listening.bind("dice.rules")
        monkeypatch.chdir(game.parent)
        result = run("check", "dice", "--fast")
    assert refused(result, "D072")
    assert "it is a socket" in result.output


@pytest.mark.parametrize("words", [("replay",), ("locate", "--language", "en"), ("play", "dice", "--resume")])
def test_a_device_that_was_named(run: Run, game: Path, words: tuple[str, ...]) -> None:
    result = run(*words, "/dev/zero")
    assert refused(result, "D072")
    assert "it is a device" in result.output


@pytest.mark.parametrize("name", ["x" * 5000, "x/" * 3000])
@pytest.mark.parametrize("command", ["check", "rules", "diff roma"])
def test_a_game_whose_name_no_file_can_have(run: Run, command: str, name: str) -> None:
    found = run(*command.split(), name)
    assert found.exit_code == 2
    assert "error[D062]: unknown game" in found.output


def test_a_pipe_that_was_named_and_that_nobody_writes_to(run: Run, game: Path) -> None:
    os.mkfifo(game.parent / "pipe")
    result = run("replay", "pipe")
    assert result.exit_code == 1
    assert "error[R221]" in result.output


def test_a_pipe_that_was_named_is_read_as_a_shell_makes_one(run: Run, log: Path) -> None:
    """`rulewright replay <(zcat match.log.gz)`"""
    reader, writer = os.pipe()
    text = log.read_bytes()
    assert len(text) < 60_000
    os.write(writer, text)
    os.close(writer)
    assert run("replay", f"/dev/fd/{reader}", "--game", "dice").exit_code == 0
    os.close(reader)


def test_a_log_that_was_named_may_be_a_link(run: Run, log: Path) -> None:
    (log.parent / "linked").symlink_to(log)
    assert run("replay", "linked", "--game", "dice").exit_code == 0


# ---- too much


def test_too_many_scenarios(run: Run, game: Path) -> None:
    for number in range(MOST_FILES + 1):
        (game / "scenarios" / f"{number}.yaml").touch()
    assert refused(run("test", "dice"), "D073")


def test_too_many_bytes_of_scenarios(run: Run, game: Path) -> None:
    for number in range(30):
        (game / "scenarios" / f"{number}.yaml").write_bytes(b"#" * LARGEST_FILE)
    assert refused(run("test", "dice"), "D073")


@pytest.mark.parametrize("file", RULESET)
def test_a_file_of_gigabytes(run: Run, game: Path, file: str) -> None:
    with (game / file).open("wb") as huge:
        huge.truncate(1 << 40)
    assert refused(run(*command_for(file)), "D003")


def test_too_many_labels(run: Run, game: Path) -> None:
    for number in range(MOST_FILES + 1):
        (game / "labels" / f"{number}.yaml").touch()
    assert refused(run("rules", "dice", "--language", "hu"), "D073")


# ---- logs


def test_logs_are_not_read_through_links(run: Run, game: Path, secret: Path) -> None:
    (game.parent / "logs").mkdir()
    (game.parent / "logs" / "a.log").symlink_to(secret)
    os.mkfifo(game.parent / "logs" / "b.log")
    result = run("diff", "dice", "dice", "--logs", "logs")
    assert refused(result, "T354")


def test_a_log_called_like_standard_input(run: Run, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (log.parent / "logs").mkdir()
    log.rename(log.parent / "logs" / "-")
    monkeypatch.chdir(log.parent / "logs")
    result = run("diff", "../dice", "../dice", "--logs", ".", stdin=b"nothing of the kind")
    assert "1 is unaffected" in result.output


def test_too_many_logs(run: Run, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright.versions.logs.MOST_ENTRIES", 3)
    assert refused(run("diff", "dice", "dice", "--logs", "dice"), "D073")


def test_a_log_cannot_have_a_file_read(run: Run, log: Path, secret: Path) -> None:
    """The preset that a match was played with is a name, or a file that is named once more."""
    head, *rest = log.read_text().splitlines()
    head = json.dumps({**json.loads(head), "small": str(secret)})
    log.write_text("\n".join((head, *rest)))
    result = run("replay", "match.log", "--no-verify", "--game", "dice")
    assert refused(result, "C413")
    assert result.output.startswith(
        f"error[C413]: the log uses the preset file `{secret}`, "
        "which is not read on the word of a log\n  --> match.log:1:1\n"
    )
    assert result.output.endswith("  help: name the file: `--small FILE`\n")


# ---- the cache


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(cache.PLACE, str(tmp_path / "modules"))
    monkeypatch.setattr(cache, "key_file", lambda: tmp_path / "state" / "module.key")
    return tmp_path / "modules"


@pytest.mark.parametrize("ending", ["module", "files"])
def test_a_file_of_the_cache_with_gigabytes(run: Run, game: Path, modules: Path, ending: str) -> None:
    run("simulate", "dice", "-n", "1")
    for file in modules.glob(f"*.{ending}"):
        os.truncate(file, 1 << 40)
    assert run("simulate", "dice", "-n", "1").exit_code == 0


@pytest.mark.parametrize("ending", ["module", "files"])
def test_a_named_pipe_in_the_cache(run: Run, game: Path, modules: Path, ending: str) -> None:
    run("simulate", "dice", "-n", "1")
    for file in modules.glob(f"*.{ending}"):
        file.unlink()
        os.mkfifo(file)
    assert run("simulate", "dice", "-n", "1").exit_code == 0


def test_a_cache_that_is_a_named_pipe(run: Run, game: Path, modules: Path) -> None:
    os.mkfifo(modules)
    assert run("simulate", "dice", "-n", "1").exit_code == 0


@pytest.mark.parametrize("kind", ["pipe", "huge", "link"])
def test_a_key_that_is_none(run: Run, game: Path, modules: Path, kind: str, secret: Path) -> None:
    key = modules.parent / "state" / "module.key"
    key.parent.mkdir()
    if kind == "pipe":
        os.mkfifo(key)
    elif kind == "link":
        key.symlink_to(secret)
    else:
        key.touch(0o600)
        os.truncate(key, 1 << 40)
    assert run("simulate", "dice", "-n", "1").exit_code == 0
    assert secret.read_text().startswith(SECRET)


# ---- one place that reads

READERS = re.compile(
    r"\.open\(|\bopen\(|read_bytes\(\)|read_text\(|\.glob\(|\.rglob\(|iterdir\(|os\.(walk|listdir)"
)
OUR_OWN = {
    "rulewright/files/reading.py": "the one place",
    "rulewright/cache.py": "our own sources are hashed, a new module is written, old ones are counted",
    "rulewright/library.py": "the bundled games",
    "rulewright/measures.py": "the measures of the bundled games",
    "rulewright/commands/new.py": "the template",
    "rulewright/commands/update.py": "the names in a ruleset that is to be rewritten",
    "rulewright/editors/form.py": "rules that are to be formatted, named by their owner",
    "rulewright/files/durable.py": "what is written, and whether somebody else has changed it",
    "rulewright/versions/repository.py": "the names in a repository",
    "rulewright/terminal/streams.py": "nowhere, in place of a closed stream or when nobody reads our output",
    "rulewright/assistants/folder.py": "the names in the folder that is served",
    "rulewright/manual/sections.py": "our own documentation",
    "rulewright/assistants/transport.py": "the standard streams",
    "rulewright/commands/dataset.py": "the names of logs, in a folder named by their owner",
    "rulewright/matches/playtests.py": "the names of records, in a folder named by their owner",
    "interpreter/wasm/cache.py": "the release of a library, by its name",
    "dsl/grammar.py": "our own grammar",
    "dsl/signs.py": "our own signs",
    "rulewright/layout/letters.py": "our own fonts",
    "rulewright/printing/canvas.py": "a picture in memory, with bounds",
    "rulewright/i18n/messages.py": "our own messages",
    "rulewright/bundling/scripts.py": "our own page",
    "rulewright/serve/api/uploads.py": "the names of uploads, which we have given",
    "rulewright/serve/forgetting.py": "the names of uploads, which we have given",
    "dsl/sheets/workbooks.py": "the parts of a workbook, in memory, with bounds",
    "rulewright/updates/published_tables.py": "an address that its owner has listed, with bounds",
    "rulewright/serve/games/unpacking.py": "an uploaded archive, in memory, with bounds",
}
"""Which files open or list anything, and what that is."""


def test_files_are_read_in_one_place() -> None:
    """Whoever opens a file elsewhere is asked here whether a stranger can have named it."""
    root = Path(reading.__file__).parents[2]
    found = {
        path.relative_to(root).as_posix()
        for package in ("dsl", "interpreter", "validators", "rulewright")
        for path in (root / package).rglob("*.py")
        if READERS.search(
            re.sub(
                r"(self|symbols|instance|service|tables|registry|browser|match|\bdef _?)"
                r"\.?_?(open|read_bytes)\(",
                "",
                path.read_text(),
            )
        )
    }
    assert found == set(OUR_OWN)
