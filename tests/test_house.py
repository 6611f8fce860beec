from pathlib import Path

DOMAIN = Path(__file__).parent.parent / "domain"
FORCED_WRITES = ("force_setattr", "object.__setattr__")


def test_domain_never_writes_to_a_frozen_struct() -> None:
    sources = {path: path.read_text("utf-8") for path in DOMAIN.rglob("*.py")}
    assert sources
    assert [path for path, text in sources.items() if any(w in text for w in FORCED_WRITES)] == []
