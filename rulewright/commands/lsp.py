"""`rulewright lsp`: the language server, for editors."""

from __future__ import annotations

import os
from importlib.util import find_spec

import click

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from rulewright.messages import LspNotInstalled


@click.command()
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
    from rulewright.lsp.server import RulesServer, register_documents

    server = RulesServer()
    register_documents(server)
    register(server)

    with os.fdopen(os.dup(0), "rb") as asked, os.fdopen(os.dup(1), "wb") as answered:
        server.start_io(asked, answered)
