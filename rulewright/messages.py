"""Every C-code: what can be wrong with a command. They point into the command line itself."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Mistake


@dataclass(frozen=True)
class CannotWrite(Mistake):
    """A file that was asked for cannot be written.

    The folder does not exist, the name is that of a folder, or writing there is not allowed. Nothing
    has been written. Name another file, or make the folder first.
    """

    code = "C401"
    slug = "cannot-write"
    title = "`{path}` cannot be written: {why}"
    mend = "name a file in a folder that exists and that you may write to"
    path: str
    why: str


@dataclass(frozen=True)
class AlreadyThere(Mistake):
    """A new ruleset would overwrite what is there already.

    `rulewright new` only makes new folders; it never changes one. Choose another name, or another place
    with `--into DIR`.
    """

    code = "C402"
    slug = "already-there"
    title = "`{path}` is there already"
    mend = "choose another name, or another place with `--into DIR`"
    path: str


@dataclass(frozen=True)
class NoSuchCode(Mistake):
    """A code was asked for that no diagnostic has.

    Codes are a letter and three digits: D for the language, R for the referee, V for the validators, T
    for the trace to the rulebook, C for commands. `rulewright explain` without a code lists all of them.
    """

    code = "C403"
    slug = "no-such-code"
    title = "there is no code `{name}`"
    mend = "{hint}"
    name: str
    hint: str


@dataclass(frozen=True)
class MalformedOption(Mistake):
    """An option of a game is not written as `NAME=VALUE`.

    For example `--option trading=on`. `rulewright list` shows the options of each game, the values that
    each can have, and its default.
    """

    code = "C404"
    slug = "malformed-option"
    title = "`{text}` does not set an option"
    mend = "write `--option NAME=VALUE`; `rulewright list` shows the options of each game"
    text: str


@dataclass(frozen=True)
class NoSuchSeat(Mistake):
    """A seat was named that does not play.

    Seats are called A, B, C, ... in seat order, as many as play.
    """

    code = "C405"
    slug = "no-such-seat"
    title = "nobody sits at `{name}`"
    mend = "the seats are {known}"
    name: str
    known: str


@dataclass(frozen=True)
class NoSuchStep(Mistake):
    """A step of a match was asked for that its log does not have.

    Every choice and every outcome of chance is one step, counted from 1; 0 is the start.
    """

    code = "C406"
    slug = "no-such-step"
    title = "there is no step `{number}`"
    mend = "the log has {most} steps"
    number: str
    most: int


@dataclass(frozen=True)
class BadName(Mistake):
    """A new ruleset cannot bear this name.

    The name is that of a folder, of a rules file and of the game in logs. It begins with a letter and
    consists of small letters, digits and `_`.
    """

    code = "C407"
    slug = "bad-name"
    title = "a ruleset cannot be called `{name}`"
    mend = "{hint}"
    name: str
    hint: str


@dataclass(frozen=True)
class NothingToTest(Mistake):
    """No scenario was found to run.

    Scenarios are the YAML files in the folder `scenarios` of a ruleset. Either there are none, or none
    has the text that `-k` asks for in its name, its clauses or its file's name.
    """

    code = "C408"
    slug = "nothing-to-test"
    title = "there is no scenario to run{why}"
    mend = "{hint}"
    why: str
    hint: str


@dataclass(frozen=True)
class UnknownGameOfLog(Mistake):
    """A log names a game that is not bundled.

    A log holds the name of its game and the content hash of its rules, not the rules themselves. Say
    where the ruleset is with `--game PATH`.
    """

    code = "C409"
    slug = "unknown-game-of-log"
    title = "the log is of a game `{name}`, which is not bundled"
    mend = "say where its ruleset is: `--game PATH`"
    name: str


@dataclass(frozen=True)
class DoesNotHold(Mistake):
    """Something that a scenario says is not so.

    Either the rules are wrong, or the scenario expects something that the rulebook does not say. `refused`
    names a choice that must not be offered; everything else is compared with the position as it stands.
    """

    code = "C410"
    slug = "does-not-hold"
    title = "`{what}` is {found}, not {wanted}"
    label = "does not hold"
    what: str
    wanted: str
    found: str
    hint: str = ""

    @property
    def help(self) -> str:
        return self.hint or "compare the rules and the scenario with the clauses that it cites"


@dataclass(frozen=True)
class BadBound(Mistake):
    """A bound leaves nothing to look at.

    `rulewright explore` looks at positions up to a depth, a number, or a time. Each bound that is given
    must allow at least one position.
    """

    code = "C411"
    slug = "bad-bound"
    title = "`{name}` cannot be {value}"
    mend = "it must be at least {least}"
    name: str
    value: str
    least: str


@dataclass(frozen=True)
class ForbiddenWord(Mistake):
    """A word of the command line holds a character that steers a terminal or hides text.

    Such words come from names of files that somebody else has chosen, more often than from a keyboard.
    They are not carried any further: a message that repeats one would act on the terminal.
    """

    code = "C412"
    slug = "forbidden-word"
    title = "{character} cannot stand in a word of the command line"
    mend = "name it otherwise; a file or folder can be renamed"
    word: str
    character: str


@dataclass(frozen=True)
class PresetInAFile(Mistake):
    """A log says that its game was made smaller by a file, and that file was not named.

    A log comes from somebody else as often as not. If its word were enough, it could have any file of yours
    read, and its lines shown in messages. Presets of the ruleset itself are known by their names and need
    not be named again.
    """

    code = "C413"
    slug = "preset-in-a-file"
    title = "the game was made smaller by the file `{path}`, which is not read on the word of a log"
    mend = "name the file: `--small FILE`"
    path: str


@dataclass(frozen=True)
class CannotKeep(Mistake):
    """A match is kept in a file, and what has just been chosen or taken back cannot be written there.

    The disk is full, a limit is reached, or the file was moved or changed by somebody else. The file holds
    the match up to the choice before, and nothing of that is lost. The choice counts only when it is
    written, or when the players go on without a file. Make room and try again, or name another file.
    """

    code = "C416"
    slug = "cannot-keep"
    title = "what was just done cannot be kept in `{path}`: {why}"
    mend = "the file holds the match as it was before; make room, or keep it in another file"
    path: str
    why: str


@dataclass(frozen=True)
class LogInUse(Mistake):
    """Another process keeps a match in this file.

    Two matches that are played at the same time cannot be kept in one file: each would write over the
    other. Wait until the other one has ended, or name another file.
    """

    code = "C417"
    slug = "log-in-use"
    title = "another process keeps its match in `{path}`"
    mend = "end the other one first, or keep this match in another file: `--log FILE`"
    path: str


@dataclass(frozen=True)
class OtherMatch(Mistake):
    """A new match would be written over another one that is not over.

    The file holds a match with choices that can be gone on with, and that would be lost. Go on with it,
    keep the new match in another file, or delete the old one first.
    """

    code = "C418"
    slug = "other-match"
    title = "`{path}` holds another match, which is not over"
    mend = "`--resume {path}` goes on with it; name another file for this match, or delete that one"
    path: str


@dataclass(frozen=True)
class SlowRules(Mistake):
    """A game is not read and compiled in the time that its check may take.

    Rules have bounds of size, each with a code of its own; rules that come near to many of them at once can
    still take long. Nothing has been checked. Give the check more time, `--seconds 60`, or look for what is
    so large: boards with thousands of places, thousands of links, hundreds of phases, many numbers of seats.
    """

    code = "C414"
    slug = "slow-rules"
    title = "`{name}` was not read and compiled within {seconds:g} s"
    mend = "give more `--seconds`, or make it smaller"
    name: str
    seconds: float


@dataclass(frozen=True)
class OutOfMemory(Mistake):
    """A command has needed more memory than it may take.

    The system, a limit of the shell (`ulimit -v`) or a container gives a process so much and no more. What a
    command has written before is whole. Allow it more, or ask for less at a time: fewer seats, options,
    positions or jobs.
    """

    code = "C415"
    slug = "out-of-memory"
    title = "there is no more memory"
    mend = "allow the process more (`ulimit -v`), or ask for less at a time"


@dataclass(frozen=True)
class NoSuchLanguage(Mistake):
    """A game was asked for in a language for which it has no labels.

    The names that people read stand in a file for each language, `labels/en.yaml`, in the folder of the
    ruleset. Name a language that is there, or write such a file. Only names are translated; the sentences
    of the rulebook are English.
    """

    code = "C430"
    slug = "no-such-language"
    title = "the game has no labels in `{lang}`"
    mend = "{hint}"
    lang: str
    hint: str


@dataclass(frozen=True)
class PagesNotInstalled(Mistake):
    """A page for browsers is wanted, and the library that fills its template is not installed.

    Reports, traces, comparisons and rulebooks as HTML are made from templates, by a library that escapes
    what comes from a ruleset. It is an extra of its own: `pip install "rulewright[pages]"`. Everything but
    HTML is written without it.
    """

    code = "C440"
    slug = "pages-not-installed"
    title = "the library `{library}` is not installed"
    mend = 'it comes with `pip install "rulewright[pages]"`'
    library: str
