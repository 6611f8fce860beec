"""The schema that the first release makes, as data: databases made with it must be brought on.

`baseline.sql` never changes once there is a release; from then on a change of the schema needs a
migration. Until then nobody has data, and `python -m tests.store.baseline` writes it anew.
"""

from pathlib import Path

from service.store.server.migrate import packaged

FILE = Path(__file__).with_name("baseline.sql")


def read() -> bytes:
    """Read what makes a database of the first release."""
    return FILE.read_bytes()


def main() -> None:
    """Write the schema as it is now."""
    FILE.write_bytes(b"\n".join(file.sql for file in packaged().objects))


if __name__ == "__main__":
    main()
