"""What each `carnet` process of the tests has imported when it is forked (`carnet_process`)."""

import gc
import sys
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import jinja2

# A forked process imports the main module of the tests again.
import pytest  # noqa: F401

from service.language.sentence import LANGUAGES
from service.web.format import environments


def share_template_bytecode() -> None:
    if sys.pycache_prefix is None:
        return
    code = sha256(jinja2.__version__.encode())
    for file in sorted(Path(environments.__file__).parent.glob("*.py")):
        code.update(file.read_bytes())
    folder = Path(sys.pycache_prefix, f"templates-{code.hexdigest()[:16]}")
    folder.mkdir(parents=True, exist_ok=True)
    kept = jinja2.FileSystemBytecodeCache(str(folder))
    for language in LANGUAGES:
        environments.environment(language).bytecode_cache = kept


for package in map(import_module, ("domain", "projections", "schemas", "service")):
    for found in walk_packages(package.__path__, f"{package.__name__}."):
        import_module(found.name)
# Modules that `serve` imports at its start.
for name in ("encodings.idna", "uvloop"):
    import_module(name)
# Inspect the handlers once, not in each process.
app = import_module("service.app")
routes = app.create_routes()
vars(app)["create_routes"] = lambda: routes
share_template_bytecode()
gc.collect()
gc.freeze()
