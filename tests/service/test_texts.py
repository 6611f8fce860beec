import ast
import re
import tomllib
from functools import lru_cache
from importlib.resources import files as files_of
from pathlib import Path

import pytest
from msgspec.structs import replace

import domain
from domain.games import GAMES
from domain.table.refusal import Refusal
from schemas.catalogue import SHAPES
from schemas.strict_json import Malformed
from service.language.clause_files import COMMON, ClauseFile, SentenceForm, clause_files
from service.language.sentence import LANGUAGES, Sentence
from service.language.texts import Texts, texts
from tests.domain.cases import CASES
from tests.service.refused import REFUSED, forms_of, refusal

NAMES = ("Anna", "Ben")
CLAUSES = sorted({rule for shape in SHAPES.values() for rule in shape.CLAUSES})
CITED = re.compile(rf"(?:table|cards|{'|'.join(SHAPES)})\.[a-z]+(?:-[a-z]+)*")
DOMAIN = Path(str(domain.__file__)).parent
PYTHON = sorted(str(path.relative_to(DOMAIN)) for path in DOMAIN.rglob("*.py"))
PLACEHOLDER = re.compile(r"\{(\w+)\}")
# Facts that `Texts` derives.
DERIVED = ("player", "number", "counted", "how")


@lru_cache
def _words(path: str) -> tuple[str, ...]:
    return _constants(DOMAIN / path)


def _constants(path: Path) -> tuple[str, ...]:
    tree = ast.parse(path.read_text("utf-8"))
    constants = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return tuple(value for value in constants if isinstance(value, str))


@pytest.mark.parametrize("rule", CLAUSES)
def test_clause__has_kind_source_and_a_sentence_in_every_language(rule: str) -> None:
    clause = texts().clauses[rule]
    assert clause.kind in {"P", "R", "D", "S"}
    assert clause.source
    sentences = [clause.of(lang) for lang in LANGUAGES]
    assert len(set(sentences)) == len(LANGUAGES)
    assert all(sentence.endswith(".") for sentence in sentences)


def test_game__another_one_with_the_same_names_changes_none_of_its_sentences() -> None:
    files = clause_files()
    other = Sentence(en="Another", fr="Autre", de="Anders")
    form = SentenceForm(en="Another", fr="Autre", de="Anders")
    alike = ClauseFile(
        clauses={},
        refused=dict.fromkeys(files[COMMON].clauses, (form,)),
        acts={act: (form,) for file in files.values() for act in file.acts},
        facts=dict.fromkeys((fact for file in files.values() for fact in file.facts), "hand"),
        phases={phase: other for file in files.values() for phase in file.phases},
        words={word: other for file in files.values() for word in file.words},
        options={option: other for file in files.values() for option in file.options},
    )
    words = tomllib.loads(files_of("service.language").joinpath("texts.toml").read_text("utf-8"))
    beside = Texts({"alike": alike, **files}, words)
    for case in CASES:
        if "facts" in case.expect:
            found = Refusal(case.expect["rule"], 3, case.expect["facts"], ruleset=case.ruleset)
            assert beside.refusal(found, "en") == texts().refusal(found, "en")
    for game, file in files.items():
        for phase in file.phases:
            found = Refusal("table.phase", facts={"phase": phase}, ruleset=game)
            assert beside.refusal(found, "fr") == texts().refusal(found, "fr") != "Autre"
        for word in file.words:
            assert beside.word(word, "de", game) == texts().word(word, "de", game)


@pytest.mark.parametrize("game", SHAPES)
def test_expected__no_pattern_of_another_game_fits_a_message_of_a_games_shapes(game: str) -> None:
    said = _constants(Path(str(SHAPES[game].__file__)))
    others = [
        one.pattern
        for name, file in clause_files().items()
        if name != game
        for one in file.expected
    ]
    assert [(one, word) for one in others for word in said if re.fullmatch(one, word)] == []


@pytest.mark.parametrize(
    "path", [*DOMAIN.glob("*/clauses.toml")], ids=lambda path: path.parent.name
)
def test_refused__no_two_forms_of_a_game_are_for_the_same_facts(path: Path) -> None:
    for rule, forms in tomllib.loads(path.read_text("utf-8")).get("refused", {}).items():
        assert rule.partition(".")[0] in {"table", "cards"}
        facts = [(form.get("when"), sorted(PLACEHOLDER.findall(form["en"]))) for form in forms]
        assert [one for one in facts if facts.count(one) > 1] == []


def test_refused__what_a_game_adds_is_said_of_that_game_alone_and_first() -> None:
    facts: dict[str, str | int] = {"seat": 1, "dealer": 0, "why": "passed"}
    found = Refusal("table.turn", facts=facts, ruleset="euchre")
    said = texts().refusal(found, "en", names=NAMES)
    assert said.startswith("Ben has spoken already in this round")
    other = texts().refusal(replace(found, ruleset="rami"), "en", names=NAMES)
    assert other == "It is not Ben’s turn."


@pytest.mark.parametrize("rule", CLAUSES)
def test_clause__says_how_it_is_broken_or_that_it_is_a_definition(rule: str) -> None:
    clause = texts().clauses[rule]
    breakable = clause.kind in "PR" and not clause.defines
    assert bool(clause.refused) == breakable


@pytest.mark.parametrize("rule", CLAUSES)
def test_clause__no_refusal_repeats_the_rule_that_is_shown_beside_it(rule: str) -> None:
    clause = texts().clauses[rule]
    for lang in LANGUAGES:
        said = [form.of(lang) for form in clause.refused]
        assert clause.of(lang) not in said
        assert all(len(set(one.split(". "))) == len(one.split(". ")) for one in said)


@pytest.mark.parametrize("rule", CLAUSES)
def test_clause__a_refusal_with_nothing_else_known_is_still_no_rule_said_again(rule: str) -> None:
    clause = texts().clauses[rule]
    plain = [form for form in clause.refused if not form.when]
    assert bool(plain) == bool(clause.refused), (
        f"{rule} in clauses.toml: expected a form without `when` after {clause.refused}, got none"
    )


def test_clause__there_is_none_that_no_game_has() -> None:
    assert sorted(texts().clauses) == CLAUSES


@pytest.mark.parametrize("path", PYTHON)
def test_clause__every_one_that_the_rules_cite_exists(path: str) -> None:
    words = _words(path)
    cited = {word for word in words if CITED.fullmatch(word)}
    in_prose = {found for word in words for found in re.findall(rf"`({CITED.pattern})`", word)}
    assert cited | in_prose <= set(CLAUSES)


@pytest.mark.parametrize("rule", CLAUSES)
def test_clause__a_refusal_asks_for_no_fact_that_the_rules_never_tell(rule: str) -> None:
    told = {word for path in PYTHON for word in _words(path)} | {*DERIVED}
    for form in forms_of(rule):
        asked = {name for lang in LANGUAGES for name in PLACEHOLDER.findall(form.of(lang))}
        assert asked <= told


def test_act__of_every_entry_that_names_cards_has_its_words_in_each_game() -> None:
    for game, manifest in GAMES.items():
        named = {
            str(kind.__struct_config__.tag)
            for kind in manifest.rules.judges
            if {"card", "cards", "with_", "melds", "up", "trump", "turn_up"}
            & set(kind.__struct_fields__)
        }
        acts = {**clause_files()[COMMON].acts, **clause_files()[game].acts}
        assert named <= acts.keys(), game


def test_refusal__says_what_the_cited_entry_showed_and_in_which_turn() -> None:
    facts: dict[str, str | int] = {
        "cited": "draw",
        "by": 1,
        "turn_number": 3,
        "showed": "5H",
        "seat": 0,
    }
    found = Refusal("cards.impossible", 7, {**facts, "card": "5H"}, ruleset="rami")
    same = texts().refusal(found, "en", names=NAMES)
    assert "Ben drew the five of hearts in turn 3, and no other copy can be there" in same
    other = texts().refusal(replace(found, facts={**facts, "card": "6S"}), "fr", names=NAMES)
    assert "Ben a pioché le cinq de cœur au tour 3, et les cartes que personne" in other


def test_clause__every_one_an_entry_of_euchre_can_break_has_an_example_here() -> None:
    clauses = texts().of_game("euchre")
    breakable = {rule for rule, one in clauses.items() if one.kind in "PR" and not one.defines}
    assert set(REFUSED) == breakable


@pytest.mark.parametrize("rule", REFUSED)
def test_kind__a_physical_clause_is_not_waived_and_a_rule_of_play_is(rule: str) -> None:
    assert refusal(rule) is not None
    still = refusal(rule, waived=True)
    physical = texts().clauses[rule].kind == "P"
    assert (still is not None and still.rule == rule) == physical


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("rule", REFUSED)
def test_refusal__says_what_happened_and_not_only_the_clause(rule: str, lang: str) -> None:
    found = refusal(rule)
    assert found is not None
    said = texts().refusal(found, lang, names=NAMES)
    assert said != texts().clause(rule, lang)
    assert not set(said) & set("{}_")
    assert said[0].isupper()
    assert said.endswith(".")


DENIED: dict[str, str | int] = {
    "why": "denied", "cited": "play", "whose": "own", "by": 1, "trick": 3
}  # fmt: skip


def test_refusal__names_player_card_and_the_trick_it_contradicts() -> None:
    facts = {"seat": 1, "card": "QH", "suit": "H", **DENIED}
    found = Refusal("euchre.follow-suit", 13, facts)
    assert texts().refusal(found, "en", names=NAMES) == (
        "Ben cannot have the queen of hearts: Ben did not follow hearts in trick 3."
    )
    french = texts().refusal(found, "fr", names=NAMES)
    assert french.endswith("Ben n’a pas fourni à cœur au pli 3.")
    german = texts().refusal(found, "de", names=NAMES)
    assert german.endswith("Im 3. Stich hat Ben Herz nicht bedient.")


def test_refusal__a_bower_is_told_with_the_suit_it_counts_as() -> None:
    found = Refusal("euchre.follow-suit", 13, {"seat": 1, "card": "JS", "suit": "C", **DENIED})
    said = texts().refusal(found, "en", names=NAMES)
    assert said.startswith("Ben cannot have the jack of spades (counted as clubs): Ben did not")


def test_refusal__a_left_bower_led_is_told_with_the_suit_it_counts_as() -> None:
    facts: dict[str, str | int] = {
        "seat": 1,
        "card": "9D",
        "suit": "D",
        "led": "C",
        "bower": "JS",
        "still": "JC",
    }
    assert texts().refusal(Refusal("euchre.follow-suit", 6, facts), "en", names=NAMES) == (
        "The jack of spades was led and counts as clubs: Ben answered with the nine of diamonds,"
        " but still has the jack of clubs."
    )


def test_refusal__a_suit_that_was_not_followed_is_told_with_the_suit_led() -> None:
    found = Refusal("euchre.follow-suit", 6, {"seat": 1, "card": "9D", "suit": "D", "led": "C"})
    said = texts().refusal(found, "en", names=NAMES)
    assert said.startswith(
        "Ben answered clubs with the nine of diamonds, but must still have clubs"
    )


def test_refusal__calls_the_entry_by_its_label_where_there_is_one() -> None:
    found = Refusal("cards.seen", 17, {"seat": 1, "card": "QH", "falls": 17})
    assert (
        texts()
        .refusal(found, "en", entry_label="log[11]")
        .startswith("After this correction log[11] cannot")
    )


def test_refusal__of_a_correction_says_which_later_entry_would_fall() -> None:
    found = Refusal("cards.seen", 17, {"seat": 1, "card": "QH", "falls": 17})
    said = texts().refusal(found, "en", names=NAMES)
    assert said == (
        "After this correction a later move (entry 17) cannot be right."
        " Ben cannot have the queen of hearts: that card has been seen elsewhere."
    )


def test_refusal__a_forgotten_player_is_called_by_the_seat_counted_from_1() -> None:
    found = Refusal("euchre.bid-first", facts={"seat": 1})
    assert (
        texts().refusal(found, "en", names=("Anna", None)).startswith("It is not player 2’s turn")
    )


def test_refusal__a_name_is_written_as_its_owner_writes_it() -> None:
    found = Refusal("cards.seen", 13, {"seat": 1, "card": "QH"})
    assert texts().refusal(found, "en", names=("anna", "ben")).startswith("ben cannot")


@pytest.mark.parametrize("rule", CLAUSES)
def test_refusal__without_any_fact_says_something_that_needs_none(rule: str) -> None:
    for lang in LANGUAGES:
        said = texts().refusal(Refusal(rule), lang)
        assert said.endswith(".")
        assert "{" not in said


def test_refusal__of_a_clause_nobody_knows_is_its_id() -> None:
    assert texts().refusal(Refusal("go.ko", 3, {"seat": 9}), "en") == "Go.ko"


@pytest.mark.parametrize(
    ("header", "lang"),
    [
        ("fr", "fr"),
        ("de-CH, en;q=0.9", "de"),
        ("en;q=0.3, fr;q=0.9, de;q=0.5", "fr"),
        ("es, pt;q=0.9, de;q=0.1", "de"),
        ("fr;q=0, de;q=0.001", "de"),
        ("FR-ca", "fr"),
        ("*", "en"),
        ("", "en"),
        (None, "en"),
        ("fr;q=high", "en"),
        ("é;;q=,", "en"),
    ],
)
def test_negotiate__weighs_what_the_reader_asks_for(header: str | None, lang: str) -> None:
    assert texts().negotiate(header) == lang


@pytest.mark.parametrize(
    ("code", "en", "fr", "de"),
    [
        ("QH", "the queen of hearts", "la dame de cœur", "Herz-Dame"),
        ("AS", "the ace of spades", "l’as de pique", "Pik-Ass"),
        ("TD", "the ten of diamonds", "le dix de carreau", "Karo-Zehn"),
        ("XX", "the joker", "le joker", "Joker"),
        ("??", "a card that was not seen", "une carte non vue", "eine nicht gesehene Karte"),
        (
            "6H*",
            "the joker standing for the six of hearts",
            "le joker pour le six de cœur",
            "Joker für Herz-Sechs",
        ),
        (
            "8?*",
            "the joker standing for any eight",
            "le joker à la place d’un huit",
            "Joker für Acht, Farbe offen",
        ),
    ],
)
def test_card__is_said_in_words(code: str, en: str, fr: str, de: str) -> None:
    assert [texts().card(code, lang) for lang in ("en", "fr", "de")] == [en, fr, de]


def test_language__one_that_is_not_spoken_is_answered_in_english() -> None:
    assert texts().clause("table.turn", "eo") == texts().clause("table.turn", "en")
    assert texts().card("QH", "eo") == "the queen of hearts"


def test_malformed__says_where_and_what_was_expected_in_every_language() -> None:
    fault = Malformed(path="$.log[3].card", expected="int >= 1")
    assert [texts().malformed(fault, lang) for lang in LANGUAGES] == [
        "At $.log[3].card, expected: a whole number of at least 1.",
        "À $.log[3].card, attendu\u202f: un nombre entier d’au moins 1.",
        "Bei $.log[3].card erwartet: eine ganze Zahl, mindestens 1.",
    ]


def test_malformed__several_expectations_are_joined_in_the_reader_s_language() -> None:
    expected = "a card: a rank (A K) then a suit (S H D C), or XX for a joker or one of ?? or null"
    french = texts().expected(expected, "fr")
    assert french.startswith("une carte\u202f: un rang (A K Q")
    assert french.endswith("ou XX pour un joker ou ?? ou null")


@pytest.mark.parametrize("game", SHAPES)
def test_malformed__what_a_game_s_shapes_expect_is_said_in_every_language(game: str) -> None:
    tree = ast.parse(Path(str(SHAPES[game].__file__)).read_text("utf-8"))
    raised = [node.exc for node in ast.walk(tree) if isinstance(node, ast.Raise)]
    said = [
        word.value
        for call in raised
        if isinstance(call, ast.Call)
        for word in call.args
        if isinstance(word, ast.Constant) and isinstance(word.value, str)
    ]
    for expectation in said:
        assert len({texts().expected(expectation, lang) for lang in LANGUAGES}) == len(LANGUAGES)


def test_malformed__an_expectation_without_words_is_passed_on() -> None:
    assert texts().expected("something new", "fr") == "something new"


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "Ben lays the queen of hearts and the joker standing for the king of hearts: "),
        ("fr", "Ben pose la dame de cœur et le joker pour le roi de cœur\u202f: "),
        ("de", "Ben legt Herz-Dame und Joker für Herz-König aus: "),
    ],
)
def test_refusal__several_cards_are_told_in_words(lang: str, said: str) -> None:
    found = Refusal("rami.meld-size", facts={"seat": 1, "cards": "QH KH*"})
    assert texts().refusal(found, lang, names=NAMES).startswith(said)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_refusal__a_form_is_for_the_facts_it_names(lang: str) -> None:
    reasons = ("hands", "winner", "had opened", "had not opened", "counted", "another")
    found = [
        Refusal(
            "table.result",
            facts={"seat": 1, "turn": 0, "points": 8, "why": reason},
            ruleset="rami",
        )
        for reason in reasons
    ]
    said = {texts().refusal(one, lang, names=NAMES) for one in found}
    assert len(said) == len(reasons)
    assert all("Ben" in one or "8" in one for one in said)
