"""C-codes of the server as a program: its installation, its address, its data folder, its settings."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Diagnostic


@dataclass(frozen=True)
class PortTaken(Diagnostic):
    """The server cannot listen at its address.

    Mostly another program, or another server, already uses the port. Ports below 1024 belong to the system.
    Choose another one with `--port`; 0 takes any that is free.
    """

    code = "C471"
    slug = "cannot-listen"
    title = "the server cannot listen at {host}:{port}: {why}"
    advice = "choose another port: `--port N`, or 0 for any free one"
    host: str
    port: int
    why: str


@dataclass(frozen=True)
class DataInUse(Diagnostic):
    """Another server uses the same data folder.

    A database in a file belongs to one server process at a time, because the processes would not hear of
    each other's changes. Several processes can serve the same matches over PostgreSQL.
    """

    code = "C472"
    slug = "data-in-use"
    title = "another server uses `{path}`"
    advice = "end it, use another folder with `--data`, or PostgreSQL with `--database`"
    path: str


@dataclass(frozen=True)
class CannotUseData(Diagnostic):
    """The data folder of a server cannot be made or used.

    It contains the database, the secret that signs links, and uploaded rulesets. It must be a folder that the
    server may write to.
    """

    code = "C473"
    slug = "cannot-use-data"
    title = "the data folder `{path}` cannot be used: {why}"
    advice = "name another one with `--data DIR`"
    path: str
    why: str


@dataclass(frozen=True)
class BadSetting(Diagnostic):
    """A setting of the server cannot be used.

    The public URL has a scheme, a host and no path; a mail server is
    `smtp://USER:PASSWORD@HOST:PORT`, `smtps://…` with TLS from the start, or `smtp+starttls://…`.
    """

    code = "C474"
    slug = "bad-setting"
    title = "`{name}` cannot be `{value}`"
    advice = "{hint}"
    name: str
    value: str
    hint: str
