"""What a browser is called until somebody names it: what it says it is.

Promises: pure; proper names only, so that no language is needed. Assumes that a browser which poses
as others names itself beside them, as all do (RFC 9110 §10.1.5).
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
    """Name a browser by its `User-Agent`; "": it does not say."""
    found = [
        next((name for sign, name in signs if sign in user_agent), "")
        for signs in (_BROWSERS, _SYSTEMS)
    ]
    return ", ".join(filter(None, found))
