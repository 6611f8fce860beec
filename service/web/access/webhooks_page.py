"""The webhooks, for an owner: who is told, of which game, whether it works, and the calls."""

from datetime import datetime
from typing import cast, get_args
from uuid import UUID

from litestar import get, post
from litestar.response import Redirect, Response
from msgspec import Struct

from schemas.webhooks import EVENT_OF, EVERY_ENTRY, HEAD
from service.access.hosts import shared_base
from service.dependencies import (
    Asked,
    Id,
    NewId,
    NewSecret,
    PageRequest,
    TheDeliverer,
    TheGames,
    TheWebhooks,
    see_other,
)
from service.errors import NotFound
from service.feed.addresses import AddressRefused, BadUrl
from service.feed.deliverer import CALLS_LISTED_MAX, SECRETS_OVERLAP, TooManyWebhooks
from service.feed.webhook_signatures import shown
from service.play.queries import GameQueries
from service.store.feed.webhook_records import Delivery, NewWebhook, Webhook, WebhookForm
from service.store.read_models.listing import GameFilter
from service.web.access.shown_once import JustMade, ShownOnce
from service.web.format.render import Reader, names_of

_ADDRESS = "/webhooks"
_SECRETS = ShownOnce("carnet-webhook")
_CALLS_SHOWN = 3
_GAMES_OFFERED = 30
_WRONG = {BadUrl: "url", AddressRefused: "private", TooManyWebhooks: "many", NotFound: "game"}
EVENTS = (*dict.fromkeys(EVENT_OF.values()), EVERY_ENTRY, HEAD)


class ListedWebhook(Struct, frozen=True, kw_only=True):
    """A webhook with its last calls; `secret`: that was just made, or ""."""

    hook: Webhook
    calls: list[Delivery]
    secret: str


class Offered(Struct, frozen=True, kw_only=True):
    """A game that a webhook can be limited to."""

    id: UUID
    ruleset: str
    names: str
    started_at: datetime


@get(_ADDRESS)
async def show_webhooks(
    request: PageRequest, webhooks: TheWebhooks, games: TheGames, wrong: Asked = ""
) -> Response[str]:
    """List the webhooks; `wrong`: what was refused."""
    fresh = _SECRETS.read(request)
    listed = [
        ListedWebhook(
            hook=hook,
            calls=calls,
            secret=fresh.secret if fresh and fresh.id == hook.webhook_id else "",
        )
        for hook, calls in await webhooks.listed(_CALLS_SHOWN)
    ]
    reader = Reader(request)
    page = reader.page(
        "webhooks.html",
        listed=listed,
        wrong=wrong,
        event_of=EVENT_OF,
        events=EVENTS,
        forms=get_args(WebhookForm),
        games=await _offered(reader, games),
    )
    if fresh:
        _SECRETS.forget(page, _ADDRESS)
    return page


@get(f"{_ADDRESS}/{{webhook_id:uuid}}")
async def show_calls(request: PageRequest, webhook_id: Id, webhooks: TheWebhooks) -> Response[str]:
    """List the calls to a webhook, the newest first."""
    hook = await webhooks.one(webhook_id)
    calls = await webhooks.deliveries(webhook_id, CALLS_LISTED_MAX)
    return Reader(request).page("webhook_calls.html", hook=hook, calls=calls, event_of=EVENT_OF)


async def _offered(reader: Reader, games: GameQueries) -> list[Offered]:
    return [
        Offered(
            id=game.id,
            ruleset=game.ruleset,
            names=" – ".join(names_of(reader, game.players)),
            started_at=game.started_at,
        )
        for game in (await games.list(GameFilter(), None, _GAMES_OFFERED)).games
    ]


@post(_ADDRESS)
async def make_webhook(
    request: PageRequest,
    deliverer: TheDeliverer,
    new_id: NewId,
    new_secret: NewSecret,
) -> Redirect:
    """Make a webhook, and lead to where its secret is shown; what cannot be read makes none."""
    form = await request.form()
    url, written = str(form.get("url", "")).strip(), str(form.get("form", ""))
    events = [one for one in EVENTS if form.get(one)]
    if not events or written not in get_args(WebhookForm):
        return see_other(f"{_ADDRESS}?wrong=events")
    made = NewWebhook(
        webhook_id=new_id(),
        url=url,
        form=cast("WebhookForm", written),
        events=events,
        game_id=_game(str(form.get("game", ""))),
        language=Reader(request).language,
        site=shared_base(request),
        secret=new_secret(),
    )
    try:
        await deliverer.add(made)
    except (BadUrl, AddressRefused, TooManyWebhooks, NotFound) as refused:
        return see_other(f"{_ADDRESS}?wrong={_WRONG[type(refused)]}")
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
            await webhooks.renew(webhook_id, secret, SECRETS_OVERLAP)
            return _shown_once(request, webhook_id, secret)
        case _:
            return see_other(_ADDRESS)
    await deliverer.settle(webhook_id)
    if form.get("from") == "calls":
        return see_other(f"{_ADDRESS}/{webhook_id}")
    return see_other(f"{_ADDRESS}#w{webhook_id}")


def _game(text: str) -> UUID | None:
    try:
        return UUID(text) if text else None
    except ValueError:
        return UUID(int=0)


def _shown_once(request: PageRequest, webhook_id: UUID, secret: bytes) -> Redirect:
    made = JustMade(id=webhook_id, secret=shown(secret))
    return _SECRETS.lead(request, _ADDRESS, made, f"{_ADDRESS}#w{webhook_id}")
