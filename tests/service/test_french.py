import pytest

from domain.table.refusal import Refusal
from schemas.catalogue import SHAPES
from service.language.french import apply_elision, french_spacing
from service.language.plurals import apply_plurals
from service.language.texts import texts
from service.web.format.catalogs import catalog
from service.web.format.environments import environment
from tests.service.refused import forms_of

TURN = "{{ _('%(name)s’s turn.', name=name) }}"


@pytest.mark.parametrize("sign", [";", ":", "?", "!"])
def test_spaced__puts_a_narrow_space_before_a_sign(sign: str) -> None:
    assert french_spacing(f"Qui {sign} lui") == f"Qui\u202f{sign} lui"


def test_spaced__keeps_quotes_and_what_they_hold_together() -> None:
    assert french_spacing("« Relevé en texte »") == "«\u202fRelevé en texte\u202f»"


def test_spaced__leaves_addresses_and_times_alone() -> None:
    assert french_spacing("https://carnet.example à 20:15") == "https://carnet.example à 20:15"


def test_spaced__every_clause_and_every_page_is_printed_so() -> None:
    said = [clause.of("fr") for clause in texts().clauses.values()]
    said += [form.of("fr") for rule in texts().clauses for form in forms_of(rule)]
    said += [catalog("fr").gettext("First time?"), catalog("fr").gettext("The rule:")]
    assert not [one for one in said if any(f" {sign}" in one for sign in ";:?!")]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Anna", "Au tour d’Anna."),
        ("Élodie", "Au tour d’Élodie."),
        ("Yves", "Au tour d’Yves."),
        ("Yannick", "Au tour de Yannick."),
        ("Ben", "Au tour de Ben."),
        ("Hans", "Au tour de Hans."),
        ("Hélène", "Au tour d’Hélène."),
        ("Henri-Paul", "Au tour d’Henri-Paul."),
        ("Hugo B", "Au tour d’Hugo B."),
    ],
)
def test_page__a_name_with_a_vowel_elides_de(name: str, said: str) -> None:
    assert environment("fr").from_string(TURN).render(name=name) == said


def test_page__a_name_is_escaped_all_the_same() -> None:
    assert "<b>" not in environment("fr").from_string(TURN).render(name="<b>Anna")


def test_elided__que_before_a_vowel_too() -> None:
    assert apply_elision("que {player} puisse", {"player": "Anna"}) == "qu’{player} puisse"


def test_refusal__a_name_with_a_vowel_elides_de() -> None:
    found = Refusal("cards.count", facts={"seat": 0, "found": 4, "expected": 5})
    assert "de {player}" in "".join(form.fr for rule in texts().clauses for form in forms_of(rule))
    assert "{" not in texts().refusal(found, "fr", names=("Anna", "Ben"))
    slot = Refusal("dutch.place", facts={"seat": 0, "slot": 1})
    assert "la rangée d’Anna" in texts().refusal(slot, "fr", names=("Anna", "Ben"))


def test_options__are_printed_so_in_every_game() -> None:
    for game in SHAPES:
        assert " :" not in texts().option(game, "target", 3, "fr")


@pytest.mark.parametrize(
    ("lang", "written", "said"),
    [
        ("fr", "cela ne peut pas faire 0 points", "cela ne peut pas faire 0 point"),
        ("fr", "fait 1 plis au moins et 2 plis au plus", "fait 1 pli au moins et 2 plis au plus"),
        ("fr", "10 points, 101 points", "10 points, 101 points"),
        ("en", "0 points, 1 points, 11 points", "0 points, 1 point, 11 points"),
        ("en", "−1 points", "−1 point"),
        ("de", "mit 1 Punkten und 1 Karten", "mit 1 Punkt und 1 Karte"),
        ("de", "0 Punkte, 21 Stiche", "0 Punkte, 21 Stiche"),
        ("it", "1 cards", "1 card"),
    ],
)
def test_agreed__counts_as_the_language_does(lang: str, written: str, said: str) -> None:
    assert apply_plurals(written, lang) == said
