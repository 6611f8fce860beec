"""What is common to links that anybody may open: where they lead, and which sites can be named.

A site is an origin (RFC 6454) as a browser sends it: what a policy for frames can name.
"""

from urllib.parse import quote

SITES_MAX = 10
SITE = r"^https?://[a-z0-9]([a-z0-9.\-]{0,251}[a-z0-9])?(:[0-9]{1,5})?$"


def shared_path(token: str) -> str:
    """Make the path at which anybody may see what a public link shows."""
    return f"/shared/{quote(token, safe='')}"
