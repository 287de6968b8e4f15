"""One table of rules for two languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.data import ROOT
from tools.rules import RULES, RULES_FILE, rules_module

COMPONENT = ROOT / "pybadge/embed/component"
MODULES = [COMPONENT / name for name in ("ed25519.js", "forms.js", "strict-json.js", "verify.js")]


def test_the_javascript_rules_are_those_of_the_package() -> None:
    """`python tools/rules.py --write` was run after the last change of a rule."""
    assert (ROOT / RULES_FILE).read_text(encoding="utf-8") == rules_module()


def test_every_pattern_is_free_of_what_the_two_languages_read_differently() -> None:
    """`\\d` and `\\w` take other characters in Python, `$` takes a line end before the end."""
    for name in ("HASH", "TIME", "ARXIV_ID", "CATEGORY"):
        pattern = RULES[name][0]
        assert not re.search(r"\\[a-zA-Z]|[$^]|\(\?[^:]", pattern), name


def test_classes_of_characters_hold_no_half_of_a_pair() -> None:
    for name in ("WHITE_SPACE", "LOWERED", "MARKS"):
        assert re.fullmatch(r"(\\u(?!d[89a-f])[0-9a-f]{4}-?)+", RULES[name][0])


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.name)
def test_every_module_takes_its_rules_from_the_table_and_uses_them(module: Path) -> None:
    text = module.read_text(encoding="utf-8")
    *before, after = re.split(r'import \{([^}]*)\} from "\./rules\.js";', text)
    names = [name for part in before[1::2] for name in re.findall(r"[A-Z0-9_]+", part)]
    assert names == sorted(names)
    assert set(names) <= set(RULES)
    assert [name for name in names if not re.search(rf"\b{name}\b", after)] == []
