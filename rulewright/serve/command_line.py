"""Settings of the server from the command line, checked."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from rulewright import durable
from rulewright.reading import plain_file, why_not
from rulewright.serve.config import MailConfig
from rulewright.serve.messages import BadSetting, CannotUseData, DataInUse

SECRET_BYTES = 32
PRIVATE = 0o600
SMTP_PORTS = {"smtp": 25, "smtps": 465, "smtp+starttls": 587}
PORTS = {"http": 80, "https": 443}
SECURITY = {"smtp": "none", "smtps": "tls", "smtp+starttls": "starttls"}


def data_folder(path: str | None) -> Path:
    """The data folder, which is made if it is not there. Raises `DiagnosticError`."""
    folder = Path(path) if path is not None else default_folder()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise DiagnosticError(CannotUseData(NOWHERE, str(folder), why_not(error))) from None
    return folder


def default_folder() -> Path:
    """Where data is kept if nobody says where."""
    root = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(root).expanduser() / "rulewright"


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


def locked(folder: Path) -> durable.GrowingFile:
    """A lock on the data folder, held until it is closed. Raises `DiagnosticError`."""
    path = folder / "lock"
    try:
        durable.create(path, b"", PRIVATE)
        return durable.GrowingFile(path)
    except durable.Busy:
        raise DiagnosticError(DataInUse(NOWHERE, str(folder))) from None
    except OSError as error:
        raise DiagnosticError(CannotUseData(NOWHERE, str(path), why_not(error))) from None


def public_url(text: str) -> str:
    """A public URL without a slash at its end. Raises `DiagnosticError`."""
    parts = urlsplit(text)
    try:
        port = parts.port
    except ValueError:
        port = 0
    followed = parts.path not in ("", "/") or parts.query or parts.fragment
    if parts.scheme not in PORTS or not parts.hostname or parts.username is not None or followed or port == 0:
        hint = "write `https://HOST`, or `http://HOST:PORT`; nothing follows"
        raise DiagnosticError(BadSetting(NOWHERE, "--public-url", text, hint))
    # As a browser writes it in the header `Origin`.
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}" + ("" if port in (None, PORTS[parts.scheme]) else f":{port}")


def mail_of(url: str | None, sender: str | None) -> MailConfig | None:
    """How mail is sent. Raises `DiagnosticError`."""
    if url is None:
        return None
    parts = urlsplit(url)
    hint = "write `smtp://USER:PASSWORD@HOST:PORT`, `smtps://…` or `smtp+starttls://…`"
    if parts.scheme not in SMTP_PORTS or not parts.hostname:
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
