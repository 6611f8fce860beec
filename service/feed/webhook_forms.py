"""Webhook messages in the format of their receiver."""

import msgspec
from msgspec import Struct

from service.store.feed.webhook_records import WebhookForm

_JSON = {"Content-Type": "application/json"}
# Discord takes 2,000 characters, Slack and ntfy more.
_TEXT_MAX = 1_500
_DISCORD_MARKUP = str.maketrans({one: f"\\{one}" for one in "\\*_~`|>#-[]()"})
_SLACK_MARKUP = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


class WebhookContent(Struct, frozen=True, kw_only=True):
    """A message: its sentence, its link, and its JSON for programs."""

    text: str
    link: str
    message: bytes


def webhook_payload(told: WebhookContent, form: WebhookForm) -> tuple[dict[str, str], bytes]:
    """Return the headers and the body of a call."""
    text = told.text[:_TEXT_MAX]
    match form:
        case "standard":
            return _JSON, told.message
        case "discord":
            said = f"{text.translate(_DISCORD_MARKUP)}\n{told.link}"
            return _JSON, msgspec.json.encode({"content": said, "allowed_mentions": {"parse": []}})
        case "slack":
            return _JSON, msgspec.json.encode(
                {"text": f"{text.translate(_SLACK_MARKUP)}\n{told.link}"}
            )
        case "ntfy":
            headers = {"Content-Type": "text/plain; charset=utf-8", "Click": told.link}
            return headers, text.encode()
