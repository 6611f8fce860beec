"""Folders of clubs: one per club inside a folder of data or backups, except the first club."""

from pathlib import Path
from uuid import UUID

from service.access.secrets import club_name

_CLUBS = "clubs"


def club_folder(folder: Path, club_id: UUID, *, first: bool) -> Path:
    return folder if first else folder / _CLUBS / club_name(club_id)
