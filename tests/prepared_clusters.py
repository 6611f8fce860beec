"""Template clusters for tests that need a running server quickly.

initdb takes half a second of CPU, and a run would need it a hundred times. The first test process
lets the embedded server create a cluster and stop; all processes of the run copy it. A rename makes
it visible only when complete. It is deleted after the run.

A copy equals the data of an embedded server that was started once and stopped: it has the empty
database `carnet` and only the owner's role. All copies have the same system identifier
(`server_of_club`), so tests of a club that moves to another server need their own initdb.
"""

import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from service.store.server.embedded import EmbeddedServer, wheel_programs
from service.store.server.filelock import hold

# -a keeps owner and mode, since root's servers run as another user. WAL segments are sparse.
_COPY = ("cp", "-a", *(("--sparse=always",) if sys.platform == "linux" else ()))


class PreparedClusters:
    """Template clusters, one per version of PostgreSQL, in a folder.

    `shared`: several test processes copy from the folder.
    """

    def __init__(self, folder: Path, *, shared: bool) -> None:
        self._folder = folder
        self.shared = shared

    def copy_to(self, data_dir: Path, programs: Path | None = None) -> Path:
        """Copy a cluster into a new data directory and return the directory."""
        made = self._cluster_of(programs or wheel_programs())
        data_dir.mkdir(parents=True, exist_ok=True)
        copy = data_dir / "postgres.copy"
        subprocess.run([*_COPY, str(made), str(copy)], check=True)
        copy.rename(data_dir / "postgres")
        return data_dir

    def _cluster_of(self, programs: Path) -> Path:
        name = sha256(str(programs).encode()).hexdigest()[:16]
        whole = self._folder / name
        self._folder.mkdir(parents=True, exist_ok=True)
        with hold(self._folder / f"{name}.lock"):
            if not whole.exists():
                with TemporaryDirectory(dir=self._folder) as making:
                    with EmbeddedServer(Path(making), programs):
                        pass
                    cluster = Path(making) / "postgres"
                    assert not (cluster / "postmaster.pid").exists(), "the server did not stop"
                    cluster.rename(whole)
        return whole


@pytest.fixture(scope="session")
def prepared_clusters(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> PreparedClusters:
    base = tmp_path_factory.getbasetemp()
    shared = hasattr(request.config, "workerinput")
    folder = (base.parent if shared else base) / "prepared-clusters"
    return PreparedClusters(folder, shared=shared)
