"""What other systems lack or do otherwise: no signals of Unix, a console without UTF-8, line ends of two
characters, folders with blanks and letters of any script, names that differ by case alone."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.processes import Process

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
PACKAGES = ("dsl", "interpreter", "rulesets", "rulewright", "validators")
RESERVED = re.compile(r"(?i)(^|/)(con|aux|nul|prn|com\d|lpt\d)(\.|/|$)|[<>:\"|?*\\]|[. ](/|$)")
"""Names that Windows does not have, and characters that its names cannot have."""
LONGEST = 150
"""Characters of a path in the project; with the folder that it lies in, Windows has 260."""

MINE = (
    "check mine",
    "test mine",
    "play mine --seed 7 --seats random,random --log match.log",
    "replay match.log --game mine",
    "simulate mine -n 20 --jobs 2 --seed 1",
    "compare mine mine -n 10 --seed 1",
    "analyse mine -n 20 --seed 1 --into analysis.html",
    "explore mine --states 2000",
    "export mine --into mine.html",
    "rules mine --into mine.md",
    "print mine --into mine.pdf",
    "format mine --check",
    "trace mine",
    "profile mine",
    "graph mine",
    "mutate mine",
    "diff mine mine",
    "words mine",
    "explain V620",
    "play roma --seed 7 --seats random,random --language ro",
    "play trajan --seed 7 --seats random,random --language hu",
)


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there, nothing has to be taken away")


def environment(home: Path, path: str) -> Mapping[str, str]:
    """Of a console that has only the letters of Western Europe, with all folders in `home`."""
    home.mkdir(parents=True, exist_ok=True)
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": path,
        "PYTHONIOENCODING": "cp1252",
        "PYTHONUTF8": "0",
        "LC_ALL": "C",
        "HOME": str(home),
        "TMPDIR": str(home),
    }


def rulewright(words: str, place: Mapping[str, str]) -> tuple[int, str]:
    """The exit status of a command that is given in `HOME`, and what it says."""
    command = [sys.executable, "-m", "rulewright", *words.split()]
    done = subprocess.run(
        command, cwd=place["HOME"], env=place, stdin=subprocess.DEVNULL, capture_output=True, timeout=300
    )
    return done.returncode, (done.stdout + done.stderr).decode("cp1252", "replace")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """A folder with a game of its own, on a system without what is Unix's."""
    home = tmp_path_factory.mktemp("other") / "tárhely Ж 1"
    found = environment(home, f"{HERE}{os.pathsep}{ROOT}")
    code, said = rulewright("new mine", found)
    assert code == 0, said
    code, said = rulewright("simulate mine -n 1 --seed 5 --log match.log", found)
    assert code == 0, said
    return found


def test_what_is_missing_is_missing(place: Mapping[str, str]) -> None:
    code = "import os, signal; print(hasattr(os, 'fork'), hasattr(signal, 'SIGALRM')); import fcntl"
    asked = f"exec({code!r}, {{'__name__': 'rulewright.x'}})"
    done = subprocess.run(
        [sys.executable, "-c", asked], env=place, capture_output=True, text=True, check=False
    )
    assert done.stdout == "False False\n"
    assert "No module named 'fcntl'" in done.stderr


@pytest.mark.parametrize("words", MINE)
def test_a_command_works_without_what_is_of_unix(words: str, place: Mapping[str, str]) -> None:
    code, said = rulewright(words, place)
    assert not re.search("Traceback|Error", said), said
    assert code == 0, said


@pytest.mark.parametrize("words", ["serve mine --no-browser --port 0", "studio mine --no-browser --port 0"])
def test_a_server_answers_and_ends_without_what_is_of_unix(words: str, place: Mapping[str, str]) -> None:
    command = [sys.executable, "-u", "-m", "rulewright", *words.split()]
    with Process(
        command, cwd=place["HOME"], env=place, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as server:
        assert server.stdout is not None
        said = ""
        while not (address := re.search(r"http://\S+", said)):
            line = server.stdout.readline().decode("cp1252")
            assert line, said
            said += line
        with urllib.request.urlopen(address[0], timeout=60) as answer:
            assert answer.status == 200
        server.send_signal(signal.SIGINT)
        rest = server.stdout.read().decode("cp1252")
        assert "Traceback" not in said + rest, said + rest
        server.wait(60)


def test_line_ends_of_two_characters(tmp_path: Path) -> None:
    """The whole product, checked out with them."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    for file in tmp_path.rglob("*.*"):
        if file.is_file() and b"\0" not in (data := file.read_bytes()):
            file.write_bytes(data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
    place = environment(tmp_path / "home", str(tmp_path))
    for words, said in {
        "test roma": "all hold",
        "check tic_tac_toe": "no mistakes",
        "play roma --seed 7 --seats random,random --language ro": "7",
        "export roma --into roma.html": "roma.html",
        "new mine": "mine",
        "format mine --check": "",
    }.items():
        code, answer = rulewright(words, place)
        assert code == 0, answer
        assert said in answer


def test_names_of_files_are_names_everywhere() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a checkout")
    names = listed.stdout.splitlines()
    assert len(names) > 1000
    assert [name for name, count in Counter(map(str.lower, names)).items() if count > 1] == []
    assert [name for name in names if RESERVED.search(name) or len(name) > LONGEST] == []
