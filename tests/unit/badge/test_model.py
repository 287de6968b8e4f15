"""What a badge may say: states, options, facts, words."""

from __future__ import annotations

import copy
import itertools
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

import pybadge
from pybadge.badge import (
    FACTS,
    STATES,
    STYLES,
    THEMES,
    WORDS,
    Badge,
    BadgeOptions,
    allowed_states,
    badge_of,
    badge_shields,
    badge_size,
)
from pybadge.checks import Report
from pybadge.errors import NotFoundError, RecordError, RuleError, UnreachableError, UsageError
from pybadge.number import parse_number
from pybadge.verification import unreadable
from tests.support.badge_cases import DATE
from tests.support.data import NUMBER, RECORD_URL, SUFFIX
from tests.support.documents import real, signed


def texts(svg: str) -> list[str]:
    return [
        element.text or ""
        for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    ]


def test_each_report_gives_its_state(by_state: dict[str, Report]) -> None:
    for state, report in by_state.items():
        assert badge_of(report).state == state


def test_the_flat_badge_says_pith_and_the_short_form(by_state: dict[str, Report]) -> None:
    for state, report in by_state.items():
        found = texts(pybadge.badge_svg(report))
        assert found[:2] == ["pith", SUFFIX[:8]]
        assert found[2:] == ([] if state == "verified" else [WORDS[state]]), (
            "a state that needs explaining says its word"
        )


@pytest.mark.parametrize("style", STYLES)
def test_no_state_is_told_by_colour_alone(by_state: dict[str, Report], style: str) -> None:
    """With all colours taken away, the five states still differ, and each names itself."""
    bare = {}
    for state in STATES:
        report = by_state["verified"] if state != "invalid" else by_state["invalid"]
        svg = pybadge.badge_svg(report, style=style, state=state, message="SAME", word=True)
        bare[state] = re.sub("#[0-9a-f]{3,6}", "", svg)
        assert WORDS[state] in ElementTree.fromstring(svg).attrib["aria-label"]
        said = " ".join(texts(svg)).lower()
        assert WORDS[state] in said
    for one, other in itertools.combinations(STATES, 2):
        shapes_one = re.sub(
            r"<text.*?</text>|aria-label=\"[^\"]*\"|<title>.*?</title>", "", bare[one]
        )
        shapes_other = re.sub(
            r"<text.*?</text>|aria-label=\"[^\"]*\"|<title>.*?</title>", "", bare[other]
        )
        assert shapes_one != shapes_other, "the icons differ"


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("theme", THEMES)
def test_nothing_turns_an_unverified_report_green(
    by_state: dict[str, Report], style: str, theme: str
) -> None:
    greens = {"#1a7f41", "#46c468"}
    for state, report in by_state.items():
        if state == "verified":
            continue
        with pytest.raises(UsageError, match="can't say verified"):
            badge_of(report, BadgeOptions(state="verified"))
        plain = pybadge.badge_svg(report, style=style, theme=theme)
        painted = pybadge.badge_svg(
            report, style=style, theme=theme, color="#1a7f41", label_color="green"
        )
        assert plain == painted, "colours are for verified badges"
        assert not any(green in plain for green in greens)
        assert "verified" not in plain


def test_a_state_can_only_claim_less(by_state: dict[str, Report]) -> None:
    assert allowed_states(by_state["verified"]) == ("verified", "not_checked", "offline", "unknown")
    assert allowed_states(by_state["invalid"]) == ("invalid",), "a failed check can't be hidden"
    for state in ("not_checked", "offline", "unknown"):
        assert set(allowed_states(by_state[state])) == {"not_checked", "offline", "unknown"}
        assert allowed_states(by_state[state])[0] == state
    for own, wanted in itertools.product(STATES, STATES):
        if wanted in allowed_states(by_state[own]):
            assert badge_of(by_state[own], BadgeOptions(state=wanted)).state == wanted
        else:
            with pytest.raises(UsageError, match="can't say"):
                badge_of(by_state[own], BadgeOptions(state=wanted))


@pytest.mark.parametrize(
    "pretence",
    [
        "verified",
        "VERIFIED",
        "ｖｅｒｉｆｉｅｄ",
        "v\u200derified",
        "vérified",
        "✓ ok",
        "✅",
        "certified",
    ],
)
def test_an_unverified_badge_can_not_say_verified_in_its_own_words(
    by_state: dict[str, Report], pretence: str
) -> None:
    for state in ("invalid", "not_checked", "offline", "unknown"):
        for option in ("label", "message"):
            with pytest.raises(UsageError, match="not verified"):
                badge_of(by_state[state], BadgeOptions(**{option: pretence}))
    assert badge_of(by_state["verified"], BadgeOptions(message=pretence)).state == "verified"


def test_offline_tells_the_day(by_state: dict[str, Report]) -> None:
    svg = pybadge.badge_svg(by_state["offline"], date=DATE)
    assert f"offline {DATE}" in texts(svg)
    assert pybadge.badge_svg(by_state["verified"], state="offline", date=DATE) == svg
    for wrong in ("2026-13-01", "yesterday", "2026-11-30\n", "", "20261130", "２０２６-11-30"):
        with pytest.raises(UsageError, match="invalid date"):
            badge_of(by_state["offline"], BadgeOptions(date=wrong))


def test_a_badge_without_a_number_says_so(by_state: dict[str, Report]) -> None:
    badge = badge_of(unreadable(NotFoundError("no"), input="10.48550/arXiv.2402.15627"))
    assert (badge.message, badge.number, badge.link) == ("unknown", None, None)
    assert badge.title == "pith: no Pith Number, unknown"


def test_a_badge_names_the_number_that_was_asked_for() -> None:
    asked = parse_number(NUMBER)
    for error, state in (
        (NotFoundError("no"), "unknown"),
        (UnreachableError("no"), "offline"),
        (RecordError("no JSON"), "not_checked"),
        (RuleError("twice"), "invalid"),
    ):
        badge = badge_of(unreadable(error, input=NUMBER, asked=asked))
        assert (badge.number, badge.link, badge.state) == (NUMBER, RECORD_URL, state)
    short = badge_of(unreadable(NotFoundError("no"), asked=parse_number(SUFFIX[:8])))
    assert (short.message, short.link) == (SUFFIX[:8], None), "a short form is no address"
    completed = badge_of(pybadge.verify(real(), asked=SUFFIX[:8]))
    assert completed.number == NUMBER, "the record completes it"
    other = parse_number("A" * 26)
    wrong = badge_of(pybadge.verify(real(), asked=other))
    assert (wrong.number, wrong.state) == (other.text, "invalid")
    assert SUFFIX[:8] not in wrong.title, "nothing is said of the record that came instead"


def test_facts_come_from_checks_and_flags_are_only_claimed(verified: Report) -> None:
    assert badge_of(verified).facts == (), "none unless asked for"
    facts = {fact.name: fact for fact in badge_of(verified, BadgeOptions(facts=FACTS)).facts}
    assert set(facts) == {"cited"}, "the record's flags for the others are false"
    assert facts["cited"].words == "cited by 6 (claimed)"
    flagged = real()
    flagged["verification_status"].update(
        author_attested=True,
        externally_anchored=True,
        storage_verified=True,
        references_resolved=True,
    )
    found = badge_of(pybadge.verify(flagged), BadgeOptions(facts=FACTS)).facts
    assert [fact.name for fact in found] == list(FACTS)
    assert all(fact.claimed for fact in found), "a flag is the server's word"
    svg = pybadge.badge_svg(pybadge.verify(flagged), facts=FACTS)
    assert [text for text in texts(svg) if "claimed" in text] == [
        f"{fact.text} (claimed)" for fact in found
    ]
    assert pybadge.badge_svg(pybadge.verify(flagged)) == pybadge.badge_svg(verified), (
        "flags change no other badge"
    )


def test_a_fact_whose_check_was_made_is_drawn_with_a_tick(verified: Report) -> None:
    made = replace(verified["timestamp"], status="valid", code="timestamp.ok", source="computed")
    checks = tuple(made if check.id == "timestamp" else check for check in verified.checks)
    svg = pybadge.badge_svg(replace(verified, checks=checks), facts=("anchored",))
    assert texts(svg)[-1] == "anchored"
    assert svg.count("M") > pybadge.badge_svg(verified).count("M")
    assert "#0b6e75" in svg


def test_hostile_counts_are_no_facts() -> None:
    for count in (True, -1, 0, 10**30, "6", 6.5, None, [6]):
        served = real()
        served["inbound_citations"]["count"] = count
        assert badge_of(pybadge.verify(served), BadgeOptions(facts=("cited",))).facts == ()


def test_an_invalid_record_passes_nothing_on(by_state: dict[str, Report]) -> None:
    svg = pybadge.badge_svg(by_state["invalid"], style="card", facts=FACTS)
    assert "MegaScale" not in svg
    assert "Cong Xie" not in svg
    assert "claimed" not in svg
    assert any(text.startswith("failed: receipt_signature") for text in texts(svg))


def test_a_title_without_the_signed_hash_is_not_on_the_card() -> None:
    served = real()
    served["paper"]["title"] = "Another title"
    assert "Another" not in pybadge.badge_svg(pybadge.verify(served), style="card")
    del served["paper"]["title"]
    assert pybadge.verify(served).verdict == "verified"
    assert "(as served)" in pybadge.badge_svg(pybadge.verify(served), style="card"), (
        "authors are never more than served"
    )


def test_a_record_of_another_registry_never_looks_like_piths() -> None:
    own, key = signed(registry="Journal of Tests")
    report = pybadge.verify(own, trusted=[key])
    assert report.verdict == "verified"
    badge = badge_of(report)
    assert badge.label == "Journal of Tests"
    assert "<circle" not in pybadge.badge_svg(report), "without the Pith mark"
    assert badge_of(report, BadgeOptions(label="pith")) == badge, "the default is not a wish"
    for label in ("Pith", "ＰＩＴＨ", "p\u200dith", "pith!"):
        with pytest.raises(UsageError, match="did not sign"):
            badge_of(report, BadgeOptions(label=label))


@pytest.mark.parametrize("empty", ["", " ", "\n\t"])
def test_an_empty_badge_is_refused(verified: Report, empty: str) -> None:
    for option in ("label", "message"):
        with pytest.raises(UsageError, match="needs a label and a message"):
            badge_of(verified, BadgeOptions(**{option: empty}))
    with pytest.raises(UsageError):
        Badge("", "x", "verified", "t")
    with pytest.raises(UsageError, match="state: invalid choice"):
        Badge("a", "x", "splendid", "t")  # type: ignore[arg-type]
    for style in STYLES:
        assert SUFFIX[:8] in "".join(texts(pybadge.badge_svg(verified, style=style))), (
            "the golden badges have their text"
        )


def test_the_accessible_name_is_complete(by_state: dict[str, Report]) -> None:
    for state, report in by_state.items():
        root = ElementTree.fromstring(pybadge.badge_svg(report, facts=FACTS))
        assert root.attrib["role"] == "img"
        name = root.attrib["aria-label"]
        assert root[0].tag.endswith("title")
        assert root[0].text == name
        assert NUMBER in name
        assert WORDS[state] in name


def test_the_link_is_the_record(verified: Report) -> None:
    assert badge_of(verified).link == RECORD_URL
    assert copy.copy(badge_of(verified)) == badge_of(verified)


def test_the_shields_endpoint_says_what_the_badge_says(by_state: dict[str, Report]) -> None:
    assert badge_shields(by_state["verified"]) == {
        "schemaVersion": 1,
        "label": "pith",
        "message": f"✓ {SUFFIX[:8]}",
        "color": "#1a7f41",
    }
    assert badge_shields(by_state["invalid"])["isError"] is True, "so that nobody recolours it"
    messages = {badge_shields(report)["message"] for report in by_state.values()}
    assert len(messages) == len(STATES)


def test_sizes_are_those_of_the_svg(by_state: dict[str, Report]) -> None:
    for style in STYLES:
        for options in ({}, {"scale": 2.5}, {"height": 33}, {"qr": True}):
            report = by_state["verified"]
            root = ElementTree.fromstring(pybadge.badge_svg(report, style=style, **options))
            width, height = badge_size(report, style=style, **options)
            assert float(root.attrib["width"]) == pytest.approx(width, abs=0.06)
            assert float(root.attrib["height"]) == pytest.approx(height, abs=0.06)
