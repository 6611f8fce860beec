"""Webhooks: their subscriptions, deliveries, test calls and repeated calls."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Annotated, Literal, TypeAlias
from uuid import UUID

from litestar import Response, delete, get, patch, post
from litestar.di import NamedDependency
from msgspec import UNSET, Meta, Struct, UnsetType, structs

from schemas.webhooks import WebhookEvent
from service.access.hosts import shared_base
from service.dependencies import NewId, NewSecret
from service.errors import NotFound
from service.extensions.webhooks.addresses import URL_CHARACTERS_MAX, AddressRefused, BadUrl
from service.extensions.webhooks.deliverer import (
    CALLS_LISTED_MAX,
    SECRETS_OVERLAP,
    WEBHOOKS_MAX,
    Deliverer,
    TooManyWebhooks,
)
from service.extensions.webhooks.records import (
    Delivery,
    NewWebhook,
    Webhook,
    WebhookForm,
)
from service.extensions.webhooks.signatures import display_secret
from service.extensions.webhooks.store import Webhooks
from service.http.documentation.openapi import Documented
from service.http.inputs import HttpRequest, malformed, read_body
from service.http.parameters import DeliveryPosition, WebhookId
from service.language.texts import texts

_EXAMPLE = {
    "url": "https://table.example/hooks/carnet",
    "events": ["deal.ended", "game.ended"],
}

# What can be called unless the operator allows networks: a name with a domain, or an address.
_HOST = r"([A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+\.?|\[[0-9A-Fa-f:.]+\])"
_URL = f'^https://{_HOST}(:[0-9]{{1,5}})?([/?][!-"$-~]*)?$'
Events: TypeAlias = Annotated[tuple[WebhookEvent, ...], Meta(min_length=1, max_length=7)]
Url: TypeAlias = Annotated[
    str, Meta(max_length=URL_CHARACTERS_MAX, extra_json_schema={"pattern": _URL})
]


TheWebhooks: TypeAlias = NamedDependency[Webhooks]
TheDeliverer: TypeAlias = NamedDependency[Deliverer]


class WebhookBody(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A subscription to events of one `game`, or of all. `entry.recorded` is sent for each entry.

    `head.signed` sends the signed head of the club's feed, each hour in which it grew.

    `form`: the published message, or the payload of Discord, Slack or ntfy. `language`: of the
    texts in the latter; by default that of the request.
    """

    url: Url
    events: Events
    game: UUID | None = None
    form: WebhookForm = "standard"
    language: Literal["en", "fr", "de"] | UnsetType = UNSET


class WebhookChange(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Changes; absent fields stay the same. Once reactivated, it gets events from then on."""

    url: Url | UnsetType = UNSET
    events: Events | UnsetType = UNSET
    state: Literal["on", "off"] | UnsetType = UNSET


class NewWebhookView(Webhook, frozen=True, kw_only=True):
    """A new webhook; `secret` is shown only once."""

    secret: str


class SecretView(Struct, frozen=True, kw_only=True):
    """The new secret, shown only once. For a day, calls are also signed with the old one."""

    secret: str
    old_until_hours: int


class WebhookList(Struct, frozen=True, kw_only=True):
    """The webhooks in order of creation."""

    webhooks: tuple[Webhook, ...]


class DeliveryList(Struct, frozen=True, kw_only=True):
    """The last calls, newest first."""

    deliveries: tuple[Delivery, ...]


@post("/webhooks", opt={"documented": Documented(body=WebhookBody, example=_EXAMPLE)})
async def add_webhook(
    request: HttpRequest,
    webhooks: TheWebhooks,
    deliverer: TheDeliverer,
    new_id: NewId,
    new_secret: NewSecret,
) -> Response[NewWebhookView]:
    """Add a webhook for future events; the response shows its secret once."""
    body = await read_body(request, WebhookBody)
    language = texts().negotiate(request.headers.get("accept-language"))
    webhook = NewWebhook(
        webhook_id=new_id(),
        url=body.url,
        form=body.form,
        events=body.events,
        game_id=body.game,
        language=language if body.language is UNSET else body.language,
        site=shared_base(request),
        secret=new_secret(),
    )
    with _refusals():
        await deliverer.add(webhook)
    facts = structs.asdict(await webhooks.one(webhook.webhook_id))
    return Response(
        NewWebhookView(**facts, secret=display_secret(webhook.secret)),
        headers={"Location": f"/api/webhooks/{webhook.webhook_id}"},
    )


@get("/webhooks")
async def list_webhooks(webhooks: TheWebhooks) -> WebhookList:
    """List the webhooks."""
    return WebhookList(webhooks=tuple(await webhooks.all()))


@get("/webhooks/{webhook_id:uuid}")
async def show_webhook(webhook_id: WebhookId, webhooks: TheWebhooks) -> Webhook:
    """Return a webhook."""
    return await webhooks.one(webhook_id)


@patch(
    "/webhooks/{webhook_id:uuid}",
    opt={"documented": Documented(body=WebhookChange, example={"state": "on"})},
)
async def change_webhook(
    request: HttpRequest, webhook_id: WebhookId, webhooks: TheWebhooks, deliverer: TheDeliverer
) -> Webhook:
    """Change the URL or events of a webhook, or its state."""
    change = await read_body(request, WebhookChange)
    known = await webhooks.one(webhook_id)
    url = known.url
    if change.url is not UNSET:
        url = change.url
        with _refusals():
            await deliverer.check_url(url)
    events = known.events if change.events is UNSET else list(change.events)
    await webhooks.change(webhook_id, url, events)
    if change.state == "on":
        await webhooks.turn_on(webhook_id)
    elif change.state == "off":
        await webhooks.turn_off(webhook_id)
    return await webhooks.one(webhook_id)


@delete("/webhooks/{webhook_id:uuid}")
async def remove_webhook(webhook_id: WebhookId, webhooks: TheWebhooks) -> None:
    """Remove a webhook and its deliveries."""
    await webhooks.remove(webhook_id)


@post("/webhooks/{webhook_id:uuid}/secret")
async def renew_secret(
    webhook_id: WebhookId, webhooks: TheWebhooks, new_secret: NewSecret
) -> SecretView:
    """Create a new secret; the old one stays valid for a day."""
    secret = new_secret()
    await webhooks.renew(webhook_id, secret, SECRETS_OVERLAP)
    hours = int(SECRETS_OVERLAP.total_seconds() // 3_600)
    return SecretView(secret=display_secret(secret), old_until_hours=hours)


@get("/webhooks/{webhook_id:uuid}/deliveries")
async def list_deliveries(webhook_id: WebhookId, webhooks: TheWebhooks) -> DeliveryList:
    """List the last 200 calls of the last thirty days, newest first."""
    await webhooks.one(webhook_id)
    deliveries = await webhooks.deliveries(webhook_id, CALLS_LISTED_MAX)
    return DeliveryList(deliveries=tuple(deliveries))


@post("/webhooks/{webhook_id:uuid}/deliveries")
async def try_webhook(
    webhook_id: WebhookId, webhooks: TheWebhooks, deliverer: TheDeliverer
) -> DeliveryList:
    """Send a test call; returns the last calls."""
    await webhooks.queue_test(webhook_id)
    await deliverer.finish_manual_calls(webhook_id)
    deliveries = await webhooks.deliveries(webhook_id, CALLS_LISTED_MAX)
    return DeliveryList(deliveries=tuple(deliveries))


@post("/webhooks/{webhook_id:uuid}/deliveries/{position:int}")
async def repeat_delivery(
    webhook_id: WebhookId,
    position: DeliveryPosition,
    webhooks: TheWebhooks,
    deliverer: TheDeliverer,
) -> Delivery:
    """Send a call again with the same id; returns its result."""
    await webhooks.one(webhook_id)
    await webhooks.repeat(webhook_id, position)
    await deliverer.finish_manual_calls(webhook_id)
    for delivery in await webhooks.deliveries(webhook_id, CALLS_LISTED_MAX):
        if delivery.position == position:
            return delivery
    raise NotFound("delivery", None)


@contextmanager
def _refusals() -> Generator[None]:
    try:
        yield
    except BadUrl:
        raise malformed("$.url", "an address that begins with https://") from None
    except AddressRefused:
        expected = "a public address by https; whoever runs Carnet may allow networks of their own"
        raise malformed("$.url", expected) from None
    except TooManyWebhooks:
        raise malformed("$", f"{WEBHOOKS_MAX} webhooks at most") from None
