"""The component on pages: policy, themes, keyboard, screen readers, many at once, no scripts."""

from __future__ import annotations

import io
import json

import pytest

from tests.support.browsing import violations
from tests.support.data import RECORD_URL, SUFFIX


def picture(page, **options):
    from PIL import Image

    return Image.open(io.BytesIO(page.locator("pith-badge").first.screenshot(**options))).convert(
        "RGB"
    )


@pytest.fixture
def verified(shipped):
    shipped.server.put("/record.json", shipped.record)
    return shipped


STYLE = '<link rel="stylesheet" href="/page.css">'


def test_the_policy_of_these_tests_is_really_strict(verified):
    """The page of these tests forbids what a page under a strict policy forbids: an inline style is
    refused there."""
    watched = verified.open('<p style="color:red">x</p>' + verified.element())
    assert verified.report(watched.page)["state"] == "verified"
    assert len(watched.complaints) == 1
    assert "Content Security Policy" in watched.complaints[0]
    watched.complaints.clear()


def test_trusted_types_are_kept(verified):
    policy = "default-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'"
    url = verified.server.html(
        "/", verified.element(), verified.loader, headers={"Content-Security-Policy": policy}
    )
    assert verified.report(verified.browse(url).page)["state"] == "verified"


def test_fifty_badges_work_on_one_page(verified):
    body = "".join(f"<p>{number} {verified.element()}</p>" for number in range(50))
    page = verified.open(body).page
    page.wait_for_selector("p:last-child > pith-badge[state=verified]")
    for _ in range(600):
        states = page.evaluate(
            "[...document.querySelectorAll('pith-badge')].map(one => one.getAttribute('state'))"
        )
        if "checking" not in states:
            break
        page.wait_for_timeout(100)
    assert states == ["verified"] * 50
    boxes = page.evaluate(
        "[...document.querySelectorAll('pith-badge')]"
        ".map(one => one.getBoundingClientRect().toJSON())"
    )
    assert len({(box["width"], box["height"]) for box in boxes}) == 1
    # One panel at a time, the one that was asked for.
    page.locator("pith-badge").nth(30).locator("button").click()
    opened = (
        "[...document.querySelectorAll('pith-badge')].flatMap((one, at) => "
        "one.shadowRoot.lastChild.hidden ? [] : [at])"
    )
    assert page.evaluate(opened) == [30]
    page.locator("pith-badge").nth(10).locator("button").click()
    assert page.evaluate(opened) == [10]


def test_scripts_off_shows_the_plain_badge(verified):
    page = verified.open(java_script_enabled=False).page
    image = page.get_by_role("link", name="the plain badge")
    assert image.is_visible()
    assert image.get_attribute("href") == RECORD_URL


def test_browser_without_constructable_style_sheets_keeps_the_plain_badge(verified):
    watched = verified.browse()
    watched.page.add_init_script("delete window.CSSStyleSheet")
    watched.page.goto(verified.server.html("/", verified.element(), verified.loader))
    watched.page.wait_for_timeout(300)
    assert watched.page.get_by_role("link", name="the plain badge").is_visible()
    assert all("CSSStyleSheet" in line for line in watched.complaints)
    watched.complaints.clear()


def test_script_that_is_not_found_keeps_the_plain_badge(verified):
    del verified.server.routes["/pith-badge.js"]
    watched = verified.open()
    assert watched.page.get_by_role("link", name="the plain badge").is_visible()
    watched.complaints.clear()


def test_a_component_that_is_loaded_twice_is_defined_once(verified):
    verified.server.put("/again.js", verified.source, "text/javascript")
    page = verified.open(head='<script type="module" src="/again.js"></script>').page
    assert verified.report(page)["state"] == "verified"


def test_the_panel_is_reached_and_left_by_keyboard(verified):
    body = (
        f'<a href="#" id="before">before</a> {verified.element()} <a href="#" id="after">after</a>'
    )
    page = verified.open(body).page
    verified.report(page)
    panel = page.locator("pith-badge [part=panel]")
    focus = (
        "document.activeElement.id || document.activeElement.shadowRoot?.activeElement?.textContent"
    )
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate(focus) == "◉pith✓XR2UHLWN verified"
    assert panel.is_hidden()
    page.keyboard.press("Enter")
    assert panel.is_visible()
    page.keyboard.press("Tab")
    assert page.evaluate(focus) == "Record"
    page.keyboard.press("Tab")
    assert page.evaluate(focus) == "arXiv"
    page.keyboard.press("Escape")
    assert panel.is_hidden()
    assert page.evaluate(focus) == "◉pith✓XR2UHLWN verified"
    page.keyboard.press("Space")
    assert panel.is_visible()
    page.keyboard.press("Space")
    assert panel.is_hidden()
    page.keyboard.press("Enter")
    for _ in range(3):
        page.keyboard.press("Tab")
    assert page.evaluate(focus) == "after"
    assert panel.is_hidden()


def test_selecting_in_the_panel_keeps_it_open_and_clicking_away_closes_it(verified):
    page = verified.open(
        verified.element()
        + "<p>else<br>x<br>x<br>x<br>x<br>x<br>x<br>x<br>x<br>x<br>x<br>x<br>x<br>x</p>"
    ).page
    verified.report(page)
    page.locator("pith-badge button").click()
    panel = page.locator("pith-badge [part=panel]")
    panel.locator("p").nth(2).click()
    assert panel.is_visible()
    page.mouse.click(900, 600)
    assert panel.is_hidden()


def test_links_lead_to_the_record_and_the_paper(verified):
    page = verified.open().page
    verified.report(page)
    page.locator("pith-badge button").click()
    links = page.locator("pith-badge a[part=link]")
    assert [links.nth(at).get_attribute("href") for at in range(links.count())] == [
        RECORD_URL,
        "https://arxiv.org/abs/2402.15627v1",
    ]


def test_the_accessibility_tree_names_the_badge_and_its_checks(verified):
    page = verified.open().page
    verified.report(page)
    button = page.get_by_role("button", name="pith XR2UHLWN verified", exact=True)
    assert button.get_attribute("aria-expanded") == "false"
    button.click()
    assert button.get_attribute("aria-expanded") == "true"
    group = page.get_by_role("group", name="Checks")
    assert "receipt signature: Ed25519" in group.inner_text()
    assert page.get_by_role("link", name="Record", exact=True).is_visible()


STATES = {
    "verified": lambda record: record,
    "invalid": lambda record: record.replace(b'_sorted":["cs.DC"]', b'_sorted":["cs.DD"]'),
    "not-checked": lambda record: record.replace(b'"receipt":{', b'"receipt_":{'),
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing(shipped, state, scheme):
    shipped.server.put("/record.json", STATES[state](shipped.record))
    shipped.server.put("/page.css", ":root { color-scheme: light dark }", "text/css")
    page = shipped.open(
        f"<main><h1>Test</h1>{shipped.element()}</main>", STYLE, color_scheme=scheme
    ).page
    assert shipped.report(page)["state"] == state
    assert violations(page) == []
    page.locator("pith-badge button").click()
    assert violations(page) == []


def test_axe_finds_a_fault_where_there_is_one(verified):
    page = verified.open('<main><h1>Test</h1><img src="/badge.svg"></main>').page
    assert [name for name, _ in violations(page)] == ["image-alt"]


def test_dark_scheme_turns_the_panel_dark(verified):
    colors = {}
    for scheme in ("light", "dark"):
        page = verified.open(color_scheme=scheme).page
        verified.report(page)
        page.locator("pith-badge button").click()
        box = page.locator("pith-badge [part=panel]").bounding_box()
        from PIL import Image

        shot = Image.open(io.BytesIO(page.screenshot(clip=box))).convert("L")
        colors[scheme] = shot.getpixel((shot.width - 6, shot.height - 6))
    assert colors["light"] > 240
    assert colors["dark"] < 60


def test_forced_colours_keep_an_edge(verified):
    page = verified.open(forced_colors="active").page
    verified.report(page)
    border = page.evaluate(
        "getComputedStyle(document.querySelector('pith-badge').shadowRoot.firstChild)"
        ".borderTopWidth"
    )
    assert border == "1px"
    assert violations(page, "document.querySelector('pith-badge')") == []


def test_nothing_on_the_page_moves(verified):
    page = verified.open(reduced_motion="reduce").page
    verified.report(page)
    assert page.evaluate("document.getAnimations({ subtree: true }).length") == 0
    assert "transition" not in verified.source
    assert "animation" not in verified.source


def test_the_panel_stays_inside_the_window(verified):
    verified.server.put(
        "/page.css", "pith-badge { position: absolute; right: 4px; top: 4px }", "text/css"
    )
    for width in (320, 800):
        page = verified.open(head=STYLE, viewport={"width": width, "height": 600}).page
        verified.report(page)
        page.locator("pith-badge button").click()
        box = page.locator("pith-badge [part=panel]").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width


def test_parts_can_be_styled_from_the_page(verified):
    verified.server.put(
        "/page.css", "pith-badge::part(message) { background: rgb(1, 2, 3) }", "text/css"
    )
    page = verified.open(head=STYLE).page
    verified.report(page)
    part = "document.querySelector('pith-badge').shadowRoot.querySelector('[part=message]')"
    assert page.evaluate(f"getComputedStyle({part}).backgroundColor") == "rgb(1, 2, 3)"


def test_drawn_as_high_as_the_svg_badge(verified):
    page = verified.open().page
    verified.report(page)
    assert page.locator("pith-badge").bounding_box()["height"] == 20


def test_an_event_tells_the_page_of_the_state(verified):
    script = (
        "window.heard = []; document.addEventListener('pith-checked', event => "
        "heard.push(event.detail.state))"
    )
    verified.server.put("/listen.js", script, "text/javascript")
    page = verified.open(head='<script src="/listen.js"></script>').page
    verified.report(page)
    assert page.evaluate("heard") == ["verified"]


def test_element_made_by_script_and_moved(verified):
    page = verified.open("<p>").page
    page.evaluate(
        """number => {
            const made = document.createElement("pith-badge");
            made.setAttribute("number", number);
            made.setAttribute("src", "/record.json");
            document.body.append(made);
            document.body.prepend(made);
        }""",
        SUFFIX,
    )
    assert verified.report(page)["state"] == "verified"
    assert page.evaluate("document.querySelector('pith-badge').shadowRoot.children.length") == 2


def test_the_record_is_fetched_without_cookies_and_referrer(verified):
    seen = []
    watched = verified.browse()
    watched.page.context.add_cookies([{"name": "secret", "value": "1", "url": verified.server.url}])
    watched.page.on(
        "request",
        lambda request: seen.append(request.all_headers()) if "record" in request.url else None,
    )
    watched.page.goto(verified.server.html("/", verified.element(), verified.loader))
    verified.report(watched.page)
    (headers,) = seen
    assert "cookie" not in headers
    assert "referer" not in headers


def test_report_is_plain_data(verified):
    """What a page is handed can be stored and sent."""
    page = verified.open().page
    report = verified.report(page)
    assert (
        json.loads(page.evaluate("JSON.stringify(document.querySelector('pith-badge').report)"))
        == report
    )
