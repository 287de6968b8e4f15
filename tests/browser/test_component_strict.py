"""The component is as strict as the package: on JSON and on signatures, by the same vectors."""

from __future__ import annotations

import base64
import json
import zlib

from pybadge.ed25519 import verify_ed25519
from pybadge.errors import RecordError
from pybadge.strict_json import read_json
from tests.support.conformance import conformance, conformance_folder, needs_conformance
from tests.support.data import read_lines


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
            parse(Uint8Array.from(text, character => character.charCodeAt()));
            return true;
        } catch {
            return false;
        }
    });
}"""


def encoded(vector):
    return bytes.fromhex(vector["hex"]) if "hex" in vector else vector["text"].encode("utf-8")


def test_the_component_reads_json_as_strictly_as_the_vectors_say(shipped):
    page = shipped.open("<p>").page
    vectors = read_lines("json.jsonl")
    got = page.evaluate(PARSED, [encoded(vector).decode("latin-1") for vector in vectors])
    wrong = [
        vector for vector, mine in zip(vectors, got, strict=True) if mine is not vector["accept"]
    ]
    assert wrong == []


SIGNED = """async cases => {
    const { holds } = await import("/ed25519.js");
    const bytes = hex => Uint8Array.from(hex.match(/../g) ?? [], pair => parseInt(pair, 16));
    return Promise.all(cases.map(async one => (await holds(...one.map(bytes))) ?? false));
}"""


def test_the_component_takes_the_signatures_that_the_vectors_call_valid(shipped):
    """Its own checks with the browser's Ed25519."""
    page = shipped.open("<p>").page
    vectors = read_lines("ed25519.jsonl")
    cases = [[vector[name] for name in ("key", "message", "signature")] for vector in vectors]
    got = page.evaluate(SIGNED, cases)
    wrong = [
        vector for vector, mine in zip(vectors, got, strict=True) if mine is not vector["valid"]
    ]
    assert wrong == []


# --- what others publish


@needs_conformance
def test_the_component_agrees_on_the_json_test_suite(shipped):
    page = shipped.open("<p>").page
    file = conformance_folder("json") / "jsontestsuite.jsonl"
    cases = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
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


@needs_conformance
def test_the_component_agrees_on_the_signatures_on_which_verifiers_differ(shipped):
    names = ("pub_key", "message", "signature")
    cases = [[case[name] for name in names] for case in conformance("ed25519/speccheck_cases.json")]
    page = shipped.open("<p>").page
    got = page.evaluate(SIGNED, cases)
    for case, mine in zip(cases, got, strict=True):
        assert mine == verify_ed25519(*map(bytes.fromhex, case)), case
