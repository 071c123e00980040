"""Tables that are published at an address, such as a spreadsheet on the web: kept in the ruleset's folder.

`sheets.yaml` of a ruleset says which: `cards.csv: https://...`. A table is fetched when somebody asks for it,
and at no other time; rules are read from the file that is kept. Beside the address stands the digest of what
was fetched, so that a file that was edited here since is not lost.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.client import HTTPException
from typing import IO
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from dsl.diagnostics import DiagnosticError
from dsl.document import Mapping, Node, Scalar, read
from dsl.folder import LARGEST_FILE, Folder
from dsl.messages.shapes import WrongShape
from dsl.sheets.delimited import is_table, rows_of, table_path
from dsl.source import NOWHERE, Source, Span, with_replaced
from rulewright.messages import SheetNotRefreshed

FILE = "sheets.yaml"
KEYS = ("from", "sha256")
SECONDS_OF_SILENCE, SECONDS = 15, 60
"""How long an answer may pause, and how long it may take as a whole."""
MOST_REDIRECTS = 5
CHUNK = 1 << 16
PAGE = (b"<!doctype html", b"<html")


@dataclass(frozen=True)
class PublishedSheet:
    """A table of a ruleset: its file, its address, the digest of what was fetched last, and its entry."""

    path: str
    address: str
    digest: str
    entry: Span


def published_sheets(source: Source) -> list[PublishedSheet]:
    """The tables that `sheets.yaml` lists. Raises `DiagnosticError`."""
    document = read(source)
    if not isinstance(document, Mapping):
        hint = "write `cards.csv: https://...`"
        raise DiagnosticError(WrongShape(document.span.first_line(), f"`{FILE}`", "files by address", hint))
    return [_sheet(key, value) for key, value in document.pairs]


def _sheet(key: Scalar, value: Node) -> PublishedSheet:
    file, sheet = table_path(key.text)
    if sheet or not is_table(file) or "/" in file or file.startswith("."):
        hint = "name a file of the folder itself: `cards.csv`"
        raise DiagnosticError(WrongShape(key.span, f"`{key.text}`", "the name of a table", hint))
    found = {name.text: node for name, node in value.pairs} if isinstance(value, Mapping) else {"from": value}
    address, digest = found.get("from"), found.get("sha256", Scalar("", value.span))
    if set(found) - set(KEYS) or not isinstance(address, Scalar) or not isinstance(digest, Scalar):
        hint = "write `cards.csv: https://...`; the digest is added when it is fetched"
        raise DiagnosticError(WrongShape(value.span.first_line(), f"`{key.text}`", "an address", hint))
    return PublishedSheet(key.text, address.text, digest.text, value.span)


def with_digests(source: Source, digests: dict[str, str]) -> str:
    """The text of `sheets.yaml` with the digests of what was fetched, by file."""
    entries = {
        sheet.entry: f'{{from: "{sheet.address}", sha256: {digests[sheet.path]}}}'
        for sheet in published_sheets(source)
        if sheet.path in digests
    }
    return with_replaced(source.text, entries.items())


def digest_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


# ---- fetching


def fetched(sheet: PublishedSheet, schemes: tuple[str, ...] = ("https",)) -> bytes:
    """What is at the address of a table now: a table that can be read. Raises `DiagnosticError`."""
    _check(sheet, sheet.address, schemes)
    try:
        data = b"".join(_answer(sheet, schemes))
    except HTTPError as error:
        hint = "publish the sheet as CSV, for everybody who has the address"
        raise _refused(sheet, f"the address answers {error.code} {error.reason}", hint) from None
    except (OSError, HTTPException, ValueError) as error:
        raise _refused(
            sheet, f"no answer: {error}", "try again later; the file here stays as it was"
        ) from None
    if data.lstrip()[:20].lower().startswith(PAGE):
        hint = "publish it as CSV; the address of a Google sheet ends in `output=csv`"
        raise _refused(sheet, "there is a page for people, and no table", hint)
    if len(rows_of(Folder(".", lambda _: data).source(sheet.path))) < 2:
        raise _refused(sheet, "what is there has no rows", "publish the sheet with the table")
    return data


def _answer(sheet: PublishedSheet, schemes: tuple[str, ...]) -> Iterator[bytes]:
    opener = build_opener(_Redirects(lambda address: _check(sheet, address, schemes)))
    until, size = time.monotonic() + SECONDS, 0
    request = Request(sheet.address, headers={"User-Agent": "rulewright", "Accept": "text/csv, */*"})
    with opener.open(request, timeout=SECONDS_OF_SILENCE) as answer:
        while chunk := answer.read1(CHUNK):
            size += len(chunk)
            if size > LARGEST_FILE:
                raise _refused(sheet, f"it has more than {LARGEST_FILE:,} bytes", "is it the right address?")
            if time.monotonic() > until:
                raise _refused(sheet, f"it took more than {SECONDS} seconds", "try again later")
            yield chunk


class _Redirects(HTTPRedirectHandler):
    """Follows a few redirects to addresses that may be fetched."""

    max_redirections = MOST_REDIRECTS

    def __init__(self, check: Callable[[str], None]) -> None:
        self.check = check

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: object, newurl: str
    ) -> Request | None:
        self.check(newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]


def _check(sheet: PublishedSheet, address: str, schemes: tuple[str, ...]) -> None:
    try:
        parts = urlsplit(address)
        usable = (
            parts.scheme in schemes and bool(parts.hostname) and address.isprintable() and '"' not in address
        )
    except ValueError:
        usable = False
    if not usable:
        hint = "write an address that begins with `https://`; `--http` allows `http://` too"
        raise _refused(sheet, f"`{address}` is no address that is fetched", hint)


def _refused(sheet: PublishedSheet, why: str, hint: str) -> DiagnosticError:
    return DiagnosticError(SheetNotRefreshed(NOWHERE, sheet.path, why, hint))
