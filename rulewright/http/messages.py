"""C471: what can go wrong when a server begins to listen."""

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
