"""Compiled modules as sealed bytes, and the key under which they are cached."""

from __future__ import annotations

import hashlib
import hmac
import json
import platform
import sys
from collections.abc import Mapping
from pathlib import Path

import wasmtime

from dsl.frozen import dataclass
from dsl.source import NOWHERE
from interpreter.messages import BrokenModule, Fault
from interpreter.wasm.build_config import BuildConfig
from interpreter.wasm.engine import restore_module
from interpreter.wasm.program import Code

MAGIC = b"rulewright module 1\n"
SEAL, LENGTH = 32, 8
KEY = 32
"""Bytes of the secret key."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What people are told of a game that runs without its rules."""

    title: str
    name: str
    digest: str
    seats: tuple[str, ...]
    endings: tuple[str, ...] = ()
    """The names of ends."""


@dataclass(frozen=True, slots=True)
class CacheEntry:
    """A compiled module with all that is needed to run it and to tell what came of it."""

    facts: Facts
    code: Code


def build(sources: Mapping[str, bytes]) -> str:
    """A hash of everything but the rules that a module depends on: our own sources, and the compiler."""
    whole = hashlib.blake2b(digest_size=16)
    parts = (sys.version, sys.platform, platform.machine(), _compiler())
    whole.update("\0".join(parts).encode())
    for name in sorted(sources):
        whole.update(f"\0{name}\0{len(sources[name])}\0".encode() + sources[name])
    return whole.hexdigest()


def _compiler() -> str:
    """The release of wasmtime, by the folder that pip describes it in.

    `importlib.metadata` tells it too, but to import that takes longer than all else that a cache needs.
    """
    beside = Path(wasmtime.__file__).parents[1]
    described = sorted(folder.name for folder in beside.glob("wasmtime-*.dist-info"))
    if described:
        return described[0]
    from importlib.metadata import version

    return version("wasmtime")


def entry_name(
    digest: str, seats: int | None, options: Mapping[str, str], config: BuildConfig, built: str
) -> str:
    """The name of a module: a hash of the rules, of how they are set up, and of what compiles them."""
    parts = [digest, seats, sorted(options.items()), config.name, built]
    return hashlib.blake2b(json.dumps(parts).encode(), digest_size=20).hexdigest()


def sealed(name: str, entry: CacheEntry, key: bytes) -> bytes:
    """An entry as bytes that only the holder of the key can make."""
    code, facts = entry.code, entry.facts
    head = {
        "entry": name,
        "title": facts.title,
        "name": facts.name,
        "digest": facts.digest,
        "names": facts.seats,
        "endings": facts.endings,
        "seats": code.seats,
        "longest": code.longest,
        "layout": dict(code.layout),
    }
    written = json.dumps(head, sort_keys=True).encode()
    body = len(written).to_bytes(LENGTH, "little") + written + bytes(code.module.serialize())
    return MAGIC + _seal(body, key) + body


def unsealed(name: str, data: bytes, key: bytes) -> CacheEntry:
    """The entry of that name. Raises `Fault` with `BrokenModule` if the bytes are not what was sealed.

    Nothing of them is looked at before the seal has been compared.
    """
    start = len(MAGIC) + SEAL
    if len(data) < start + LENGTH or not data.startswith(MAGIC):
        raise _broken("it is not a compiled module")
    body = data[start:]
    if not hmac.compare_digest(data[len(MAGIC) : start], _seal(body, key)):
        raise _broken("its seal does not match")
    size = int.from_bytes(body[:LENGTH], "little")
    head = json.loads(body[LENGTH : LENGTH + size])
    if head["entry"] != name:
        raise _broken("it belongs to other rules")
    facts = Facts(head["title"], head["name"], head["digest"], tuple(head["names"]), tuple(head["endings"]))
    code = Code(restore_module(body[LENGTH + size :]), head["layout"], head["seats"], head["longest"])
    return CacheEntry(facts, code)


def _seal(body: bytes, key: bytes) -> bytes:
    return hashlib.blake2b(body, key=key, digest_size=SEAL).digest()


def _broken(why: str) -> Fault:
    return Fault(BrokenModule(NOWHERE, why))
