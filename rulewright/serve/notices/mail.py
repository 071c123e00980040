"""Mail by a configured SMTP server."""

from __future__ import annotations

import re
import smtplib
import ssl
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid

from rulewright.serve.config import MailConfig
from rulewright.serve.words import said

SECONDS = 20.0
ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})+")
"""Addresses that mail is sent to; others are refused when they are given."""
LONGEST_TITLE = 100
LONG_LINES = SMTP.clone(max_line_length=990)
"""Web addresses in headers are neither folded nor encoded."""


def is_address(text: str) -> bool:
    """Whether mail is sent to such an address."""
    return len(text) <= 254 and ADDRESS.fullmatch(text) is not None


def turn_mail(config: MailConfig, to: str, title: str, url: str, stop: str, language: str) -> EmailMessage:
    """A mail that says that it is somebody's turn; `stop` is the address that ends such mails."""
    title = shown_title(title)
    message = EmailMessage(LONG_LINES)
    # `=?…?=` in a header is text in another encoding, which may have line ends in it, and so further headers.
    message["From"] = config.sender
    message["To"] = to
    message["Subject"] = said(language, "turn-subject", title=title.replace("=?", "= ?"))
    message["Date"] = formatdate()
    message["Message-ID"] = make_msgid(domain=config.sender.rpartition("@")[2])
    message["Auto-Submitted"] = "auto-generated"
    message["List-Unsubscribe"] = f"<{stop}>"
    message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    turn, no_more = said(language, "turn", title=title), said(language, "no-more-mails")
    message.set_content(f"{turn}\n\n{url}\n\n{no_more}\n\n{stop}\n")
    return message


def shown_title(title: str) -> str:
    """As much of the title of a game as a notice says."""
    return title if len(title) <= LONGEST_TITLE else f"{title[:LONGEST_TITLE]}…"


def send(config: MailConfig, message: EmailMessage) -> None:
    """Send a mail. It waits for the server, so it is called in a thread. Raises `OSError`."""
    context = ssl.create_default_context()
    if config.security == "tls":
        server: smtplib.SMTP = smtplib.SMTP_SSL(config.host, config.port, timeout=SECONDS, context=context)
    else:
        server = smtplib.SMTP(config.host, config.port, timeout=SECONDS)
    with server:
        if config.security == "starttls":
            server.starttls(context=context)
        if config.user:
            server.login(config.user, config.password)
        server.send_message(message)
