"""Sample games: a season of true games of every kind up to yesterday evening, and a running one."""

from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from importlib import resources
from uuid import UUID, uuid5

from msgspec import Raw, Struct, json, structs

from service.transfer.upload_jobs import ImportableGame
from service.transfer.uploads import assess

# The running game began this long ago.
_RUNNING = timedelta(minutes=20)


class _Sample(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A line of the file. `days`: before today, 0: it is running; `time`: of its start, UTC."""

    days: int
    time: time
    record: Raw


_LINES = json.Decoder(_Sample)


def sample_games(club_id: UUID, now: datetime) -> Iterator[ImportableGame]:
    """Yield the sample games of a club, judged, the earliest first."""
    text = resources.files("service.transfer").joinpath("sample_games.jsonl").read_bytes()
    for number, sample in enumerate(_LINES.decode_lines(text)):
        day = now.date() - timedelta(days=sample.days)
        began = datetime.combine(day, sample.time, UTC) if sample.days else now - _RUNNING
        assessed = assess(bytes(sample.record), now)
        if assessed.record is None or assessed.faults:
            raise ValueError(f"sample game {number}: {assessed.faults}")
        record = structs.replace(assessed.record, date=began)
        yield ImportableGame(
            command=uuid5(club_id, f"sample {number}"),
            assessed=structs.replace(assessed, record=record),
        )
