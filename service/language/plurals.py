"""One of a thing is said as one, whatever sentence the number was put into.

Sentences of refusals are written once, with the plural; the pages choose theirs by gettext. In
French nothing is one, too: 0 point.
"""

import re

_COUNTED: dict[str, tuple[re.Pattern[str], dict[str, str]]] = {
    lang: (
        re.compile(rf"(?<![\d.,:\u202f])({number})([ \u202f])({'|'.join(forms)})\b"),
        forms,
    )
    for lang, number, forms in (
        (
            "en",
            "[+−-]?1",
            {
                "points": "point",
                "cards": "card",
                "tricks": "trick",
                "entries": "entry",
                "deals": "deal",
                "games": "game",
                "players": "player",
            },
        ),
        (
            "fr",
            "[+−-]?[01]",
            {
                "points": "point",
                "cartes": "carte",
                "plis": "pli",
                "entrées": "entrée",
                "donnes": "donne",
                "parties": "partie",
                "joueurs": "joueur",
            },
        ),
        (
            "de",
            "[+−-]?1",
            {
                "Punkten": "Punkt",
                "Punkte": "Punkt",
                "Karten": "Karte",
                "Stichen": "Stich",
                "Stiche": "Stich",
                "Einträgen": "Eintrag",
                "Einträge": "Eintrag",
                "Spielen": "Spiel",
                "Spiele": "Spiel",
                "Partien": "Partie",
            },
        ),
    )
}


def agreed(text: str, lang: str) -> str:
    """Say what is counted as one, where it is one."""
    pattern, forms = _COUNTED[lang if lang in _COUNTED else "en"]
    return pattern.sub(lambda found: found[1] + found[2] + forms[found[3]], text)
