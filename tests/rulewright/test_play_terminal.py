"""`rulewright play` on a terminal of its own."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CARDS = "roma"
pty = pytest.importorskip("pty", reason="this system has no such terminals")


class Terminal:
    """The command on a terminal of its own."""

    def __init__(self, *words: str) -> None:
        self.master, slave = pty.openpty()
        command = [sys.executable, "-m", "rulewright", "play", *words]
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80", "LINES": "24", "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            cwd=ROOT,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        os.close(slave)
        self.seen = ""

    def until(self, text: str, seconds: float = 30) -> str:
        """What is shown up to a text; what is shown is forgotten then."""
        end = time.monotonic() + seconds
        while text not in self.seen and time.monotonic() < end and self._read():
            pass
        assert text in self.seen, self.seen
        shown, _, self.seen = self.seen.partition(text)
        return shown

    def _read(self) -> bool:
        try:
            ready, _, _ = select.select([self.master], [], [], 1)
            self.seen += os.read(self.master, 65536).decode(errors="replace") if ready else ""
        except OSError:  # the other end is closed
            return False
        return True

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def end(self) -> int:
        while self._read() and self.process.poll() is None:
            pass
        code = self.process.wait(30)
        os.close(self.master)
        return code


@pytest.mark.parametrize("typed", ["quit\n\n", "\x04"])
def test_leaving_a_terminal(typed: str) -> None:
    terminal = Terminal(CARDS, "--seed", "7")
    terminal.until("A> ")
    terminal.type(typed)
    assert "seed was" not in terminal.until("this match is not kept")
    assert terminal.end() == 0


def test_an_interrupt_leaves_cleanly() -> None:
    terminal = Terminal(CARDS, "--seed", "7")
    terminal.until("A> ")
    time.sleep(0.5)  # until it really waits for a line
    terminal.process.send_signal(signal.SIGINT)
    assert "seed was" not in terminal.until("this match is not kept")
    assert terminal.end() == 130
    assert "Traceback" not in terminal.seen


def test_a_match_is_kept_and_gone_on_with_at_a_terminal(tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    terminal = Terminal(CARDS, "--seed", "7", "--log", str(log))
    terminal.until("A> ")
    terminal.type("1\n")
    terminal.until("A> ")
    terminal.type("quit\n")
    terminal.until("this match is kept")
    assert terminal.end() == 0
    again = Terminal(CARDS, "--resume", str(log))
    assert "cards to give away" in again.until("A> ")
    again.type("\x04")
    assert again.end() == 0


def test_which_of_a_set_is_asked_for() -> None:
    terminal = Terminal("cribbage", "--seed", "7")
    terminal.until("1 of 2, in the order of the list")
    terminal.type("1\n")
    terminal.until("2 of 2, in the order of the list")
    terminal.type("quit\n\n")
    assert terminal.end() == 0
