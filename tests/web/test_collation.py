"""Names in the order readers look for them."""

from service.web.format.catalogs import alphabetical_key


def test_accents_count_only_between_names_that_are_otherwise_alike() -> None:
    names = ["Ebba", "Eliot", "Éliot", "Élodie", "Emma", "Zoe", "Zoë", "Zoé"]
    ordered = sorted([*names[1::2], *names[::2]], key=alphabetical_key)
    assert ordered[:5] == names[:5]
    assert ordered[5] == "Zoe"


def test_ligatures_are_the_letters_they_are_made_of() -> None:
    names = ["Odile", "Œdipe", "Olaf", "Østen", "Otto", "Straßer", "Strasser", "Strauß"]
    ordered = sorted([*names[1::2], *names[::2]], key=alphabetical_key)
    assert ordered[:5] == names[:5]
    assert {*ordered[5:7]} == {"Straßer", "Strasser"}


def test_case_does_not_part_names() -> None:
    assert sorted(["Zoé", "anna", "Bob"], key=alphabetical_key) == ["anna", "Bob", "Zoé"]
