"""The JavaScript verifier as a package: packed, installed in an empty folder, run as a command and
imported by another module. It says what pybadge says."""

from __future__ import annotations

import json
import os
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest

import pybadge
from pybadge.keys import PINNED
from tests.support.browsing import COMPONENT
from tests.support.command import HANG, program
from tests.support.data import RECORD, RECORD_BYTES, ROOT, SUFFIX
from tests.support.documents import bundle, key_json, put, real, signed, to_bytes

MANIFEST = json.loads((COMPONENT / "package.json").read_text(encoding="utf-8"))
SIGNED, KEY = signed()


def run(*command: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A program's run, which asks no registry and leaves nothing in the user's folders."""
    home = cwd / "home"
    settings = {"npm_config_cache": str(home), "npm_config_offline": "true", "HOME": str(home)}
    return subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=HANG,
        check=False,
        cwd=cwd,
        env={**os.environ, **settings, "npm_config_update_notifier": "false"},
    )


@pytest.fixture(scope="module")
def tarball(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `npm pack` makes of the folder."""
    folder = tmp_path_factory.mktemp("packed")
    done = run("npm", "pack", COMPONENT, "--pack-destination", folder, cwd=folder)
    assert done.returncode == 0, done.stderr
    (made,) = folder.glob("*.tgz")
    return made


@pytest.fixture(scope="module")
def project(tarball: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder in which the package was installed, without network."""
    folder = tmp_path_factory.mktemp("project")
    done = run("npm", "install", "--no-audit", "--no-fund", tarball, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


def verdict_and_checks(report: dict[str, Any]) -> dict[str, Any]:
    """What two reports must have in common: everything but the details."""
    names = ("id", "status", "code", "source")
    checks = [[check[name] for name in names] for check in report["checks"]]
    return {**report, "checks": checks}


def changed(*path: Any, value: Any) -> bytes:
    return to_bytes(put(real(), path, value))


FILES: dict[str, bytes] = {
    "real": RECORD_BYTES,
    "bundle": to_bytes(bundle()),
    "of another key": to_bytes(SIGNED),
    "hash": changed("canonical_sha256", value="0" * 64),
    "open schema": changed("canonical_record", "note", value="x"),
    "title": changed("paper", "title", value="Another title"),
    "alias": changed("aliases", 0, "alias_value", value="2402.15628"),
    "no receipt": changed("receipt", value=None),
    "not the list that was hashed": changed("graph_snapshot", "claims", "items", value=[1]),
    "title beyond ASCII": changed("paper", "title", value="\ufeffΣΑΣ"),
    "cut off": RECORD_BYTES[:-2],
    "a key twice": RECORD_BYTES.replace(b'"paper":', b'"paper":1,"paper":', 1),
    "byte order mark": b"\xef\xbb\xbf" + RECORD_BYTES,
    "too deep": b"[" * 100_000,
    "too long": b" " * (1 << 20) + RECORD_BYTES,
    "empty": b"",
    "array": b"[" + RECORD_BYTES + b"]",
    "PDF": b"%PDF-1.7\n",
    "page": b"<!doctype html>",
    "key": key_json(PINNED[0]).encode(),
    "manifest": b'{"mirrors": []}',
    "report": pybadge.verify(RECORD_BYTES).as_json().encode(),
    "state": b'{"state_type": "pith_open_graph_state"}',
}


@pytest.mark.parametrize("name", FILES)
def test_the_command_prints_the_report_and_the_exit_code_of_pybadge(
    project: Path, tmp_path: Path, name: str
) -> None:
    file = tmp_path / "file.json"
    file.write_bytes(FILES[name])
    theirs = run(*program("verify", "--json", "--offline", str(file)), cwd=ROOT)
    mine = run("npx", "--no-install", "pith-verify", file, cwd=project)
    assert (mine.returncode, mine.stderr) == (theirs.returncode, "")
    assert mine.stdout.isascii()
    assert mine.stdout.count("\n") == 1
    found, expected = json.loads(mine.stdout), json.loads(theirs.stdout)
    assert verdict_and_checks(found) == verdict_and_checks(expected)


@pytest.mark.parametrize("path", ["missing.json", "."])
def test_what_cannot_be_read_is_unreadable_as_in_pybadge(project: Path, path: str) -> None:
    where = project / path
    theirs = run(*program("verify", "--json", "--offline", str(where)), cwd=ROOT)
    mine = run("npx", "--no-install", "pith-verify", where, cwd=project)
    assert (mine.returncode, mine.stderr) == (theirs.returncode, "") == (2, "")
    assert verdict_and_checks(json.loads(mine.stdout)) == verdict_and_checks(
        json.loads(theirs.stdout)
    )


@pytest.mark.parametrize("asked", [SUFFIX.lower(), SUFFIX[:12], SUFFIX[:8], "A" * 26])
def test_the_command_compares_with_the_number_that_was_asked_for(project: Path, asked: str) -> None:
    done = run("npx", "--no-install", "pith-verify", RECORD, "--asked", asked, cwd=project)
    expected = pybadge.verify(RECORD_BYTES, asked=asked, input=str(RECORD))
    assert done.returncode == expected.exit_code
    found = json.loads(done.stdout)
    assert verdict_and_checks(found) == verdict_and_checks(expected.as_dict())


def test_a_key_of_the_user_is_trusted_and_no_other(project: Path, tmp_path: Path) -> None:
    record, key = tmp_path / "record.json", tmp_path / "key.json"
    record.write_bytes(to_bytes(SIGNED))
    key.write_text(key_json(KEY))
    for more, code in (((), 3), (("--key", key), 0)):
        assert run("npx", "--no-install", "pith-verify", record, *more, cwd=project).returncode == (
            code
        )


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("a.json", "b.json"),
        ("--wrong", "a.json"),
        (RECORD, "--asked", "no number"),
        (RECORD, "--key", "missing.json"),
        (RECORD, "--key", RECORD),
    ],
    ids=range(6),
)
def test_a_call_that_makes_no_sense_prints_a_line_and_no_report(
    project: Path, arguments: tuple[object, ...]
) -> None:
    done = run("npx", "--no-install", "pith-verify", *arguments, cwd=project)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("pith-verify: ")
    assert done.stderr.count("\n") == 1


def test_help_is_no_fault(project: Path) -> None:
    done = run("npx", "--no-install", "pith-verify", "--help", cwd=project)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("usage: pith-verify FILE")


IMPORTS = """
import { webcrypto } from "node:crypto";
import { readFileSync } from "node:fs";
import { canonical, parse, parseNumber, numberOf, hashOf, textForm, verify } from "pith-verify";
import { readKey } from "pith-verify/keys";

globalThis.crypto ??= webcrypto; // in Node 18
const [record, key] = process.argv.slice(2);
const bytes = readFileSync(record);
const { canonical_record } = parse(bytes);
console.log(JSON.stringify({
  report: await verify(bytes, { asked: process.argv[4], keys: [await readKey(readFileSync(key))] }),
  canonical: canonical(canonical_record),
  hash: await hashOf(canonical(canonical_record)),
  number: await numberOf(canonical_record),
  parsed: parseNumber("pith:2024:xr2uhlwn"),
  form: textForm("  A \\u3000ΑΣ\\n"),
}));
"""


def test_another_module_imports_it(project: Path, tmp_path: Path) -> None:
    record, key = tmp_path / "record.json", tmp_path / "key.json"
    record.write_bytes(to_bytes(SIGNED))
    key.write_text(key_json(KEY))
    number = SIGNED["pith_number"]
    (project / "user.mjs").write_text(IMPORTS, encoding="utf-8")
    done = run("node", "--no-warnings", "user.mjs", record, key, number, cwd=project)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    expected = pybadge.verify(to_bytes(SIGNED), asked=number, trusted=[KEY])
    assert expected.verdict == "verified"
    assert verdict_and_checks(found["report"]) == verdict_and_checks(expected.as_dict())
    assert found["hash"] == SIGNED["canonical_sha256"]
    assert found["number"] == number
    assert json.loads(found["canonical"]) == SIGNED["canonical_record"]
    assert found["parsed"] == {"suffix": "XR2UHLWN", "year": 2024, "full": False}
    assert found["form"] == "a ας".replace("ς", "σ")


WITHOUT = """
import { webcrypto } from "node:crypto";
import { readFileSync } from "node:fs";
import { verify } from "pith-verify";

globalThis.crypto ??= webcrypto;
const { subtle } = crypto;
const importKey = () => Promise.reject(new DOMException("unknown", "NotSupportedError"));
const digest = (...given) => subtle.digest(...given);
const pretend = (value) =>
  Object.defineProperty(globalThis, "crypto", { configurable: true, value });
pretend({ subtle: { importKey, digest } });
const without = await verify(readFileSync(process.argv[2]));
pretend({});
console.log(JSON.stringify([without, await verify(readFileSync(process.argv[2]))]));
"""


def test_without_ed25519_or_webcrypto_nothing_is_verified(project: Path) -> None:
    (project / "without.mjs").write_text(WITHOUT, encoding="utf-8")
    done = run("node", "--no-warnings", "without.mjs", RECORD, cwd=project)
    assert done.returncode == 0, done.stderr
    hash_only, nothing = json.loads(done.stdout)
    codes = {check["id"]: (check["status"], check["code"]) for check in hash_only["checks"]}
    assert hash_only["verdict"] == nothing["verdict"] == "not_checked"
    assert codes["receipt_signature"] == ("not_checked", "receipt.no_ed25519")
    assert codes["canonical_hash"] == ("valid", "hash.ok")
    assert {check["status"] for check in nothing["checks"]} == {"not_checked"}
    assert nothing["checks"][0]["code"] == "program.no_webcrypto"


WORKER = """
import { readFileSync, writeFileSync } from "node:fs";
import { Worker } from "node:worker_threads";

const code = `
import { webcrypto } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { verify } from "pith-verify";
globalThis.crypto ??= webcrypto;
parentPort.postMessage(await verify(workerData));
`;
const url = new URL("worker.mjs", import.meta.url);
writeFileSync(url, code);
const worker = new Worker(url, { workerData: new Uint8Array(readFileSync(process.argv[2])) });
worker.on("message", (report) => console.log(report.verdict));
"""


def test_it_runs_in_a_worker(project: Path) -> None:
    (project / "main.mjs").write_text(WORKER, encoding="utf-8")
    done = run("node", "--no-warnings", "main.mjs", RECORD, cwd=project)
    assert (done.returncode, done.stdout) == (0, "verified\n"), done.stderr


def test_the_tarball_holds_the_files_that_are_meant(tarball: Path) -> None:
    with tarfile.open(tarball) as archive:
        packed = {Path(name).relative_to("package").as_posix() for name in archive.getnames()}
    assert packed == {file.name for file in COMPONENT.iterdir()}
    targets = [*leaves(MANIFEST["exports"]), *leaves(MANIFEST["bin"])]
    assert {target.removeprefix("./") for target in targets} <= packed


def leaves(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else [x for v in value.values() for x in leaves(v)]


def test_the_package_has_no_dependencies_and_the_version_and_licence_of_the_whole() -> None:
    assert not [name for name in MANIFEST if name.endswith("ependencies")]
    assert MANIFEST["version"] == pybadge.__version__
    assert (COMPONENT / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    assert MANIFEST["license"] == "MIT"
