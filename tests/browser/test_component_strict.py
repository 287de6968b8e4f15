"""The component is as strict as the package: on JSON and on signatures, by the same vectors."""

from __future__ import annotations

import base64
import json
import zlib

from pybadge.ed25519 import is_sound_point, verify_ed25519
from pybadge.errors import RecordError
from pybadge.strict_json import read_json
from tests.support.browsing import exposed
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
            const bytes = Uint8Array.from(text, character => character.charCodeAt());
            parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
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


SIGNED = """async ([address, cases]) => {
    const { isStrict } = await import(address);
    const bytes = hex => Uint8Array.from(hex.match(/../g) ?? [], pair => parseInt(pair, 16));
    return Promise.all(cases.map(async ([publicKey, message, signature]) => {
        const raw = bytes(publicKey);
        const imported = crypto.subtle.importKey("raw", raw, "Ed25519", false, ["verify"]);
        const key = await imported.catch(() => null);
        if (!key || !isStrict(bytes(signature))) return false;
        return crypto.subtle.verify("Ed25519", key, bytes(signature), bytes(message));
    }));
}"""


def test_the_component_takes_the_signatures_that_the_vectors_call_valid(shipped):
    """Its own checks with the browser's Ed25519. Unsound keys never reach it, since its one key is
    pinned, nor signatures of another length, which are no receipts' base64."""
    page = shipped.open("<p>").page
    vectors = [
        vector
        for vector in read_lines("ed25519.jsonl")
        if vector["sound_key"] and len(vector["signature"]) == 128
    ]
    cases = [[vector[name] for name in ("key", "message", "signature")] for vector in vectors]
    got = page.evaluate(SIGNED, [exposed(shipped), cases])
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
    got = page.evaluate(SIGNED, [exposed(shipped), cases])
    for case, mine in zip(cases, got, strict=True):
        public, message, signature = map(bytes.fromhex, case)
        if is_sound_point(public):
            assert mine == verify_ed25519(public, message, signature), case
