"""Signed heads of the feed, with consistency and inclusion proofs (RFC 9162, C2SP)."""

from base64 import b64encode
from collections.abc import Iterable
from typing import Annotated, TypeAlias

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from msgspec import Meta, Struct

from service.access.admission import Access
from service.dependencies import Answer, TheGames
from service.errors import Forbidden, NotFound
from service.extensions.witness.heads import FeedHeads, SignedHead
from service.http.documentation.openapi import Documented
from service.http.inputs import HttpRequest, best_offer, read_query
from service.http.parameters import GameId, HeadSize, Version
from service.play.possibilities import hidden_from_viewers
from service.store.feed.positions import POSITION_MAX
from service.store.log.events import VERSION_MAX

_JSON, _TEXT = "application/json", "text/plain"
TheHeads: TypeAlias = NamedDependency[FeedHeads]


class HeadView(Struct, frozen=True, kw_only=True):
    """The head of the first `size` entries.

    The Merkle tree's `root` in base64, and the signed `note`.

    `keys`: of all heads ever signed, newest first.
    """

    origin: str
    size: int
    root: str
    note: str
    keys: tuple[str, ...]


class ConsistencyQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The size of the earlier head."""

    from_: Annotated[
        int,
        Meta(
            ge=0,
            le=POSITION_MAX,
            description="The `size` of the earlier head, at most that of the later one; 0 by"
            " default, which needs no proof.",
        ),
    ] = msgspec.field(name="from", default=0)


class ConsistencyView(Struct, frozen=True, kw_only=True):
    """A proof that the first `from` entries are the beginning of `size`: hashes in base64."""

    size: int
    from_: int = msgspec.field(name="from")
    proof: tuple[str, ...]


class InclusionView(Struct, frozen=True, kw_only=True):
    """A proof that `head` includes an entry.

    `position`: in the feed, its leaf index + 1; `hash`: of the entry, in hexadecimal; `proof`:
    hashes in base64.
    """

    position: int
    hash: str
    proof: tuple[str, ...]
    head: HeadView


@get("/heads", opt={"documented": Documented(answer=HeadView, formats=(_TEXT,))})
async def show_head(request: HttpRequest, heads: TheHeads) -> Answer:
    """Return the current signed head of the feed, as JSON or as the bare note."""
    head = await heads.current()
    headers = {"Vary": "Accept"}
    if best_offer(request, (_JSON, _TEXT)) == _TEXT:
        return Response(head.note, media_type=_TEXT, headers=headers)
    return Response(msgspec.json.encode(_view(head)), media_type=_JSON, headers=headers)


@get(
    "/heads/{size:int}/consistency",
    opt={"documented": Documented(query=ConsistencyQuery, answer=ConsistencyView)},
)
async def show_consistency(request: HttpRequest, size: HeadSize, heads: TheHeads) -> Answer:
    """Prove that an earlier head's entries are the beginning of a later one's (RFC 9162 §2.1.4)."""
    query = read_query(request, ConsistencyQuery)
    proof = await heads.consistency(query.from_, size)
    view = ConsistencyView(size=size, from_=query.from_, proof=_base64(proof))
    return Response(msgspec.json.encode(view), media_type=_JSON)


@get(
    "/games/{game_id:uuid}/entries/{version:int}/inclusion",
    opt={"access": Access.READER, "documented": Documented(answer=InclusionView)},
)
async def show_inclusion(
    request: HttpRequest, game_id: GameId, version: Version, games: TheGames, heads: TheHeads
) -> Answer:
    """Prove that the head includes an entry (RFC 9162 §2.1.3).

    While a deal is in progress, only scorers get the proof, as with `possible`: hashes of hidden
    cards would confirm guesses.
    """
    if not 0 < version <= VERSION_MAX:
        raise NotFound("version", None)
    if not request.user.may_write(game_id):
        now = await games.snapshot(game_id)
        if hidden_from_viewers(now, now.version, request.app.state["viewers_know"]):
            raise Forbidden
    inclusion = await heads.inclusion(game_id, version)
    view = InclusionView(
        position=inclusion.position,
        hash=inclusion.hash.hex(),
        proof=_base64(inclusion.path),
        head=_view(inclusion.head),
    )
    return Response(msgspec.json.encode(view), media_type=_JSON)


def _view(head: SignedHead) -> HeadView:
    checkpoint = head.checkpoint
    return HeadView(
        origin=checkpoint.origin,
        size=checkpoint.size,
        root=b64encode(checkpoint.root).decode(),
        note=head.note,
        keys=head.keys,
    )


def _base64(hashes: Iterable[bytes]) -> tuple[str, ...]:
    return tuple(b64encode(digest).decode() for digest in hashes)
