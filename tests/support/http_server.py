"""A real HTTP server on the loopback that does what it is told: answer, misbehave, count."""

from __future__ import annotations

import contextlib
import threading
import zlib
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeVar

__all__ = ["Reply", "Request", "Server", "answer", "bomb", "in_turn", "missing", "redirect"]

Reply = Callable[["Request"], None]
AnyServer = TypeVar("AnyServer", bound="Server")


class Request(BaseHTTPRequestHandler):
    """One request; a route gets it and writes whatever it wants to the socket."""

    protocol_version = "HTTP/1.1"
    server: Server

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        self.server.headers_asked.append(dict(self.headers))
        routes = self.server.routes
        reply = routes.get(self.path) or routes.get("*") or missing
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            reply(self)

    def log_message(self, *_arguments: Any) -> None:
        pass


class Server(ThreadingHTTPServer):
    """A server for use in a ``with`` statement; it runs in a thread until the statement ends.

    Attributes:
        routes: the reply for each path with its query, and for ``*``, which is any other.
        asked: the paths that were asked for, in order.
        headers_asked: the headers that came with each.
    """

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, routes: Mapping[str, Reply] | None = None) -> None:
        super().__init__(("127.0.0.1", 0), Request)
        self.routes: dict[str, Reply] = dict(routes or {})
        self.asked: list[str] = []
        self.headers_asked: list[dict[str, str]] = []
        self._thread = threading.Thread(
            target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """No traceback for a client that hangs up, which is what many tests are about."""

    def __enter__(self: AnyServer) -> AnyServer:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.shutdown()
        self.server_close()
        self._thread.join()


def answer(
    body: bytes,
    *,
    status: int = 200,
    content_type: str = "application/ld+json",
    headers: Mapping[str, str] | None = None,
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
