"""The shipped files are made of the sources, by the minifier that is pinned."""

from __future__ import annotations

import json
import subprocess
from base64 import b64encode

import pytest

from pybadge.canonical import canonical_sha256
from pybadge.keys import PINNED
from tests.support.browsing import COMPONENT, NODE_MODULES
from tests.support.command import HANG
from tests.support.data import ROOT

SHIPPED = ("verify.min.js", "pith-badge.min.js")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """What `make component` makes, elsewhere."""
    folder = tmp_path_factory.mktemp("component")
    tool = ROOT / "tools/minify-component.mjs"
    command = ["node", tool, NODE_MODULES, COMPONENT, folder]
    subprocess.run(command, check=True, timeout=HANG)
    return folder


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_file_is_what_the_sources_give(made, name):
    """`make component` was run after the last change."""
    assert (made / name).read_text(encoding="utf-8") == (COMPONENT / name).read_text(
        encoding="utf-8"
    )


def test_the_minifier_is_the_one_that_is_pinned():
    wanted = json.loads((ROOT / "tests/browser/package.json").read_text())["devDependencies"]
    there = json.loads((NODE_MODULES / "terser/package.json").read_text())
    assert there["version"] == wanted["terser"]


@pytest.mark.parametrize(
    ("name", "most"), [("verify.min.js", 17_000), ("pith-badge.min.js", 21_500)]
)
def test_a_shipped_file_is_as_small_as_the_documents_say(name, most):
    """17 KB and 21 KB; compressed, 7 KB and 9 KB."""
    assert (COMPONENT / name).stat().st_size <= most


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_file_needs_no_other_and_makes_no_code_of_text(name):
    source = (COMPONENT / name).read_text(encoding="utf-8")
    for word in (
        "import{",
        "import ",
        "import(",
        "eval(",
        "Function(",
        "innerHTML",
        "document.write",
    ):
        assert word not in source, word


def test_the_pinned_key_is_the_packages(component):
    """One key, in two languages."""
    (key,) = PINNED
    source = "".join(component.sources.values())
    for text in (key.key_id, b64encode(key.raw).decode()):
        assert f'"{text}"' in source
    assert canonical_sha256(json.loads(component.record)["canonical_record"]) not in source
