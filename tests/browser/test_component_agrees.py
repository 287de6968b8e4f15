"""Python and the browser agree: on the canonical form byte for byte, on what strict JSON is, and on
what is genuine."""

from __future__ import annotations

import json
import random
import unicodedata

import pybadge
from pybadge.canonical import canonical_bytes, canonical_sha256, snapshot_sha256, title_sha256
from tests.support.data import NUMBER, RECORDS, SIGNATURES, SUFFIX, read_lines

# Where the two languages differ: escapes, surrogate pairs against U+E000 and above, keys that
# JavaScript treats specially.
ALPHABET = [
    *"azAZ09 \"\\/\b\f\n\r\t\x00\x1f\x7f\x80<>&'",
    *"éßİıΣς\u2028\u2029\ufeff\ufffd\ud7ff\ue000\uffff😀𐀀\U0010ffff数א",
]
KEYS = ["__proto__", "constructor", "toJSON", "toString", "length", "0", "10", "9", "", "-0"]


def text(pick):
    return "".join(pick.choices(ALPHABET, k=pick.randint(0, 8)))


def value(pick, depth=0):
    kind = pick.randrange(8 if depth < 4 else 5)
    if kind == 0:
        return text(pick)
    if kind == 1:
        return pick.choice(
            [
                0,
                1,
                -1,
                10,
                2**31,
                -(2**31),
                2**53 - 1,
                -(2**53) + 1,
                pick.randint(-(10**15), 10**15),
            ]
        )
    if kind == 2:
        return pick.choice([True, False, None])
    if kind in (3, 4):
        return text(pick) * pick.randint(0, 3)
    if kind == 5:
        return [value(pick, depth + 1) for _ in range(pick.randint(0, 4))]
    names = [
        pick.choice(KEYS) if pick.random() < 0.2 else text(pick) for _ in range(pick.randint(0, 5))
    ]
    return {name: value(pick, depth + 1) for name in names}


def made_records(count, seed=20240223):
    """Records of the canonical shape, but with any Unicode in keys and values, and more of both."""
    pick = random.Random(seed)
    for _ in range(count):
        record = {
            "metadata": {
                "abstract_canon_sha256": f"{pick.getrandbits(256):064x}",
                "cross_cats_sorted": [text(pick) for _ in range(pick.randint(0, 3))],
                "license": text(pick),
                "title_canon_sha256": f"{pick.getrandbits(256):064x}",
                **{text(pick): value(pick) for _ in range(pick.randint(0, 4))},
            },
            "schema_version": "1.0",
            "source": {"id": text(pick), "kind": "arxiv", "version": pick.randint(1, 30)},
        }
        if pick.random() < 0.5:
            record[pick.choice(KEYS)] = value(pick)
        yield record


def written(record, pick):
    """One of the many JSON texts of a value: with and without blanks and escapes."""
    return json.dumps(record, ensure_ascii=pick.random() < 0.5, indent=pick.choice([None, 1, 3]))


CANONICAL = """async texts => {
    const { parse, canonical } = await import("/pith-badge.js");
    const encoder = new TextEncoder();
    return texts.map(text => canonical(parse(encoder.encode(text))));
}"""


def test_python_and_browser_agree_on_the_canonical_form_of_10_000_records(shipped):
    page = shipped.open("<p>").page
    pick = random.Random(1)
    records = list(made_records(10_000))
    assert len({canonical_bytes(record) for record in records}) == 10_000
    texts = [written(record, pick) for record in records]
    for start in range(0, len(texts), 2000):
        got = page.evaluate(CANONICAL, texts[start : start + 2000])
        expected = [
            canonical_bytes(record).decode("utf-8") for record in records[start : start + 2000]
        ]
        assert got == expected


def test_keys_are_in_the_order_of_code_points(shipped):
    """U+FFFF comes before U+10000 for Python and after it for JavaScript's own sort."""
    page = shipped.open("<p>").page
    record = {
        "\U00010000": 1,
        "\uffff": 2,
        "\ue000": 3,
        "\ud7ff": 4,
        "a": 5,
        "aa": 6,
        "": 7,
        "a\U00010000": 8,
        "a\uffff": 9,
    }
    assert page.evaluate(CANONICAL, [json.dumps(record)]) == [
        canonical_bytes(record).decode("utf-8")
    ]
    assert page.evaluate("keys => keys.sort()", ["\uffff", "\U00010000"]) == [
        "\U00010000",
        "\uffff",
    ]


def test_every_real_record_has_its_canonical_form_and_number(shipped):
    page = shipped.open("<p>").page
    lines = RECORDS
    assert len(lines) == 113
    got = page.evaluate(CANONICAL, [json.dumps(line["canonical_record"]) for line in lines])
    assert got == [canonical_bytes(line["canonical_record"]).decode("utf-8") for line in lines]
    got = reports(page, [(json.dumps(line), line["pith_number"]) for line in lines])
    # No receipt stands in this file, so the number holds and nothing is vouched for.
    assert {report["verdict"] for report in got} == {"not_checked"}
    assert [report["number"] for report in got] == [line["pith_number"] for line in lines]
    hashes = [report["checks"][2] for report in got]
    assert {check["code"] for check in hashes} == {"hash.ok"}
    assert [check["detail"] for check in hashes] == [line["canonical_sha256"] for line in lines]


def test_every_real_signature_holds_for_its_own_hash_only(shipped):
    """Every real receipt at hand, by its signature alone: most come without their record."""
    page = shipped.open("<p>").page
    signed = [[line["canonical_sha256"], line["signature_b64"]] for line in SIGNATURES]
    assert len(signed) == 8
    assert page.evaluate(HOLD, signed) == [True] * 8
    # Only its own hash goes with a signature.
    crossed = [
        [hash_, signature] for hash_, own in signed for _, signature in signed if signature != own
    ]
    assert page.evaluate(HOLD, crossed) == [False] * len(crossed)


def test_integrity_signatures_are_no_receipts(shipped):
    """The registry's key signs other things over 32 bytes too; with such a hash stated, the rebuilt
    one differs."""
    lines = read_lines("integrity.jsonl")
    signed = [
        (line["payload_sha256"], line["signature_b64"])
        for line in lines
        if line.get("signature_b64")
    ]
    assert signed
    page = shipped.open("<p>").page
    # They do hold as signatures, which is the danger.
    assert page.evaluate(HOLD, signed) == [True] * len(signed)
    texts = []
    for hash_, signature in signed:
        record = json.loads(shipped.record)
        record["canonical_sha256"] = record["receipt"]["canonical_sha256"] = hash_
        record["receipt"]["signature_b64"] = signature
        texts.append((json.dumps(record), SUFFIX))
        record["canonical_sha256"] = json.loads(shipped.record)["canonical_sha256"]
        texts.append((json.dumps(record), SUFFIX))
        del record["receipt"]["canonical_sha256"]
        texts.append((json.dumps(record), SUFFIX))
    assert {report["verdict"] for report in reports(page, texts)} == {"invalid"}


HOLD = """async pairs => {
    const { PINNED } = await import("/rules.js");
    const { base64, holds } = await import("/ed25519.js");
    const bytes = hex => Uint8Array.from(hex.match(/../g) ?? [], pair => parseInt(pair, 16));
    const [{ raw }] = PINNED;
    return Promise.all(pairs.map(([hash, text]) => holds(base64(raw), bytes(hash), base64(text))));
}"""


def reports(page, pairs):
    """The component's reports on texts, each with the number that is asked for, or None."""
    return page.evaluate(
        """async pairs => {
            const { verify } = await import("/pith-badge.js");
            const encoder = new TextEncoder();
            const reports = [];
            for (const [text, asked] of pairs)
                reports.push(await verify(encoder.encode(text), { asked }));
            return reports;
        }""",
        pairs,
    )


MOSTLY = (
    "canonical_record",
    "receipt",
    "canonical_sha256",
    "pith_number",
    "short_pith_number",
    "aliases",
    "graph_snapshot",
    "paper",
    "verification_status",
)
# Where white space, lower case and composition of the two languages differ, or once did.
TITLES = [
    "\ufeffMegaScale",
    "a\x1cb\x85c\u3000d\u180ee\u200bf",
    "ΑΣ ΟΔΟΣ.Σ",
    "İSTANBUL ISTANBUL ıſ",
    "e\u0301tude",
    "étude",
    "\u1e9e ẞ ﬁ Å K Ａ",
    "\u1c80\u1c89 Ꭰ 𐐀 Ⴀ",
    "o" + "\u0301\u0327" * 15,
    "o" + "\u0301\u0327" * 16,
    "",
    " ",
]
ASKED = [None, SUFFIX, NUMBER, SUFFIX.lower(), SUFFIX[:8], SUFFIX[:12], SUFFIX[:16], "A" * 26]
ASKED += [f"pith:2023:{SUFFIX}", "pith:" + "A" * 8]


def retitled(record, pick):
    """A record whose title or abstract is one of the hard ones; often with the hash of it, or of
    its composed form."""
    form = unicodedata.normalize("NFC", text := pick.choice(TITLES) * pick.choice([1, 1, 90]))
    name = pick.choice(["title", "abstract"])
    record["paper"]["title" if name == "title" else "abstract_excerpt"] = text
    if pick.random() < 0.8:
        hashed = title_sha256(pick.choice([text, form]))
        record["canonical_record"]["metadata"][f"{name}_canon_sha256"] = hashed
        record["canonical_sha256"] = canonical_sha256(record["canonical_record"])


def resnapped(record, pick):
    """A record of which a snapshot is another, often with the hash of what it may be."""
    part = record["graph_snapshot"][pick.choice(sorted(record["graph_snapshot"]))]
    if not isinstance(part, dict):
        return
    items = [value(pick, 2) for _ in range(pick.randrange(3))]
    numbers = [0.5, 1.0, -0.0, 1e16, 1e-5, 1e22, 123456789.25]
    part.update(items=items, findings=[pick.choice(numbers)], detectors_run=items)
    part.update(count=pick.choice([0, 1, False, 0.0]), evidence_count=pick.choice([0, 2]))
    detected = {"detectors": items, "findings": part["findings"]}
    part["snapshot_sha256"] = snapshot_sha256(pick.choice([items, [], detected]))


def bundled(record):
    """The same as a bundle."""
    event = {"event_type": "record_created", "payload": {"receipt": record.pop("receipt")}}
    record.update(bundle_type="pith_open_graph_bundle", events=[event, {"event_type": "timestamp"}])
    record["source_aliases"] = record.pop("aliases")


def places_of(node, path=()):
    """Every place in a JSON value."""
    if isinstance(node, dict):
        for key in node:
            yield (*path, key)
            yield from places_of(node[key], (*path, key))
    elif isinstance(node, list):
        for at, item in enumerate(node):
            yield from places_of(item, (*path, at))


def change(record, path, pick):
    """Change one place: remove, replace, rename, retype it."""
    *parents, last = path
    node = record
    for key in parents:
        node = node[key]
    how = pick.randrange(5)
    if how == 0:
        del node[last]
    elif how == 1:
        node[last] = value(pick)
    elif how == 2 and isinstance(node, dict):
        node[str(last) + "x"] = node.pop(last)
    elif how == 3 and isinstance(node[last], str) and node[last]:
        at = pick.randrange(len(node[last]))
        node[last] = node[last][:at] + pick.choice("aZ0_=\n") + node[last][at + 1 :]
    else:
        node[last] = [node[last]]


def mutations(record, pick, count):
    """Real records with something changed somewhere."""
    for _ in range(count):
        changed = json.loads(json.dumps(record))
        if pick.random() < 0.2:
            retitled(changed, pick)
        if pick.random() < 0.2:
            resnapped(changed, pick)
        if pick.random() < 0.2:
            bundled(changed)
        places = list(places_of(changed))
        core = [path for path in places if path[0] in MOSTLY]
        if pick.random() < 0.8:
            change(changed, pick.choice(core if pick.random() < 0.9 else places), pick)
        yield changed


def broken(text, pick):
    """A JSON text with something put into it that strict readers refuse, or taken out of it."""
    at = pick.randrange(len(text))
    pieces = ['"', "\\", ",", "{", "]", "NaN", "1e999", "9" * 17, "\\ud800", "\x00", "[" * 130]
    pieces += ['"a":1,"a":2,', "\ufeff", "-", "01", "/**/", "\u00a0"]
    return text[:at] + pick.choice(pieces) + text[at + pick.choice([0, 0, 1, 40]) :]


def told(report):
    """What two reports must have in common: everything but the details."""
    names = ("id", "status", "code", "source")
    checks = [[check[name] for name in names] for check in report["checks"]]
    return {**report, "checks": checks}


def test_python_and_browser_say_the_same_of_2_000_mutations_of_the_real_record(shipped):
    page = shipped.open("<p>").page
    pick = random.Random(7)
    texts = [json.dumps(one) for one in mutations(json.loads(shipped.record), pick, 2000)]
    texts[1800:] = [broken(text, pick) for text in texts[1800:]]
    pairs = [(text, pick.choice(ASKED)) for text in texts]
    expected = [told(pybadge.verify(text.encode(), asked=asked).as_dict()) for text, asked in pairs]
    got = [told(report) for report in reports(page, pairs)]
    different = [case for case in zip(pairs, got, expected, strict=True) if case[1] != case[2]]
    assert different[:3] == []
    seen = {(id, status) for report in expected for id, status, *_ in report["checks"]}
    every = {"valid", "invalid", "not_checked", "absent"}
    # The mutations reach every state that the checks of a record have.
    for id in ("title", "abstract", "snapshots", "number", "receipt_signature"):
        assert {status for one, status in seen if one == id} == every, id
    assert {report["verdict"] for report in expected} == {
        "verified",
        "invalid",
        "not_checked",
        "unreadable",
    }
