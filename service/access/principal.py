"""Who asks: the rights of a session or a token, added up.

Promises: pure; a weaker right never takes a stronger one away: for each page the strongest of those
that reach it counts. A right to the club reaches every game of it.
"""

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
    """What one secret allows: in one game (`scorer`, `viewer`), None: in the club.

    `holder_id` is recorded beside entries: the link's, member's or token's, None: the owner's key.
    `token_hash` is that of the secret; `until`: when it ends, None: when it is revoked.
    """

    role: AnyRole
    game_id: UUID | None = None
    holder_id: UUID | None = None
    token_hash: bytes
    until: datetime | None = None

    @property
    def strength(self) -> int:
        """Order rights: more may do more where both reach."""
        return _STRENGTH[self.role]

    def reaches(self, game_id: UUID) -> bool:
        """Say whether this is a right in a game."""
        return self.game_id is None or self.game_id == game_id


class Principal(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Who asks, and all they may. `token_hash`: of the secret they came with.

    `session_id`: the browser's session, None: a program's key or token; `token_id`: the token that
    was made for a program. `seen_at`: when either was noted to be used.
    `suspended`: in this club nobody writes for now.
    """

    token_hash: bytes
    rights: tuple[Right, ...]
    session_id: UUID | None = None
    token_id: UUID | None = None
    seen_at: datetime | None = None
    suspended: bool = False

    @property
    def club(self) -> ClubRole | None:
        """What they are in the club, at the strongest; None: no member."""
        held: list[ClubRole] = [
            one.role for one in self.rights if one.game_id is None and one.role != "viewer"
        ]
        return max(held, key=_STRENGTH.__getitem__, default=None)

    @property
    def owner(self) -> bool:
        """Say whether they may do everything."""
        return self.club == "owner"

    @property
    def games(self) -> tuple[UUID, ...]:
        """List the games that were opened by themselves, each once."""
        return tuple(dict.fromkeys(one.game_id for one in self.rights if one.game_id is not None))

    def best(self, game_id: UUID) -> Right | None:
        """Return the strongest right in a game, of equal ones the club's; None: there is none."""
        if len(self.rights) == 1:  # as most have
            only = self.rights[0]
            return only if only.reaches(game_id) else None
        reaching = [one for one in self.rights if one.reaches(game_id)]
        return max(reaching, key=lambda one: (one.strength, one.game_id is None), default=None)

    def may_read(self, game_id: UUID) -> bool:
        """Say whether they may look at a game."""
        return self.best(game_id) is not None

    def may_write(self, game_id: UUID) -> bool:
        """Say whether they may append to a game."""
        best = self.best(game_id)
        return best is not None and best.role in {"owner", "scorer"}

    @property
    def may_start(self) -> bool:
        """Say whether they may start games."""
        return self.club in {"owner", "scorer"}

    def by(self, game_id: UUID | None = None) -> UUID | None:
        """Return as whom they are recorded in a game, None: in the club; None: the owner's key."""
        if game_id is None:
            held = [one for one in self.rights if one.game_id is None]
            best = max(held, key=lambda one: one.strength, default=None)
        else:
            best = self.best(game_id)
        return None if best is None else best.holder_id

    def role(self, game_id: UUID | None = None) -> AnyRole:
        """Return what they are in a game, None: in the club; else their strongest role."""
        best = self.best(game_id) if game_id is not None else None
        return best.role if best is not None else self.club or self.rights[0].role

    def holds_in(self, now: "Principal | None", game_id: UUID | None) -> bool:
        """Say whether they may still do what they were let in for, by what they may `now`.

        In a game: look at it, and at all of it if they could; None: in the club, or for want of
        that in any game.
        """
        if now is None:
            return False
        if game_id is not None:
            # Who may record sees what is hidden from others.
            return now.may_write(game_id) or (now.may_read(game_id) and not self.may_write(game_id))
        return bool(now.rights) if self.club is None else now.club is not None

    def covers(self, right: Right) -> bool:
        """Say whether a right would add nothing."""
        if right.game_id is None:
            return self.club is not None and _STRENGTH[self.club] >= right.strength
        best = self.best(right.game_id)
        return best is not None and best.strength >= right.strength


def added_up(token_hash: bytes, rights: Sequence[Right]) -> Principal:
    """Put rights together, the strongest first."""
    ordered = sorted(rights, key=lambda one: (-one.strength, one.game_id is not None))
    return Principal(token_hash=token_hash, rights=tuple(ordered))
