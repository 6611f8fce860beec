"""Singular forms in refusal sentences, which are written once with the plural."""

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


def apply_plurals(text: str, lang: str) -> str:
    """Replace plurals after a number that takes the singular."""
    pattern, forms = _COUNTED[lang if lang in _COUNTED else "en"]
    return pattern.sub(lambda found: found[1] + found[2] + forms[found[3]], text)
