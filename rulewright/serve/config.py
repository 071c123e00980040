"""What a server was told: its games, its address, its secret, and what is allowed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from rulewright.serve.store.storage import Status

MOST_BODY = 64 << 10
"""Bytes of the body of a request, other than an upload."""
MOST_UPLOAD = 4 << 20
"""Bytes of an uploaded ruleset."""
MOST_UPLOADS = 1 << 30
"""Bytes of all uploaded rulesets that are kept."""


@dataclass(frozen=True, slots=True)
class MailConfig:
    """How mail is sent: by which server, from which address, and with which account, if any.

    `security`: `tls` from the start, `starttls`, or `none`.
    """

    host: str
    port: int
    sender: str
    user: str = ""
    password: str = field(default="", repr=False)
    security: str = "none"


@dataclass(frozen=True, slots=True)
class Limits:
    """Rates, in the notation of the package `limits`."""

    messages: tuple[str, ...] = ("20/second", "200/minute")
    """Of one socket."""
    all_messages: tuple[str, ...] = ("100/second", "3000/minute")
    """Of all sockets of an address."""
    requests: tuple[str, ...] = ("50/second", "1200/minute")
    changes: tuple[str, ...] = ("10/second", "120/minute")
    uploads: tuple[str, ...] = ("3/minute", "20/hour")
    matches: tuple[str, ...] = ("20/minute", "300/day")
    """New matches; they are kept for long, also if nobody plays them."""
    mails: tuple[str, ...] = ("10/hour", "40/day")
    documents: tuple[str, ...] = ("40/minute",)
    """Rulebooks, descriptions and compiled games that have to be made; most are there already."""
    webhooks: tuple[str, ...] = ("60/minute",)
    """Calls of one host, for all players together."""
    talk: tuple[str, ...] = ("5/10 second", "20/minute")
    """What one seat says at a table."""
    sockets: int = 200
    """Open sockets of one address."""


def unlimited(sockets: int) -> Limits:
    """Rates that nobody reaches, for measurements."""
    many = ("1000000/second",)
    return Limits(many, many, many, many, many, many, many, many, many, many, sockets)


@dataclass(frozen=True, slots=True)
class Keeping:
    """For how many days matches are kept after their last change; 0: for ever.

    `uploads`: for how many days an uploaded ruleset without a match is kept after it was last opened.
    """

    unfilled: int = 30
    idle: int = 0
    finished: int = 0
    uploads: int = 90

    @property
    def limits(self) -> list[tuple[Sequence[Status], int]]:
        """Statuses, with the days after which matches that have them are forgotten."""
        limits: list[tuple[Sequence[Status], int]] = [
            (("waiting",), self.unfilled),
            (("running",), self.idle),
            (("over", "abandoned"), self.finished),
        ]
        return [(status, days) for status, days in limits if days]


@dataclass(frozen=True, slots=True)
class PlaytestConfig:
    """Where records of playtests are put, and what their players are asked at the end."""

    folder: Path
    questions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ServeConfig:
    """What a server was told.

    `sources` has the name or path of each game by its id. `secret` signs cookies and links. With `webhooks`,
    holders may name addresses that are called; private ones only with `private_webhooks`.
    """

    sources: Mapping[str, str]
    public_url: str
    secret: bytes = field(repr=False)
    data: Path
    uploads: bool = False
    webhooks: bool = False
    private_webhooks: bool = False
    mail: MailConfig | None = None
    limits: Limits = Limits()
    keeping: Keeping = Keeping()
    playtest: PlaytestConfig | None = None
    """Matches are playtests."""
    modules: bool = False
    """The page is sent as its single modules, for work on it."""

    @property
    def secure(self) -> bool:
        """Whether people reach the server by https."""
        return self.public_url.startswith("https:")

    @property
    def public_host(self) -> str:
        """Host and port of the public URL, as in the header `Host`."""
        return urlsplit(self.public_url).netloc
