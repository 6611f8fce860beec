"""Webhook messages in the format of their receiver."""

import msgspec
from msgspec import Struct

from service.extensions.webhooks.records import WebhookForm

_JSON = {"Content-Type": "application/json"}
# Discord takes 2,000 characters, Slack and ntfy more.
_TEXT_MAX = 1_500
_DISCORD_MARKUP = str.maketrans({sign: f"\\{sign}" for sign in "\\*_~`|>#-[]()"})
_SLACK_MARKUP = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


class WebhookContent(Struct, frozen=True, kw_only=True):
    """A message: its sentence, its link, and its JSON for programs."""

    text: str
    link: str
    message: bytes


def webhook_payload(content: WebhookContent, form: WebhookForm) -> tuple[dict[str, str], bytes]:
    """Return the headers and the body of a call."""
    text = content.text[:_TEXT_MAX]
    match form:
        case "standard":
            return _JSON, content.message
        case "discord":
            markdown = f"{text.translate(_DISCORD_MARKUP)}\n{content.link}"
            return _JSON, msgspec.json.encode(
                {"content": markdown, "allowed_mentions": {"parse": []}}
            )
        case "slack":
            return _JSON, msgspec.json.encode(
                {"text": f"{text.translate(_SLACK_MARKUP)}\n{content.link}"}
            )
        case "ntfy":
            headers = {"Content-Type": "text/plain; charset=utf-8", "Click": content.link}
            return headers, text.encode()
