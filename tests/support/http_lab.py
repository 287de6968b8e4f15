"""A real HTTP server on the loopback that does what it is told: answer, misbehave, count."""

from __future__ import annotations

import contextlib
import threading
import zlib
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = Callable[["Request"], None]


class Request(BaseHTTPRequestHandler):
    """One request; a route gets it and writes whatever it wants to the socket."""

    protocol_version = "HTTP/1.1"
    server: Lab

    def do_GET(self) -> None:
        self.server.seen.append(self.path)
        self.server.headers_seen.append(dict(self.headers))
        route = self.server.routes.get(self.path) or self.server.routes.get("*")
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            (route or missing)(self)

    def log_message(self, *_arguments: Any) -> None:
        pass


class Lab(ThreadingHTTPServer):
    """Routes by exact path with query, or ``*`` for the rest."""

    daemon_threads = True
    # A client that hangs up on a dripping server is what many tests are about; no traceback for it
    # on stderr.
    request_queue_size = 64

    def __init__(self, routes: dict[str, Reply]) -> None:
        super().__init__(("127.0.0.1", 0), Request)
        self.routes = routes
        self.seen: list[str] = []
        self.headers_seen: list[dict[str, str]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass


@contextlib.contextmanager
def lab(routes: dict[str, Reply]) -> Iterator[Lab]:
    """A running server with these routes."""
    server = Lab(routes)
    thread = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
    )
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


def answer(
    body: bytes,
    *,
    status: int = 200,
    content_type: str = "application/ld+json",
    headers: dict[str, str] | None = None,
) -> Reply:
    """A complete, honest answer."""

    def reply(request: Request) -> None:
        request.send_response(status)
        for name, value in {
            "Content-Type": content_type,
            "Content-Length": str(len(body)),
            **(headers or {}),
        }.items():
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(body)

    return reply


def bomb(encoding: str, mebibytes: int = 1024) -> bytes:
    """Compressed zeros that grow a thousandfold: the second block, which no longer looks back,
    again and again."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31 if encoding == "gzip" else 15)
    zeros = bytes(1 << 20)
    first, again = (packer.compress(zeros) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    return first + again * (mebibytes - 1)


def missing(request: Request) -> None:
    """404."""
    answer(b'{"error": "not found"}', status=404)(request)


def redirect(target: str) -> Reply:
    """302 to an address."""
    return answer(b"", status=302, headers={"Location": target})


def in_turn(*replies: Reply) -> Reply:
    """The first reply for the first request and so on; the last one for all later ones."""
    pending = list(replies)
    lock = threading.Lock()

    def reply(request: Request) -> None:
        with lock:
            chosen = pending.pop(0) if len(pending) > 1 else pending[0]
        chosen(request)

    return reply
