"""Lets a program write a game from a page, and counts how many hidden scenarios its rules hold.

`python tools/assistant_trial.py FOLDER... --command CMD`: CMD reads a prompt from its standard input and
writes a reply to its standard output, such as a command that asks a language model. It keeps no memory: each
prompt has the page, the language in brief, the files so far and what `check` finds in them. Without
`--command`, what was recorded in the folder is replayed.

The folder of a trial has `page.md`, `scenarios.yaml`, which the program never sees, `reference`, a ruleset
that holds them, and `exchange`, the replies and findings of one recorded trial.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from dsl.diagnostics import DiagnosticError
from rulewright.assistants.commands import run_command
from rulewright.assistants.folder import AssistantFolder
from rulewright.assistants.toolbox import Answer, Toolbox
from rulewright.files import durable
from rulewright.manual.sections import pages

Writer = Callable[[str], str]
"""From a prompt to a reply."""
ROUNDS = 6
SECONDS, REPLY_SECONDS = 120.0, 900.0
"""The time limits of a command of ours and of a reply."""
LONGEST_ANSWER = 12_000
"""The characters of an answer to a question."""
BRIEF = "language-brief"
EXAMPLE = "scenarios/page.yaml"
"""Where the example of the page lies in the ruleset."""
CLEAN = "No findings: the ruleset is clean, and the example of the page holds."
FENCE = re.compile(r"^(?P<fence>`{3,}|~{3,}) *(?P<info>[^\n`]*)\n(?P<text>.*?)^(?P=fence) *$", re.M | re.S)
PATH = re.compile(r"[\w/.-]+\.(?:yaml|rules|csv)$")

TASK = """\
Write the game of the page below as a ruleset of Rulewright. Reply with its files, each whole, as a fenced
block whose first line names the file:

```game.yaml
game: {name}
```

```{name}.rules
# the rules
```

Use the names that the page gives: scenarios that you do not see are played against your rules with them.
`check` will examine your files, and the example of the page will be played; you get the findings, and may
reply with the files that change. Files that you do not write stay as they are. If a finding is intended, say
so in `game.yaml` under `allow`, with its reason. To look something up, reply with such lines:

```ask
explain D050
search_docs dice hidden
read_docs language-choices Together
read_bundled oh_hell oh_hell.rules
```
"""


@dataclass(frozen=True, slots=True)
class Trial:
    """A page, and scenarios for rules that are written from it."""

    folder: Path

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def page(self) -> str:
        return (self.folder / "page.md").read_text("utf-8")

    @property
    def scenarios(self) -> str:
        return (self.folder / "scenarios.yaml").read_text("utf-8")

    @property
    def example(self) -> str:
        """The scenarios that the page shows."""
        return next(found["text"] for found in FENCE.finditer(self.page) if found["info"] == "yaml")

    @property
    def reference(self) -> dict[str, str]:
        """The files of the ruleset that holds all scenarios."""
        root = self.folder / "reference"
        files = (path for path in sorted(root.rglob("*")) if path.is_file())
        return {path.relative_to(root).as_posix(): path.read_text("utf-8") for path in files}


@dataclass(frozen=True, slots=True)
class Round:
    """A reply, and what was found in the files after it."""

    reply: str
    findings: str


@dataclass(frozen=True, slots=True)
class Score:
    """How many scenarios hold of how many, and the names of the others; `why` they could not be played."""

    held: int
    number: int
    failed: tuple[str, ...] = ()
    why: str = ""

    def __str__(self) -> str:
        lines = [f"{self.held} of {self.number} scenarios hold", *(f"fails: {name}" for name in self.failed)]
        return "\n".join(lines + ([self.why] if self.why else [])) + "\n"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What has become of a trial: its rounds, the files in the end, and what they hold."""

    rounds: tuple[Round, ...]
    files: Mapping[str, str]
    score: Score

    @property
    def clean(self) -> bool:
        return self.rounds[-1].findings == CLEAN


def attempt(trial: Trial, writer: Writer, rounds: int = ROUNDS) -> Outcome:
    """Asks for files until nothing is found in them, at most `rounds` times, and then plays the scenarios."""
    files: dict[str, str] = {}
    made: list[Round] = []
    while len(made) < rounds and not (made and made[-1].findings == CLEAN):
        reply = writer(prompt(trial, files, made[-1].findings if made else "", rounds - len(made)))
        files |= files_of(reply)
        made.append(Round(reply, "\n\n".join([*_answers(reply), findings(trial, files)])))
    return Outcome(tuple(made), files, score(trial, files))


def prompt(trial: Trial, files: Mapping[str, str], found: str, left: int) -> str:
    """All that the writer is told; `left` is the number of replies that are left to it."""
    parts = [
        TASK.format(name=trial.name),
        "# The language\n\n" + pages()[BRIEF],
        "# The page\n\n" + trial.page,
    ]
    if files:
        parts.append(
            "# Your files\n\n" + "\n".join(f"```{path}\n{text}```\n" for path, text in files.items())
        )
    if found:
        parts.append("# What was found\n\n" + found)
    return "\n\n".join([*parts, f"Replies left: {left}\n"])


def files_of(reply: str) -> dict[str, str]:
    """The files in a reply by their paths: fenced blocks named by their first line or by the line before."""
    found: dict[str, str] = {}
    for block in FENCE.finditer(reply):
        before = reply[: block.start()].rstrip().rpartition("\n")[2]
        for named in (block["info"], before):
            if path := PATH.search(named.strip("`*#: ")):
                found[path[0].removeprefix("./")] = block["text"]
                break
    return found


def findings(trial: Trial, files: Mapping[str, str]) -> str:
    """What `check` finds, and if it finds no error, what the example of the page finds."""
    if "game.yaml" not in files:
        return "There is no `game.yaml`: a block has to begin with three backticks and the name of its file."
    with TemporaryDirectory() as place:
        if refused := _written(Path(place), trial.name, {**files, EXAMPLE: trial.example}):
            return refused
        checked = asyncio.run(run_command(Path(place), SECONDS, "check", trial.name, "--format", "line"))
        if checked.output.strip():
            found = checked.output.replace(f"{trial.name}/", "").strip()
            if checked.code:
                return found
        else:
            found = ""
        tested = asyncio.run(run_command(Path(place), SECONDS, "test", trial.name))
    if tested.code:
        found += "\n\n" + _without_time(tested.output)
    return found.strip() or CLEAN


def score(trial: Trial, files: Mapping[str, str]) -> Score:
    """Plays the hidden scenarios."""
    number = len(re.findall(r"^- scenario:", trial.scenarios, re.M))
    own = {path: text for path, text in files.items() if not path.startswith("scenarios/")}
    with TemporaryDirectory() as place:
        if refused := _written(Path(place), trial.name, {**own, "scenarios/hidden.yaml": trial.scenarios}):
            return Score(0, number, why=refused)
        tested = asyncio.run(run_command(Path(place), SECONDS, "test", trial.name, "--json"))
    results = tested.parsed()
    if not isinstance(results, list):
        return Score(0, number, why="the ruleset cannot be played")
    failed = tuple(str(each["scenario"]) for each in results if not each["holds"])
    return Score(number - len(failed), number, failed)


def _written(place: Path, name: str, files: Mapping[str, str]) -> str:
    """Writes a ruleset; says why it cannot."""
    folder = AssistantFolder(place)
    for path, text in files.items():
        try:
            folder.write(f"{name}/{path}", text)
        except DiagnosticError as error:
            return str(error.diagnostic)
    return ""


def _without_time(output: str) -> str:
    """The output of `test` without its last line, which says how long it took."""
    return output.strip().rpartition("\n")[0]


def _answers(reply: str) -> Iterator[str]:
    """The answers to the questions of a reply."""
    for block in FENCE.finditer(reply):
        if block["info"].strip() == "ask":
            for line in filter(None, map(str.strip, block["text"].splitlines())):
                yield f"## {line}\n\n{_answer(line)[:LONGEST_ANSWER]}"


def _answer(question: str) -> str:
    word, *rest = question.split()
    with TemporaryDirectory() as place:
        return _text(asyncio.run(_asked(Toolbox(AssistantFolder(Path(place), read_only=True)), word, rest)))


async def _asked(toolbox: Toolbox, word: str, rest: list[str]) -> Answer:
    first, others = rest[0] if rest else "", " ".join(rest[1:])
    match word:
        case "explain":
            return await toolbox.explain(first)
        case "search_docs":
            return await toolbox.search_docs(" ".join(rest))
        case "read_docs":
            return await toolbox.read_docs(first, others)
        case "read_bundled":
            return await toolbox.read_bundled(first, others)
        case _:
            return {"message": "ask with `explain`, `search_docs`, `read_docs` or `read_bundled`"}


def _text(answer: Answer) -> str:
    """An answer of a tool as text."""
    if "sections" in answer:
        return "\n\n".join(section["text"] for section in answer["sections"])
    return str(answer.get("text") or "\n".join(f"{key}: {value}" for key, value in answer.items()))


# ---- writers


def asking(command: str, seconds: float = REPLY_SECONDS) -> Writer:
    """A writer behind a command. Raises `subprocess.SubprocessError` if it fails or takes too long."""

    def reply(prompt: str) -> str:
        words = shlex.split(command)
        return subprocess.run(
            words, input=prompt, stdout=subprocess.PIPE, check=True, timeout=seconds, encoding="utf-8"
        ).stdout

    return reply


def recorded(trial: Trial) -> tuple[str, ...]:
    """The replies of the recorded exchange."""
    paths = sorted((trial.folder / "exchange").glob("*-reply.md"))
    return tuple(path.read_text("utf-8") for path in paths)


def replaying(replies: tuple[str, ...]) -> Writer:
    remaining = iter(replies)
    return lambda _: next(remaining)


def record(outcome: Outcome, folder: Path) -> None:
    """Writes the replies, the findings and the score of a trial."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, made in enumerate(outcome.rounds, 1):
        durable.write(folder / f"{number}-reply.md", made.reply.encode())
        durable.write(folder / f"{number}-findings.txt", f"{made.findings}\n".encode())
    durable.write(folder / "score.txt", str(outcome.score).encode())


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--command", help="reads a prompt, writes a reply; without it the recorded replies")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="most replies (%(default)s)")
    parser.add_argument(
        "--record", type=Path, help="write the exchange into this folder, by name of the game"
    )
    parser.add_argument("--prompt", action="store_true", help="print the first prompt, and end")
    chosen = parser.parse_args()
    outcomes = []
    for trial in map(Trial, chosen.folders):
        if chosen.prompt:
            print(prompt(trial, {}, "", chosen.rounds))
            continue
        replies = recorded(trial)
        writer = asking(chosen.command) if chosen.command else replaying(replies)
        outcome = attempt(trial, writer, chosen.rounds if chosen.command else len(replies))
        outcomes.append(outcome)
        if chosen.record:
            record(outcome, chosen.record / trial.name)
        print(f"{trial.name}: {len(outcome.rounds)} replies, {'clean' if outcome.clean else 'with findings'}")
        print(outcome.score, flush=True)
    if len(outcomes) > 1:
        held, number = (sum(getattr(each.score, key) for each in outcomes) for key in ("held", "number"))
        print(f"{len(outcomes)} games: {held} of {number} scenarios hold")


if __name__ == "__main__":
    sys.exit(main())
