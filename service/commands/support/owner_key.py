"""The owner's key in a file that only the account of the service can read."""

from pathlib import Path

_NAME = "owner-key"
_PRIVATE = 0o600


def store_key(data_dir: Path, key: str) -> bool:
    """Write the key for `carnet key` to show its link again; return whether that succeeded."""
    path = data_dir / _NAME
    new = path.with_suffix(".new")
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        new.unlink(missing_ok=True)
        new.touch(_PRIVATE, exist_ok=False)
        new.write_text(key + "\n", "utf-8")
        new.replace(path)
    except OSError:
        return False
    return True


def stored_key(data_dir: Path) -> str | None:
    """Return the stored key, None without one; another machine may have replaced it since."""
    try:
        return (data_dir / _NAME).read_text("utf-8").strip() or None
    except OSError:
        return None
