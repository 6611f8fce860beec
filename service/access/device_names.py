"""The default name of a browser's session, from its `User-Agent`.

Promises: pure, and proper names only, so that no language is needed. Assumes that a browser which
imitates others adds its own name, as all do (RFC 9110 §10.1.5).
"""

_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux"),
)


def proposed_name(user_agent: str) -> str:
    """Return browser and system named by a `User-Agent`; "" if unknown."""
    found = [
        next((name for sign, name in signs if sign in user_agent), "")
        for signs in (_BROWSERS, _SYSTEMS)
    ]
    return ", ".join(filter(None, found))
