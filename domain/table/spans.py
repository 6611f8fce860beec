"""Ascending versions with few gaps, stored as ranges."""

from msgspec import Struct


class Span(Struct, frozen=True):
    """Consecutive versions from `first` to `last`, and the ranges `before` them.

    Uses garbage collection (no `gc=False`): otherwise freeing a long chain recurses over its
    length.
    """

    first: int
    last: int
    before: "Span | None" = None

    def extended(self, version: int) -> "Span":
        """Return the span with a later version added.

        >>> Span(1, 1).extended(2).extended(5).ranges()
        ((1, 2), (5, 5))
        """
        if version == self.last + 1:
            return Span(self.first, version, self.before)
        return Span(version, version, self)

    def ranges(self) -> tuple[tuple[int, int], ...]:
        """Return the first and last version of every range, in ascending order."""
        found: list[tuple[int, int]] = []
        span: Span | None = self
        while span is not None:
            found.append((span.first, span.last))
            span = span.before
        return tuple(reversed(found))
