"""`rulewright serve`: tables in a browser."""

from __future__ import annotations

import os
import signal
import sys
import threading
import webbrowser
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import click

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from rulewright.library import bundled
from rulewright.messages import ServeNotInstalled
from rulewright.terminal.parameters import Whole

LIBRARIES = ("starlette", "uvicorn", "websockets", "itsdangerous", "limits", "sqlalchemy")

days_option = partial(click.option, type=Whole(0, 36_500), metavar="DAYS")


@click.command(
    short_help="Serve tables to play at in a browser.",
    context_settings={"auto_envvar_prefix": "RULEWRIGHT_SERVE"},
)
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=Whole(0, 65535), default=8000, show_default=True, help="The port; 0: any.")
@click.option("--public-url", metavar="URL", help="How people reach the server, if through a proxy.")
@click.option("--data", metavar="DIR", help="The folder for the database, the secret and uploads.")
@click.option("--database", metavar="URL", help="`postgresql://…`, or the file of an SQLite database.")
@click.option("--allow-upload", is_flag=True, help="Let visitors upload rulesets.")
@click.option("--allow-webhooks", is_flag=True, help="Let players name addresses to be called at their turn.")
@click.option("--private-webhooks", is_flag=True, help="Also addresses of private networks.")
@click.option("--smtp", metavar="URL", help="Send mail at a player's turn: `smtp://USER:PASSWORD@HOST:PORT`.")
@click.option("--mail-from", metavar="ADDRESS", help="The sender of mail.")
@click.option("--secret", metavar="TEXT", help="What signs links (default: kept in the data folder).")
@click.option("--playtest", metavar="FOLDER", help="Matches are playtests: who agrees leaves a record there.")
@click.option("--questions", metavar="FILE", help="What players of a playtest are asked, a question a line.")
@days_option("--forget-unfilled", default=30, help="Delete tables that nobody fills (30; 0: never).")
@days_option("--forget-idle", default=0, help="Delete matches that nobody plays on (0: never).")
@days_option("--forget-finished", default=0, help="Delete matches that are over (0: never).")
@days_option("--forget-uploads", default=90, help="Delete uploads that nobody opens (90; 0: never).")
@click.option(
    "--most-sockets", type=Whole(1), default=200, show_default=True, help="Sockets of one address at most."
)
@click.option("--rate-limits/--no-rate-limits", default=True, help="Off only for measurements.")
@click.option(
    "--end-with-input", is_flag=True, help="End when standard input ends, as with who has started it."
)
@click.option("--modules", is_flag=True, help="Send the page as its single modules, for work on it.")
@click.option("--browser/--no-browser", default=None, help="Open the page in a browser (default: at a desk).")
def serve(
    games: tuple[str, ...],
    host: str,
    port: int,
    public_url: str | None,
    data: str | None,
    database: str | None,
    allow_upload: bool,
    allow_webhooks: bool,
    private_webhooks: bool,
    smtp: str | None,
    mail_from: str | None,
    secret: str | None,
    playtest: str | None,
    questions: str | None,
    forget_unfilled: int,
    forget_idle: int,
    forget_finished: int,
    forget_uploads: int,
    most_sockets: int,
    rate_limits: bool,
    end_with_input: bool,
    modules: bool,
    browser: bool | None,
) -> None:
    """Serve tables at which people play each other in a browser.

    All bundled games without GAME. Matches are kept in the data folder and survive everything that ends the
    server; each choice counts when it is on the disk. Every option can be given by the environment instead:
    RULEWRIGHT_SERVE_PORT, RULEWRIGHT_SERVE_SMTP, and so on.

    \b
    Examples:
      rulewright serve
      rulewright serve GAME path/to/ruleset --port 9000
      rulewright serve --host 0.0.0.0 --public-url https://games.example.org
      rulewright serve my_game --playtest tests --questions questions.txt
      rulewright serve --database postgresql://rulewright@localhost/rulewright
    """
    check_installed()
    if end_with_input:
        threading.Thread(target=_end_with_input, daemon=True, name="input").start()
    from rulewright.pages.rendering import check_installed as check_pages
    from rulewright.serve import command_line as read
    from rulewright.serve.app import make_app
    from rulewright.serve.config import Keeping, Limits, ServeConfig, unlimited
    from rulewright.serve.games.catalogue import check_readable, sources_of
    from rulewright.serve.running import leave, listening, run
    from rulewright.serve.store.opening import open_storage

    check_pages()
    sources = sources_of(games)
    if games:
        check_readable(sources)
    mail, own_url = read.mail_of(smtp, mail_from), read.public_url(public_url)
    tested = read.playtest_of(playtest, questions)
    folder = read.data_folder(data)
    secret_bytes = read.secret_of(folder, secret)
    address = database or str(folder / "matches.db")
    with read.locked(address), listening(host, port) as at:
        config = ServeConfig(
            sources,
            own_url or f"http://{_shown_host(host)}:{at.getsockname()[1]}",
            secret_bytes,
            folder,
            uploads=allow_upload,
            webhooks=allow_webhooks or private_webhooks,
            private_webhooks=private_webhooks,
            mail=mail,
            limits=Limits(sockets=most_sockets) if rate_limits else unlimited(most_sockets),
            keeping=Keeping(forget_unfilled, forget_idle, forget_finished, forget_uploads),
            playtest=tested,
            modules=single_modules(modules),
        )
        started = partial(_started, config.public_url, games, browser)
        served = run(make_app(config, open_storage(address)), at, started)
    leave(code := int(not served))
    if code:
        sys.exit(code)


def _end_with_input() -> None:
    """Wait for the end of standard input, and end this process in good order."""
    with suppress(OSError):
        while os.read(0, 1 << 12):
            pass
    os.kill(os.getpid(), signal.SIGTERM)


def single_modules(asked: bool) -> bool:
    """Whether the page is sent as single modules: `asked` for, or since its scripts were made of others."""
    from rulewright.bundling.scripts import outdated_script

    if not asked and (outdated := outdated_script()) is not None:
        click.echo(f"the page is sent as single modules: {outdated.message}; {outdated.help}", err=True)
        return True
    return asked


def _started(url: str, games: tuple[str, ...], browser: bool | None) -> None:
    """Say where the tables are, and open them."""
    from rulewright.serve import seat_codes

    click.echo(f"Tables at {url}  (Ctrl-C ends)")
    if not seat_codes.available():
        click.echo(seat_codes.MISSING)
    sys.stdout.flush()
    if browser if browser is not None else _has_desk():
        one = len(games) == 1 and games[0] in bundled()
        webbrowser.open(f"{url}/game/{games[0]}" if one else url)


def check_installed() -> None:
    """Raises `DiagnosticError` if a library of the server is not installed."""
    for library in LIBRARIES:
        if find_spec(library) is None:
            raise DiagnosticError(ServeNotInstalled(NOWHERE, library))


def _shown_host(host: str) -> str:
    if host in ("0.0.0.0", "::"):
        return "localhost"
    return f"[{host}]" if ":" in host else host


def _has_desk() -> bool:
    """Whether there is somebody with a browser: a terminal, and a screen."""
    screen = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
    return screen and sys.stdout.isatty() and Path.home().is_dir()
