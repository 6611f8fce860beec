"""The keys that sign heads, in a file beside the data and not in the database.

Promises: the database alone is not enough to sign; the key is made once, even if several processes
start at the same moment; after a change the new and the previous key sign together. Assumes that
processes which share a database share the folder, or use a key each.
"""

import contextlib
import os
from base64 import b64decode, b64encode
from collections.abc import Callable
from pathlib import Path

from service.errors import StartupError

FILE = "heads.key"
SEED_BYTES = 32
_SIGNING = 2
_PRIVATE = 0o600


class HeadKeys:
    """The keys in a folder. `new_seed`: returns 32 random bytes."""

    def __init__(self, folder: Path, new_seed: Callable[[], bytes]) -> None:
        self._path = folder / FILE
        self._new_seed = new_seed

    @property
    def made(self) -> bool:
        return self._path.exists()

    def signing(self) -> list[bytes]:
        """Return the signing keys, the newest first; make one if there is none."""
        return self._all()[-_SIGNING:][::-1]

    def renew(self) -> None:
        """Make a new key, which signs together with the last one. Raises: StartupError."""
        self._write([*self._all(), self._new_seed()], self._path.with_suffix(".new"))
        self._path.with_suffix(".new").replace(self._path)

    def _all(self) -> list[bytes]:
        if not self._path.exists():
            self._make()
        try:
            seeds = [b64decode(line, validate=True) for line in self._path.read_text().split()]
        except (OSError, ValueError) as error:
            raise self._unusable(str(error)) from error
        if not seeds or any(len(seed) != SEED_BYTES for seed in seeds):
            raise self._unusable("it holds something else")
        return seeds

    def _make(self) -> None:
        part = self._path.with_name(f"{FILE}.{os.getpid()}")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._write([self._new_seed()], part)
            with contextlib.suppress(FileExistsError):
                os.link(part, self._path)
        except OSError as error:
            raise self._unusable(str(error)) from error
        finally:
            part.unlink(missing_ok=True)

    def _write(self, seeds: list[bytes], path: Path) -> None:
        text = "".join(f"{b64encode(seed).decode()}\n" for seed in seeds)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _PRIVATE), "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())

    def _unusable(self, why: str) -> StartupError:
        return StartupError(
            f"The keys that sign heads cannot be read or made at {self._path}: {why}",
            "Restore the file, or move it away: then heads are signed by a key nobody knows yet",
        )
