"""The package as others import it: the names they rely on, loaded when they are first used."""

from __future__ import annotations

import inspect
import subprocess
import sys
from importlib import import_module

import pytest

import pybadge
from tests.support.command import HANG, environment

# What other people's programs call, by these names.
FIXED = {
    "pybadge": (
        "parse_number",
        "load",
        "fetch",
        "verify",
        "badge_svg",
        "badge_png",
        "snippet",
        "PybadgeError",
    ),
    "pybadge.canonical": ("canonical_bytes", "canonical_sha256", "title_sha256"),
    "pybadge.keys": ("verify_ed25519",),
    "pybadge.derive": ("canonical_record",),
    "pybadge.number": ("from_record",),
}


@pytest.mark.parametrize(
    ("module", "name"), [(module, name) for module, names in FIXED.items() for name in names]
)
def test_a_fixed_name_is_there_and_public(module: str, name: str) -> None:
    home = import_module(module)
    assert callable(getattr(home, name))
    assert name in home.__all__


def test_the_keys_function_takes_bytes_in_their_usual_order() -> None:
    parameters = list(inspect.signature(pybadge.keys.verify_ed25519).parameters)
    assert parameters == ["public_key", "message", "signature"]
    assert pybadge.keys.verify_ed25519(b"", b"", b"") is False


def test_every_public_name_of_the_package_can_be_had() -> None:
    for name in pybadge.__all__:
        assert getattr(pybadge, name) is not None
    assert set(pybadge.__all__) <= set(dir(pybadge))


def test_the_rooms_of_the_package_are_reached_by_their_names() -> None:
    for room in ("badge", "batch", "canonical", "derive", "embed", "keys", "number", "resolve"):
        assert getattr(pybadge, room) is import_module(f"pybadge.{room}")


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'pybadge' has no attribute 'nonsense'"):
        pybadge.nonsense  # noqa: B018


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = "import sys, pybadge; sys.stdout.write(' '.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        timeout=HANG,
        env=environment(),
    )
    loaded = set(done.stdout.split())
    assert not loaded & {"requests", "cryptography", "nacl", "PIL", "jinja2", "pybadge.badge"}
