"""Python and the browser agree: on the canonical form byte for byte, on what strict JSON is, and on
what is genuine."""

from __future__ import annotations

import json
import random

import pybadge
from pybadge.canonical import canonical_bytes, canonical_sha256
from tests.support.browsing import COMPONENT, exposed
from tests.support.command import HANG
from tests.support.data import RECORDS, ROOT, SIGNATURES, SUFFIX, read_lines

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
    return texts.map(text => canonical(parse(text)));
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
    reports = page.evaluate(
        """async pairs => {
            const { check } = await import("/pith-badge.js");
            const reports = [];
            const bytes = text => new TextEncoder().encode(text);
            for (const [text, number] of pairs) reports.push(await check(bytes(text), number));
            return reports;
        }""",
        [[json.dumps(line), line["pith_number"]] for line in lines],
    )
    # No receipt stands in this file, so the number holds and nothing is vouched for.
    assert {report["state"] for report in reports} == {"not-checked"}
    assert [report["number"] for report in reports] == [line["pith_number"] for line in lines]
    assert [report["hash"] for report in reports] == [line["canonical_sha256"] for line in lines]


def test_every_real_signature_holds_for_its_own_hash_only(shipped):
    """Every real receipt at hand, by its signature alone: most come without their record."""
    page = shipped.open("<p>").page
    signed = [[line["canonical_sha256"], line["signature_b64"]] for line in SIGNATURES]
    assert len(signed) == 8
    assert page.evaluate(HOLD, [exposed(shipped), signed]) == [True] * 8
    # Only its own hash goes with a signature.
    crossed = [
        [hash_, signature] for hash_, own in signed for _, signature in signed if signature != own
    ]
    assert page.evaluate(HOLD, [exposed(shipped), crossed]) == [False] * len(crossed)


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
    assert page.evaluate(HOLD, [exposed(shipped), signed]) == [True] * len(signed)
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
    assert set(states(page, texts)) == {"invalid"}


HOLD = """async ([address, pairs]) => {
    const { isStrict, base64, RAW_KEY } = await import(address);
    const key = await crypto.subtle.importKey("raw", base64(RAW_KEY), "Ed25519", false, ["verify"]);
    const bytes = hex => Uint8Array.from(hex.match(/../g) ?? [], pair => parseInt(pair, 16));
    return Promise.all(pairs.map(async ([hash, text]) => {
        const signature = base64(text);
        return isStrict(signature) && crypto.subtle.verify("Ed25519", key, signature, bytes(hash));
    }));
}"""


def states(page, pairs):
    return page.evaluate(
        """async pairs => {
            const { check } = await import("/pith-badge.js");
            const states = [];
            const bytes = text => new TextEncoder().encode(text);
            for (const [text, number] of pairs)
                states.push((await check(bytes(text), number)).state);
            return states;
        }""",
        pairs,
    )


def mutations(record, pick, count):
    """Real records with one thing changed somewhere: removed, replaced, renamed, retyped."""
    places = []

    def walk(node, path):
        if isinstance(node, dict):
            for key in node:
                places.append((*path, key))
                walk(node[key], (*path, key))
        elif isinstance(node, list):
            for at, item in enumerate(node):
                walk(item, (*path, at))

    walk(record, ())
    # Most of a record is the server's word and proves nothing either way: mutate mostly what is
    # hashed and signed.
    core = [
        path
        for path in places
        if path[0]
        in ("canonical_record", "receipt", "canonical_sha256", "pith_number", "short_pith_number")
    ]
    for _ in range(count):
        changed = json.loads(json.dumps(record))
        *parents, last = pick.choice(core if pick.random() < 0.8 else places)
        node = changed
        for key in parents:
            node = node[key]
        how = pick.randrange(5)
        if how == 0:
            del node[last]
        elif how == 1:
            node[last] = value(pick)
        elif how == 2:
            node[str(last) + "x"] = node.pop(last)
        elif how == 3 and isinstance(node[last], str) and node[last]:
            at = pick.randrange(len(node[last]))
            node[last] = node[last][:at] + pick.choice("aZ0_=\n") + node[last][at + 1 :]
        else:
            node[last] = [node[last]]
        yield changed


# What Python checks and the component does not, since nothing of it is hashed or signed.
PYTHON_ONLY = ("aliases", "snapshots", "abstract")
# The component has no word of its own for what is not a record.
STATES = {
    "verified": "verified",
    "invalid": "invalid",
    "not_checked": "not-checked",
    "unreadable": "not-checked",
}


def test_python_and_browser_agree_on_2_000_mutations_of_the_real_record(shipped):
    page = shipped.open("<p>").page
    pick = random.Random(7)
    texts = [json.dumps(changed) for changed in mutations(json.loads(shipped.record), pick, 2000)]
    got = states(page, [(text, SUFFIX) for text in texts])
    disagreed = []
    for text, state in zip(texts, got, strict=True):
        report = pybadge.verify(text.encode(), asked=SUFFIX)
        invalid = [check.id for check in report.checks if check.status == "invalid"]
        if set(invalid) <= set(PYTHON_ONLY) and invalid:
            continue
        expected = STATES[report.verdict]
        if state == "verified":
            assert expected == "verified", text
        if state != expected:
            disagreed.append((state, expected))
    # Where they differ the component is the stricter one: it calls a field of the wrong type, or
    # missing, wrong.
    assert set(disagreed) <= {("invalid", "not-checked"), ("invalid", "verified")}
    assert set(got) == {"verified", "invalid", "not-checked"}


def test_the_minified_file_is_what_the_source_gives(tmp_path):
    """`make component` was run after the last change, by the minifier of exactly the version in
    package.json."""
    import subprocess

    out = tmp_path / "out.js"
    modules = ROOT / "tests/browser/node_modules"
    command = [
        "node",
        ROOT / "tools/minify-component.mjs",
        modules,
        COMPONENT / "pith-badge.js",
        out,
    ]
    subprocess.run(command, check=True, timeout=HANG)
    assert out.read_text(encoding="utf-8") == (COMPONENT / "pith-badge.min.js").read_text(
        encoding="utf-8"
    )
    wanted = json.loads((ROOT / "tests/browser/package.json").read_text())["devDependencies"][
        "terser"
    ]
    assert json.loads((modules / "terser/package.json").read_text())["version"] == wanted


def test_the_minified_file_has_at_most_8_kilobytes():
    assert (COMPONENT / "pith-badge.min.js").stat().st_size <= 8192


def test_the_pinned_key_is_the_packages(component):
    """One key, in two languages."""
    from base64 import b64encode

    from pybadge.keys import PINNED

    (key,) = PINNED
    for text in (key.key_id, key.fingerprint, b64encode(key.raw).decode()):
        assert f'"{text}"' in component.source
    assert (
        canonical_sha256(json.loads(component.record)["canonical_record"]) not in component.source
    )
