"""Print for which platforms the index has no wheel of a dependency, as uv.lock lists them.

By `.venv/bin/python -m deploy.development.wheels`.
"""

from __future__ import annotations

import re
import sys
import tomllib
from typing import Any, NamedTuple

from deploy.development.running import ROOT

PYTHONS = (11, 12, 13)
# Debian 12, and with it Raspberry Pi OS.
GLIBC_MAX = (2, 36)
PLATFORMS = {
    "Linux x86_64": r"(manylinux.*|linux)_x86_64",
    "Linux arm64 (Raspberry Pi)": r"(manylinux.*|linux)_aarch64",
    "macOS arm64": r"macosx_.*_(arm64|universal2)",
    "macOS x86_64": r"macosx_.*_(x86_64|universal2|intel)",
}
Package = dict[str, Any]


class Missing(NamedTuple):
    """A dependency without a wheel for a platform and a version of Python, 3.`python`."""

    package: str
    version: str
    platform: str
    python: int


def missing() -> list[Missing]:
    """List what an installation would have to compile, or could not install."""
    packages = needed()
    return [
        Missing(package["name"], package["version"], platform, python)
        for platform in PLATFORMS
        for python in PYTHONS
        for package in packages
        if not any(fits(name, platform, python) for name in wheels(package))
    ]


def needed() -> list[Package]:
    """List the project's dependencies and theirs, without groups and extras."""
    lock: list[Package] = tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))["package"]
    found: dict[tuple[str, str], Package] = {}
    ahead: list[Package] = [{"name": "carnet"}]
    while ahead:
        wanted = ahead.pop()
        for package in lock:
            key = (package["name"], package["version"])
            same = wanted["name"] == key[0] and wanted.get("version", key[1]) == key[1]
            if not same or (key in found and not wanted.get("extra")):
                continue
            found[key] = package
            ahead += package.get("dependencies", [])
            extras = package.get("optional-dependencies", {})
            ahead += [one for extra in wanted.get("extra", []) for one in extras[extra]]
    return [package for package in found.values() if package["name"] != "carnet"]


def wheels(package: Package) -> list[str]:
    return [one["url"].rpartition("/")[2] for one in package.get("wheels", [])]


def fits(wheel: str, platform: str, python: int) -> bool:
    """Return whether a wheel can be installed, by the tags of its name (PEP 425, PEP 600).

    >>> fits("msgspec-0.22.0-cp311-cp311-manylinux_2_28_aarch64.whl", "macOS arm64", 11)
    False
    """
    pythons, abis, platforms = (
        tag.split(".") for tag in wheel.removesuffix(".whl").split("-")[-3:]
    )
    return any(_runs(one, abis, python) for one in pythons) and any(
        one == "any" or _is_of(one, platform) for one in platforms
    )


def _runs(tag: str, abis: list[str], python: int) -> bool:
    if tag in {"py3", f"py3{python}"}:
        return True
    version = re.fullmatch(r"cp3(\d+)", tag)
    if version is None:
        return False
    return int(version[1]) == python or ("abi3" in abis and int(version[1]) <= python)


def _is_of(tag: str, platform: str) -> bool:
    glibc = re.match(r"manylinux_(\d+)_(\d+)_", tag)
    new = glibc is not None and (int(glibc[1]), int(glibc[2])) > GLIBC_MAX
    return not new and re.fullmatch(PLATFORMS[platform], tag) is not None


def main() -> int:
    lacking = missing()
    for one in lacking:
        print(f"{one.platform}, Python 3.{one.python}: no wheel of {one.package} {one.version}")
    print(f"{len(needed())} dependencies, {len(lacking)} wheels are missing")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
