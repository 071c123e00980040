"""Rulesets that visitors upload, where the operator allows it."""

from __future__ import annotations

import asyncio
import base64
import contextlib
from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rulewright.files import durable
from rulewright.http.errors import ApiError
from rulewright.serve.api.bodies import body_of
from rulewright.serve.config import MOST_UPLOAD, MOST_UPLOADS, ServeConfig
from rulewright.serve.context import Context
from rulewright.serve.games.compiled import content_key

UPLOAD = "upload-"
"""The ids of uploaded games begin with it."""
FOLDER = "uploads"
ZIP = ("application/zip", "application/x-zip-compressed")


async def upload(request: Request) -> Response:
    """`POST /api/games`"""
    context: Context = request.app.state.context
    if not context.config.uploads:
        raise ApiError("not-allowed", "rulesets cannot be uploaded to this server")
    if request.headers.get("content-type", "").partition(";")[0].strip() not in ZIP:
        raise ApiError("malformed", "the body must be `application/zip`")
    context.rates.check("uploads", request)
    found = await context.catalogue.bounded.answer_of("check", await body_of(request, MOST_UPLOAD))
    files = {path: base64.b64decode(text) for path, text in found["files"].items()}
    id = f"{UPLOAD}{content_key(files)[:16]}"
    if not await asyncio.to_thread(_keep, uploads_folder(context.config) / id, files):
        raise ApiError("not-allowed", "there is no room for more rulesets on this server")
    context.catalogue.add(id, str(uploads_folder(context.config) / id))
    return JSONResponse({"game": id, "title": found["title"]}, 201)


def opened(folder: Path) -> None:
    """An uploaded ruleset is in use; `forget_uploads` goes by it."""
    with contextlib.suppress(OSError):  # it is being forgotten
        durable.note_use(folder)


def uploads_folder(config: ServeConfig) -> Path:
    """The folder of uploaded rulesets."""
    return config.data / FOLDER


def _keep(folder: Path, files: dict[str, bytes]) -> bool:
    """Keep an uploaded ruleset, if it is not there. Returns whether there was room for it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    if folder.is_dir():
        opened(folder)
        return True
    kept = sum(file.stat().st_size for file in folder.parent.rglob("*") if file.is_file())
    if kept + sum(map(len, files.values())) > MOST_UPLOADS:
        return False
    with contextlib.suppress(FileExistsError):
        durable.make_folder(folder, files)
    return True


def kept_uploads(config: ServeConfig) -> dict[str, str]:
    """The paths of rulesets that were uploaded before, by id; those in use last come last."""
    folder = uploads_folder(config)
    if not config.uploads or not folder.is_dir():
        return {}
    found = [path for path in folder.glob(f"{UPLOAD}*") if path.is_dir()]
    return {
        path.name: str(path) for path in sorted(found, key=lambda path: (path.stat().st_mtime, path.name))
    }


def is_uploaded(config: ServeConfig, source: str) -> bool:
    """Whether a game, by its name or path, was uploaded; also if the data folder had another path then."""
    path = Path(source)
    named = path.name.startswith(UPLOAD) and path.parent.name == FOLDER
    return named or path.parent == uploads_folder(config)
