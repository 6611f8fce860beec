import subprocess
import sys


def test_a_reader_starts_without_the_database_and_the_server() -> None:
    # Each upload starts one: a person waits for every module that it imports.
    asked = (
        "import service.transfer.upload_reader, service.extensions.score_books.source, sys\n"
        "print(*sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in told.stdout.split()}
    assert "msgspec" in loaded
    assert not {"psycopg", "structlog", "rich", "jinja2", "litestar", "granian"} & loaded
