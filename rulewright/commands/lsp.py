"""`rulewright lsp`: the language server, for editors."""

from __future__ import annotations

import logging
import os
import sys
from importlib.util import find_spec

import click

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from rulewright.messages import LspNotInstalled

AT_MOST = 0.001
"""Seconds for which the reading of a ruleset holds up an answer."""


@click.command(short_help="Serve an editor: findings, hover, completion.")
def lsp() -> None:
    """Serve an editor: findings, hover, definitions, renaming, completion.

    Speaks the Language Server Protocol on standard input and output. An editor starts it; `docs/editors.md`
    has the configuration for some of them. Needs the extra `lsp`.

    \b
    Examples:
      rulewright lsp
    """
    if find_spec("pygls") is None:
        raise DiagnosticError(LspNotInstalled(NOWHERE, "pygls"))
    from rulewright.lsp.answers import register
    from rulewright.lsp.asserting import register_asserting
    from rulewright.lsp.playing import register_playing
    from rulewright.lsp.server import RulesServer, register_documents
    from rulewright.processes.garbage import search_at_rest

    server = RulesServer()
    register_documents(server)
    register(server)
    register_playing(server)
    register_asserting(server)

    search_at_rest()
    sys.setswitchinterval(AT_MOST)
    logging.getLogger("pygls").setLevel(logging.CRITICAL)  # what it logs is answered
    with os.fdopen(os.dup(0), "rb") as asked, os.fdopen(os.dup(1), "wb") as answered:
        server.start_io(asked, answered)
