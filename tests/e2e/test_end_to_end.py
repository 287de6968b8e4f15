"""The main job as a user runs it: the installed command, in a process of its own, on the real
record."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from PIL import Image, ImageChops, ImageStat

import pybadge
from pybadge import keys, number
from pybadge.canonical import canonical_sha256, title_sha256
from tests.support.data import DATA

RECORD = DATA / "record-XR2UHLWN.json"
SUFFIX = "XR2UHLWNHHFSD4ZJJXWRU6R6QP"
HOSTILE = "</text><script>alert(1)</script>\x00\x1b]52;c;AAAA\x07\u202e^^5cinput{x}]](javascript:alert(1)) \"'`&|"


def pybadge_command(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "pybadge", *arguments],
        input=stdin,
        capture_output=True,
        timeout=60,
        check=False,
    )


def hostile_record() -> tuple[dict[str, Any], keys.PublicKey]:
    """A validly signed record whose title is an attack: a signature says who, not that the text is
    safe."""
    document = json.loads(RECORD.read_bytes())
    document["paper"]["title"] = HOSTILE
    document["paper"]["authors_text"] = HOSTILE
    document["canonical_record"]["metadata"]["title_canon_sha256"] = title_sha256(HOSTILE)
    stated = canonical_sha256(document["canonical_record"])
    derived = number.from_record(document["canonical_record"])
    private = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    key = keys.PublicKey(private.public_key().public_bytes_raw(), "test-key", "Test")
    document.update(
        canonical_sha256=stated,
        pith_number=derived.text,
        short_pith_number=derived.short,
        aliases=[],
    )
    document["receipt"].update(
        canonical_sha256=stated,
        key_id="test-key",
        public_key_fingerprint=key.fingerprint,
        signature_b64=base64.b64encode(private.sign(bytes.fromhex(stated))).decode(),
    )
    return document, key


def test_verify_prints_a_report_and_exits_0() -> None:
    done = pybadge_command(
        "verify", str(RECORD), "--offline", "--abstract-file", str(DATA / "abstract-2402.15627.txt")
    )
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode()
    assert f"pith:2024:{SUFFIX}" in text
    assert "verified" in text
    assert done.stderr == b""


def test_verify_json_is_one_object_of_the_fixed_shape() -> None:
    done = pybadge_command("verify", str(RECORD), "--offline", "--json")
    lines = done.stdout.splitlines()
    assert len(lines) == 1
    report = json.loads(lines[0])
    assert report["schema"] == "pybadge-report/1"
    assert report["input"] == str(RECORD)
    assert report["number"] == f"pith:2024:{SUFFIX}"
    assert report["verdict"] == "verified"
    assert [check["id"] for check in report["checks"]] == list(pybadge.checks.CHECK_IDS)
    assert all(
        set(check) == {"id", "status", "code", "detail", "source"} for check in report["checks"]
    )


@pytest.mark.parametrize(
    ("arguments", "stdin", "exit_code", "verdict"),
    [
        (["-"], RECORD.read_bytes(), 0, "verified"),
        (["-"], RECORD.read_bytes().replace(b"MegaScale", b"NanoScale"), 1, "invalid"),
        (["-"], b'{"canonical_record": 1}', 1, "invalid"),
        (["-"], b"no json", 2, "invalid"),
        (["-"], b'{"a": 1, "a": 1}', 2, "invalid"),
        (["missing/file.json"], b"", 2, "invalid"),
        (["not-a-number"], b"", 2, "not_checked"),
        ([SUFFIX, "--offline"], b"", 3, "not_checked"),
    ],
    ids=[
        "stdin",
        "changed",
        "no record",
        "no json",
        "duplicate key",
        "no file",
        "no number",
        "offline",
    ],
)
def test_exit_codes_and_one_json_object_in_every_case(
    arguments: list[str], stdin: bytes, exit_code: int, verdict: str
) -> None:
    done = pybadge_command("verify", "--json", *arguments, stdin=stdin)
    assert done.returncode == exit_code
    assert b"Traceback" not in done.stderr
    (line,) = done.stdout.splitlines()
    assert json.loads(line)["verdict"] == verdict


def test_of_several_records_the_worst_decides(tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_bytes(RECORD.read_bytes().replace(b"MegaScale", b"NanoScale"))
    done = pybadge_command("verify", "--json", "--offline", str(RECORD), SUFFIX, str(bad))
    assert [json.loads(line)["verdict"] for line in done.stdout.splitlines()] == [
        "verified",
        "not_checked",
        "invalid",
    ]
    assert done.returncode == 1


def test_show_says_what_the_record_says() -> None:
    text = pybadge_command("show", str(RECORD), "--offline").stdout.decode()
    for expected in (
        SUFFIX,
        "MegaScale",
        "2402.15627v1",
        "10.48550/arxiv.2402.15627",
        "Bitcoin timestamp",
        "2405.14430",
        "as served",
    ):
        assert expected in text


def test_latex_prints_the_two_lines() -> None:
    done = pybadge_command("latex", str(RECORD), "--offline")
    assert done.stdout.decode() == f"\\usepackage{{pith}}\n\\pithnumber{{{SUFFIX}}}\n"


def test_keys_lists_the_pinned_key() -> None:
    text = pybadge_command("keys").stdout.decode()
    assert "pith-v1-2026-05" in text
    assert "8d4b5ee74e4693bcd1df2446408b0d54" in text


def test_fetch_saves_the_bytes_and_keeps_a_bad_record_out(tmp_path: Path) -> None:
    target = tmp_path / "saved.json"
    assert pybadge_command("fetch", str(RECORD), "-o", str(target)).returncode == 0
    assert target.read_bytes() == RECORD.read_bytes()
    bad = tmp_path / "bad.json"
    bad.write_bytes(RECORD.read_bytes().replace(b"MegaScale", b"NanoScale"))
    done = pybadge_command("fetch", str(bad), "-o", str(target))
    assert done.returncode == 1
    assert target.read_bytes() == RECORD.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.json", "saved.json"]


def test_the_html_snippet_is_a_linked_image() -> None:
    text = pybadge_command("embed", str(RECORD), "--offline", "--format", "html").stdout.decode()
    link = ElementTree.fromstring(text.replace('">\n', '"/>').replace('"></a>', '"/></a>'))
    assert link.tag == "a"
    assert link.attrib["href"] == f"https://pith.science/pith/{SUFFIX}"
    (image,) = link
    assert {"src", "alt", "width", "height"} <= set(image.attrib)
    assert SUFFIX in image.attrib["alt"]
    assert "verified" in image.attrib["alt"]


def test_the_badge_draws_alike_in_chromium_librsvg_and_pillow(tmp_path: Path) -> None:
    svg, png = tmp_path / "badge.svg", tmp_path / "badge.png"
    assert pybadge_command("badge", str(RECORD), "--offline", "-o", str(svg)).returncode == 0
    assert (
        pybadge_command(
            "badge", str(RECORD), "--offline", "-o", str(png), "--scale", "2"
        ).returncode
        == 0
    )
    root = ElementTree.fromstring(svg.read_text(encoding="utf-8"))
    width, height = (round(float(root.attrib[name])) for name in ("width", "height"))
    ours = on_white(Image.open(png))
    assert ours.size == (2 * width, 2 * height)
    subprocess.run(
        ["rsvg-convert", "--zoom", "2", "-o", str(tmp_path / "rsvg.png"), str(svg)], check=True
    )
    chromium_screenshot(svg, tmp_path / "chromium.png", width, height)
    # librsvg does not heed textLength and kerns by itself, so its letters stand a little
    # differently
    for name, limit in (("rsvg.png", 10), ("chromium.png", 10)):
        theirs = on_white(Image.open(tmp_path / name)).crop((0, 0, 2 * width, 2 * height))
        difference = max(ImageStat.Stat(ImageChops.difference(ours, theirs)).mean)
        assert difference < limit, (name, difference)
    assert len(ours.getcolors(maxcolors=1 << 16)) > 20, "there is text on it"


def on_white(image: Image.Image) -> Image.Image:
    image = image.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", image.size, "white"), image).convert("RGB")


def chromium_screenshot(svg: Path, target: Path, width: int, height: int) -> None:
    page = svg.with_suffix(".html")
    page.write_text(
        f'<!doctype html><body style="margin:0"><img src="{svg.name}" style="display:block">',
        encoding="utf-8",
    )
    profile = svg.parent / "profile"
    quiet = (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
    )
    subprocess.run(
        [
            "chromium",
            *quiet,
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            "--force-device-scale-factor=2",
            f"--user-data-dir={profile}",
            f"--window-size={max(width, 500)},{max(height, 200)}",
            f"--screenshot={target}",
            page.as_uri(),
        ],
        check=True,
        capture_output=True,
        timeout=120,
    )


def test_a_hostile_title_stays_inert_everywhere() -> None:
    document, key = hostile_record()
    report = pybadge.verify(document, trusted=[key])
    assert report.verdict == "verified"
    svg = pybadge.badge_svg(report)
    for element in ElementTree.fromstring(svg).iter():
        assert element.tag.split("}")[1] in {"svg", "title", "path", "g", "text", "rect", "circle"}
        assert not any(name.startswith("on") or "href" in name for name in element.attrib)
    for format in ("html", "markdown"):
        text = pybadge.snippet(report, format=format)
        assert "<script" not in text
        assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", text)
        assert "javascript" not in text
    assert pybadge.snippet(report, format="latex").count("\n") == 2
    assert "input" not in pybadge.snippet(report, format="latex")


def test_a_hostile_title_is_printed_without_what_a_terminal_obeys() -> None:
    document, _ = hostile_record()
    done = pybadge_command("show", "-", "--offline", stdin=json.dumps(document).encode())
    text = done.stdout.decode()
    assert "alert(1)" in text, "it is shown"
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)


def test_every_escaper_takes_the_hostile_title() -> None:
    from pybadge import escape

    for name in escape.__all__:
        text = getattr(escape, name)(HOSTILE)
        if name != "json_in_html":
            assert not re.search("[\x00-\x1f\u202e]", text), name
    assert "<" not in escape.xml(HOSTILE)
    assert "^^" not in escape.latex(HOSTILE)
    assert not re.search(r"(?<!\\)\]\(", escape.markdown(HOSTILE))
