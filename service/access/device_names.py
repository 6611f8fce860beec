"""The default name of a browser's session, from its `User-Agent`."""

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
    found = [
        next((name for sign, name in signs if sign in user_agent), "")
        for signs in (_BROWSERS, _SYSTEMS)
    ]
    return ", ".join(filter(None, found))
