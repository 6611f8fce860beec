from pathlib import Path
from typing import cast

import msgspec
import pytest

from service.club.temporary_files import TemporaryFiles
from service.store.server.filelock import FileLock, try_hold
from service.transfer import import_runs
from service.transfer.game_imports import GameImports
from service.transfer.import_runs import ImportRun, ImportRuns, import_order
from service.transfer.upload_reader import UploadReader


async def test_an_import_that_ends_while_it_is_looked_at_is_not_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = TemporaryFiles(tmp_path, lambda: 0.0, lambda: "name", 60.0, durable=True)
    runs = ImportRuns(files, cast("GameImports", None), cast("UploadReader", None))
    async with files.cleaning():
        name = files.store(b"{}")
        run = ImportRun(name=name, order=import_order((), (), {}, None), result="imported")
        path = files.find(name).path.with_name(f"{name}.run")
        path.write_bytes(msgspec.json.encode(run))
        interrupted = runs.find(name)
        assert interrupted is not None
        assert interrupted.state == "interrupted"

        def end_before(lock: Path) -> FileLock | None:
            ended = msgspec.structs.replace(run, state="ended")
            path.write_bytes(msgspec.json.encode(ended))
            return try_hold(lock)

        monkeypatch.setattr(import_runs, "try_hold", end_before)
        found = runs.find(name)
        assert found is not None
        assert (found.state, found.result) == ("ended", "imported")
