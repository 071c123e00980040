"""What an input of a fuzzer is, what came of it, and how both are kept in a folder."""

from __future__ import annotations

import json
import re
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dsl.folder import Folder

ROOT = Path(__file__).resolve().parents[2]
CRASHES = Path(__file__).parent / "crashes"
OWN = re.compile(r"/(dsl|interpreter|validators|rulewright|tests/wasm)/")
"""Files of which a frame says where something went wrong."""


@dataclass(frozen=True, slots=True)
class Input:
    """Something to be tried: the files of a ruleset, if it has its own, and whatever else says what is done.

    Files are texts; bytes that are no UTF-8 are kept as surrogates.
    """

    fuzzer: str
    said: Mapping[str, Any]
    files: Mapping[str, str] = field(default_factory=dict)


class Wrong(Exception):
    """Something that must hold does not. `slug` names the kind in a few words."""

    def __init__(self, slug: str, detail: str = "") -> None:
        super().__init__(f"{slug}: {detail}" if detail else slug)
        self.slug = slug


class Hang(BaseException):
    """An input took longer than any may. Nothing that catches exceptions may catch it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an input: how far it went, or what went wrong."""

    stage: str = ""
    slug: str = ""
    detail: str = ""

    @property
    def is_wrong(self) -> bool:
        return bool(self.slug)


def wrong(error: BaseException) -> Outcome:
    """What an exception says went wrong, with a name that is the same for the same place."""
    detail = "".join(traceback.format_exception(error))[-6000:]
    if isinstance(error, Wrong):
        return Outcome(slug=error.slug, detail=detail)
    frames = [f for f in traceback.extract_tb(error.__traceback__) if OWN.search(f.filename)]
    at = f"-{Path(frames[-1].filename).stem}-{frames[-1].name}" if frames else ""
    if isinstance(error, RecursionError | MemoryError | Hang):
        at = ""
    return Outcome(slug=re.sub(r"[^\w.-]", "", f"{type(error).__name__}{at}"), detail=detail)


def folder_of(files: Mapping[str, str], name: str = "mutant") -> Folder:
    """The files of an input as the folder of a ruleset."""

    def fetch(path: str) -> bytes:
        if path not in files:
            raise FileNotFoundError(path)
        return files[path].encode(errors="surrogateescape")

    return Folder(name, fetch)


# ---- kept


def keep(at: Path, tried: Input, found: Outcome) -> None:
    """Writes an input and what went wrong with it, with paths as they stand in the project."""
    for path, text in tried.files.items():
        file = at / "files" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode(errors="surrogateescape"))
    at.mkdir(parents=True, exist_ok=True)
    said = {"fuzzer": tried.fuzzer, "said": tried.said}
    (at / "input.json").write_text(json.dumps(said, indent=1, ensure_ascii=True) + "\n")
    (at / "wrong.txt").write_text(
        f"{found.slug}\n\n{found.detail}".replace(f"{ROOT}/", ""), errors="backslashreplace"
    )


def kept(at: Path) -> Input:
    """An input that was kept."""
    found = json.loads((at / "input.json").read_text())
    within = at / "files"
    files = {
        str(path.relative_to(within)): path.read_bytes().decode(errors="surrogateescape")
        for path in sorted(within.rglob("*"))
        if path.is_file()
    }
    return Input(found["fuzzer"], found["said"], files)


def all_kept() -> list[Path]:
    return sorted(path.parent for path in CRASHES.glob("*/*/input.json"))
