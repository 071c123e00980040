"""`rulewright mcp`: tools for assistants that write rules."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import click

from dsl.diagnostics import DiagnosticError
from dsl.messages import CannotRead
from dsl.source import NOWHERE
from rulewright.assistants.messages import McpNotInstalled
from rulewright.terminal.parameters import Real


@click.command(short_help="Serve an assistant that writes rules.")
@click.argument("folder", default=".")
@click.option("--read-only", is_flag=True, help="Write no files.")
@click.option("--seconds", type=Real(1, 3600), default=60.0, show_default=True, help="Time limit of a tool.")
def mcp(folder: str, read_only: bool, seconds: float) -> None:
    """Serve an assistant that writes rules: check, test, trace, simulate, look things up.

    Speaks the Model Context Protocol on standard input and output. An assistant's program starts it;
    `docs/assistants.md` has the configuration for some. The tools read and write text files in FOLDER and
    nowhere else, and what they start is stopped at the time limit. Needs the extra `mcp`.

    \b
    Examples:
      rulewright mcp my_rulesets
      rulewright mcp my_rulesets --read-only --seconds 20
    """
    if find_spec("mcp") is None:
        raise DiagnosticError(McpNotInstalled(NOWHERE, "mcp"))
    if not Path(folder).is_dir():
        raise DiagnosticError(CannotRead(NOWHERE, folder, "it is not a folder", "name a folder for rulesets"))
    from importlib.metadata import PackageNotFoundError, version

    from rulewright.assistants.folder import AssistantFolder
    from rulewright.assistants.server import server
    from rulewright.assistants.toolbox import Toolbox
    from rulewright.assistants.transport import checked_streams

    try:
        number = version("rulewright")
    except PackageNotFoundError:
        number = ""
    toolbox = Toolbox(AssistantFolder(Path(os.path.realpath(folder)), read_only), seconds)
    with checked_streams():
        server(toolbox, number).run("stdio")
