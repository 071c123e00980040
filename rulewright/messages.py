"""Every C-code: errors of a command. They point into the command line itself."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Diagnostic


@dataclass(frozen=True)
class CannotWrite(Diagnostic):
    """The requested output file cannot be written.

    The folder does not exist, the name is that of a folder, or writing there is not allowed. Nothing
    has been written. Name another file, or make the folder first.
    """

    code = "C401"
    slug = "cannot-write"
    title = "`{path}` cannot be written: {why}"
    advice = "name a file in a folder that exists, has room, and lets you write"
    path: str
    why: str


@dataclass(frozen=True)
class AlreadyThere(Diagnostic):
    """A new ruleset would overwrite existing files.

    `rulewright new` only creates new folders; it never changes one. Choose another name, or another place
    with `--into DIR`.
    """

    code = "C402"
    slug = "already-there"
    title = "`{path}` already exists"
    advice = "choose another name, or another place with `--into DIR`"
    path: str


@dataclass(frozen=True)
class NoSuchCode(Diagnostic):
    """The requested code does not exist.

    Codes are a letter and three digits: D for the language, R for the referee, V for the validators, T
    for the trace to the rulebook, C for commands. `rulewright explain` without a code lists all of them.
    """

    code = "C403"
    slug = "no-such-code"
    title = "unknown code `{name}`"
    advice = "{hint}"
    name: str
    hint: str


@dataclass(frozen=True)
class MalformedOption(Diagnostic):
    """An option of a game is not written as `NAME=VALUE`.

    For example `--option trading=on`. `rulewright list` shows the options of each game, the values that
    each can have, and its default.
    """

    code = "C404"
    slug = "malformed-option"
    title = "`{text}` is not of the form `NAME=VALUE`"
    advice = "write `--option NAME=VALUE`; `rulewright list` shows the options of each game"
    text: str


@dataclass(frozen=True)
class NoSuchSeat(Diagnostic):
    """The named seat does not take part.

    Seats are called A, B, C, ... in seat order, up to the number of seats.
    """

    code = "C405"
    slug = "no-such-seat"
    title = "unknown seat `{name}`"
    advice = "the seats are {known}"
    name: str
    known: str


@dataclass(frozen=True)
class NoSuchStep(Diagnostic):
    """The log does not have the requested step.

    Every choice and every random outcome is one step, counted from 1; 0 is the start.
    """

    code = "C406"
    slug = "no-such-step"
    title = "unknown step `{number}`"
    advice = "the log has {most} steps"
    number: str
    most: int


@dataclass(frozen=True)
class BadName(Diagnostic):
    """A new ruleset cannot have this name.

    The name is used for a folder, a rules file and the game in logs. It starts with a letter and consists of
    lower-case letters, digits and `_`.
    """

    code = "C407"
    slug = "bad-name"
    title = "a ruleset cannot be called `{name}`"
    advice = "{hint}"
    name: str
    hint: str


@dataclass(frozen=True)
class NothingToTest(Diagnostic):
    """No scenario was found to run.

    Scenarios are the YAML files in the folder `scenarios` of a ruleset. Either there are none, or none
    contains the text given by `-k` in its name, its clauses or the name of its file.
    """

    code = "C408"
    slug = "nothing-to-test"
    title = "no scenario to run{why}"
    advice = "{hint}"
    why: str
    hint: str


@dataclass(frozen=True)
class UnknownGameOfLog(Diagnostic):
    """A log names a game that is not bundled.

    A log contains the name of its game and the content hash of its rules, not the rules themselves. Name
    the ruleset with `--game PATH`.
    """

    code = "C409"
    slug = "unknown-game-of-log"
    title = "the log is of game `{name}`, which is not bundled"
    advice = "name its ruleset: `--game PATH`"
    name: str


@dataclass(frozen=True)
class DoesNotHold(Diagnostic):
    """An assertion of a scenario does not hold.

    Either the rules are wrong, or the scenario expects something that the rulebook does not say. `refused`
    names a choice that must not be offered; everything else is compared with the current position.
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
class BadBound(Diagnostic):
    """A bound leaves nothing to explore.

    `rulewright explore` explores positions up to a depth, a number, or a time. Each bound must allow at least
    one position.
    """

    code = "C411"
    slug = "bad-bound"
    title = "`{name}` cannot be {value}"
    advice = "it must be at least {least}"
    name: str
    value: str
    least: str


@dataclass(frozen=True)
class ForbiddenWord(Diagnostic):
    """An argument contains a character that controls a terminal or hides text.

    Such arguments usually come from file names that somebody else has chosen, not from a keyboard. They are
    rejected at once: a message that repeats one would act on the terminal.
    """

    code = "C412"
    slug = "forbidden-word"
    title = "{character} is not allowed in an argument"
    advice = "use another name; rename the file or folder"
    word: str
    character: str


@dataclass(frozen=True)
class PresetInAFile(Diagnostic):
    """A log uses a preset from a file, and that file was not named.

    A log often comes from somebody else. If its word were enough, it could have any of your files read, and
    their lines shown in messages. Presets of the ruleset itself are known by name and need not be given
    again.
    """

    code = "C413"
    slug = "preset-in-a-file"
    title = "the log uses the preset file `{path}`, which is not read on the word of a log"
    advice = "name the file: `--small FILE`"
    path: str


@dataclass(frozen=True)
class CannotKeep(Diagnostic):
    """The last change of a match cannot be written to its file.

    The disk is full, a limit is reached, or the file was moved or changed by somebody else. The file contains
    the match up to the previous choice, and nothing of that is lost. The choice counts only once it is
    written, or once the players continue without a file. Free space and try again, or name another file.
    """

    code = "C416"
    slug = "cannot-keep"
    title = "the last change cannot be written to `{path}`: {why}"
    advice = "free space, or use another file; this one contains the match as it was before"
    path: str
    why: str


@dataclass(frozen=True)
class LogInUse(Diagnostic):
    """Another process is writing a match to this file.

    Two matches cannot be written to one file at the same time: each would overwrite the other. Wait until
    the other one has ended, or name another file.
    """

    code = "C417"
    slug = "log-in-use"
    title = "another process is writing its match to `{path}`"
    advice = "end the other one first, or use another file for this match: `--log FILE`"
    path: str


@dataclass(frozen=True)
class OtherMatch(Diagnostic):
    """A new match would overwrite another one that is not over.

    The file contains a match that can be resumed, and that would be lost. Resume it, keep the new match in
    another file, or delete the old one first.
    """

    code = "C418"
    slug = "other-match"
    title = "`{path}` contains another match, which is not over"
    advice = "resume it with `--resume {path}`, name another file for this match, or delete that one"
    path: str


@dataclass(frozen=True)
class SlowRules(Diagnostic):
    """Reading and compiling a game takes longer than its check may take.

    Rules have limits of size, each with a code of its own; rules that are close to many of them at once can
    still take long. Nothing has been checked. Give the check more time, `--seconds 60`, or look for the
    cause: boards with thousands of places, thousands of links, hundreds of phases, many numbers of seats.
    """

    code = "C414"
    slug = "slow-rules"
    title = "`{name}` was not read and compiled within {seconds:g} s"
    advice = "give more `--seconds`, or make it smaller"
    name: str
    seconds: float


@dataclass(frozen=True)
class OutOfMemory(Diagnostic):
    """A command needs more memory than it may use.

    The system, a limit of the shell (`ulimit -v`) or a container limits the memory of a process. What the
    command has written before is complete. Allow it more, or reduce the work: fewer seats, options, positions
    or jobs.
    """

    code = "C415"
    slug = "out-of-memory"
    title = "out of memory"
    advice = "allow the process more (`ulimit -v`), or reduce the work"


@dataclass(frozen=True)
class SystemRefused(Diagnostic):
    """The system refuses something that a command needs: another process, an open file, a connection.

    Limits of the shell (`ulimit -u`, `ulimit -n`) and of containers are the usual reason, or many programs
    that run at once. What the command has written before is complete.
    """

    code = "C553"
    slug = "system-refused"
    title = "the system refuses what this needs: {why}"
    advice = "end other programs, raise the limit (`ulimit -a` shows them), or use fewer `--jobs`"
    why: str


@dataclass(frozen=True)
class NoSuchLanguage(Diagnostic):
    """The game has no labels in the requested language.

    The names shown to people are in one file for each language, `labels/en.yaml`, in the folder of the
    ruleset, and so are the clauses of the rulebook. Choose an existing language, or write such files:
    `rulewright labels GAME --language hu --into DIR` begins them.
    """

    code = "C430"
    slug = "no-such-language"
    title = "no labels in `{lang}`"
    advice = "{hint}"
    lang: str
    hint: str


@dataclass(frozen=True)
class PagesNotInstalled(Diagnostic):
    """The library for pages is required but not installed.

    Reports, traces, comparisons and rulebooks as HTML are made from templates, by a library that escapes
    text from a ruleset. It is an optional extra: `pip install "rulewright[pages]"`. Everything but
    HTML is written without it.
    """

    code = "C440"
    slug = "pages-not-installed"
    title = "the library `{library}` is not installed"
    advice = 'install it with `pip install "rulewright[pages]"`'
    library: str


@dataclass(frozen=True)
class ServeNotInstalled(Diagnostic):
    """The libraries of the server are required but not installed.

    The table in a browser needs a web server, signed links, rate limits and a database. They are an optional
    extra: `pip install "rulewright[serve]"`. Everything else works without them.
    """

    code = "C470"
    slug = "serve-not-installed"
    title = "the library `{library}` is not installed"
    advice = 'install the server with `pip install "rulewright[serve]"`'
    library: str


@dataclass(frozen=True)
class BadPlaytest(Diagnostic):
    """A folder, a record or a list of questions of playtests cannot be used.

    `rulewright serve --playtest FOLDER` writes one file `playtest-….jsonl` for each match that has ended, if
    somebody has agreed to it; `rulewright analyse GAME --logs FOLDER` reads them. Questions are lines of a
    text, at most ten.
    """

    code = "C475"
    slug = "bad-playtest"
    title = "`{path}` is no record of a playtest that can be read: {why}"
    path: str
    why: str


@dataclass(frozen=True)
class NothingToUpdate(Diagnostic):
    """No file of the ruleset is written in an older version of the language.

    `rulewright update` rewrites rules that would mean something else today. There is nothing of that kind
    in these files, so they stay as they are.
    """

    code = "C464"
    slug = "nothing-to-update"
    title = "`{folder}` has nothing to rewrite"
    folder: str


@dataclass(frozen=True)
class FileIsThere(Diagnostic):
    """A file would be overwritten.

    No file is replaced unless that is asked for: it may be the one from which a match is being played. Choose
    another name, or add `--overwrite` to `rulewright export` or `rulewright print`.
    """

    code = "C480"
    slug = "file-is-there"
    title = "`{path}` already exists"
    advice = "{hint}"
    path: str
    hint: str = "choose another name, or replace it with `--overwrite`"


@dataclass(frozen=True)
class ExperimentsNotInstalled(Diagnostic):
    """A library for experiments is required but not installed.

    Matches are played side by side with arrays, from the extra `arrays`; `analyse` writes a page, with the
    extra `pages`; clusters need the extra `cluster`. Everything else works without them.
    """

    code = "C490"
    slug = "experiments-not-installed"
    title = "the library `{library}` is not installed"
    advice = 'install it with `pip install "rulewright[{extra}]"`'
    library: str
    extra: str


@dataclass(frozen=True)
class NotAsManyBots(Diagnostic):
    """There are too many bots, or too few.

    One name stands for all seats, otherwise there is one for each, separated by commas. In an arena at least
    two bots meet.
    """

    code = "C491"
    slug = "not-as-many-bots"
    title = "the bots `{name}` {why}"
    advice = "{hint}"
    name: str
    why: str
    hint: str


@dataclass(frozen=True)
class BadTarget(Diagnostic):
    """A target of `tune` is not one that can be measured.

    A target is a measure and the range in which it should lie: `share of B in 48..52` in percent, `length in
    20..30` in decisions, or `total of A in 30..40` in points.
    """

    code = "C492"
    slug = "bad-target"
    title = "the target `{target}` {why}"
    advice = "write it as `share of B in 48..52`, `length in 20..30` or `total of A in 30..40`"
    target: str
    why: str


@dataclass(frozen=True)
class NoSuchNumber(Diagnostic):
    """`tune` can change numbers that have a name, and this is not one of them.

    Numbers are options with a range, constants of `game.yaml`, and cells of tables: of rows as `ROW.COLUMN`,
    the row by its first cell, of others in `game.yaml` as `TABLE.KEY`.
    A number that rules compute, or that stands in them without a name, has none.
    """

    code = "C493"
    slug = "no-such-number"
    title = "`{name}` is not a number that can be changed{why}"
    advice = "{hint}"
    name: str
    why: str
    hint: str


@dataclass(frozen=True)
class NoCluster(Diagnostic):
    """The cluster does not answer, or has been lost.

    The address is that of the head of a Ray cluster, as `ray start --head` prints it: the address of a
    machine and a port. What was finished before is shown.
    """

    code = "C494"
    slug = "no-cluster"
    title = "the cluster `{address}` cannot be used: {why}"
    advice = "start one with `ray start --head --port=6379`, and name its address: `--cluster HOST:6379`"
    address: str
    why: str


@dataclass(frozen=True)
class MatchesFailed(Diagnostic):
    """Some matches ended in a fault of the rules and are not counted.

    Everything else that was played is counted and shown. Look at the first of these matches: its seed is
    given, with the command that plays it again.
    """

    code = "C495"
    slug = "matches-failed"
    title = "{number} ended in a fault: {fault}"
    advice = "seeds {seeds}; to see the first again: {again}"
    number: str
    fault: str
    seeds: str
    again: str


@dataclass(frozen=True)
class SeatsDiffer(Diagnostic):
    """The two sides of a comparison have no number of seats in common.

    Pairs of matches are compared seat by seat, so that both sides need the same number. Name one that both
    allow with `--seats N`.
    """

    code = "C496"
    slug = "seats-differ"
    title = "`{new}` cannot be compared with `{old}`: {why}"
    advice = "name a number of seats that both allow: `--seats N`"
    old: str
    new: str
    why: str


@dataclass(frozen=True)
class OutdatedScripts(Diagnostic):
    """A script of the page was made of other modules than those that are there.

    Pages are sent and exported as scripts that are made of the modules of the page. Where somebody has
    changed a module, they are made anew by `python tools/minify.py`, which needs npm. Until then `serve`
    sends the modules one by one, and `export` makes no file.
    """

    code = "C462"
    slug = "outdated-scripts"
    title = "the modules of the page have changed since `{script}` was made of them"
    advice = "run `python tools/minify.py`; if you have changed nothing, install Rulewright anew"
    script: str


@dataclass(frozen=True)
class SheetNotRefreshed(Diagnostic):
    """A table that is published at an address was not fetched. What is kept of it is as it was.

    The address answers with an error or with a page for people, is not encrypted, gives more than a table can
    have, or leads to what is no table; or the file was edited here since, and what was written would be lost.
    """

    code = "C463"
    slug = "sheet-not-refreshed"
    title = "`{path}` was not fetched: {why}"
    advice = "{hint}"
    path: str
    why: str
    hint: str


@dataclass(frozen=True)
class LspNotInstalled(Diagnostic):
    """The library of the language server is required but not installed.

    `rulewright lsp` speaks with editors by a library for their protocol. It is an optional extra:
    `pip install "rulewright[lsp]"`. Everything else works without it.
    """

    code = "C510"
    slug = "lsp-not-installed"
    title = "the library `{library}` is not installed"
    advice = 'install it with `pip install "rulewright[lsp]"`'
    library: str


@dataclass(frozen=True)
class StudioNotInstalled(Diagnostic):
    """A library of the studio is required but not installed.

    `rulewright studio` is a page in a browser, and the server behind it needs libraries. They are an optional
    extra: `pip install "rulewright[studio]"`. Everything else works without them.
    """

    code = "C520"
    slug = "studio-not-installed"
    title = "the library `{library}` is not installed"
    advice = 'install it with `pip install "rulewright[studio]"`'
    library: str


@dataclass(frozen=True)
class NotARuleset(Diagnostic):
    """A folder has no `game.yaml`, so there is no ruleset in it to edit or to rewrite.

    `rulewright new NAME` creates a folder with a small working game.
    """

    code = "C521"
    slug = "not-a-ruleset"
    title = "there is no `game.yaml` in `{name}`"
    advice = "create a ruleset with `rulewright new NAME`, or name the folder of one"
    name: str


@dataclass(frozen=True)
class NotFormatted(Diagnostic):
    """A file of rules or YAML is not in the form that `rulewright format` gives it.

    Blanks, indentation and the column of clause marks are the same in all rulesets, so that a comparison of
    two versions shows only what was meant to change. `rulewright format` rewrites the file; with `--check`
    it only says which files would change, and so does `rulewright check --strict`.
    """

    code = "C511"
    slug = "not-formatted"
    title = "`{path}` is not formatted"
    label = "the first line that would change"
    advice = "run `rulewright format` on it"
    path: str


@dataclass(frozen=True)
class NothingForDataset(Diagnostic):
    """A folder of logs cannot become a dataset.

    It needs files `*.log`, saved by `rulewright play --log FILE` or by a server, of the same game, rules,
    options and number of seats. Play matches by bots instead, or name another folder.
    """

    code = "C540"
    slug = "nothing-for-dataset"
    title = "the logs in `{folder}` make no dataset: {why}"
    advice = "name a folder of logs of this game, and their number of seats with `--seats`"
    folder: str
    why: str


@dataclass(frozen=True)
class KeptElsewhere(Diagnostic):
    """What was found cannot be written to where it should go, and has been written to another folder.

    The file could be written when the command began; since then the disk has become full, or the folder has
    gone. So it is with what a command prints, where the output goes to a file on a full disk. The folder for
    temporary files has all that was found, so that nothing has to be done again. Move it from there: the
    system may empty that folder.
    """

    code = "R275"
    slug = "kept-elsewhere"
    title = "`{path}` can no longer be written: {why}"
    advice = "what was found is in the folder `{folder}`: move it from there"
    path: str
    why: str
    folder: str
