"""Any text and any option value gives well-formed XML whose text round-trips, or a clear error.
Every option is fuzzed."""

from __future__ import annotations

import math
import re
from typing import Any
from xml.etree import ElementTree

import jinja2
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import pybadge
from pybadge.badge import FACTS, STATES, STYLES, THEMES, BadgeOptions, badge_of, paint_svg
from pybadge.badge.fonts.clusters import clusters
from pybadge.badge.gallery import _environment
from pybadge.badge.text import clean, elide
from pybadge.errors import UsageError
from tests.support.badge_cases import reports

REPORTS = reports()
PAYLOADS = [
    "</text><script>alert(1)</script>",
    "]]><![CDATA[",
    "<!--",
    "&amp;&#0;&x;",
    '" onload="alert(1)',
    "' style='x",
    "{{ 7*7 }}{% raw %}",
    "\x00\x0b\x1b[31m\ufffe\ud800",
    "\u202eevil\u2066",
    "a" + "\u0301" * 50_000,
    "javascript:alert(1)",
    "\ue000\ue001\ue002\ue003",
    "#fff;}</style><script>",
    "url(https://evil.example/x)",
    "%s%n{0}",
]
TEXT = st.one_of(
    st.text(max_size=150),
    st.sampled_from(PAYLOADS),
    st.text(alphabet="<>&'\"`{}\x00\u202e\ue000", max_size=20),
)
TAGS = {"svg", "title", "style", "g", "a", "path", "rect", "circle", "text"}
ATTRIBUTES = re.compile(
    "width|height|viewBox|role|aria-label|fill|font-family|font-size|font-weight|d|class|opacity"
    "|x|y|rx|cx|cy|r|stroke|stroke-width|stroke-dasharray|stroke-dashoffset|stroke-linecap"
    "|stroke-linejoin|transform|shape-rendering"
    "|textLength|letter-spacing|text-anchor|direction|href|target"
)


def check(svg: str, *, auto: bool = False, link: bool = False) -> ElementTree.Element:
    """Assert that an SVG is well-formed and holds nothing but what badges are made of."""
    svg.encode("utf-8")
    root = ElementTree.fromstring(svg)
    for element in root.iter():
        namespace, _, tag = element.tag[1:].partition("}")
        assert namespace == "http://www.w3.org/2000/svg"
        assert tag in TAGS
        assert tag != "style" or auto
        assert tag != "a" or link
        for name, value in element.attrib.items():
            assert ATTRIBUTES.fullmatch(name), name
            if name == "href":
                assert re.fullmatch("https://pith.science/pith/[A-Z2-7]{26}", value)
            elif name not in ("aria-label", "d", "font-family"):
                assert re.fullmatch(r"[-#a-zA-Z0-9 .()_]*", value), (name, value)
            if name in (
                "d",
                "x",
                "y",
                "width",
                "height",
                "textLength",
                "cx",
                "cy",
                "r",
                "stroke-dasharray",
                "viewBox",
            ):
                assert not re.search(r"[,eEn]|\.\d\d|--|NaN|inf", value), (name, value)
    return root


@given(
    label=TEXT,
    message=TEXT,
    style=st.sampled_from(STYLES),
    theme=st.sampled_from(THEMES),
    qr=st.booleans(),
)
@example(label="<", message="&", style="flat", theme="light", qr=False)
@settings(max_examples=300, deadline=None)
def test_any_text_parses_and_round_trips(
    label: str, message: str, style: str, theme: str, qr: bool
) -> None:
    try:
        svg = pybadge.badge_svg(
            REPORTS["verified"], label=label, message=message, style=style, theme=theme, qr=qr
        )
    except UsageError:
        assert not clean(label) or not clean(message)
        return
    root = check(svg, auto=theme == "auto")
    name = root.attrib["aria-label"]
    assert root[0].text == name
    assert name.startswith(f"{clean(label)}: {clean(message)}, pith:2024:"), (
        "the full text is in the title"
    )
    if style in ("flat", "flat-square", "plastic", "mono"):
        drawn = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
        assert drawn[:2] == [elide(clean(label)), elide(clean(message))]


def one_line(error: UsageError) -> None:
    """Assert that an error is one short line."""
    assert len(str(error)) < 300
    assert "\n" not in str(error)


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 10**20),
    st.floats(),
    TEXT,
    st.binary(max_size=5),
    st.lists(st.integers(), max_size=2),
)
OPTIONS: dict[str, Any] = {
    "style": st.sampled_from(STYLES) | JUNK,
    "theme": st.sampled_from(THEMES) | JUNK,
    "color": st.sampled_from(["red", "#0a0", "0A0A0a", "#12345"]) | JUNK,
    "label_color": st.sampled_from(["white", "#fff"]) | JUNK,
    "scale": st.floats(0.5, 16) | JUNK,
    "height": st.floats(8, 2000) | JUNK,
    "word": JUNK,
    "mark": JUNK,
    "link": JUNK,
    "qr": JUNK,
    "qr_color": st.sampled_from(["#00f", "#ff0", "navy"]) | JUNK,
    "qr_background": st.sampled_from(["#fff", "#eee", "black"]) | JUNK,
    "qr_mark": JUNK,
    "text_as_paths": JUNK,
}


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_of_the_drawing_is_checked(option: str) -> None:
    @given(value=OPTIONS[option], style=st.sampled_from(STYLES), theme=st.sampled_from(THEMES))
    @settings(max_examples=120, deadline=None)
    def draw(value: Any, style: str, theme: str) -> None:
        chosen = {"style": style, "theme": theme, option: value}
        try:
            svg = pybadge.badge_svg(REPORTS["verified"], **chosen)
        except UsageError as error:
            one_line(error)
            return
        check(svg, auto=chosen["theme"] == "auto", link=value is True and option == "link")

    draw()


CONTENT: dict[str, Any] = {
    "state": st.sampled_from(STATES) | JUNK,
    "date": st.sampled_from(["2026-11-30", "2026-02-31"]) | JUNK,
    "facts": st.lists(st.sampled_from(FACTS) | TEXT, max_size=5) | st.just(()),
    "label": JUNK,
    "message": JUNK,
}


@pytest.mark.parametrize("option", CONTENT)
def test_every_option_of_the_content_is_checked(option: str) -> None:
    @given(value=CONTENT[option], state=st.sampled_from(STATES))
    @settings(max_examples=120, deadline=None)
    def draw(value: Any, state: str) -> None:
        try:
            svg = pybadge.badge_svg(REPORTS[state], **{option: value})
        except UsageError as error:
            one_line(error)
            return
        check(svg)

    draw()


@given(scale=JUNK | st.integers(1, 16), renderer=JUNK | st.just("pillow"))
@settings(max_examples=100, deadline=None)
def test_the_options_of_png_are_checked(scale: Any, renderer: Any) -> None:
    try:
        data = pybadge.badge_png(REPORTS["verified"], scale=scale, renderer=renderer)
    except UsageError:
        whole = scale is None or (type(scale) is int and 1 <= scale <= 16)
        assert not (whole and renderer == "pillow")
        return
    assert data.startswith(b"\x89PNG")


def test_every_template_escapes_whatever_its_name() -> None:
    environment = _environment()
    assert environment.list_templates() == ["gallery.html"], "SVG is written without templates"
    assert environment.autoescape is True
    rendered = environment.from_string("{{ x }}").render(x="<&\"'>")
    assert rendered == "&lt;&amp;&#34;&#39;&gt;"


def test_a_missing_value_in_a_template_is_an_error() -> None:
    with pytest.raises(jinja2.UndefinedError):
        _environment().get_template("gallery.html").render()


@given(text=st.text(max_size=400))
@settings(max_examples=300, deadline=None)
def test_clusters_hold_the_whole_text_and_elide_bounds_it(text: str) -> None:
    tidy = clean(text)
    assert "".join(clusters(tidy)) == tidy
    assert clean(tidy) == tidy, "cleaning twice changes nothing"
    short = elide(tidy, 20)
    assert len(clusters(short)) <= 20 + 1
    assert short == tidy or short.endswith("…") or len(short) < len(tidy)


@pytest.mark.parametrize(
    "text",
    [
        "a" + "\u0301" * 1_000_000,
        "x" * 1_000_000,
        "👩‍👩‍👧" * 100_000,
        "ש" * 1_000_000,
        "\u202e" * 1_000_000,
    ],
    ids=["marks", "letters", "emoji", "hebrew", "overrides"],
)
def test_a_huge_text_gives_a_badge_of_bounded_size(text: str) -> None:
    svg = pybadge.badge_svg(REPORTS["verified"], message=text)
    assert len(svg) < 60_000
    assert math.isfinite(float(ElementTree.fromstring(svg).attrib["width"]))


def test_the_report_decides_over_the_options(by_state: dict[str, Any]) -> None:
    options = BadgeOptions(color="green", label_color="green")
    drawn = paint_svg(badge_of(by_state["invalid"], options), options)
    assert drawn == pybadge.badge_svg(by_state["invalid"])
