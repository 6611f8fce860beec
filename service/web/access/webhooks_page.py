"""The webhooks, for an owner: who is told, whether it works, and the last calls.

Promises: a secret is shown once, on the page that its making leads to, and stands in no address.
Assumes that those who are told reach us by the address that the owner came by.
"""

from datetime import timedelta
from typing import cast, get_args
from uuid import UUID

from litestar import get, post
from litestar.response import Redirect, Response
from msgspec import Struct

from schemas.webhooks import EVENT_OF, EVERY_ENTRY
from service.access.hosts import shared_base
from service.dependencies import (
    Asked,
    Id,
    NewId,
    NewSecret,
    PageRequest,
    TheDeliverer,
    TheWebhooks,
    see_other,
)
from service.feed.addresses import BadUrl, read_url
from service.feed.webhook_signatures import shown
from service.store.webhooks import Delivery, NewWebhook, Webhook, WebhookForm
from service.web.format.drafts import draft_of, dropped, read_draft
from service.web.format.render import Reader

_ADDRESS = "/webhooks"
_FRESH = "carnet-webhook"
_FRESH_SECONDS = 60
_OVERLAP = timedelta(days=1)
_CALLS_SHOWN = 5
_MAX = 20
EVENTS = (*dict.fromkeys(EVENT_OF.values()), EVERY_ENTRY)


class Fresh(Struct, frozen=True, kw_only=True):
    """A secret on its way from its making to the page that shows it."""

    webhook_id: UUID
    secret: str


class Listed(Struct, frozen=True, kw_only=True):
    """A webhook with its last calls; `secret`: that was just made, or ""."""

    hook: Webhook
    calls: list[Delivery]
    secret: str


@get(_ADDRESS)
async def show_webhooks(
    request: PageRequest, webhooks: TheWebhooks, wrong: Asked = ""
) -> Response[str]:
    """List the webhooks; `wrong`: what was refused."""
    fresh = read_draft(request, _FRESH, Fresh)
    listed = [
        Listed(
            hook=one,
            calls=await webhooks.deliveries(one.webhook_id, _CALLS_SHOWN),
            secret=fresh.secret if fresh and fresh.webhook_id == one.webhook_id else "",
        )
        for one in await webhooks.all()
    ]
    page = Reader(request).page(
        "webhooks.html", listed=listed, wrong=wrong, events=EVENTS, forms=get_args(WebhookForm)
    )
    if fresh:
        page.set_cookie(dropped(_FRESH, _ADDRESS))
    return page


@post(_ADDRESS)
async def make_webhook(
    request: PageRequest, webhooks: TheWebhooks, new_id: NewId, new_secret: NewSecret
) -> Redirect:
    """Make a webhook, and lead to where its secret is shown; what cannot be read makes none."""
    form = await request.form()
    url, written = str(form.get("url", "")).strip(), str(form.get("form", ""))
    events = [one for one in EVENTS if form.get(one)]
    try:
        read_url(url)
    except BadUrl:
        return see_other(f"{_ADDRESS}?wrong=url")
    if not events or written not in get_args(WebhookForm):
        return see_other(f"{_ADDRESS}?wrong=events")
    if len(await webhooks.all()) >= _MAX:
        return see_other(f"{_ADDRESS}?wrong=many")
    made = NewWebhook(
        webhook_id=new_id(),
        url=url,
        form=cast("WebhookForm", written),
        events=events,
        game_id=None,
        language=Reader(request).language,
        site=shared_base(request),
        secret=new_secret(),
    )
    await webhooks.create(made)
    return _shown_once(request, made.webhook_id, made.secret)


@post(f"{_ADDRESS}/{{webhook_id:uuid}}")
async def change_webhook_page(
    request: PageRequest,
    webhook_id: Id,
    webhooks: TheWebhooks,
    deliverer: TheDeliverer,
    new_secret: NewSecret,
) -> Redirect:
    """Turn a webhook on or off, try it, repeat a call, renew its secret, or remove it."""
    form = await request.form()
    await webhooks.one(webhook_id)
    match form.get("do"):
        case "on":
            await webhooks.turn_on(webhook_id)
        case "off":
            await webhooks.turn_off(webhook_id)
        case "remove":
            await webhooks.remove(webhook_id)
        case "try":
            await webhooks.try_out(webhook_id)
        case "repeat" if (place := str(form.get("position", ""))).lstrip("-").isdecimal():
            await webhooks.repeat(webhook_id, int(place[:18]))
        case "renew":
            secret = new_secret()
            await webhooks.renew(webhook_id, secret, _OVERLAP)
            return _shown_once(request, webhook_id, secret)
        case _:
            return see_other(_ADDRESS)
    await deliverer.look()
    return see_other(f"{_ADDRESS}#w{webhook_id}")


def _shown_once(request: PageRequest, webhook_id: UUID, secret: bytes) -> Redirect:
    fresh = Fresh(webhook_id=webhook_id, secret=shown(secret))
    draft = draft_of(request, _FRESH, _ADDRESS, fresh, _FRESH_SECONDS)
    return see_other(f"{_ADDRESS}#w{webhook_id}", *([draft.cookie] if draft else []))
