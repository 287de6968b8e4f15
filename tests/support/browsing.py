"""A web server on this machine and the component on its pages, for the tests in this folder."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).parents[2]
NODE_MODULES = ROOT / "tests/browser/node_modules"
STRICT = "default-src 'self'"


@dataclass
class Page:
    """What the server answers at one path."""

    body: bytes = b""
    type: str = "application/json"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: threading.Event | None = None  # set it to let the answer go
    chunks: int = 1  # the body is sent so many times over


class Server:
    """A web server on 127.0.0.1 whose pages a test puts there; every page carries the strict policy
    unless it says else."""

    def __init__(self) -> None:
        self.pages: dict[str, Page] = {}
        self.asked: list[str] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.asked.append(self.path)
                page = server.pages.get(self.path)
                if page is None and self.path == "/favicon.ico":
                    page = Page(b"", "image/x-icon", 204)
                page = page or Page(b"not found", "text/plain", 404)
                if page.delay is not None:
                    page.delay.wait(60)
                self.send_response(page.status)
                headers = {
                    "Content-Type": page.type,
                    "Content-Security-Policy": STRICT,
                    **page.headers,
                }
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(page.body) * page.chunks))
                self.end_headers()
                try:
                    for _ in range(page.chunks):
                        self.wfile.write(page.body)
                except OSError:
                    pass  # the reader had enough

            def log_message(self, *_: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.http.server_port}"

    def put(
        self, path: str, body: bytes | str, type: str = "application/json", **more: object
    ) -> str:
        data = body.encode("utf-8") if isinstance(body, str) else body
        self.pages[path] = Page(data, type, **more)  # type: ignore[arg-type]
        return self.url + path

    def html(self, path: str, body: str, head: str = "", **more: object) -> str:
        text = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Test page</title>{head}<body>{body}</body></html>'
        return self.put(path, text, "text/html; charset=utf-8", **more)

    def folder(self, path: Path, under: str = "/") -> None:
        types = {
            ".html": "text/html; charset=utf-8",
            ".js": "text/javascript",
            ".css": "text/css",
            ".svg": "image/svg+xml",
            ".png": "image/png",
            ".json": "application/json",
            ".ts": "text/plain",
        }
        for file in path.iterdir():
            self.put(under + file.name, file.read_bytes(), types[file.suffix])


@dataclass
class Watched:
    """A browser page with what it complained about and whom it asked."""

    page: object
    complaints: list[str]
    foreign: list[str]


DATA = ROOT / "tests/data"
COMPONENT = ROOT / "pybadge/embed/component"
NUMBER = "XR2UHLWNHHFSD4ZJJXWRU6R6QP"
FALLBACK = f'<a href="https://pith.science/pith/{NUMBER}"><img src="/badge.svg" alt="the plain badge" width="110" height="20"></a>'
LOADER = '<script type="module" src="/pith-badge.js"></script>'


class Component:
    """The component on a page of the local server."""

    number = NUMBER
    record = (DATA / "record-XR2UHLWN.json").read_bytes()
    loader = LOADER

    def __init__(self, server: Server, browse: object, script: str) -> None:
        self.server, self.browse = server, browse
        self.source = (COMPONENT / script).read_text(encoding="utf-8")
        server.put("/pith-badge.js", self.source, "text/javascript")
        server.put(
            "/badge.svg",
            '<svg xmlns="http://www.w3.org/2000/svg" width="110" height="20"/>',
            "image/svg+xml",
        )

    def element(self, src: str = "/record.json", number: str = NUMBER, more: str = "") -> str:
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
