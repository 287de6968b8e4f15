"""The options of a badge: one object, its keyword arguments, and that none is silently ignored."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

import pybadge
from pybadge.badge import (
    FACTS,
    RENDERERS,
    STATES,
    STYLES,
    THEMES,
    BadgeOptions,
    badge_of,
    badge_shields,
    badge_size,
)
from pybadge.badge.options import BadgeKeywords
from pybadge.checks import Report
from pybadge.errors import UsageError
from tests.support.data import ROOT

# Another value than the default for every option, and what else must be chosen for it to be seen.
OTHER: dict[str, dict[str, Any]] = {
    "label": {"label": "preprint"},
    "message": {"message": "read me"},
    "state": {"state": "unknown"},
    "date": {"date": "2026-11-30"},
    "facts": {"facts": ["cited"]},
    "style": {"style": "plastic"},
    "theme": {"theme": "dark"},
    "color": {"color": "teal"},
    "label_color": {"label_color": "navy"},
    "scale": {"scale": 3},
    "height": {"height": 40},
    "word": {"word": True},
    "mark": {"mark": False},
    "link": {"link": True},
    "qr": {"qr": True},
    "qr_color": {"qr": True, "qr_color": "navy"},
    "qr_background": {"qr": True, "qr_background": "#eee"},
    "qr_mark": {"qr": True, "qr_mark": True},
    "text_as_paths": {"text_as_paths": True},
}


def test_the_keyword_arguments_are_the_fields() -> None:
    names = [field.name for field in fields(BadgeOptions)]
    assert list(BadgeKeywords.__annotations__) == names
    assert list(OTHER) == names


@pytest.mark.parametrize("draw", [pybadge.badge_svg, pybadge.badge_png, badge_shields, badge_size])
def test_an_unknown_keyword_is_a_type_error(verified: Report, draw: Any) -> None:
    with pytest.raises(TypeError, match="colour"):
        draw(verified, colour="red")


@pytest.mark.parametrize("option", OTHER)
def test_every_option_is_seen_in_the_svg(verified: Report, option: str) -> None:
    chosen = OTHER[option]
    without = {name: value for name, value in chosen.items() if name != option}
    drawn = pybadge.badge_svg(verified, **chosen)
    assert drawn != pybadge.badge_svg(verified, **without)


# A date and outlines change nothing that a PNG of a verified bar shows: it has no accessible name,
# and its letters are drawn anyway.
UNSEEN_IN_PNG = ("date", "text_as_paths")


@pytest.mark.parametrize("option", [name for name in OTHER if name not in UNSEEN_IN_PNG])
def test_every_option_is_seen_in_the_png_or_refused(verified: Report, option: str) -> None:
    chosen = OTHER[option]
    without = {name: value for name, value in chosen.items() if name != option}
    try:
        drawn = pybadge.badge_png(verified, **chosen)
    except UsageError:
        assert option in ("height", "link")
        return
    assert drawn != pybadge.badge_png(verified, **without)


@pytest.mark.parametrize("option", OTHER)
def test_shields_takes_texts_alone(verified: Report, option: str) -> None:
    if option in ("label", "message", "state", "date"):
        assert badge_shields(verified, **OTHER[option])["schemaVersion"] == 1
    else:
        with pytest.raises(UsageError, match="takes a label, a message, a state and a date alone"):
            badge_shields(verified, **OTHER[option])


def test_a_name_that_is_nearly_right_is_suggested(verified: Report) -> None:
    for option, wrong, meant in (
        ("style", "flat_square", "flat-square"),
        ("theme", "darkk", "dark"),
        ("state", "offlin", "offline"),
        ("facts", ("citedd",), "cited"),
        ("color", "tael", "teal"),
    ):
        with pytest.raises(UsageError, match=f"{option}: invalid choice.*did you mean {meant}"):
            pybadge.badge_svg(verified, **{option: wrong})  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="did you mean pillow"):
        pybadge.badge_png(verified, renderer="pilow")


def test_options_can_be_compared_and_kept(verified: Report) -> None:
    options = BadgeOptions(facts=iter(["cited"]), color="Teal")
    assert options.facts == ("cited",), "what can be read once is read once"
    assert options.color == "#0b6e75"
    assert options == BadgeOptions(facts=("cited",), color="#0b6e75")
    assert hash(options) == hash(BadgeOptions(facts=["cited"], color="teal"))
    assert badge_of(verified, options) == badge_of(verified, options)


def test_the_documentation_names_every_choice() -> None:
    text = (ROOT / "docs" / "badges.md").read_text(encoding="utf-8")
    for name in (*STYLES, *THEMES):
        assert f"`{name}`" in text, name
    for state in STATES:
        assert f"| {state.replace('_', ' ')} |" in text, state
    assert f"`--facts {','.join(FACTS)}`" in text
    for renderer in RENDERERS[1:]:
        assert f"`--renderer {renderer}`" in text, renderer
