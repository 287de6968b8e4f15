"""Text for markup: what every escaper has in common. What each engine makes of it is tested with
the engines themselves, in tests/unit/embed."""

from __future__ import annotations

import inspect
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybadge.escape import markup

HOSTILE = (
    "</text><script>alert(1)</script>\x00\x1b]52;c;AAAA\x07\u202e^^5cinput{x}"
    "]](javascript:alert(1)) \"'`&|"
)
ESCAPERS = [name for name in markup.__all__ if name != "json_in_html"]


@pytest.mark.parametrize("name", ESCAPERS)
@given(text=st.text() | st.just(HOSTILE))
def test_no_escaper_lets_a_control_character_through(name: str, text: str) -> None:
    escaped = getattr(markup, name)(text)
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", escaped)


def test_all_that_the_package_offers_are_functions_of_a_text() -> None:
    for name in markup.__all__:
        (parameter, *_) = inspect.signature(getattr(markup, name)).parameters
        assert parameter in ("text", "json_text"), name


def test_the_characters_that_mean_something_are_gone() -> None:
    assert "<" not in markup.xml(HOSTILE)
    assert not set("<>\"'`{}") & set(markup.html_attribute(HOSTILE))
    assert "^^" not in markup.latex(HOSTILE)
    assert not re.search(r"(?<!\\)\]\(", markup.markdown(HOSTILE))
    assert "](javascript:" not in markup.markdown("](javascript:alert(1))")


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_json_in_html_is_the_same_json(text: str) -> None:
    made = markup.json_in_html(json.dumps({"x": text}, ensure_ascii=False))
    assert not set("<>&\u2028\u2029") & set(made)
    assert json.loads(made) == {"x": text}
