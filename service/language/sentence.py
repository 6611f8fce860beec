"""A sentence in every supported language."""

from msgspec import Struct
from msgspec.structs import force_setattr

from service.language import french

LANGUAGES = ("en", "fr", "de")
DEFAULT = "en"


class Sentence(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    en: str
    fr: str
    de: str

    def __post_init__(self) -> None:
        force_setattr(self, "fr", french.french_spacing(self.fr))

    def of(self, lang: str) -> str:
        return str(getattr(self, lang if lang in LANGUAGES else DEFAULT))
