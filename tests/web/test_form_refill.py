"""What a form said stands in the page that answers it."""

from service.web.recorder.form_refill import refill


def test_typed_number_comes_back() -> None:
    page = '<input name="open.totals.0" data-number> <input name="open.totals.1" value="3">'
    assert refill(page, [("open.totals.0", "12"), ("open.totals.1", "")]) == (
        '<input name="open.totals.0" data-number value="12"> <input name="open.totals.1" value="">'
    )


def test_fields_of_one_name_come_back_in_their_order() -> None:
    page = '<input name="cards.melds"><input name="cards.melds">'
    assert refill(page, [("cards.melds", "5H"), ("cards.melds", "TC")]) == (
        '<input name="cards.melds" value="5H"><input name="cards.melds" value="TC">'
    )


def test_choice_comes_back_in_place_of_the_usual_one() -> None:
    page = '<input type="radio" name="m" value="a" checked><input type="radio" name="m" value="b">'
    assert refill(page, [("m", "b")]) == (
        '<input type="radio" name="m" value="a"><input type="radio" name="m" value="b" checked>'
    )


def test_selected_card_comes_back() -> None:
    page = '<select name="f"><option value="?" selected>?</option><option value="2S">2</option>'
    assert refill(page, [("f", "2S")]) == (
        '<select name="f"><option value="?">?</option><option value="2S" selected>2</option>'
    )


def test_what_was_typed_is_escaped() -> None:
    assert refill('<input name="a">', [("a", '"><b>')]) == (
        '<input name="a" value="&quot;&gt;&lt;b&gt;">'
    )


def test_hidden_and_unsent_fields_stay_as_they_are() -> None:
    page = '<input type="hidden" name="version" value="7"><input name="other" value="1">'
    assert refill(page, [("version", "3")]) == page
