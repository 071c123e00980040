"""What may be wrong when assistants are served: C534 to C538."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Diagnostic


@dataclass(frozen=True)
class McpNotInstalled(Diagnostic):
    """The library of the Model Context Protocol is required but not installed.

    `rulewright mcp` speaks with assistants by a library for their protocol. It is an optional extra:
    `pip install "rulewright[mcp]"`. Everything else works without it.
    """

    code = "C534"
    slug = "mcp-not-installed"
    title = "the library `{library}` is not installed"
    advice = 'install it with `pip install "rulewright[mcp]"`'
    library: str


@dataclass(frozen=True)
class OutsideFolder(Diagnostic):
    """A path of an assistant does not lie in the folder that is served.

    Paths are relative to that folder and written with `/`: names of letters, digits, `_`, `-` and dots that
    do not begin with a dot, at most five of them. Links that lead out of the folder are not followed.
    """

    code = "C535"
    slug = "outside-folder"
    title = "`{path}` is not a path within the folder"
    advice = "name a file such as `my_game/game.yaml`; `list_files` names those that are there"
    path: str


@dataclass(frozen=True)
class FileTooLarge(Diagnostic):
    """A file is larger than an assistant reads or writes at once.

    Rulesets are small texts. Split the file: rules may be in several files, and each table has its own.
    """

    code = "C536"
    slug = "file-too-large"
    title = "`{path}` has more than {most} bytes"
    advice = "split it into several files"
    path: str
    most: int


@dataclass(frozen=True)
class NoSuchRuleset(Diagnostic):
    """A tool was given the name of a ruleset that is neither in the folder nor bundled.

    A ruleset is a folder with a `game.yaml`. Tools take its path in the folder that is served, or the name
    of a bundled game.
    """

    code = "C537"
    slug = "no-such-ruleset"
    title = "there is no ruleset `{name}`"
    advice = "`new_ruleset` makes one, `list_games` names those that are there"
    name: str


@dataclass(frozen=True)
class TookTooLong(Diagnostic):
    """A command that an assistant asked for was killed at its limit.

    Each tool works in a process of its own, which is killed after the seconds that `rulewright mcp
    --seconds` allows, or when its output is too large. Ask for less: fewer matches, a sample of mutants, a
    single clause.
    """

    code = "C538"
    slug = "took-too-long"
    title = "`{command}` was ended after {limit}"
    advice = "ask for less: fewer matches, a sample, one clause"
    command: str
    limit: str
