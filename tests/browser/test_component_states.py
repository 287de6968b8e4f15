"""What the component says of a record: only what this browser checked."""

from __future__ import annotations

import base64
import json
import threading

import pytest

import pybadge
from pybadge.canonical import canonical_digest, title_sha256
from pybadge.keys import PINNED, fingerprint
from pybadge.number import from_hash
from tests.support.browsing import expect
from tests.support.data import DATA, NUMBER, SUFFIX


def same(report, other):
    """Whether the component's report says what the package's says, details apart."""
    names = ("id", "status", "code", "source")
    mine = [[check[name] for name in names] for check in report["checks"]]
    theirs = [[getattr(check, name) for name in names] for check in other.checks]
    return (report["verdict"], mine) == (other.verdict, theirs)


def changed(component, change):
    record = json.loads(component.record)
    change(record)
    return json.dumps(record).encode()


def other_signatures():
    lines = (DATA / "signatures.jsonl").read_text().splitlines()
    return [line for line in map(json.loads, lines) if line["suffix"] != SUFFIX]


def test_the_real_record_is_verified_in_the_browser(component):
    component.server.put("/record.json", component.record)
    page = component.open().page
    report = component.report(page)
    assert report["state"] == "verified"
    assert component.shown(page) == "◉pith✓XR2UHLWN verified"
    assert (report["number"], report["arxiv"]) == (NUMBER, "2402.15627v1")
    assert same(report, pybadge.verify(component.record, asked=SUFFIX))
    assert page.evaluate("document.querySelector('pith-badge').getAttribute('state')") == "verified"


def own_key(record):
    """A server's own key with a signature by it that holds."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.generate()
    raw = key.public_key().public_bytes_raw()
    record["receipt"].update(
        key_id="pith-v1-2026-06",
        public_key_fingerprint=fingerprint(raw),
        signature_b64=base64.b64encode(
            key.sign(canonical_digest(record["canonical_record"]))
        ).decode(),
    )


def own_key_same_name(record):
    own_key(record)
    record["receipt"]["key_id"] = "pith-v1-2026-05"


def other_record():
    """A real record of another paper, complete but for its receipt."""
    line = json.loads((DATA / "records.jsonl").read_text().splitlines()[0])
    return {name: line[name] for name in ("canonical_record", "canonical_sha256", "pith_number")}


def set_in(*path, value):
    def change(record):
        at = record
        for name in path[:-1]:
            at = at[name]
        if value is None:
            del at[path[-1]]
        else:
            at[path[-1]] = value

    return change


TAMPERED = {
    "record": (
        set_in("canonical_record", "metadata", "license", value="http://example.org/"),
        "invalid",
        "canonical_hash",
    ),
    "record-version": (
        set_in("canonical_record", "source", "version", value=2),
        "invalid",
        "canonical_hash",
    ),
    "record-float": (
        set_in("canonical_record", "source", "version", value=1.0),
        "invalid",
        "schema",
    ),
    "record-open-schema": (set_in("canonical_record", "note", value="x"), "invalid", "schema"),
    "record-missing": (set_in("canonical_record", value=None), "unreadable", "parse"),
    "hash": (set_in("canonical_sha256", value="0" * 64), "invalid", "canonical_hash"),
    "hash-list": (
        set_in("canonical_sha256", value=["bc75"]),
        "not-checked",
        "canonical_hash",
    ),
    "number-stated": (set_in("pith_number", value="pith:2024:" + "A" * 26), "invalid", "number"),
    "number-short": (set_in("short_pith_number", value="pith:AAAAAAAA"), "invalid", "number"),
    "year": (set_in("pith_number", value="pith:2023:" + SUFFIX), "invalid", "year"),
    "title": (set_in("paper", "title", value="Another title"), "invalid", "title"),
    "receipt": (
        set_in("receipt", "signature_b64", value="A" * 86 + "=="),
        "invalid",
        "receipt_signature",
    ),
    "receipt-of-other": (
        set_in("receipt", "signature_b64", value=other_signatures()[0]["signature_b64"]),
        "invalid",
        "receipt_signature",
    ),
    "receipt-hash": (
        set_in("receipt", "canonical_sha256", value="0" * 64),
        "invalid",
        "receipt_signature",
    ),
    "receipt-message": (
        set_in("receipt", "signed_message", value="hex"),
        "invalid",
        "receipt_signature",
    ),
    "receipt-base64": (
        set_in("receipt", "signature_b64", value="F0IC"),
        "invalid",
        "receipt_signature",
    ),
    "receipt-missing": (set_in("receipt", value=None), "not-checked", "receipt_key"),
    "receipt-none": (set_in("receipt", value="none"), "invalid", "receipt_key"),
    "receipt-list": (set_in("receipt", value=[]), "invalid", "receipt_key"),
    "receipt-algorithm": (
        set_in("receipt", "algorithm", value="none"),
        "not-checked",
        "receipt_signature",
    ),
    "key-own": (own_key, "not-checked", "receipt_key"),
    "key-own-same-name": (own_key_same_name, "invalid", "receipt_key"),
    "key-fingerprint": (
        set_in("receipt", "public_key_fingerprint", value="0" * 32),
        "invalid",
        "receipt_key",
    ),
}


@pytest.mark.parametrize(("change", "state", "check"), TAMPERED.values(), ids=TAMPERED)
def test_a_tampered_record_ends_in_the_state_of_its_fault(shipped, change, state, check):
    shipped.server.put("/record.json", changed(shipped, change))
    expect(shipped, shipped.open().page, state, check)


def test_the_source_and_the_shipped_file_agree(component):
    """What the minifier did to the checks, if anything: the same states for every variant above, on
    one page."""
    variants = [changed(component, change).decode() for change, _, _ in TAMPERED.values()]
    page = component.open("<p>").page
    assert check_all(page, [component.record.decode(), *variants]) == [
        "verified",
        *(state.replace("-", "_") for _, state, _ in TAMPERED.values()),
    ]


def test_a_signature_with_any_byte_changed_is_invalid(shipped):
    shipped.server.put("/record.json", shipped.record)
    page = shipped.open().page
    raw = base64.b64decode(json.loads(shipped.record)["receipt"]["signature_b64"])
    variants = []
    for place in range(64):
        flipped = bytearray(raw)
        flipped[place] ^= 1 << place % 8
        value = base64.b64encode(flipped).decode()
        variants.append(changed(shipped, set_in("receipt", "signature_b64", value=value)).decode())
    assert set(check_all(page, variants)) == {"invalid"}


def check_all(page, texts, number=SUFFIX):
    return page.evaluate(
        """async ([texts, number]) => {
            const { verify } = await import("/pith-badge.js");
            const states = [];
            const bytes = text => new TextEncoder().encode(text);
            for (const text of texts)
                states.push((await verify(bytes(text), { asked: number })).verdict);
            return states;
        }""",
        [texts, number],
    )


BROKEN = {
    "truncated": lambda text: text[: len(text) // 2],
    "duplicate-key": lambda text: text.replace(
        '"canonical_record":', '"canonical_record":{},"canonical_record":', 1
    ),
    "duplicate-key-inside": lambda text: text.replace(
        '"kind":"arxiv"', '"kind":"arxiv","kind":"arxiv"'
    ),
    "duplicate-key-escaped": lambda text: text.replace('"paper":', '"p\\u0061per":{},"paper":', 1),
    "byte-order-mark": lambda text: "\ufeff" + text,
    "twice": lambda text: text + text,
    "surrogate": lambda text: text.replace('"headline":""', '"headline":"\\ud800"', 1),
    "big-integer": lambda text: text.replace('"version":1', '"version":9007199254740993', 1),
    "infinite": lambda text: text.replace('"headline":""', '"headline":1e999', 1),
    "not-a-number": lambda text: text.replace('"headline":""', '"headline":NaN', 1),
    "deep": lambda text: text.replace('"headline":""', '"headline":' + "[" * 65 + "]" * 65, 1),
    "very-deep": lambda text: "[" * 100_000,
    "not-utf-8": lambda text: text.encode().replace(b"MegaScale", b"Mega\xffcale"),
    "empty": lambda text: "",
    "null": lambda text: "null",
    "string": lambda text: '"record"',
    "array": lambda text: f"[{text}]",
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_json_is_what_the_package_calls_it(shipped, name):
    """Invalid where it is a record for a lenient reader, else no record."""
    text = BROKEN[name](shipped.record.decode())
    data = text if isinstance(text, bytes) else text.encode()
    shipped.server.put("/record.json", data)
    expected = pybadge.verify(data)
    assert expected.verdict in ("invalid", "unreadable")
    report = expect(shipped, shipped.open().page, expected.verdict, "parse")
    assert same(report, expected)


def test_a_record_of_another_number_is_invalid(shipped):
    shipped.server.put("/record.json", shipped.record)
    expect(shipped, shipped.open(shipped.element(number="A" * 26)).page, "invalid", "number")


def test_another_record_at_the_address_is_invalid(shipped):
    shipped.server.put("/record.json", json.dumps(other_record()))
    expect(shipped, shipped.open().page, "invalid", "number")


@pytest.mark.parametrize(
    "number",
    [
        "",
        "XR2UHLWN",
        "pith:XR2UHLWN",
        "XR2UHLWNHHFSD4ZJ",
        SUFFIX + "A",
        "<b>",
        "ſ" + SUFFIX[1:],
        "pith:24:" + SUFFIX,
    ],
)
def test_a_number_attribute_that_is_no_full_number_proves_nothing(shipped, number):
    shipped.server.put("/record.json", shipped.record)
    expect(shipped, shipped.open(shipped.element(number=number)).page, "not-checked", "parse")


@pytest.mark.parametrize(
    ("number", "state"),
    [
        (f"pith:{SUFFIX}", "verified"),
        (NUMBER, "verified"),
        (f" {SUFFIX.lower()}\n", "verified"),
        (f"pith:2023:{SUFFIX}", "invalid"),
    ],
)
def test_a_number_attribute_may_have_any_full_form(shipped, number, state):
    shipped.server.put("/record.json", shipped.record)
    assert shipped.report(shipped.open(shipped.element(number=number)).page)["state"] == state


NO_ED25519 = """
const importKey = crypto.subtle.importKey;
crypto.subtle.importKey = function (format, data, algorithm, ...rest) {
  const name = algorithm.name ?? algorithm;
  if (name === "Ed25519")
    return Promise.reject(new DOMException("Algorithm: Unrecognized name", "NotSupportedError"));
  return importKey.call(this, format, data, algorithm, ...rest);
};
"""


def test_a_browser_without_ed25519_checks_the_hash_only(component):
    component.server.put("/record.json", component.record)
    watched = component.browse()
    watched.page.add_init_script(NO_ED25519)
    watched.page.goto(component.server.html("/", component.element(), component.loader))
    report = expect(component, watched.page, "hash-only", "receipt_signature")
    assert report["verdict"] == "not_checked"
    check = next(check for check in report["checks"] if check["id"] == "receipt_signature")
    assert check["code"] == "receipt.no_ed25519"


def test_a_page_without_webcrypto_checks_nothing(shipped):
    shipped.server.put("/record.json", shipped.record)
    watched = shipped.browse()
    watched.page.add_init_script(
        "Object.defineProperty(Crypto.prototype, 'subtle', { get: () => undefined })"
    )
    watched.page.goto(shipped.server.html("/", shipped.element(), shipped.loader))
    report = expect(shipped, watched.page, "not-checked", "parse")
    assert report["checks"][0]["code"] == "program.no_webcrypto"


def test_the_state_follows_the_attributes(shipped):
    shipped.server.put("/record.json", shipped.record)
    shipped.server.put("/bad.json", changed(shipped, TAMPERED["hash"][0]))
    page = shipped.open().page
    assert shipped.report(page)["state"] == "verified"
    page.evaluate("document.querySelector('pith-badge').setAttribute('src', '/bad.json')")
    page.wait_for_selector("pith-badge[state=invalid]")
    page.evaluate("document.querySelector('pith-badge').setAttribute('src', '/record.json')")
    page.wait_for_selector("pith-badge[state=verified]")


def test_a_late_answer_does_not_draw_over_a_newer_one(shipped):
    release = threading.Event()
    shipped.server.put("/slow.json", shipped.record, release=release)
    shipped.server.put("/bad.json", changed(shipped, TAMPERED["hash"][0]))
    page = shipped.open(shipped.element(src="/slow.json")).page
    page.evaluate("document.querySelector('pith-badge').setAttribute('src', '/bad.json')")
    page.wait_for_selector("pith-badge[state=invalid]")
    release.set()
    page.wait_for_timeout(300)
    assert shipped.report(page)["state"] == "invalid"


HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=1</script>"\'>&lt;b>'


def with_pinned_test_key(component):
    """Serve the component with a test key in the pinned one's place, so that a hostile record can
    be validly signed."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    raw = key.public_key().public_bytes_raw()
    pinned = base64.b64encode(PINNED[0].raw).decode()
    mine = base64.b64encode(raw).decode()
    component.serve(
        {name: source.replace(pinned, mine) for name, source in component.sources.items()}
    )
    return key, fingerprint(raw)


def test_a_hostile_title_that_is_validly_signed_is_inert(component):
    key, own = with_pinned_test_key(component)
    record = json.loads(component.record)
    record["paper"]["title"] = HOSTILE
    record["canonical_record"]["metadata"]["title_canon_sha256"] = title_sha256(HOSTILE)
    digest = canonical_digest(record["canonical_record"])
    number = from_hash(digest, 2024)
    record.update(
        canonical_sha256=digest.hex(), pith_number=number.text, short_pith_number=number.short
    )
    record["receipt"].update(
        canonical_sha256=digest.hex(),
        public_key_fingerprint=own,
        signature_b64=base64.b64encode(key.sign(digest)).decode(),
    )
    for alias in record["aliases"]:
        if alias["alias_kind"].startswith("pith_short_"):
            alias["alias_value"] = number.suffix[: len(alias["alias_value"])]
    component.server.put("/record.json", json.dumps(record))
    page = component.open(component.element(number=number.suffix)).page
    assert component.report(page)["state"] == "verified"
    page.evaluate("document.querySelector('pith-badge').shadowRoot.firstChild.click()")
    inside = page.evaluate("document.querySelector('pith-badge').shadowRoot.lastChild.textContent")
    assert f"title: {HOSTILE}" in inside
    root = "document.querySelector('pith-badge').shadowRoot"
    assert page.evaluate(f"{root}.querySelectorAll('img, script, b').length") == 0
    assert page.title() == "Test page"


def test_a_hostile_text_of_the_server_is_inert(shipped):
    shipped.server.put(
        "/record.json", shipped.record, "text/html;<img src=x onerror=document.title=1>"
    )
    page = shipped.open().page
    expect(shipped, page, "not-checked", "parse")
    assert (
        page.evaluate(
            "document.querySelector('pith-badge').shadowRoot.querySelectorAll('img').length"
        )
        == 0
    )
    assert page.title() == "Test page"
