"""Keys of cards. A hidden field beside a group of keys has what all its keys send.

A key is `<button name="key.ID" value="AS">`, the field is `<input name="keys.ID">`, whose value is
the entry in JSON with `CARD` in the place of the card. The id is a digest of the entry, so that
groups with the same id are alike.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any
from zlib import crc32

from jinja2 import Environment
from markupsafe import Markup, escape

from service.language.texts import texts
from service.web.format.template_filters import pack, quoted_json, to_json

CARD = "@"
KEY, GROUP = "key.", "keys."
_CARD_JSON = to_json(CARD)
_GAP = '<span class="gap"></span>'
# More ranks than these stand two in a row.
_SINGLE_RANKS_MAX = 9
# Cards in one language, and ranks without a suit.
_CARDS_MAX = 256


class Keys:
    """The keys of one pad in one language, and the fields of their groups."""

    def __init__(self, cards: "Cards") -> None:
        self._cards = cards
        self._fields: dict[str, str] = {}

    def group(self, entry: object, turn: str = "seat") -> str:
        """Add a group and return its id; `entry` has `CARD` in the place of the card.

        `turn`: the field with the seat to act, filled again when pending taps arrive, or `key`: the
        tap then gets the current meaning of its key.
        """
        return self._group(to_json(entry), turn)

    def _group(self, entry: str, turn: str) -> str:
        name = f"{crc32(f'{turn} {entry}'.encode()):08x}"
        if name not in self._fields:
            sent = f' data-turn="{turn}"' if turn else ""
            self._fields[name] = (
                f'<input type="hidden" name="{GROUP}{name}" value={quoted_json(entry)}{sent}>'
            )
        return name

    def group_of(self, code: str, entry: object, turn: str) -> str:
        """Return the id of the group of an entry that lays one card."""
        return self._group(to_json(entry).replace(to_json(code), _CARD_JSON), turn)

    def key(
        self,
        code: str,
        entry: object,
        turn: str = "seat",
        dim: bool = False,  # noqa: FBT001, FBT002 a template's call
        saying: str = "",
    ) -> Markup:
        """Return the key of a card; `saying`: the action, if several keys of a card are near."""
        group = self.group_of(code, entry, turn)
        return Markup(self._cards.key(group, code, dim=dim, saying=saying))  # noqa: S704 escaped

    def meaning(
        self,
        code: str,
        entry: object,
        words: str,
        dim: bool = False,  # noqa: FBT001, FBT002 a template's call
    ) -> Markup:
        """Return a button for one of several meanings of a card, in words."""
        return Markup('<button name="{}" value="{}" class="big{}">{}</button>').format(
            KEY + self.group_of(code, entry, ""), code, " dim" if dim else "", words
        )

    def pad(  # noqa: PLR0913, PLR0917 a template's call
        self,
        codes: Iterable[str],
        entry: Mapping[str, Any],
        field: str,
        allowed: Collection[str],
        away: Collection[str] = (),
        turn: str = "seat",
        before: Sequence[Mapping[str, Any]] = (),
        marked: Collection[str] = (),
        saying: str = "",
    ) -> Markup:
        """Return the keys of cards that enter the implied entries `before` and `entry`.

        `field` of the entry takes the card. Cards that are not `allowed` are dimmed, cards in
        `marked` are highlighted, a card in `away` leaves a gap.
        """
        filled = {**entry, field: CARD}
        group = self.group([*before, filled] if before else filled, turn)
        key = self._cards.key
        keys = (
            _GAP
            if code in away
            else key(
                group,
                code,
                # A rank alone is allowed if any suit is: then all of them are.
                dim=code not in allowed and not (code[1] == "?" and f"{code[0]}S" in allowed),
                style="marked" if code in marked else "",
                saying=saying,
            )
            for code in codes
        )
        return Markup("".join(keys))  # noqa: S704 escaped

    def fields(self) -> Markup:
        """Return the hidden fields of the groups so far."""
        return Markup("".join(self._fields.values()))  # noqa: S704 escaped


class Cards:
    """Faces and names of cards in one language."""

    def __init__(self, env: Environment, language: str, against_the_rules: str) -> None:
        self._against = escape(f", {against_the_rules}")

        @lru_cache(_CARDS_MAX)
        def drawn(code: str) -> tuple[str, str]:
            module: Any = env.get_template("cards.html").module
            face = " ".join(str(module.face(code)).split()).replace(' aria-hidden="true"', "")
            return escape(texts().card(code, language)), face

        self._drawn: Callable[[str], tuple[str, str]] = drawn

    def key(
        self, group: str, code: str, *, dim: bool = False, style: str = "", saying: str = ""
    ) -> str:
        name, face = self._drawn(code)
        classes = f"key{' wide' if code == 'XX' else ''}{f' {style}' if style else ''}"
        label = f"{escape(saying)} {name}" if saying else name
        if dim:
            classes, label = f"{classes} dim", f"{label}{self._against}"
        return (
            f'<button name="{KEY}{group}" value="{code}" class="{classes}" '
            f'aria-label="{label}">{face}</button>'
        )


def keypads(
    env: Environment, language: str, gettext: Callable[[str], str]
) -> tuple[Callable[[], Keys], Callable[..., Markup]]:
    """Return the template functions `key_groups` and `card_keys` of a language."""
    cards = Cards(env, language, gettext("against the rules"))
    heading = gettext("Cards")

    def card_keys(  # noqa: PLR0913, PLR0917 a template's call
        ranks: str,
        joker: bool,  # noqa: FBT001
        entry: Mapping[str, Any],
        field: str,
        allowed: Collection[str],
        away: Collection[str] = (),
        turn: str = "seat",
        before: Sequence[Mapping[str, Any]] = (),
        marked: Collection[str] = (),
        saying: str = "",
    ) -> Markup:
        """Return the keys of a pack: suits as columns, ranks as rows, two a row with 52 cards."""
        keys = Keys(cards)
        codes = pack(ranks, joker and "XX" not in away)
        drawn = keys.pad(codes, entry, field, allowed, away, turn, before, marked, saying)
        twin = " twin" if len(ranks) > _SINGLE_RANKS_MAX else ""
        return Markup('{}<div class="keys{}" role="group" aria-label="{}">{}</div>').format(
            keys.fields(), twin, saying or heading, drawn
        )

    return lambda: Keys(cards), card_keys
