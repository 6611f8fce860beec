"""Webhooks, for owners: subscribed events, status and calls."""

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
    TheGames,
    see_other,
)
from service.errors import NotFound
from service.extensions.webhooks.addresses import AddressRefused, BadUrl
from service.extensions.webhooks.api import TheDeliverer, TheWebhooks
from service.extensions.webhooks.deliverer import CALLS_LISTED_MAX, SECRETS_OVERLAP, TooManyWebhooks
from service.extensions.webhooks.records import Delivery, NewWebhook, Webhook, WebhookForm
from service.extensions.webhooks.signatures import display_secret
from service.store.read_models.listing import GameFilter
from service.web.access.shown_once import JustMade, ShownOnce
from service.web.format.game_rows import NamedGame
from service.web.format.render import Reader, names_of

_ADDRESS = "/webhooks"
_SECRETS = ShownOnce("carnet-webhook")
_CALLS_SHOWN = 3
_GAMES_OFFERED = 30
_WRONG = {BadUrl: "url", AddressRefused: "private", TooManyWebhooks: "many", NotFound: "game"}
EVENTS = (*dict.fromkeys(EVENT_OF.values()), EVERY_ENTRY, HEAD)


class ListedWebhook(Struct, frozen=True, kw_only=True):
    """A webhook with its last calls; `secret` is "" unless it is new."""

    hook: Webhook
    calls: list[Delivery]
    secret: str


@get(_ADDRESS)
async def show_webhooks(
    request: PageRequest, webhooks: TheWebhooks, games: TheGames, wrong: Asked = ""
) -> Response[str]:
    new = _SECRETS.read(request)
    listed = [
        ListedWebhook(
            hook=hook,
            calls=calls,
            secret=new.secret if new and new.id == hook.id else "",
        )
        for hook, calls in await webhooks.list_with_deliveries(_CALLS_SHOWN)
    ]
    reader = Reader(request)
    page = reader.page(
        "webhooks.html",
        listed=listed,
        wrong=wrong,
        event_of=EVENT_OF,
        events=EVENTS,
        forms=get_args(WebhookForm),
        games=[
            NamedGame(
                id=game.id,
                ruleset=game.ruleset,
                names=" – ".join(names_of(reader, game.players)),
                started_at=game.started_at,
            )
            for game in (await games.list(GameFilter(), None, _GAMES_OFFERED)).games
        ],
    )
    if new:
        _SECRETS.forget(page, _ADDRESS)
    return page


@get(f"{_ADDRESS}/{{webhook_id:uuid}}")
async def show_calls(request: PageRequest, webhook_id: Id, webhooks: TheWebhooks) -> Response[str]:
    hook = await webhooks.one(webhook_id)
    calls = await webhooks.deliveries(webhook_id, CALLS_LISTED_MAX)
    return Reader(request).page("webhook_calls.html", hook=hook, calls=calls, event_of=EVENT_OF)


@post(_ADDRESS)
async def make_webhook(
    request: PageRequest,
    deliverer: TheDeliverer,
    new_id: NewId,
    new_secret: NewSecret,
) -> Redirect:
    form = await request.form()
    url, form_name = str(form.get("url", "")).strip(), str(form.get("form", ""))
    events = [event for event in EVENTS if form.get(event)]
    if not events or form_name not in get_args(WebhookForm):
        return see_other(f"{_ADDRESS}?wrong=events")
    webhook = NewWebhook(
        webhook_id=new_id(),
        url=url,
        form=cast("WebhookForm", form_name),
        events=events,
        game_id=_game(str(form.get("game", ""))),
        language=Reader(request).language,
        site=shared_base(request),
        secret=new_secret(),
    )
    try:
        await deliverer.add(webhook)
    except (BadUrl, AddressRefused, TooManyWebhooks, NotFound) as error:
        return see_other(f"{_ADDRESS}?wrong={_WRONG[type(error)]}")
    return _show_secret(request, webhook.webhook_id, webhook.secret)


@post(f"{_ADDRESS}/{{webhook_id:uuid}}")
async def change_webhook_page(
    request: PageRequest,
    webhook_id: Id,
    webhooks: TheWebhooks,
    deliverer: TheDeliverer,
    new_secret: NewSecret,
) -> Redirect:
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
            await webhooks.queue_test(webhook_id)
        case "repeat" if (place := str(form.get("position", ""))).lstrip("-").isdecimal():
            await webhooks.repeat(webhook_id, int(place[:18]))
        case "renew":
            secret = new_secret()
            await webhooks.renew(webhook_id, secret, SECRETS_OVERLAP)
            return _show_secret(request, webhook_id, secret)
        case _:
            return see_other(_ADDRESS)
    await deliverer.finish_manual_calls(webhook_id)
    if form.get("from") == "calls":
        return see_other(f"{_ADDRESS}/{webhook_id}")
    return see_other(f"{_ADDRESS}#w{webhook_id}")


def _game(text: str) -> UUID | None:
    try:
        return UUID(text) if text else None
    except ValueError:
        return UUID(int=0)


def _show_secret(request: PageRequest, webhook_id: UUID, secret: bytes) -> Redirect:
    made = JustMade(id=webhook_id, secret=display_secret(secret))
    return _SECRETS.redirect(request, _ADDRESS, made, f"{_ADDRESS}#w{webhook_id}")
