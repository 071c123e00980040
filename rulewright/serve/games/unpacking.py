"""Uploaded rulesets: the files of a zip archive, bounded in number and size, none outside of its folder."""

from __future__ import annotations

import stat
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import PurePosixPath

from dsl.folder import LARGEST_FILE, Folder, fetch_of
from dsl.sheets.delimited import TEXTS, WORKBOOKS

MOST_FILES = 400
MOST_BYTES = 8 << 20
"""Bytes of all files together."""
LONGEST_PATH = 200
"""Bytes of a path."""
SUFFIXES = frozenset({".yaml", ".rules", *TEXTS, *WORKBOOKS, ".md", ".txt", ".svg", ".png"})
"""Files of other kinds are left out; the rules cannot refer to them."""
CHUNK = 64 << 10


@dataclass
class UploadRefused(Exception):
    """An upload that is not a ruleset in a zip archive, or too large."""

    why: str


def unpacked(data: bytes) -> dict[str, bytes]:
    """The files of a ruleset by path. Raises `UploadRefused`."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            return _inner(_files(archive))
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError):
        raise UploadRefused("it is not a zip archive that can be read") from None


def _files(archive: zipfile.ZipFile) -> dict[str, bytes]:
    entries = archive.infolist()
    if len(entries) > MOST_FILES:
        raise UploadRefused(f"it has more than {MOST_FILES} files")
    found: dict[str, bytes] = {}
    left = MOST_BYTES
    for entry in entries:
        path = _path(entry)
        if path is None:
            continue
        if path.lower() in {known.lower() for known in found}:
            raise UploadRefused(f"`{path}` is in it twice")
        if any(_is_below(path, known) or _is_below(known, path) for known in found):
            raise UploadRefused(f"`{path}` lies in a file, or is a file and a folder")
        found[path] = _content(archive, entry, min(left, LARGEST_FILE))
        left -= len(found[path])
    return found


def _is_below(path: str, other: str) -> bool:
    return path.lower().startswith(f"{other.lower()}/")


def _path(entry: zipfile.ZipInfo) -> str | None:
    """The path of a file; None for what is left out. Raises `UploadRefused` if it leads out of the folder."""
    name = entry.filename
    path = PurePosixPath(name)
    strange = "\\" in name or ":" in name or not name.isprintable() or len(name.encode()) > LONGEST_PATH
    if strange or path.is_absolute() or ".." in path.parts:
        raise UploadRefused("the path of a file leads out of its folder, or has strange characters")
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise UploadRefused(f"`{name}` is a link")
    if entry.flag_bits & 1:
        raise UploadRefused("it is encrypted")
    hidden = any(part.startswith((".", "__MACOSX")) for part in path.parts)
    if entry.is_dir() or hidden or path.suffix.lower() not in SUFFIXES:
        return None
    return str(path)


def _content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, most: int) -> bytes:
    """The bytes of a file, whatever size the archive says it has. Raises `UploadRefused`."""
    found = bytearray()
    with archive.open(entry) as file:
        while chunk := file.read(CHUNK):
            found += chunk
            if len(found) > most:
                raise UploadRefused("its files are too large")
    return bytes(found)


def _inner(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files of the folder with `game.yaml`: at the top, or the only folder there."""
    if "game.yaml" in files:
        return files
    tops = {path.partition("/")[0] for path in files}
    if len(tops) == 1:
        top = tops.pop()
        inner = {path.removeprefix(f"{top}/"): data for path, data in files.items()}
        if "game.yaml" in inner:
            return inner
    raise UploadRefused("there is no `game.yaml` at its top, nor in its only folder")


def folder_of(name: str, files: Mapping[str, bytes]) -> Folder:
    """Files in memory as a folder that can be read."""
    return Folder(name, fetch_of(files))
