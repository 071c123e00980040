"""The arguments that commands of experiments share: bots by name, workers, and what failed."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import Any, TypeVar

import click

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from dsl.wording import counted
from rulewright.messages import ExperimentsNotInstalled, MatchesFailed
from rulewright.terminal.output import complain
from rulewright.terminal.parameters import jobs_option
from validators.experiments.tallies import FaultTally

MOST_JOBS = 256
SHOWN = 5
"""How many seeds of faults are shown."""
Command = TypeVar("Command", bound=Callable[..., Any])

bots_option = click.option(
    "--bots",
    default="random",
    show_default=True,
    metavar="NAME[,NAME]",
    help="Who plays: one for all seats, or one for each; `policy:FILE` is a trained policy.",
)


def workers_options(command: Command) -> Command:
    """`--jobs` and `--cluster`: what carries the matches out."""
    cluster = click.option("--cluster", metavar="ADDRESS", help="Play on the machines of a Ray cluster.")
    return jobs_option(MOST_JOBS, "How many processes play.")(cluster(command))


def check_installed(cluster: str | None = None) -> None:
    """Raises `DiagnosticError` if a library that is needed is not there."""
    if find_spec("numpy") is None:
        raise DiagnosticError(ExperimentsNotInstalled(NOWHERE, "numpy", "arrays"))
    if cluster is not None and find_spec("ray") is None:
        raise DiagnosticError(ExperimentsNotInstalled(NOWHERE, "ray", "cluster"))


def repeated(count: Callable[[], None]) -> Callable[[int], None]:
    """A function that counts several at once."""

    def several(number: int) -> None:
        for _ in range(number):
            count()

    return several


def command_line(words: Sequence[str]) -> str:
    """A command as it is typed."""
    return shlex.join(words)


def seeds_of(faults: Mapping[str, FaultTally]) -> dict[str, list[int]]:
    """The seeds of the matches that came to each fault, by its text."""
    return {text: list(tally.seeds) for text, tally in faults.items()}


def complain_of_faults(faults: Mapping[str, Sequence[int]], again: Callable[[int], str]) -> None:
    """Says which matches ended in a fault, by its code and place: `faults` has the seeds by the text.

    `again` is the command that plays the match of a seed.
    """
    kinds: dict[tuple[str, str], dict[int, str]] = {}
    for text, failed in faults.items():
        kinds.setdefault(_code_and_place(text), {}).update(dict.fromkeys(failed, text))
    found = []
    for _, texts in sorted(kinds.items()):
        seeds = sorted(texts)
        shown = ", ".join(map(str, seeds[:SHOWN])) + (", ..." if len(seeds) > SHOWN else "")
        number = counted(len(seeds), "match")
        found.append(MatchesFailed(NOWHERE, number, texts[seeds[0]], shown, f"`{again(seeds[0])}`"))
    if found:
        complain(found)


def _code_and_place(text: str) -> tuple[str, str]:
    """Of a fault as `described`: what is the same whatever the values were."""
    return text.partition(" ")[0], text.rpartition(" (")[2]
