"""T350 to T369: errors with versions of a ruleset and with the logs that are compared under them."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Diagnostic


@dataclass(frozen=True)
class NoGit(Diagnostic):
    """A version was given as `PATH@REVISION`, but git cannot be run for it.

    `rulewright diff` reads older versions of a folder through the command `git`. It is not installed, or
    it refuses to read the repository; the reason is git's own.
    """

    code = "T350"
    slug = "no-git"
    title = "git cannot read `{version}`: {why}"
    advice = "install git, or name a folder that holds the version"
    version: str
    why: str


@dataclass(frozen=True)
class NoRepository(Diagnostic):
    """A version was given as `PATH@REVISION`, but the path is not in a git repository."""

    code = "T351"
    slug = "no-repository"
    title = "`{path}` is not in a git repository"
    advice = "name a folder within a repository, or one that holds the version"
    version: str
    path: str


@dataclass(frozen=True)
class NoRevision(Diagnostic):
    """A version was given as `PATH@REVISION`, but the repository has no such revision.

    A revision is whatever git understands: a branch, a tag, a commit, `HEAD~2`.
    """

    code = "T352"
    slug = "no-revision"
    title = "unknown revision `{revision}`"
    advice = "`git log --oneline -- {path}` lists the revisions of the folder"
    version: str
    revision: str
    path: str


@dataclass(frozen=True)
class NotInRevision(Diagnostic):
    """At the requested revision, the path is not a ruleset.

    A ruleset is a folder with a `game.yaml`. It may have been created later, or have been elsewhere; name
    the path that it had then.
    """

    code = "T353"
    slug = "not-in-revision"
    title = "no ruleset at `{path}` in revision `{revision}`"
    advice = "name the path that it had then"
    version: str
    revision: str
    path: str


@dataclass(frozen=True)
class NoLogs(Diagnostic):
    """The folder given for `--logs` contains no log.

    Logs are the files that `play --log`, `simulate --log` and `save` write. They are searched in all
    folders below the given one: files that start like a log, or whose name ends in `.log`.
    """

    code = "T354"
    slug = "no-logs"
    title = "no log in `{path}`"
    advice = "name a folder with files that `play --log` or `save` has written"
    path: str


@dataclass(frozen=True)
class OtherGame(Diagnostic):
    """A log belongs to another game than the one whose versions are compared."""

    code = "T355"
    slug = "log-of-another-game"
    title = "this log is of `{game}`, not of `{wanted}`"
    advice = "compare the versions of that game"
    game: str
    wanted: str


@dataclass(frozen=True)
class PlayedByNeither(Diagnostic):
    """A log cannot be played under either of the two versions.

    It was written under a third version, whose rules allowed something that neither of these two allows.
    Compare that version with each of them.
    """

    code = "T356"
    slug = "played-by-neither"
    title = "neither version can play this match beyond step {step}: {why}"
    advice = "compare with the version under which it was written"
    step: int
    why: str


@dataclass(frozen=True)
class UnsafeRepository(Diagnostic):
    """A version was given as `PATH@REVISION`, but parts of the repository are elsewhere.

    A folder from somebody else may bring a repository of its own. If its links, its `.git` file or its
    `objects/info/alternates` lead out of it, git would read your own files. Linked working trees
    (`git worktree`) and submodules are opened: there, the other repository leads back to the folder. A
    repository of your own that borrows objects becomes whole by `git repack -a -d`, without `alternates`.
    """

    code = "T357"
    slug = "unsafe-repository"
    title = "the repository of `{version}` is not safe to open: {why}"
    advice = "name a folder whose repository is complete, or one that holds the version"
    version: str
    why: str
