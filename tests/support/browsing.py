"""A web server on this machine and the component on its pages, for the tests in tests/browser."""

from __future__ import annotations

import io
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image, ImageChops, ImageStat

from pybadge.checks.report import REQUIRED
from tests.support.data import RECORD_BYTES, RECORD_URL, ROOT, SUFFIX
from tests.support.http_server import Reply, Request, Server, answer

__all__ = [
    "COMPONENT",
    "MODULES",
    "NODE_MODULES",
    "STRICT",
    "Component",
    "PageServer",
    "Watched",
    "decisive",
    "difference",
    "expect",
    "page",
    "violations",
]

NODE_MODULES = ROOT / "tests/browser/node_modules"
COMPONENT = ROOT / "pybadge/embed/component"
MODULES = ("rules.js", "strict-json.js", "forms.js", "ed25519.js", "verify.js")
"""What the component is made of, besides itself."""
STRICT = "default-src 'self'"
_ICON = answer(b"", status=204, content_type="image/x-icon")
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".json": "application/json",
    ".ts": "text/plain",
}


def page(
    body: bytes,
    content_type: str,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    release: threading.Event | None = None,
    times: int = 1,
) -> Reply:
    """An answer with the strict policy, unless ``headers`` say else.

    Args:
        body: the bytes.
        content_type: what they are.
        status: the HTTP status.
        headers: more headers.
        release: the answer waits for it.
        times: the body is sent so often, one after the other.
    """
    sent = {
        "Content-Type": content_type,
        "Content-Security-Policy": STRICT,
        **(headers or {}),
        "Content-Length": str(len(body) * times),
    }

    def reply(request: Request) -> None:
        if release is not None:
            release.wait(120)
        request.send_response(status)
        for name, value in sent.items():
            request.send_header(name, value)
        request.end_headers()
        for _ in range(times):
            request.wfile.write(body)

    return reply


class PageServer(Server):
    """A web server whose pages a test puts there."""

    def __init__(self) -> None:
        super().__init__({"/favicon.ico": _ICON})

    def put(
        self, path: str, body: bytes | str, content_type: str = "application/json", **more: Any
    ) -> str:
        """Put a page at a path; returns its address. For ``more`` see `page`."""
        data = body.encode("utf-8") if isinstance(body, str) else body
        self.routes[path] = page(data, content_type, **more)
        return self.url + path

    def html(self, path: str, body: str, head: str = "", **more: Any) -> str:
        """Put an HTML page at a path; returns its address."""
        start = (
            f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Test page</title>{head}'
        )
        text = f"{start}<body>{body}</body></html>"
        return self.put(path, text, "text/html; charset=utf-8", **more)

    def folder(self, path: Path, under: str = "/") -> None:
        """Put the files of a folder there."""
        for file in path.iterdir():
            self.put(under + file.name, file.read_bytes(), _TYPES[file.suffix])


@dataclass
class Watched:
    """A browser page with what it complained about and whom it asked."""

    page: object
    complaints: list[str]
    foreign: list[str]


WORDS = {
    "verified": "verified",
    "invalid": "invalid",
    "hash-only": "hash only",
    "not-checked": "not checked",
    "unreadable": "unreadable",
    "offline": "offline",
}
"""What the component shows in each state."""


FALLBACK = (
    f'<a href="{RECORD_URL}">'
    '<img src="/badge.svg" alt="the plain badge" width="110" height="20"></a>'
)
LOADER = '<script type="module" src="/pith-badge.js"></script>'


def violations(page: Any, where: str = "document") -> list[tuple[str, list[str]]]:
    """What axe-core finds, with every rule that it has switched on but those about whole pages."""
    axe = (NODE_MODULES / "axe-core/axe.min.js").read_text(encoding="utf-8")
    page.evaluate(axe)  # by the debugger, which the page's policy doesn't bind
    found = page.evaluate(f"axe.run({where}).then(result => result.violations)")
    return [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found]


def difference(one: bytes, other: bytes) -> float:
    """The mean difference of two pictures, 0 to 255; a picture of another size differs in all."""
    with Image.open(io.BytesIO(one)) as first, Image.open(io.BytesIO(other)) as second:
        if first.size != second.size:
            return 255
        changed = ImageChops.difference(first.convert("RGB"), second.convert("RGB"))
        return max(ImageStat.Stat(changed).mean)


class Component:
    """The component on a page of the local server."""

    number = SUFFIX
    record = RECORD_BYTES
    loader = LOADER

    def __init__(self, server: PageServer, browse: object, script: str) -> None:
        self.server, self.browse = server, browse
        files = {"pith-badge.js": script, **{name: name for name in MODULES}}
        self.sources = {
            name: (COMPONENT / file).read_text(encoding="utf-8") for name, file in files.items()
        }
        self.source = self.sources["pith-badge.js"]
        self.serve(self.sources)
        server.put(
            "/badge.svg",
            '<svg xmlns="http://www.w3.org/2000/svg" width="110" height="20"/>',
            "image/svg+xml",
        )

    def serve(self, sources: Mapping[str, str]) -> None:
        """Put scripts on the server, by name."""
        for name, source in sources.items():
            self.server.put(f"/{name}", source, "text/javascript")

    def element(self, src: str = "/record.json", number: str = SUFFIX, more: str = "") -> str:
        return f'<pith-badge src="{src}" number="{number}" {more}>{FALLBACK}</pith-badge>'

    def open(self, body: str | None = None, head: str = "", **options: object) -> Watched:
        return self.browse(self.server.html("/", body or self.element(), LOADER + head), **options)

    def report(self, page: object) -> dict[str, object]:
        """The report of the page's one component, once it has one."""
        # Not wait_for_function, which needs eval where the answer is late, and the policy forbids
        # that.
        page.wait_for_selector("pith-badge[state]:not([state=checking])", state="attached")
        return page.evaluate("document.querySelector('pith-badge').report")

    def shown(self, page: object) -> str:
        return page.evaluate(
            "document.querySelector('pith-badge').shadowRoot.firstChild.textContent"
        )


def decisive(report: Mapping[str, Any]) -> str:
    """The id of the check that decided a report's verdict: the first that is invalid, else the
    first required one that is not valid; "" where all are."""
    checks = report["checks"]
    failed = [check["id"] for check in checks if check["status"] == "invalid"]
    missing = [check["id"] for check in checks if check["status"] != "valid"]
    return next(iter(failed + [id for id in missing if id in REQUIRED]), "")


def expect(component: Component, page: Any, state: str, check: str) -> Any:
    """The component's report, which must have this state because of this check."""
    report = component.report(page)
    assert (report["state"], decisive(report)) == (state, check)
    assert component.shown(page).endswith(WORDS[state])
    assert "verified" not in component.shown(page)
    return report
