"""The club of a command: `--club` with a name or id, by default the first one."""

from contextlib import suppress
from uuid import UUID

from service.errors import StartupError
from service.store.club.clubs import ClubRow, ClubRows


async def selected_club(rows: ClubRows, named: str | None) -> ClubRow:
    """Return the named club; None: the first.

    Raises: StartupError (none or several have this name)
    """
    every = await rows.all()
    if named is None:
        return every[0]
    with suppress(ValueError):
        found = [row for row in every if row.club_id == UUID(named)]
        if found:
            return found[0]
    found = [row for row in every if row.name == named]
    if len(found) != 1:
        problem = "Several clubs are" if found else "No club is"
        raise StartupError(f"{problem} called {named}", "`carnet club list` tells names and ids")
    return found[0]
