"""R250 to R254 and R270: errors about bots."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Diagnostic


@dataclass(frozen=True)
class UnknownBot(Diagnostic):
    """A bot has a name that no bot has.

    `random` chooses at random. `search` looks ahead; behind a colon stands what one choice may take, as
    iterations (`search:500`) or as time (`search:2s`). `easy`, `medium` and `hard` are searches with
    different numbers of iterations. With `+beliefs` behind its name a bot that searches does so in worlds
    that its seat believes in, as `hard+beliefs`. `policy:FILE` is a trained policy, an ONNX file.
    """

    code = "R250"
    slug = "unknown-bot"
    title = "there is no bot `{name}`"
    advice = "{hint}"
    name: str
    hint: str


@dataclass(frozen=True)
class BadBudget(Diagnostic):
    """What a bot may take for a choice is nothing that it can be given.

    A budget is a whole number of iterations, which makes choices repeatable, or a time in seconds (`2s`) or
    milliseconds (`500ms`), with which they depend on the machine. A tree has to fit into memory, so there is
    a most for both.
    """

    code = "R251"
    slug = "bad-budget"
    title = "`{written}` is no budget of a bot: {why}"
    advice = "{hint}"
    written: str
    why: str
    hint: str


@dataclass(frozen=True)
class ArraysNotInstalled(Diagnostic):
    """A bot that searches needs the library for arrays, which is not installed.

    It is an optional extra: `pip install "rulewright[arrays]"`. The bot `random` works without it.
    """

    code = "R252"
    slug = "arrays-not-installed"
    title = "the library `numpy` is not installed"
    advice = 'install it with `pip install "rulewright[arrays]"`'


@dataclass(frozen=True)
class NothingToDecide(Diagnostic):
    """A search is asked about a seat that has nothing to decide.

    It thinks about a decision that waits in a match: the match has begun and is not over, and the seat,
    given by its number or name, is one of those that are asked now.
    """

    code = "R253"
    slug = "nothing-to-decide"
    title = "there is nothing to decide: {why}"
    advice = "{hint}"
    why: str
    hint: str


@dataclass(frozen=True)
class NotWaiting(Diagnostic):
    """A bot is asked for a decision that does not wait in the match.

    `match.waiting()` has those that wait; each choice makes new ones, so one that was kept from before is
    of no use.
    """

    code = "R254"
    slug = "not-waiting"
    title = "the decision does not wait in this match: {why}"
    advice = "{hint}"
    why: str
    hint: str


@dataclass(frozen=True)
class UnknownModel(Diagnostic):
    """A model of how others choose has a name that no model has.

    `uniform` takes everything that is offered to be as likely. `search:100` takes others to choose by a
    search of 100 iterations, and now and then at random. `policy:FILE` takes them to choose as a trained
    policy, an ONNX file, does.
    """

    code = "R270"
    slug = "unknown-model"
    title = "there is no model `{name}` of how others choose"
    advice = "{hint}"
    name: str
    hint: str
