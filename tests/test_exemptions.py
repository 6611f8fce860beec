"""An exemption from a rule of a tool carries its reason, on its own line (CONTRIBUTING.md)."""

import re

import pytest

from tests.test_house import FILES

_RULES = r"[A-Z]+[0-9]+(?:, ?[A-Z]+[0-9]+)*"
EXEMPT = re.compile(rf"#\s*(?:type: ignore(?:\[[^\]]*\])?|noqa(?:: ?{_RULES})?|pragma: no \w+)")
# The same as on the line before: said once.
DITTO = "〃"
# A reason is a word at least, whatever marks stand before it.
REASON = re.compile(rf"\A[\s#:(`–-]*(?:{DITTO}|\w)")


def without_reason(line: str) -> bool:
    """Tell whether a line is exempt from something and does not say why."""
    found = list(EXEMPT.finditer(line))
    return bool(found) and not REASON.match(line[found[-1].end() :])


def test_every_exemption_says_why() -> None:
    bare = [
        f"{name}:{number}"
        for name, source in FILES.items()
        if name.endswith(".py")
        for number, line in enumerate(source.splitlines(), 1)
        if without_reason(line)
    ]
    assert bare == []


@pytest.mark.parametrize(
    ("exempt", "bare"),
    [
        ("{}: ignore[arg-type]", True),
        ("{}: ignore", True),
        ("{}: ignore[arg-type] # a code of the pack", False),
        ("nothing of that kind", False),
    ],
)
def test_a_reason_is_a_word_after_the_exemption(exempt: str, *, bare: bool) -> None:
    # Written in two parts, lest this line itself be one.
    assert without_reason(f"a = b  # {exempt.format('type')}") == bare
