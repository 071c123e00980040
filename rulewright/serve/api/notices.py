"""The HTTP API of notices: who wants to be told, and the page that ends it."""

from __future__ import annotations

import asyncio
from html import escape

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rulewright.http.errors import ApiError
from rulewright.i18n.messages import languages
from rulewright.serve.access.visitors import StopLink
from rulewright.serve.api.bodies import Fields, fields_of, seat_of_query
from rulewright.serve.api.matches import visited
from rulewright.serve.context import Context
from rulewright.serve.notices import mail
from rulewright.serve.notices.webhooks import Failed, Refused, resolved, target_of
from rulewright.serve.plain_pages import language_of, plain_page
from rulewright.serve.store.storage import NoticeRow
from rulewright.serve.words import said


async def chosen(request: Request) -> Response:
    """`POST /api/matches/ID/notices`"""
    found, fields = await visited(request), await fields_of(request)
    seat = found.holder_of(fields.whole("seat", 0, 99)).seat
    context, match = found.context, found.live.row.id
    language = fields.one_of("language", languages(), language_of(request))
    targets = {"webhook": await _webhook(context, fields), "mail": _mail(context, fields)}
    for kind, target in targets.items():
        if kind in fields.found:
            row = NoticeRow(match, seat, kind, target, language)
            await asyncio.wrap_future(context.storage.put_notice(row))
    context.notices.changed(match)
    return Response(status_code=204)


async def _webhook(context: Context, fields: Fields) -> str:
    """The address to call; empty if none. Raises `ApiError`."""
    if not fields.has("webhook"):
        return ""
    if not context.config.webhooks:
        raise ApiError("not-allowed", "this server calls no addresses")
    url = fields.text("webhook")
    try:
        await asyncio.wait_for(resolved(target_of(url), context.config.private_webhooks), 5)
    except (Refused, Failed) as error:
        raise ApiError("malformed", f"the address cannot be called: {error}") from None
    except TimeoutError:
        raise ApiError("malformed", "the address cannot be called: its name is not resolved") from None
    return url


def _mail(context: Context, fields: Fields) -> str:
    """The address to write to; empty if none. Raises `ApiError`."""
    if not fields.has("mail"):
        return ""
    if context.config.mail is None:
        raise ApiError("not-allowed", "this server sends no mail")
    address = fields.text("mail").strip()
    if not mail.is_address(address):
        raise ApiError("malformed", "`mail` must be an address: `a@b.c`")
    return address


async def shown(request: Request) -> Response:
    """`GET /api/matches/ID/notices`"""
    found = await visited(request)
    seat = found.holder_of(seat_of_query(request)).seat
    rows = await asyncio.to_thread(found.context.storage.notices, found.live.row.id, seat)
    targets = {row.kind: row.target for row in rows}
    mail_to = targets.get("mail")
    shortened = f"{mail_to[:1]}…@{mail_to.rpartition('@')[2]}" if mail_to else None
    return JSONResponse({"webhook": "webhook" in targets, "mail": shortened})


# ---- the end of notices


def _link(request: Request) -> StopLink:
    context: Context = request.app.state.context
    found = context.signer.stop_link(request.path_params["token"])
    if found is None:
        raise ApiError("not-found", "this link is not good")
    return found


async def asked_to_stop(request: Request) -> Response:
    """`GET /notices/stop/TOKEN`: asks, because programs that look at mails open links, too."""
    link, language = _link(request), language_of(request)
    about, end = said(language, "notices-about", kind=link.kind), said(language, "no-more-notices")
    body = f'<p>{escape(about)}</p><form method="post"><button class="main">{escape(end)}</button></form>'
    return plain_page(said(language, "notices"), body, language=language)


async def stopped(request: Request) -> Response:
    """`POST /notices/stop/TOKEN`"""
    context: Context = request.app.state.context
    link = _link(request)
    rows = await asyncio.to_thread(context.storage.notices, link.match, link.seat)
    if any(link.ends(row.kind, row.target) for row in rows):
        gone = NoticeRow(link.match, link.seat, link.kind, "")
        await asyncio.wrap_future(context.storage.put_notice(gone))
    language = language_of(request)
    body = f"<p>{escape(said(language, 'notices-ended'))}</p>"
    return plain_page(said(language, "notices"), body, language=language)
