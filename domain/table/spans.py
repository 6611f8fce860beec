"""Rising versions with few gaps, kept as spans without one."""

from msgspec import Struct


class Span(Struct, frozen=True):
    """Versions that follow each other, `first` to `last`, and those `before` them.

    Structs that are collected: long chains of others are freed by calls as deep as they are long.
    """

    first: int
    last: int
    before: "Span | None" = None

    def grown(self, version: int) -> "Span":
        """Return the span with a later version: longer, or the next one."""
        if version == self.last + 1:
            return Span(self.first, version, self.before)
        return Span(version, version, self)

    def ranges(self) -> tuple[tuple[int, int], ...]:
        """Return first and last of every span, the earliest first."""
        found: list[tuple[int, int]] = []
        span: Span | None = self
        while span is not None:
            found.append((span.first, span.last))
            span = span.before
        return tuple(reversed(found))
