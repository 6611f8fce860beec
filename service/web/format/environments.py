"""One cached Jinja environment per language."""

from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from jinja2 import BytecodeCache, Environment, FileSystemLoader
from jinja2.bccache import Bucket

from domain.table.cards import SUITS
from schemas.catalogue import SHAPES
from service.language.sentence import LANGUAGES
from service.web.format.cached_macros import cached_macros
from service.web.format.catalogs import catalog, template_texts
from service.web.format.chart import MARKS
from service.web.format.keypads import keypads
from service.web.format.preferences import LANGUAGE_NAMES
from service.web.format.static_files import static_files
from service.web.format.template_filters import EVERY_CARD, TemplateFilters

PAGES = Path(__file__).parent.parent
# Every folder has its own templates; their names are unique across folders.
TEMPLATES = sorted([*PAGES.glob("*/templates"), *PAGES.parent.glob("extensions/*/templates")])


class SharedBytecode(BytecodeCache):
    def __init__(self) -> None:
        self._bytecode: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._bytecode:
            bucket.bytecode_from_string(self._bytecode[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._bytecode[bucket.key] = bucket.bytecode_to_string()


_BYTECODE = SharedBytecode()


@lru_cache
def environment(language: str) -> Environment:
    env = Environment(
        autoescape=True,
        extensions=["jinja2.ext.i18n"],
        loader=FileSystemLoader([PAGES, *TEMPLATES]),
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=_BYTECODE,
        # Otherwise each template's file is looked up again on every use.
        auto_reload=False,
    )
    words = catalog(language)
    key_groups, card_keys = keypads(env, language, words.gettext)
    # Jinja's types lack the extension's method and our globals.
    extended: Any = env
    extended.install_gettext_translations(words, newstyle=True)
    extended.globals.update(
        template_texts(words, language),
        language=language,
        languages={code: LANGUAGE_NAMES[code] for code in LANGUAGES},
        static=static_files().address,
        has_static=static_files().content.__contains__,
        sheets=static_files().sheets,
        playable=playable,
        extension_parts=extension_parts,
        SUITS=SUITS,
        player_signs=MARKS,
        cached=cached_macros(env),
        card_keys=card_keys,
        key_groups=key_groups,
    )
    env.filters.update(TemplateFilters(language, words).filters())
    extended.filters["own_sheet"] = static_files().own_sheet
    return env


@lru_cache
def faces_environment(language: str, *, spoken_too: bool) -> Environment:
    """Return an environment whose `card` filter renders card faces instead of words, to save space.

    `spoken_too` adds the words for screen readers, unless the same words stand next to the faces.
    """
    env = environment(language)
    face: Any = getattr(env.get_template("cards.html").module, "shown" if spoken_too else "face")
    spoken = TemplateFilters(language, catalog(language)).card

    def face_or_name(code: str) -> str:
        return cast("str", face(code)) if code in EVERY_CARD else spoken(code)

    overlay = env.overlay()
    overlay.filters = {**env.filters, "card": face_or_name}
    return overlay


@lru_cache
def playable() -> tuple[str, ...]:
    """List the rulesets that have a template."""
    return tuple(name for name in SHAPES if (PAGES / "games" / f"{name}.html").exists())


@lru_cache
def extension_parts(page: str) -> list[str]:
    """List the templates that extensions add to a page: `<page>_….html` in their folders."""
    found = (PAGES.parent / "extensions").glob(f"*/templates/{page}_*.html")
    return sorted(path.name for path in found)
