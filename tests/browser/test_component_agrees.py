"""Python and the browser agree: on the canonical form byte for byte, on what strict JSON is, and on
what is genuine."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest

import pybadge
from pybadge.canonical import canonical_bytes, canonical_sha256
from pybadge.errors import RecordError
from pybadge.record import read_json
from tests.support.browsing import COMPONENT, DATA, NUMBER, ROOT

SHARED = Path(os.environ.get("PITH_SHARED", ROOT.parent / "shared"))

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


def test_canonical_form_of_10_000_generated_records(shipped):
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


def test_order_of_keys_is_by_code_point(shipped):
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


def test_canonical_form_and_number_of_all_real_records(shipped):
    page = shipped.open("<p>").page
    lines = [
        json.loads(line)
        for line in (DATA / "records.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert len(lines) == 113
    got = page.evaluate(CANONICAL, [json.dumps(line["canonical_record"]) for line in lines])
    assert got == [canonical_bytes(line["canonical_record"]).decode("utf-8") for line in lines]
    reports = page.evaluate(
        """async pairs => {
            const { check } = await import("/pith-badge.js");
            const reports = [];
            for (const [text, number] of pairs) reports.push(await check(new TextEncoder().encode(text), number));
            return reports;
        }""",
        [[json.dumps(line), line["pith_number"]] for line in lines],
    )
    # No receipt stands in this file, so the number holds and nothing is vouched for.
    assert {report["state"] for report in reports} == {"not-checked"}
    assert [report["number"] for report in reports] == [line["pith_number"] for line in lines]
    assert [report["hash"] for report in reports] == [line["canonical_sha256"] for line in lines]


def test_all_real_signatures(shipped):
    """Every real receipt at hand, by its signature alone: most come without their record."""
    page = shipped.open("<p>").page
    lines = [
        json.loads(line)
        for name in ("records", "signatures")
        for line in (DATA / f"{name}.jsonl").read_text().splitlines()
    ]
    signed = [
        [line["canonical_sha256"], line["signature_b64"]] for line in lines if line["signature_b64"]
    ]
    assert len(signed) == 8
    assert page.evaluate(HOLD, [hold_source(shipped), signed]) == [True] * 8
    # Only its own hash goes with a signature.
    crossed = [
        [hash_, signature] for hash_, own in signed for _, signature in signed if signature != own
    ]
    assert page.evaluate(HOLD, [hold_source(shipped), crossed]) == [False] * len(crossed)


def test_integrity_signatures_are_no_receipts(shipped):
    """The registry's key signs other things over 32 bytes too; with such a hash stated, the rebuilt
    one differs."""
    lines = [json.loads(line) for line in (DATA / "integrity.jsonl").read_text().splitlines()]
    signed = [
        (line["payload_sha256"], line["signature_b64"])
        for line in lines
        if line.get("signature_b64")
    ]
    assert signed
    page = shipped.open("<p>").page
    # They do hold as signatures, which is the danger.
    assert page.evaluate(HOLD, [hold_source(shipped), signed]) == [True] * len(signed)
    texts = []
    for hash_, signature in signed:
        record = json.loads(shipped.record)
        record["canonical_sha256"] = record["receipt"]["canonical_sha256"] = hash_
        record["receipt"]["signature_b64"] = signature
        texts.append((json.dumps(record), NUMBER))
        record["canonical_sha256"] = json.loads(shipped.record)["canonical_sha256"]
        texts.append((json.dumps(record), NUMBER))
        del record["receipt"]["canonical_sha256"]
        texts.append((json.dumps(record), NUMBER))
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


def hold_source(component):
    """The address of the component's source with its inner parts exported."""
    source = (COMPONENT / "pith-badge.js").read_text(encoding="utf-8")
    for name in ("isStrict", "base64", "RAW_KEY"):
        assert f"const {name} =" in source
        source = source.replace(f"const {name} =", f"export const {name} =")
    component.server.put(
        "/exposed.js",
        source.replace("if (!customElements", "if (false && !customElements"),
        "text/javascript",
    )
    return "/exposed.js"


def states(page, pairs):
    return page.evaluate(
        """async pairs => {
            const { check } = await import("/pith-badge.js");
            const states = [];
            for (const [text, number] of pairs) states.push((await check(new TextEncoder().encode(text), number)).state);
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


def test_verdicts_on_2_000_mutations_of_the_real_record(shipped):
    page = shipped.open("<p>").page
    pick = random.Random(7)
    texts = [json.dumps(changed) for changed in mutations(json.loads(shipped.record), pick, 2000)]
    got = states(page, [(text, NUMBER) for text in texts])
    disagreed = []
    for text, state in zip(texts, got, strict=True):
        report = pybadge.verify(text.encode(), asked=NUMBER)
        invalid = [check.id for check in report.checks if check.status == "invalid"]
        if set(invalid) <= set(PYTHON_ONLY) and invalid:
            continue
        expected = {"verified": "verified", "invalid": "invalid", "not_checked": "not-checked"}[
            report.verdict
        ]
        if state == "verified":
            assert expected == "verified", text
        if state != expected:
            disagreed.append((state, expected))
    # Where they differ the component is the stricter one: it calls a field of the wrong type, or
    # missing, wrong.
    assert set(disagreed) <= {("invalid", "not-checked"), ("invalid", "verified")}
    assert set(got) == {"verified", "invalid", "not-checked"}


STRICT = [
    "{}", "[]", " [ ] ", "0", "-0", "1.5", "1e5",
    '"a"', '"\\u00e9"', "null", "tru", "True", "", " ", "[1,]", "[,1]", "{,}",
    '{"a":1,}',
    '{"a" 1}', '{"a":1 "b":2}', '{"a":1,"a":2}', '{"a":{"b":1,"b":1}}', '{"\\u0061":1,"a":2}', "{'a':1}", "[1 2]",
    "01", "+1", ".5", "1.",
    "0x1", "NaN", "Infinity", "-Infinity", "1e999", "-1e999", "1e400000",
    "9007199254740991", "9007199254740992", "-9007199254740992",
    "12345678901234567890",
    '"\\ud800"', '"\\udc00\\ud800"', '"\\ud83d\\ude00"', '{"\\ud800":1}', '"\t"', '"\\x"', '"\\u12"', "\ufeff{}",
    "[1]]", "[[1]", "\u00a0{}", "\x0b1", "/**/1", "1//", "[" * 64 + "]" * 64,
    "[" * 65 + "]" * 65, '{"a":' * 65 + "1" + "}" * 65,
    '["' + "[" * 100 + '"]', '{"__proto__":1}', '{"__proto__":1,"__proto__":2}',
    '["a\\"],[b"]', '"\u2028"', '"a" "b"', "1 1", "[]{}",
]  # fmt: skip


def accepted_by_python(data):
    try:
        read_json(data)
    except RecordError:
        return False
    return True


PARSED = """async list => {
    const { parse } = await import("/pith-badge.js");
    return list.map(text => {
        try {
            const bytes = Uint8Array.from(text, character => character.charCodeAt());
            parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
            return true;
        } catch {
            return false;
        }
    });
}"""


def test_strict_json(shipped):
    page = shipped.open("<p>").page
    datas = [text.encode("utf-8") for text in STRICT]
    got = page.evaluate(PARSED, [data.decode("latin-1") for data in datas])
    assert dict(zip(STRICT, got, strict=True)) == dict(
        zip(STRICT, map(accepted_by_python, datas), strict=True)
    )


def test_strict_json_on_the_json_test_suite(shipped):
    """Others' conformance data, used from beside the checkout."""
    path = SHARED / "conformance/json/jsontestsuite.jsonl"
    if not path.exists():
        pytest.skip(
            "the shared conformance data are not beside this checkout; PITH_SHARED says where they are"
        )
    import base64
    import zlib

    page = shipped.open("<p>").page
    cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    datas = [
        base64.b64decode(case["b64"])
        if "b64" in case
        else zlib.decompress(base64.b64decode(case["zb64"]))
        for case in cases
    ]
    got = page.evaluate(PARSED, [data.decode("latin-1") for data in datas])
    expected = [accepted_by_python(data) for data in datas]
    different = [
        case for case, mine, theirs in zip(cases, got, expected, strict=True) if mine != theirs
    ]
    assert different == []
    assert len(cases) > 300


def test_strict_signatures_on_the_published_vectors(shipped):
    """The component's own pre-checks with the browser's Ed25519, against pybadge's."""
    path = SHARED / "conformance/ed25519/speccheck_cases.json"
    if not path.exists():
        pytest.skip(
            "the shared conformance data are not beside this checkout; PITH_SHARED says where they are"
        )
    from pybadge.keys import verify_ed25519

    cases = json.loads(path.read_text())
    page = shipped.open("<p>").page
    got = page.evaluate(
        """async ([address, cases]) => {
            const { isStrict } = await import(address);
            const bytes = hex => Uint8Array.from(hex.match(/../g) ?? [], pair => parseInt(pair, 16));
            return Promise.all(cases.map(async ({ pub_key, message, signature }) => {
                const imported = crypto.subtle.importKey("raw", bytes(pub_key), "Ed25519", false, ["verify"]);
                const key = await imported.catch(() => null);
                if (!key || !isStrict(bytes(signature))) return false;
                return crypto.subtle.verify("Ed25519", key, bytes(signature), bytes(message));
            }));
        }""",
        [hold_source(shipped), cases],
    )
    strict = [
        verify_ed25519(*(bytes.fromhex(case[name]) for name in ("pub_key", "message", "signature")))
        for case in cases
    ]
    small_order_keys = (
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "ecff" + "ff" * 30,
    )
    for case, mine, theirs in zip(cases, got, strict, strict=True):
        # The component has one key, and it is pinned: keys of small order never reach it.
        if case["pub_key"] not in small_order_keys:
            assert mine == theirs, case


def test_minified_file_is_what_the_source_gives(tmp_path):
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
    subprocess.run(command, check=True, timeout=60)
    assert out.read_text(encoding="utf-8") == (COMPONENT / "pith-badge.min.js").read_text(
        encoding="utf-8"
    )
    wanted = json.loads((ROOT / "tests/browser/package.json").read_text())["devDependencies"][
        "terser"
    ]
    assert json.loads((modules / "terser/package.json").read_text())["version"] == wanted


def test_minified_file_is_at_most_8_kilobytes():
    assert (COMPONENT / "pith-badge.min.js").stat().st_size <= 8192


def test_pinned_key_is_the_packages(component):
    """One key, in two languages."""
    from base64 import b64encode

    from pybadge.keys import PINNED

    (key,) = PINNED
    for text in (key.key_id, key.fingerprint, b64encode(key.raw).decode()):
        assert f'"{text}"' in component.source
    assert (
        canonical_sha256(json.loads(component.record)["canonical_record"]) not in component.source
    )
