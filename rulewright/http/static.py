"""The files of the page, compressed once and revalidated by their hash."""

from __future__ import annotations

import hashlib
import mimetypes
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from rulewright.bundling.page_files import SENT
from rulewright.files.reading import inner_file
from rulewright.http.compression import encoded
from rulewright.http.errors import ApiError

WEB = Path(__file__).resolve().parent.parent / "web"
LARGEST = 8 << 20
FOREVER = "public, max-age=31536000, immutable"
TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
}
COMPRESSED = ("text/", "image/svg", "application/json", "application/manifest")


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file: its bytes, whether they are worth compressing, and the tag that identifies them."""

    stamp: tuple[int, int]
    type: str
    tag: str
    data: bytes
    compressible: bool


class StaticFiles:
    """The files of a folder, and some that are made. What leads out of it, or is hidden, is not there."""

    def __init__(self, folder: Path = WEB, made: Mapping[str, bytes] | None = None) -> None:
        self.folder = folder
        self._made = {path: _read((0, 0), path, data) for path, data in (made or {}).items()}
        self._known: dict[str, StaticFile] = {}

    def answer(self, path: str, request: Request) -> Response:
        """The answer for a file. Raises `ApiError` if there is none."""
        found = self._file(path)
        caching = FOREVER if path in self._made and path.startswith(SENT) else "no-cache"
        headers = {"ETag": found.tag, "Cache-Control": caching, "Vary": "Accept-Encoding"}
        if found.tag in [tag.strip() for tag in request.headers.get("if-none-match", "").split(",")]:
            return Response(status_code=304, headers=headers)
        accepted = request.headers.get("accept-encoding", "") if found.compressible else ""
        data, coding = encoded(found.data, accepted)
        if coding is not None:
            headers["Content-Encoding"] = coding
        return Response(data, headers=headers, media_type=found.type)

    def _file(self, path: str) -> StaticFile:
        if path in self._made:
            return self._made[path]
        parts = path.split("/")
        if "\\" in path or "\0" in path or any(part in ("", "..") or part.startswith(".") for part in parts):
            raise ApiError("not-found", "there is no such file")
        try:
            about = os.stat(self.folder / path)
            stamp = about.st_mtime_ns, about.st_size
            known = self._known.get(path)
            if known is None or known.stamp != stamp:
                known = self._known[path] = _read(stamp, path, inner_file(self.folder, path, LARGEST))
        except (OSError, ValueError):
            raise ApiError("not-found", "there is no such file") from None
        return known


def _read(stamp: tuple[int, int], path: str, data: bytes) -> StaticFile:
    suffix = Path(path).suffix
    kind = TYPES.get(suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"
    tag = f'"{hashlib.blake2b(data, digest_size=12).hexdigest()}"'
    return StaticFile(stamp, kind, tag, data, kind.startswith(COMPRESSED))
