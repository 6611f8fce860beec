"""What webhooks are told of an entry: a sentence with names in the owner's language."""

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from markupsafe import Markup
from msgspec import Raw, Struct

from schemas.webhooks import (
    HEAD,
    TEST,
    HeadMessage,
    TestData,
    TestMessage,
    ToldEntry,
    ToldHead,
    ToldPlayer,
    WebhookMessage,
    event_of,
)
from service.errors import NotFound
from service.feed.signed_notes import read_note
from service.feed.webhook_forms import WebhookContent
from service.language.texts import texts
from service.play.moments import Moment
from service.play.queries import GameQueries
from service.store.feed.positions import FedEntry, Feed
from service.store.feed.webhook_records import Claimed
from service.web.format.catalogs import catalog
from service.web.format.game_macros import game_macros
from service.web.format.render import environment

# Of a template's lines; what French prints before a sign is none of these.
_SPACES = re.compile(r"[ \t\r\n]+")


class _Board(Struct, frozen=True, kw_only=True):
    """So much of a board as a verdict reads."""

    names: Sequence[str]
    options: Any


class Announcing:
    """Tells entries of one club."""

    def __init__(self, games: GameQueries, feed: Feed, now: Callable[[], datetime]) -> None:
        self._games = games
        self._feed = feed
        self._now = now

    async def tell(self, claimed: Claimed) -> WebhookContent:
        """Say what a call has to say.

        Raises: NotFound (there is no such entry), StoreUnavailable
        """
        if claimed.note is not None:
            return _head(claimed, claimed.note)
        if claimed.game_id is None or claimed.version is None:  # a trial is of no entry
            return self._trial(claimed)
        found = await self._feed.page(claimed.position - 1, 1)
        if not found or found[0].position != claimed.position:
            raise NotFound("entry", None)
        moment = (await self._games.moment(claimed.game_id)).at(claimed.version)
        link = f"{claimed.site}/games/{claimed.game_id}"
        return WebhookContent(
            text=in_words(moment, claimed.language),
            link=link,
            message=_message(claimed, moment, found[0], link),
        )

    def _trial(self, claimed: Claimed) -> WebhookContent:
        words = catalog(claimed.language).gettext("Carnet tells you here what is recorded.")
        message = TestMessage(type=TEST, timestamp=self._now(), data=TestData())
        return WebhookContent(text=words, link=claimed.site, message=msgspec.json.encode(message))


def _head(claimed: Claimed, note: str) -> WebhookContent:
    size = read_note(note).checkpoint.size
    message = HeadMessage(
        type=HEAD, timestamp=claimed.created_at, data=ToldHead(size=size, note=note)
    )
    said = catalog(claimed.language).ngettext(
        "Signed head of %(num)s entry:", "Signed head of %(num)s entries:", size
    )
    return WebhookContent(
        text=f"{said % {'num': size}}\n{note}",
        link=claimed.site,
        message=msgspec.json.encode(message),
    )


def in_words(moment: Moment, language: str) -> str:
    """Tell the last entry of a moment in some lines: what is played and by whom, it, the totals."""
    words = catalog(language)
    names = [
        one.name or f"{words.gettext('Player')} {seat}"
        for seat, one in enumerate(moment.players, 1)
    ]
    (last,) = moment.log(moment.version - 1)
    entry = msgspec.json.decode(bytes(last.entry)) | {"erased": last.erased}
    game = moment.folded.history.game
    lines = [f"{texts().game(moment.ruleset, language)}: {', '.join(names)}"]
    lines.append(_sentence(moment.ruleset, language, entry, names, game.options))
    if entry["type"] in {"deal_ended", "game_ended"}:
        lines.append(", ".join(f"{name} {n}" for name, n in zip(names, game.totals, strict=True)))
    return "\n".join(lines)


def _sentence(
    ruleset: str, language: str, entry: dict[str, Any], names: Sequence[str], options: Struct
) -> str:
    env = environment(language)
    game = game_macros(env, ruleset)
    if entry["type"] == "deal_ended":
        board = _Board(names=names, options=msgspec.to_builtins(options))
        deal = catalog(language).gettext("Deal %(deal)s:") % {"deal": entry["deal"]}
        return f"{deal} {_plain(game.verdict(board, entry))}"
    module: Any = env.get_template("entries.html").module
    return _plain(module.say(entry, names, game=game))


def _plain(said: Markup) -> str:
    return _SPACES.sub(" ", said.unescape()).strip()


def _message(claimed: Claimed, moment: Moment, fed: FedEntry, link: str) -> bytes:
    """Write the message for programs (`schemas/webhooks.py`)."""
    event = event_of(claimed.type, claimed.events) or "entry.recorded"
    shown = moment.folded.rows[-1]
    told = ToldEntry(
        position=fed.position,
        game_id=str(fed.game_id),
        version=fed.version,
        ruleset=moment.ruleset,
        players=tuple(ToldPlayer(id=str(one.id), name=one.name) for one in moment.players),
        link=link,
        schema_version=shown.schema_version,
        data=Raw(shown.data),
        recorded_at=fed.recorded_at,
        recorded_by=_text(fed.recorded_by),
        hash=shown.hash.hex() or None,
    )
    return msgspec.json.encode(WebhookMessage(type=event, timestamp=fed.recorded_at, data=told))


def _text(one: UUID | None) -> str | None:
    return None if one is None else str(one)
