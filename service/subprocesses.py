"""Runs Python in a subprocess that ends with its caller."""

import asyncio
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

# As of timeout(1).
TIMED_OUT = 124


async def run_python(
    arguments: Sequence[str],
    given: bytes,
    out: IO[bytes] | None = None,
    seconds: float | None = None,
) -> tuple[int, bytes]:
    """Run Python with `given` as standard input; return exit status and output.

    `out`: a file for the output. The process is killed after `seconds`; then the status is
    `TIMED_OUT`.
    """
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, *arguments, stdin=pipe, stdout=out or pipe
    )
    content: bytes | None = b""
    timed_out = False
    try:
        async with asyncio.timeout(seconds):
            content, _ = await process.communicate(given)
    except TimeoutError:
        timed_out = True
    except (OSError, RuntimeError):
        # The process ended before it read all input; uvloop raises RuntimeError.
        if await process.wait() == 0:
            raise
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await asyncio.shield(process.wait())
    return TIMED_OUT if timed_out else process.returncode or 0, content or b""


def limit_process(cpu_seconds: int, more_bytes: int | None = None) -> None:
    """Limit CPU time and additional memory of this process, if the system supports it."""
    with suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415 -- POSIX alone

        resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if more_bytes is not None:
            pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
            most = pages * resource.getpagesize() + more_bytes
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
