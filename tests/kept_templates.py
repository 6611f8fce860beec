"""Templates that were compiled once are kept where Python keeps what it has compiled.

To compile them takes two seconds of the processor, and every service that a run starts would do it
for itself. What is kept is that of the same templates, made by the same code.
"""

import sys
from hashlib import sha256
from pathlib import Path

import jinja2

from service.language.sentence import LANGUAGES
from service.web.format import render


def keep_templates() -> None:
    if sys.pycache_prefix is None:
        return
    code = sha256(jinja2.__version__.encode())
    for file in sorted(Path(render.__file__).parent.glob("*.py")):
        code.update(file.read_bytes())
    folder = Path(sys.pycache_prefix, f"templates-{code.hexdigest()[:16]}")
    folder.mkdir(parents=True, exist_ok=True)
    kept = jinja2.FileSystemBytecodeCache(str(folder))
    for language in LANGUAGES:
        render.environment(language).bytecode_cache = kept
