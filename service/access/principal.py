"""The authenticated caller and the sum of their rights."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, TypeAlias
from uuid import UUID

from msgspec import Struct

from service.store.records import MemberRole

ClubRole: TypeAlias = MemberRole
AnyRole: TypeAlias = ClubRole | Literal["viewer"]

_STRENGTH = {"owner": 3, "scorer": 2, "reader": 1, "viewer": 1}


class Right(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The right that one secret grants: `owner`, `scorer`, `reader`, or `viewer` of a game.

    `game_id` None: in the club. `holder_id`: the link, member or token recorded beside entries;
    None: the owner key. `token_hash`: of the secret. `until`: its expiry; None: until revoked.
    """

    role: AnyRole
    game_id: UUID | None = None
    holder_id: UUID | None = None
    token_hash: bytes
    until: datetime | None = None

    @property
    def strength(self) -> int:
        return _STRENGTH[self.role]


class Principal(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An authenticated caller. `token_hash`: of the secret they presented.

    `session_id`: a browser's session, None for a key or token; `token_id`: a program's token.
    `seen_at`: the last recorded use of either. `suspended`: the club is read-only for now.
    """

    token_hash: bytes
    rights: tuple[Right, ...]
    session_id: UUID | None = None
    token_id: UUID | None = None
    seen_at: datetime | None = None
    suspended: bool = False

    @property
    def club(self) -> ClubRole | None:
        held: list[ClubRole] = [
            right.role for right in self.rights if right.game_id is None and right.role != "viewer"
        ]
        return max(held, key=_STRENGTH.__getitem__, default=None)

    @property
    def owner(self) -> bool:
        return self.club == "owner"

    @property
    def games(self) -> tuple[UUID, ...]:
        return tuple(
            dict.fromkeys(right.game_id for right in self.rights if right.game_id is not None)
        )

    def best(self, game_id: UUID) -> Right | None:
        """Return the strongest right in a game, of equals the club's; None without one."""
        reaching = [right for right in self.rights if right.game_id in {None, game_id}]
        if len(reaching) == 1:  # as most have
            return reaching[0]
        return max(
            reaching, key=lambda right: (right.strength, right.game_id is None), default=None
        )

    def may_read(self, game_id: UUID) -> bool:
        return self.best(game_id) is not None

    def may_write(self, game_id: UUID) -> bool:
        best = self.best(game_id)
        return best is not None and best.role in {"owner", "scorer"}

    @property
    def may_start(self) -> bool:
        return self.club in {"owner", "scorer"}

    def recorded_as(self, game_id: UUID | None = None) -> UUID | None:
        """Return the grant that is recorded beside an entry; None: the owner key.

        Without a game: that of a change in the club.
        """
        if game_id is None:
            held = [right for right in self.rights if right.game_id is None]
            best = max(held, key=lambda right: right.strength, default=None)
        else:
            best = self.best(game_id)
        return None if best is None else best.holder_id

    def role(self, game_id: UUID | None = None) -> AnyRole:
        """Return the role in a game; without a game or a right in it, the strongest role."""
        best = self.best(game_id) if game_id is not None else None
        return best.role if best is not None else self.club or self.rights[0].role

    def still_covered_by(self, now: "Principal | None", game_id: UUID | None) -> bool:
        """Return whether the rights `now` still cover what these allow.

        With `game_id`: reading this game as fully as before. Without: membership of the club, or
        reading any game if the caller is no member.
        """
        if now is None:
            return False
        if game_id is not None:
            # Scorers see cards that are hidden from viewers.
            return now.may_write(game_id) or (now.may_read(game_id) and not self.may_write(game_id))
        return bool(now.rights) if self.club is None else now.club is not None

    def covers(self, right: Right) -> bool:
        if right.game_id is None:
            return self.club is not None and _STRENGTH[self.club] >= right.strength
        best = self.best(right.game_id)
        return best is not None and best.strength >= right.strength


def combine(token_hash: bytes, rights: Sequence[Right]) -> Principal:
    """Build a principal of several rights."""
    ordered = sorted(rights, key=lambda right: (-right.strength, right.game_id is not None))
    return Principal(token_hash=token_hash, rights=tuple(ordered))
