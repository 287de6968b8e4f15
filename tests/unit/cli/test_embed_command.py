"""``pybadge embed`` as a command, and what it refuses."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import get_args

import pytest

import pybadge
from pybadge.checks import report as report_module
from pybadge.embed import FORMATS, WHERE, component_source, placement_of, site_files, snippet
from tests.support.data import RECORD, RECORD_URL, ROOT, SUFFIX

LINK = RECORD_URL


def embed(*arguments, what=RECORD):
    command = [
        sys.executable,
        "-m",
        "pybadge",
        "embed",
        *([str(what)] if what else []),
        "--offline",
        *arguments,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


def test_list_names_every_format_and_where_it_is_shown():
    code, out, err = embed("--list", what=None)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert [line.split()[0] for line in lines] == list(FORMATS)
    assert all(len(line.split(maxsplit=1)[1]) > 20 for line in lines)


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_links_the_number(report, format):
    text = snippet(report, format=format, image_url="https://example.org/badge.svg")
    assert text.endswith("\n")
    assert SUFFIX in text or format in ("shields", "shields-static")


def test_the_default_format_is_html():
    assert embed()[:2] == (0, snippet(pybadge.verify(pybadge.load(RECORD))))


def test_size_png_and_dark_picture_reach_the_snippet(report):
    _, out, _ = embed("--size", "40", "--image-url", "https://example.org/b.svg", "--png")
    assert 'src="https://example.org/b-2x.png"' in out
    assert 'height="40"' in out
    assert f'width="{placement_of(report, size=40).width}"' in out
    _, out, _ = embed("--png", "https://example.org/x.png")
    assert 'src="https://example.org/x.png"' in out
    _, out, _ = embed("--format", "html-picture", "--dark", "https://example.org/night.svg")
    assert 'srcset="https://example.org/night.svg"' in out


@pytest.mark.parametrize(
    "arguments",
    [
        ("--format", "word"),
        ("--size", "9"),
        ("--size", "401"),
        ("--size", "1e3"),
        ("--size", "٤٠"),
        ("--image-url", "javascript:alert(1)"),
        ("--style", "baroque"),
        ("--format", "shields"),
        ("--format", "email", "--image-url", "https://example.org/picture"),
    ],
)
def test_usage_errors_are_one_line(arguments):
    code, out, err = embed(*arguments)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1


def test_without_a_record_there_is_a_usage_error():
    code, _, err = embed(what=None)
    assert code == 2
    assert "--list" in err


def test_invalid_record_exits_1_and_says_invalid(tmp_path):
    bad = tmp_path / "bad.json"
    bad.write_bytes(RECORD.read_bytes().replace(b'_sorted":["cs.DC"]', b'_sorted":["cs.DD"]'))
    code, out, err = embed(what=bad)
    assert (code, out) == (1, "")
    assert "another record was served" in err
    code, out, _ = embed("--format", "bibtex", what=bad)
    assert (code, out) == (1, "")
    code, out, _ = embed("--files", str(tmp_path / "site"), what=bad)
    assert (code, out) == (1, "")
    assert not (tmp_path / "site").exists()


def test_files_into_a_place_that_is_no_folder(tmp_path):
    (tmp_path / "x").write_text("")
    code, _, err = embed("--files", str(tmp_path / "x/y"))
    assert code == 2
    assert err.count("\n") == 1


def test_files_are_the_same_each_time(report):
    record = pybadge.load(RECORD)
    assert site_files(report, record) == site_files(report, record)


def test_making_a_snippet_asks_no_network(report, monkeypatch):
    def refused(*_):
        raise AssertionError("no network when drawing")

    monkeypatch.setattr("socket.socket.connect", refused)
    monkeypatch.setattr("socket.getaddrinfo", refused)
    site_files(report, pybadge.load(RECORD))
    for format in FORMATS:
        snippet(report, format=format, image_url="https://example.org/badge.svg")


def test_a_data_uri_says_what_it_is(report):
    address = re.search(r'src="([^"]+)"', snippet(report, format="html-data-uri"))[1]
    from urllib.parse import unquote

    head, _, body = address.partition(",")
    assert head == "data:image/svg+xml"
    assert unquote(body).strip() == pybadge.badge_svg(report).strip()


def test_a_snippet_links_to_the_records_own_address_only(report):
    """No numeric ids, no redirecting aliases: the one address made of the number itself."""
    for format in FORMATS:
        text = snippet(report, format=format, image_url="https://example.org/badge.svg")
        for address in re.findall(r"https://pith\.science/[^\s\"'\])}<|,]*", text):
            assert address in (LINK, f"{LINK}.json")


def test_an_empty_label_is_refused(report):
    with pytest.raises(pybadge.PybadgeError):
        snippet(report, label="")
    with pytest.raises(pybadge.PybadgeError):
        snippet(report, label=" \n ")


def test_no_html_has_an_inline_style(report):
    """Proxies of forges forbid inline styles: none in any HTML."""
    for format in (
        "html",
        "html-picture",
        "html-inline",
        "html-data-uri",
        "email",
        "markdown-dark",
        "html-component",
    ):
        text = snippet(report, format=format)
        assert "style=" not in text
        assert "<style" not in text


@pytest.mark.parametrize("format", ["markdown", "rst", "email", "bbcode", "textile"])
def test_a_relative_address_is_warned_of_where_it_fails(format):
    code, _, err = embed("--format", format)
    assert code == 0
    assert "relative" in err
    code, _, err = embed("--format", format, "--image-url", "https://example.org/badge.svg")
    assert (code, err) == (0, "")


def test_html_for_ones_own_page_may_have_a_relative_address():
    assert embed("--format", "html")[2] == ""


@pytest.mark.parametrize(
    "address",
    [
        "https://raw.githubusercontent.com/a/b/main/badge.svg",
        "https://gitlab.com/a/b/-/raw/main/badge.svg",
    ],
)
def test_a_host_that_serves_svg_as_text_is_warned_of(address):
    code, _, err = embed("--format", "markdown", "--image-url", address)
    assert code == 0
    assert "plain text" in err


SCHEMES = [
    "javascript:alert(1)", "JavaScript:alert(1)", "java\tscript:alert(1)",
    " javascript:alert(1)", "\x01javascript:alert(1)",
    "java\nscript:alert(1)", "javascript&colon;alert(1)//:", "data:text/html,<script>",
    "vbscript:x", "file:///etc/passwd",
    "http://example.org/x.svg", "//example.org/x.svg",
    "https:", "https://", "https:///x", "ftp://example.org/x", "blob:x", "",
    "https://[",
    "https://user@example.org/x.svg",
    "https://exämple.org/x.svg",
    "about:blank",
    "javascript:https://example.org",
]  # fmt: skip


@pytest.mark.parametrize("address", SCHEMES)
@pytest.mark.parametrize("option", ["image_url", "dark", "png"])
def test_addresses_with_other_schemes_are_refused(report, option, address):
    # An empty one means none with png; the command line can't give it.
    address = address or " "
    with pytest.raises(pybadge.PybadgeError):
        snippet(report, format="html-picture", **{option: address})


@pytest.mark.parametrize(
    "address",
    [
        "a b.svg",
        "ü.svg",
        "(x).svg",
        "[x].svg",
        "x'y.svg",
        'x"y.svg',
        "<x>.svg",
        "x`y.svg",
        "{{x}}.svg",
        "a|b.svg",
        "a\\b.svg",
    ],
)
@pytest.mark.parametrize(
    "format", ["markdown", "html", "rst", "asciidoc", "org-link", "textile", "bbcode", "quarto"]
)
def test_an_image_address_is_encoded(report, format, address):
    """Nothing in an address means anything to the markup it stands in."""
    text = snippet(report, format=format, image_url=f"https://example.org/{address}")
    found = re.search(r"https://example\.org/([A-Za-z0-9%._-]+)", text)[1]
    from urllib.parse import unquote

    assert unquote(found).replace("-2x.png", ".svg") == address


def test_the_snippet_for_mail_takes_a_png_and_says_so(report):
    text = snippet(report, format="email", image_url="https://example.org/badge.svg")
    assert 'src="https://example.org/badge-2x.png"' in text
    assert ".svg" not in text
    assert "PNG" in WHERE["email"]


def test_any_label_comes_out_of_the_html_as_it_went_in(report):
    from hypothesis import given, settings
    from hypothesis import strategies as st
    from lxml import html as parser

    @settings(max_examples=150, deadline=None)
    @given(st.text(min_size=1, max_size=40))
    def check(label):
        try:
            alt = placement_of(report, label=label).alt
        except pybadge.PybadgeError:
            return
        for format in ("html", "html-picture", "email"):
            image = next(parser.fromstring(snippet(report, format=format, label=label)).iter("img"))
            assert image.get("alt") == alt

    check()


def test_csl_json_and_codemeta_are_json(report):
    for format in ("csl-json", "codemeta"):
        json.loads(snippet(report, format=format))


def test_every_template_escapes_whatever_its_name(report):
    """Whatever its file is called: the payload stands in each rendered page as text."""
    from pybadge.embed import placement_of
    from pybadge.embed.site import _environment

    environment = _environment()
    payload = "<script>alert(1)</script>\"'&"
    for name in ("x.html", "x.svg", "x.txt", "x"):
        template = environment.from_string("{{ value }}")
        template.name = name
        assert "<" not in template.render(value=payload)
    label = f"pith {payload}"
    pages = [
        data.decode()
        for name, data in site_files(report, pybadge.load(RECORD), label=label).items()
        if name.endswith(".html")
    ]
    assert len(pages) == 2
    for page in pages:
        assert "<script>alert" not in page
    assert placement_of(report, label=label).alt.startswith("pith <script>")


def test_inlined_svg_has_no_filter(report):
    for format in ("html-inline", "html-data-uri"):
        assert "filter" not in snippet(report, format=format)


def exports(source: str) -> set[str]:
    """The names that a module, or its types, exports; interfaces and types apart."""
    made = re.findall(r"^export (?:async )?(?:function|class|const) (\w+)", source, re.M)
    passed_on = re.findall(r"^export \{([^}]*)\}", source, re.M)
    return {*made, *re.findall(r"\w+", " ".join(passed_on))}


@pytest.mark.parametrize("name", ["verify", "keys", "pith-badge"])
def test_the_types_name_what_the_module_has(name):
    source, types = component_source(f"{name}.js"), component_source(f"{name}.d.ts")
    assert exports(source) == exports(types)
    assert exports(source)


def words_of(types: str, name: str) -> list[str]:
    """The words of a union type."""
    return re.findall(r'"([a-z_-]+)"', re.search(rf"type {name} =(.*?);", types, re.S)[1])


def test_the_types_name_every_state_of_the_component():
    words = re.search(r"const WORDS = \{(.*?)\};", component_source("pith-badge.js"), re.S)[1]
    states = re.findall(r'^\s*"?([a-z-]+)"?:', words, re.M)
    assert sorted(words_of(component_source("pith-badge.d.ts"), "State")) == sorted(states)


def test_the_types_name_what_a_report_can_say():
    types = component_source("verify.d.ts")
    assert tuple(words_of(types, "CheckId")) == report_module.CHECK_IDS
    assert tuple(words_of(types, "Status")) == get_args(report_module.Status)
    assert tuple(words_of(types, "Source")) == get_args(report_module.Source)
    assert tuple(words_of(types, "Verdict")) == get_args(report_module.Verdict)


def test_the_wheel_carries_component_and_templates(tmp_path):
    import zipfile

    root = ROOT
    command = [
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        tmp_path,
        root,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    for name in (
        "component/pith-badge.js",
        "component/pith-badge.min.js",
        "component/pith-badge.d.ts",
        "component/verify.js",
        "component/verify.min.js",
        "component/package.json",
    ):
        assert f"pybadge/embed/{name}" in names
    for name in ("index.html", "data-uri.html", "page.css", "page.js"):
        assert f"pybadge/embed/templates/{name}" in names
    # As a package inside an archive, whose files have no path of their own.
    code = (
        f"import sys; sys.path.insert(0, {str(wheel)!r}); import pybadge\n"
        "from pybadge.embed import component_source\n"
        "print(pybadge.__file__, len(component_source()))"
    )
    out = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, timeout=60, check=True
    ).stdout
    where, size = out.rsplit(maxsplit=1)
    assert where.startswith(str(wheel))
    assert int(size) == len(component_source())
