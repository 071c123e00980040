"""Bodies of HTTP requests: read with a bound, and their fields by type. All raise `ApiError`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import ClientDisconnect, Request

from rulewright.http.errors import ApiError
from rulewright.serve.config import MOST_BODY
from rulewright.serve.strict_json import strict_json

LONGEST_NAME = 40
LONGEST_TEXT = 500
MOST_IN_ALL = 4_000
"""Characters of the texts of an object, such as the options of a match, which everybody is sent."""


async def body_of(request: Request, most: int) -> bytes:
    """The body of a request, of at most so many bytes."""
    found = bytearray()
    try:
        async for chunk in request.stream():
            found += chunk
            if len(found) > most:
                raise ApiError("too-large", f"the body has more than {most} bytes")
    except ClientDisconnect:
        raise ApiError("malformed", "the body has ended too early") from None
    return bytes(found)


async def fields_of(request: Request) -> Fields:
    """The body of a request as a JSON object."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise ApiError("malformed", "the body must be `application/json`")
    data = await body_of(request, MOST_BODY)
    try:
        found = strict_json(data or b"{}")
    except (ValueError, RecursionError):
        raise ApiError("malformed", "the body is not JSON") from None
    if not isinstance(found, dict):
        raise ApiError("malformed", "the body is not an object")
    return Fields(found)


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of an object."""

    found: Mapping[str, Any]

    def has(self, name: str) -> bool:
        """Whether there is a field that is not null."""
        return self.found.get(name) is not None

    def text(self, name: str, default: str | None = None, most: int = LONGEST_TEXT) -> str:
        """A text without control characters; the default if there is none."""
        value = self.found.get(name, default)
        if not isinstance(value, str) or len(value) > most or not value.isprintable():
            raise _wrong(name, f"a text of at most {most} characters")
        return value

    def name(self, name: str = "name") -> str:
        """What people call a player."""
        return self.text(name, "", LONGEST_NAME).strip()

    def whole(self, name: str, least: int, most: int, default: int | None = None) -> int:
        """A number within bounds."""
        value = self.found.get(name, default)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise _wrong(name, f"a whole number from {least} to {most}")
        return value

    def flag(self, name: str, default: bool) -> bool:
        """True or false."""
        value = self.found.get(name, default)
        if not isinstance(value, bool):
            raise _wrong(name, "true or false")
        return value

    def one_of(self, name: str, known: Sequence[str], default: str) -> str:
        """One of some words."""
        value = self.text(name, default)
        if value not in known:
            raise _wrong(name, f"one of {', '.join(known)}")
        return value

    def inner(self, name: str) -> Fields:
        """An object; an empty one if there is none."""
        value = self.found.get(name)
        if value is None:
            return Fields({})
        if not isinstance(value, dict):
            raise _wrong(name, "an object")
        return Fields(value)

    def texts(self, name: str) -> dict[str, str]:
        """An object of texts; numbers are written out."""
        found = self.inner(name).found
        if len(found) > 200 or not all(key.isprintable() for key in found):
            raise _wrong(name, "an object of at most 200 texts, by names without control characters")
        inner = Fields({key: str(v) if isinstance(v, int) else v for key, v in found.items()})
        texts = {key: inner.text(key, most=MOST_IN_ALL) for key in inner.found}
        if sum(len(key) + len(text) for key, text in texts.items()) > MOST_IN_ALL:
            raise _wrong(name, f"an object of texts with at most {MOST_IN_ALL} characters in all")
        return texts

    def words(self, name: str, most: int) -> list[str] | None:
        """A list of texts without control characters, or None."""
        value = self.found.get(name)
        if value is None:
            return None
        if (
            not isinstance(value, list)
            or len(value) > most
            or not all(isinstance(v, str) and v.isprintable() for v in value)
        ):
            raise _wrong(name, f"a list of at most {most} texts")
        return value


def seat_of_query(request: Request) -> int:
    """The seat in the query of a request; -1 if there is none."""
    text = request.query_params.get("seat", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else -1


def _wrong(name: str, wanted: str) -> ApiError:
    return ApiError("malformed", f"`{name}` must be {wanted}")
