"""What a call to a webhook says, in the form that its receiver reads.

Promises: `standard` is the message as it is published (`schemas/webhooks.py`); Discord, Slack and
ntfy get a sentence and a link, in which nothing of what people wrote becomes a mention or a markup
of theirs.
"""

import msgspec
from msgspec import Struct

from service.store.feed.webhook_records import WebhookForm

_JSON = {"Content-Type": "application/json"}
# Discord takes 2,000 characters, Slack and ntfy more.
_TEXT_MAX = 1_500
_DISCORD_MARKUP = str.maketrans({one: f"\\{one}" for one in "\\*_~`|>#-[]()"})
_SLACK_MARKUP = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


class WebhookContent(Struct, frozen=True, kw_only=True):
    """What there is to tell: in words, with where it leads, and as the message for programs."""

    text: str
    link: str
    message: bytes


def written(told: WebhookContent, form: WebhookForm) -> tuple[dict[str, str], bytes]:
    """Write the headers and the body of a call."""
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
