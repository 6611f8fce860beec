"""Clip names to a width without splitting a grapheme cluster."""

from collections.abc import Iterator
from unicodedata import category, east_asian_width

_JOINER = "\u200d"
_BESIDE = frozenset(
    {_JOINER, "\u200c", *map(chr, range(0x1F3FB, 0x1F400)), *map(chr, range(0xE0020, 0xE0080))}
)
_REGIONS = range(0x1F1E6, 0x1F200)


def clip(name: str, width: int) -> str:
    """Return a name, cut with an ellipsis to `width` columns; wide characters take two."""
    found = list(clusters(name))
    if sum(map(_width, found)) <= width:
        return name
    kept = ""
    left = width - 1
    for cluster in found:
        left -= _width(cluster)
        if left < 0:
            break
        kept += cluster
    return kept.rstrip() + "…"


def clusters(text: str) -> Iterator[str]:
    """Yield grapheme clusters, close enough to UAX #29 for names."""
    cluster = ""
    for sign in text:
        if cluster and not _continues(sign, cluster):
            yield cluster
            cluster = ""
        cluster += sign
    if cluster:
        yield cluster


def _continues(sign: str, cluster: str) -> bool:
    flag = ord(sign) in _REGIONS and len(cluster) == 1 and ord(cluster) in _REGIONS
    return flag or sign in _BESIDE or category(sign)[0] == "M" or cluster[-1] == _JOINER


def _width(cluster: str) -> int:
    return 2 if len(cluster) > 1 and ord(cluster[0]) in _REGIONS else _sign_width(cluster[0])


def _sign_width(sign: str) -> int:
    return 2 if east_asian_width(sign) in "WF" else 1
