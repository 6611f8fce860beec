"""Webhook messages: each entry as a sentence in the owner's language and as JSON."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Raw, Struct

from domain.games import GAMES
from schemas.webhooks import (
    HEAD,
    TEST,
    EntryData,
    HeadData,
    HeadMessage,
    PlayerData,
    TestData,
    TestMessage,
    WebhookMessage,
    event_of,
)
from service.errors import NotFound
from service.extensions.webhooks.payloads import WebhookContent
from service.extensions.webhooks.records import ClaimedDelivery
from service.extensions.witness.signed_notes import read_note
from service.language.known_titles import is_cooperative
from service.language.texts import texts
from service.play.queries import GameQueries
from service.play.snapshots import GameSnapshot
from service.store.feed.positions import Feed, FeedEntryRow
from service.web.format.catalogs import catalog
from service.web.format.sentences import joint_outcome, sentence, verdict


class WebhookMessages:
    def __init__(self, games: GameQueries, feed: Feed, now: Callable[[], datetime]) -> None:
        self._games = games
        self._feed = feed
        self._now = now

    async def compose(self, claimed: ClaimedDelivery) -> WebhookContent:
        """Build the message of a claimed call: an entry, a signed head or a test.

        Raises: NotFound (the entry does not exist), StoreUnavailable
        """
        if claimed.note is not None:
            return _head_message(claimed, claimed.note)
        if claimed.game_id is None or claimed.version is None:
            text = catalog(claimed.language).gettext("Carnet announces here what is recorded.")
            message = TestMessage(type=TEST, timestamp=self._now(), data=TestData())
            return WebhookContent(
                text=text, link=claimed.site, message=msgspec.json.encode(message)
            )
        entries = await self._feed.page(claimed.position - 1, 1)
        if not entries or entries[0].position != claimed.position:
            raise NotFound("entry", None)
        snapshot = (await self._games.snapshot(claimed.game_id)).at(claimed.version)
        link = f"{claimed.site}/games/{claimed.game_id}"
        return WebhookContent(
            text=entry_text(snapshot, claimed.language),
            link=link,
            message=_entry_message(claimed, snapshot, entries[0], link),
        )


def _head_message(claimed: ClaimedDelivery, note: str) -> WebhookContent:
    size = read_note(note).checkpoint.size
    message = HeadMessage(
        type=HEAD, timestamp=claimed.created_at, data=HeadData(size=size, note=note)
    )
    line = catalog(claimed.language).ngettext(
        "Signed head of %(num)s entry:", "Signed head of %(num)s entries:", size
    )
    return WebhookContent(
        text=f"{line % {'num': size}}\n{note}",
        link=claimed.site,
        message=msgspec.json.encode(message),
    )


def entry_text(snapshot: GameSnapshot, language: str) -> str:
    """Return lines of text: the game and its players, the last entry, and totals after a deal."""
    words = catalog(language)
    names = [
        player.name or f"{words.gettext('Player')} {seat}"
        for seat, player in enumerate(snapshot.players, 1)
    ]
    (last,) = snapshot.log(snapshot.version - 1)
    entry = msgspec.json.decode(bytes(last.entry)) | {"erased": last.erased}
    game = snapshot.loaded.history.game
    called = snapshot.title_name or texts().game(snapshot.ruleset, language)
    lines = [f"{called}: {', '.join(names)}"]
    lines.append(
        _sentence(
            snapshot.ruleset,
            language,
            joint_outcome(entry, together=is_cooperative(snapshot.title_name)),
            names,
            game.options,
        )
    )
    if entry["type"] in {"deal_ended", "game_ended"}:
        lines.append(", ".join(f"{name} {n}" for name, n in zip(names, game.totals, strict=True)))
    return "\n".join(lines)


def _sentence(
    ruleset: str, language: str, entry: Mapping[str, Any], names: Sequence[str], options: Struct
) -> str:
    if entry["type"] != "deal_ended":
        return sentence(language, ruleset, entry, names)
    words = verdict(language, ruleset, entry, names, options)
    if GAMES[ruleset].rounds:  # it names its round
        return words
    return f"{catalog(language).gettext('Deal %(deal)s:') % {'deal': entry['deal']}} {words}"


def _entry_message(
    claimed: ClaimedDelivery, snapshot: GameSnapshot, feed_entry: FeedEntryRow, link: str
) -> bytes:
    event = event_of(claimed.type, claimed.events) or "entry.recorded"
    row = snapshot.loaded.rows[-1]
    data = EntryData(
        position=feed_entry.position,
        game_id=str(feed_entry.game_id),
        version=feed_entry.version,
        ruleset=snapshot.ruleset,
        title=str(snapshot.title.title_id) if snapshot.title else snapshot.ruleset,
        title_name=snapshot.title_name,
        players=tuple(
            PlayerData(id=str(player.id), name=player.name) for player in snapshot.players
        ),
        link=link,
        schema_version=row.schema_version,
        data=Raw(row.data),
        recorded_at=feed_entry.recorded_at,
        recorded_by=(None if feed_entry.recorded_by is None else str(feed_entry.recorded_by)),
        hash=row.hash.hex() or None,
    )
    return msgspec.json.encode(
        WebhookMessage(type=event, timestamp=feed_entry.recorded_at, data=data)
    )
