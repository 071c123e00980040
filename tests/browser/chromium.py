"""Where Chromium is, and how it is started for tests, pictures and measurements."""

from __future__ import annotations

import os
import shutil

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""Arguments with which it asks nobody for anything by itself."""


def chromium() -> str | None:
    """The path of Chromium: `RULEWRIGHT_CHROMIUM`, or what is on the PATH."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = (shutil.which(name) for name in names)
    return os.environ.get("RULEWRIGHT_CHROMIUM") or next(filter(None, found), None)
