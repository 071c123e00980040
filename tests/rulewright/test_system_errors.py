"""What the system refuses, and interrupts, are said in a line; files are looked at before the work."""

from __future__ import annotations

import errno
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner, Result

from rulewright.commands import export as export_command, print as print_command
from rulewright.commands.list import list_games
from rulewright.main import main
from rulewright.serve import command_line


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


def raising(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> Result:
    """What `list` comes to if its work raises an error."""

    def callback(**_: object) -> None:
        raise error

    monkeypatch.setattr(list_games, "callback", callback)
    return run("list")


def test_what_the_system_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error without a file that is none of writing is not about the output."""
    result = raising(OSError(errno.EMFILE, "Too many open files"), monkeypatch)
    assert result.output == dedent(
        """\
        error[C553]: the system refuses what this needs: too many open files
          --> command line:1:1
           |
         1 | rulewright list
           | ^^^^^^^^^^^^^^^
          help: end other programs, raise the limit (`ulimit -a` shows them), or use fewer `--jobs`
        """
    )


def test_a_full_disk_is_about_the_output(monkeypatch: pytest.MonkeyPatch) -> None:
    result = raising(OSError(errno.ENOSPC, "No space left on device"), monkeypatch)
    assert "error[C401]: `the output` cannot be written: no space left on device" in result.output


def test_an_interrupted_command_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    result = raising(KeyboardInterrupt(), monkeypatch)
    assert (result.stdout, result.stderr, result.exit_code) == ("", "interrupted\n", 130)


@pytest.mark.parametrize(("command", "module"), [("export", export_command), ("print", print_command)])
def test_what_cannot_be_written_is_said_before_the_work(
    command: str, module: object, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def made(*_: object) -> bytes:
        raise AssertionError("it has begun to work")

    monkeypatch.setattr(module, "_made", made)
    there = tmp_path / "there"
    there.write_bytes(b"")
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "nowhere")
    for path, code in ((there, "C480"), (link, "C480"), (tmp_path / "no folder" / "file", "C401")):
        assert f"error[{code}]" in run(command, "tic_tac_toe", "--into", str(path)).output
    assert "error[C401]" in run(command, "tic_tac_toe", "--into", str(tmp_path), "--overwrite").output
    assert there.read_bytes() == b""


@pytest.mark.parametrize("host", ["nowhere.invalid", "192.0.2.1", "x" * 64 + ".invalid", ""])
def test_an_address_of_another_computer_has_advice_of_its_own(host: str, tmp_path: Path) -> None:
    output = run("serve", "tic_tac_toe", "--host", host, "--port", "0", "--data", str(tmp_path)).output
    assert f"error[C554]: the server cannot listen at `{host}`: " in output
    assert "help: `--host 127.0.0.1` for this computer alone" in output


def test_the_lock_of_a_database_goes_with_its_server(tmp_path: Path) -> None:
    database, lock = tmp_path / "matches.db", tmp_path / "matches.db.lock"
    for _ in range(2):
        with command_line.locked(str(database)):
            assert lock.is_file()
        assert not lock.exists()


def test_a_lock_that_somebody_has_replaced_is_left(tmp_path: Path) -> None:
    lock = tmp_path / "matches.db.lock"
    with command_line.locked(str(tmp_path / "matches.db")):
        lock.rename(tmp_path / "old")
        lock.write_text("another server's")
    assert lock.read_text() == "another server's"
