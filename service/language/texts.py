"""Everything about the rules that people read, in English, French and German.

Sentences of clauses are beside the rules (`clauses.toml`), other words in `texts.toml`; both are
read once. A refusal is a value with facts and becomes a sentence here. A missing fact, name or
language raises nothing: the sentence becomes shorter, or English.
"""

import re
import tomllib
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

from babel.lists import format_list
from msgspec import Struct, convert, json
from msgspec.structs import replace

from domain.table.refusal import Refusal
from schemas.cards import JOKER
from schemas.catalogue import SHAPES
from schemas.strict_json import Malformed
from service.language import french
from service.language.clause_files import (
    COMMON,
    Clause,
    ClauseFile,
    Expected,
    FactKind,
    SentenceForm,
    clause_files,
)
from service.language.glossary import glossary
from service.language.plurals import apply_plurals
from service.language.sentence import DEFAULT, LANGUAGES, Sentence

_UNSEEN = "??"
_OPEN_JOKER = "?*"
_ANY_SUIT = "?"
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_TAG = re.compile(
    r"\s*([A-Za-z]{1,8})(?:-[A-Za-z0-9]{1,8})*\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?))?\s*"
)
_OR = re.compile(r" or (?=one of |null$)")

Names = Sequence[str | None]


class _Words(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    seat: str
    entry: str
    falls: str
    unseen: str
    joker: str
    card: str
    ranks_alone: dict[str, str]  # a card whose suit was not seen
    standing: str
    standing_open: str
    counted: str
    one_card: str
    cards: str
    malformed: str
    either: str
    suits: dict[str, str]
    ranks: dict[str, str]


class Texts:
    """The sentences of the rules; `languages` lists the supported ones, the default first.

    `clauses` holds the clauses of every game by id. Forms of refusals, phases, kinds of facts and
    words belong to a game: no other game's sentence can use them.
    """

    languages = LANGUAGES

    def __init__(self, rules: Mapping[str, ClauseFile], words: Mapping[str, Any]) -> None:
        self.clauses: dict[str, Clause] = {}
        self._forms = {
            (game, rule): (*file.refused.get(rule, ()), *clause.refused)
            for game, file in rules.items()
            for rule, clause in rules[COMMON].clauses.items()
        }
        self._acts = {game: {**rules[COMMON].acts, **file.acts} for game, file in rules.items()}
        self._phases = {
            game: {**rules[COMMON].phases, **file.phases} for game, file in rules.items()
        }
        self._facts: dict[str, dict[str, FactKind]] = {
            game: {**rules[COMMON].facts, **file.facts} for game, file in rules.items()
        }
        sheet = convert(words["words"], dict[str, Sentence])
        self._sheet = {game: {**sheet, **file.words} for game, file in rules.items()}
        self._uploads = convert(words["uploads"], dict[str, Sentence])
        expected = list(convert(words["expected"], list[Expected]))
        self._options = {game: file.options for game, file in rules.items()}
        for file in rules.values():
            self.clauses |= file.clauses
            expected.extend(file.expected)
        self._expected = [
            (re.compile(expectation.pattern, re.DOTALL), expectation) for expectation in expected
        ]
        self._words = {lang: convert(words[lang], _Words) for lang in LANGUAGES}
        own = self._words["fr"]
        self._words["fr"] = replace(
            own,
            malformed=french.french_spacing(own.malformed),
            falls=french.french_spacing(own.falls),
        )

    def negotiate(self, accept_language: str | None) -> str:
        best, best_weight = DEFAULT, 0.0
        for part in (accept_language or "").split(","):
            tag = _TAG.fullmatch(part)
            if tag is None or tag[1].lower() not in LANGUAGES:
                continue
            weight = float(tag[2] or 1)
            if weight > best_weight:
                best, best_weight = tag[1].lower(), weight
        return best

    def of_game(self, ruleset: str) -> dict[str, Clause]:
        """Return the clauses of a game, those of every game first.

        Raises:
            KeyError: no such ruleset.

        """
        order = SHAPES[ruleset].CLAUSES
        return {rule: self.clauses[rule] for rule in order}

    def clause(self, rule: str, lang: str) -> str:
        clause = self.clauses.get(rule)
        return clause.of(lang) if clause else rule

    def refusal(
        self,
        refusal: Refusal,
        lang: str,
        *,
        names: Names | None = None,
        entry_label: str | None = None,
    ) -> str:
        """Return the sentence of a refusal.

        `names` are the players' by seat; a seat without one is called by its number from 1.
        `entry_label` names a later entry that would fall; without it, its version does.
        """
        words = self._words[lang if lang in LANGUAGES else DEFAULT]
        own = refusal.rule.partition(".")[0]
        if not refusal.ruleset and own in self._facts:
            refusal = replace(refusal, ruleset=own)
        facts: dict[str, str] = {}
        for name, value in refusal.facts.items():
            facts |= self._in_words(refusal.ruleset, name, value, words, lang, names)
        facts |= _counted(refusal, facts, words)
        if "cited" in facts:
            facts |= self._cited(refusal, lang, facts)
        if "turn" in facts and "phase" in facts:
            facts["phase"] = facts["phase"].replace("{turn}", facts["turn"])
        reason = _capital(self._reason(refusal, lang, facts), names)
        if "falls" not in refusal.facts:
            return reason
        falls = entry_label or words.entry.format(version=refusal.contradicts)
        return _capital(words.falls.format(entry=falls, reason=reason))

    def _cited(self, refusal: Refusal, lang: str, facts: Mapping[str, str]) -> dict[str, str]:
        """Return what the sentence needs to know of the entry that is contradicted."""
        showed = str(refusal.facts.get("showed", "")).split()
        same = refusal.facts.get("card") in showed or facts.get("dealt") == "card"
        sameness = {"same": "yes"} if same else {}
        acts = self._acts[refusal.ruleset].get(facts["cited"], ())
        how = _first_that_fits(acts, lang, facts)
        return sameness if how is None else {**sameness, "how": how}

    def _reason(self, refusal: Refusal, lang: str, facts: Mapping[str, str]) -> str:
        fits = _first_that_fits(self.forms(refusal.ruleset, refusal.rule), lang, facts)
        return fits or self.clause(refusal.rule, lang)

    def forms(self, ruleset: str, rule: str) -> Sequence[SentenceForm]:
        """Return the sentences of refusals by a clause in a game, the most specific first."""
        clause = self.clauses.get(rule)
        return self._forms.get((ruleset, rule), clause.refused if clause else ())

    def _in_words(
        self,
        ruleset: str,
        name: str,
        value: object,
        words: _Words,
        lang: str,
        names: Names | None,
    ) -> dict[str, str]:
        match self._facts[ruleset].get(name), value:
            case "seat", int():
                return {"player": _player(value, words, names), "number": str(value)}
            case "person", int():
                return {name: _player(value, words, names)}
            case "card", str():
                return {name: _card(value, words)}
            case "cards", str():
                cards = [_card(code, words) for code in value.split()]
                return {name: format_list(cards, locale=lang if lang in LANGUAGES else DEFAULT)}
            case "suit", str():
                return {name: words.suits.get(value, value)}
            case "place", int():
                return {name: str(value + 1)}
            case "hand", int():
                of_cards = words.one_card if value == 1 else words.cards
                return {name: of_cards.format(count=value)}
            case "phase", str():
                phase = self._phases[ruleset].get(value)
                return {name: phase.of(lang) if phase else value}
            case _:
                return {name: str(value)}

    def player(self, seat: int, lang: str, names: Names | None = None) -> str:
        """Return the name of the player at a seat, without one its number from 1."""
        return _player(seat, self._words[lang if lang in LANGUAGES else DEFAULT], names)

    def card(self, code: str, lang: str) -> str:
        return _card(code, self._words[lang if lang in LANGUAGES else DEFAULT])

    def suit(self, code: str, lang: str) -> str:
        return self._words[lang if lang in LANGUAGES else DEFAULT].suits.get(code, code)

    def game(self, ruleset: str, lang: str) -> str:
        name = glossary().games.get(ruleset)
        return name.of(lang) if name else ruleset.capitalize()

    def other_names(self, ruleset: str, lang: str) -> tuple[str, ...]:
        """Return the other names of a game without that of this language."""
        also = glossary().games[ruleset].also if ruleset in glossary().games else ()
        return tuple(name for name in also if name != self.game(ruleset, lang))

    def search_names(self, ruleset: str) -> tuple[str, ...]:
        """Return every name by which a search finds a game, also those of similar games."""
        name = glossary().games.get(ruleset)
        return (name.en, name.fr, name.de, *name.also, *name.alike) if name else ()

    def games_called(self, text: str) -> tuple[str, ...]:
        wanted = _plain(text)
        return tuple(
            ruleset
            for ruleset in glossary().games
            if any(wanted in _plain(search_name) for search_name in self.search_names(ruleset))
        )

    def game_called(self, text: str, among: Collection[str]) -> str | None:
        """Return the only game among some with that name, else None."""
        games = [game for game in self.games_called(text.strip()) if game in among]
        return games[0] if text.strip() and len(games) == 1 else None

    def word(self, name: str, lang: str, ruleset: str = COMMON) -> str:
        """Return a heading or word of a game's score sheet, its id if there is none."""
        sentence = self._sheet[ruleset].get(name)
        return sentence.of(lang) if sentence else name

    def unreadable_file(self, problem: str, lang: str) -> str:
        """Return why a file of an upload is no game; see `OpenedFile.problem`."""
        return self._uploads.get(problem, self._uploads["other"]).of(lang)

    def option(
        self, ruleset: str, name: str, value: object, lang: str, names: Sequence[str] = ()
    ) -> str:
        """Describe an option and its value in words, as written if there are none.

        `names`: of the players by seat; without them, groups of seats are numbered from 1.
        """
        text = value if isinstance(value, str) else json.encode(value).decode()
        if isinstance(value, tuple | list):
            text = _groups(value, names, lang)
        options = self._options.get(ruleset, {})
        sentence = options.get(f"{name}.{text}") or options.get(name)
        return sentence.of(lang).format(value=text) if sentence else f"{name}: {text}"

    def malformed(self, fault: Malformed, lang: str) -> str:
        """Describe where a text stops being a record and what was expected there."""
        words = self._words[lang if lang in LANGUAGES else DEFAULT]
        return words.malformed.format(path=fault.path, expected=self.expected(fault.expected, lang))

    def expected(self, expectation: str, lang: str) -> str:
        words = self._words[lang if lang in LANGUAGES else DEFAULT]
        return words.either.join(self._phrase(part, lang) for part in _OR.split(expectation))

    def _phrase(self, expectation: str, lang: str) -> str:
        for pattern, sentence in self._expected:
            match = pattern.fullmatch(expectation)
            if match:
                return sentence.of(lang).format_map(match.groupdict())
        return expectation


def _groups(groups: Sequence[Sequence[int]], names: Sequence[str], lang: str) -> str:
    called = dict(enumerate(names))
    return " / ".join(
        format_list([called.get(seat, str(seat + 1)) for seat in group], locale=lang)
        for group in groups
    )


def _first_that_fits(
    forms: Sequence[SentenceForm], lang: str, facts: Mapping[str, str]
) -> str | None:
    for form in forms:
        sentence = form.of(lang)
        fits = all(facts.get(name) == value for name, value in form.when.items())
        if fits and all(name in facts for name in _PLACEHOLDER.findall(sentence)):
            text = french.apply_elision(sentence, facts) if lang == "fr" else sentence
            return apply_plurals(text.format_map(facts), lang)
    return None


def _counted(refusal: Refusal, said: Mapping[str, str], words: _Words) -> dict[str, str]:
    card, suit = refusal.facts.get("card"), refusal.facts.get("suit")
    if card is None or suit is None:
        return {}
    if str(card)[1:2] == suit:
        return {"counted": said["card"]}
    return {"counted": words.counted.format(card=said["card"], suit=said["suit"])}


def _plain(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name.strip().casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _player(seat: int, words: _Words, names: Names | None) -> str:
    name = names[seat] if names and 0 <= seat < len(names) else None
    return name or words.seat.format(number=seat + 1)


def _card(code: str, words: _Words) -> str:
    if code == _UNSEEN:
        return words.unseen
    if code == JOKER:
        return words.joker
    rank, suit = words.ranks.get(code[:1]), words.suits.get(code[1:2])
    if rank is not None and code[1:] == _OPEN_JOKER:
        return words.standing_open.format(rank=rank, any=words.ranks_alone[code[:1]])
    if rank is not None and code[1:] == _ANY_SUIT:
        return words.ranks_alone[code[:1]]
    if rank is None or suit is None or code[2:] not in {"", "*"}:
        return code
    said = words.card.format(rank=rank, suit=suit)
    return words.standing.format(card=said) if code.endswith("*") else said


def _capital(sentence: str, names: Names | None = None) -> str:
    if sentence.startswith(tuple(name for name in names or () if name)):
        return sentence
    return sentence[:1].upper() + sentence[1:]


@lru_cache
def texts() -> Texts:
    words = tomllib.loads(files("service.language").joinpath("texts.toml").read_text("utf-8"))
    return Texts(clause_files(), words)
