"""`rulewright studio`: a page at which a game is made."""

from __future__ import annotations

import os
import sys
import webbrowser
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import click

from dsl.diagnostics import DiagnosticError
from dsl.load import GAME
from dsl.source import NOWHERE
from rulewright.library import find
from rulewright.messages import NotARuleset, StudioNotInstalled
from rulewright.terminal.parameters import Whole

LIBRARIES = ("starlette", "uvicorn", "websockets")


@click.command(short_help="Make a game in a browser: an editor beside a table.")
@click.argument("game")
@click.option(
    "--port", type=Whole(0, 65535), default=8137, show_default=True, help="The port on loopback; 0: any."
)
@click.option("--browser/--no-browser", default=None, help="Open the page in a browser (default: at a desk).")
def studio(game: str, port: int, browser: bool | None) -> None:
    """Make a game in a browser: an editor, and beside it a table at which the game is played.

    The table follows the rules while they are edited. The page shows findings, each seat's view, the phases,
    the scenarios that concern what was edited, and what has changed since the last commit. It edits the
    files of the folder GAME, and nobody else can reach it: the server listens on this machine alone, and the
    address has a token. Needs the extra `studio`.

    \b
    Examples:
      rulewright studio my_game
      rulewright studio path/to/ruleset --port 9000
    """
    check_installed()
    root = find(game).resolve()
    if not (root / GAME).is_file():
        raise DiagnosticError(NotARuleset(NOWHERE, game))
    from rulewright.processes.garbage import search_at_rest
    from rulewright.studio.server import HOST, Studio, listening, make_app, new_token, run

    search_at_rest()
    token = new_token()
    with listening(port) as at:
        url = f"http://{HOST}:{at.getsockname()[1]}/#{token}"
        run(make_app(Studio(root, token)), at, partial(_started, url, root, browser))


def check_installed() -> None:
    """Raises `DiagnosticError` if a library of the studio is not installed."""
    for library in LIBRARIES:
        if find_spec(library) is None:
            raise DiagnosticError(StudioNotInstalled(NOWHERE, library))


def _started(url: str, root: Path, browser: bool | None) -> None:
    """Say where the page is, and open it."""
    click.echo(f"{root.name} is edited at {url}  (Ctrl-C ends)")
    sys.stdout.flush()
    if browser if browser is not None else _has_desk():
        webbrowser.open(url)


def _has_desk() -> bool:
    """Whether there is somebody with a browser: a terminal, and a screen."""
    screen = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
    return screen and sys.stdout.isatty()
