"""Settings of the server from the command line, checked."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import SplitResult, unquote, urlsplit

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from rulewright.files import durable
from rulewright.files.data_home import data_home
from rulewright.files.reading import plain_file, why_not
from rulewright.matches.playtests import questions_of
from rulewright.serve.config import MailConfig, PlaytestConfig
from rulewright.serve.messages import BadSetting, CannotOpenStore, CannotUseData, DataInUse
from rulewright.serve.store.opening import is_postgresql

SECRET_BYTES = 32
PRIVATE = 0o600
SMTP_PORTS = {"smtp": 25, "smtps": 465, "smtp+starttls": 587}
PORTS = {"http": 80, "https": 443}
SECURITY = {"smtp": "none", "smtps": "tls", "smtp+starttls": "starttls"}


def data_folder(path: str | None) -> Path:
    """The data folder, which is made if it is not there. Raises `DiagnosticError`."""
    folder = Path(path) if path is not None else data_home()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise DiagnosticError(CannotUseData(NOWHERE, str(folder), why_not(error))) from None
    return folder


def playtest_of(folder: str | None, questions: str | None) -> PlaytestConfig | None:
    """Where records of playtests are put, and what is asked. Raises `DiagnosticError`."""
    if folder is None:
        if questions is not None:
            raise DiagnosticError(
                BadSetting(NOWHERE, "--questions", questions, "it needs `--playtest FOLDER`")
            )
        return None
    asked = questions_of(Path(questions)) if questions is not None else ()
    try:
        return PlaytestConfig(data_folder(folder), asked)
    except DiagnosticError:
        raise DiagnosticError(BadSetting(NOWHERE, "--playtest", folder, "name another folder")) from None


def secret_of(folder: Path, given: str | None) -> bytes:
    """The secret that signs links: given, or kept in the data folder. Raises `DiagnosticError`."""
    if given is not None:
        if len(given) < SECRET_BYTES:
            raise DiagnosticError(BadSetting(NOWHERE, "--secret", "…", "it needs 32 characters or more"))
        return given.encode()
    path = folder / "secret"
    try:
        durable.create(path, os.urandom(SECRET_BYTES).hex().encode(), PRIVATE)
        return plain_file(path, 4096)
    except OSError as error:
        raise DiagnosticError(CannotUseData(NOWHERE, str(path), why_not(error))) from None


@contextmanager
def locked(address: str) -> Iterator[None]:
    """Hold a lock on a database in a file; others look after themselves. Raises `DiagnosticError`."""
    if is_postgresql(address):
        yield
        return
    with closing(_lock_of(address)) as lock:
        try:
            yield
        finally:
            lock.remove()


def _lock_of(address: str) -> durable.GrowingFile:
    if "://" in (named := address.removeprefix("sqlite:///")):
        raise DiagnosticError(CannotOpenStore(NOWHERE, "its address is none"))
    database = Path(named)
    path = database.with_name(f"{database.name}.lock")
    try:
        while True:
            durable.create(path, b"", PRIVATE)
            with suppress(FileNotFoundError):  # another server, which has ended meanwhile, has removed it
                lock = durable.GrowingFile(path)
                if lock.handle is not None:
                    return lock
    except durable.Busy:
        raise DiagnosticError(DataInUse(NOWHERE, str(database))) from None
    except OSError as error:
        raise DiagnosticError(CannotUseData(NOWHERE, str(path), why_not(error))) from None


def public_url(text: str | None) -> str | None:
    """A public URL without a slash at its end, if there is one. Raises `DiagnosticError`."""
    if text is None:
        return None
    parts = _parts(text)
    if parts is None or parts.scheme not in PORTS or parts.username is not None or _followed(parts):
        hint = "write `https://HOST`, or `http://HOST:PORT`; nothing follows"
        raise DiagnosticError(BadSetting(NOWHERE, "--public-url", text, hint))
    # As a browser writes it in the header `Origin`.
    host = str(parts.hostname)
    shown, port = f"[{host}]" if ":" in host else host, parts.port
    return f"{parts.scheme}://{shown}" + ("" if port in (None, PORTS[parts.scheme]) else f":{port}")


def _followed(parts: SplitResult) -> bool:
    """Whether something stands behind the host of an address."""
    return parts.path not in ("", "/") or bool(parts.query or parts.fragment)


def _parts(url: str) -> SplitResult | None:
    """The parts of an address with a host; None if it is none."""
    try:
        found = urlsplit(url)
        return found if found.hostname and (found.port is None or found.port > 0) else None
    except ValueError:
        return None


def mail_of(url: str | None, sender: str | None) -> MailConfig | None:
    """How mail is sent. Raises `DiagnosticError`."""
    if url is None:
        return None
    parts = _parts(url)
    hint = "write `smtp://USER:PASSWORD@HOST:PORT`, `smtps://…` or `smtp+starttls://…`"
    if parts is None or parts.scheme not in SMTP_PORTS or not parts.hostname:
        raise DiagnosticError(BadSetting(NOWHERE, "--smtp", "…", hint))
    if not sender or "@" not in sender or not sender.isprintable() or " " in sender:
        raise DiagnosticError(BadSetting(NOWHERE, "--mail-from", sender or "", "write an address: `a@b.c`"))
    return MailConfig(
        parts.hostname,
        parts.port or SMTP_PORTS[parts.scheme],
        sender,
        unquote(parts.username or ""),
        unquote(parts.password or ""),
        SECURITY[parts.scheme],
    )
