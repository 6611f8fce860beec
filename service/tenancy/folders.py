"""Where the files of a club are: in a folder of its own, but for the first club's."""

from pathlib import Path
from uuid import UUID

from service.access.secrets import club_name

_CLUBS = "clubs"


def club_folder(folder: Path, club_id: UUID, *, first: bool) -> Path:
    """Say where in a folder, of data or of backups, those of a club are."""
    return folder if first else folder / _CLUBS / club_name(club_id)
