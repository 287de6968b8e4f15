"""A local server that speaks OAI-PMH as arXiv's does: pages with resumption tokens, 503 with
Retry-After, errors."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from tests.support.arxiv_papers import oai_answer, raw_element

PAGE = 2


class OaiServer(ThreadingHTTPServer):
    """Serves some real records.

    Attributes:
        url: its base URL.
        records: id -> real record.
        busy: how often to answer 503 before the next answer.
        retry_after: the header that goes with it; None for none.
        asked: the queries, in order.
        replace: a body to send instead of any answer.
        loop: send the same resumption token for ever.
    """

    daemon_threads = True

    def __init__(self, records: dict[str, dict[str, object]]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}/oai"
        self.records = records
        self.busy = 0
        self.retry_after: str | None = "0"
        self.asked: list[dict[str, str]] = []
        self.replace: bytes | None = None
        self.content_type = "text/xml; charset=UTF-8"
        self.loop = False


@contextmanager
def serving(records: dict[str, dict[str, object]]) -> Iterator[OaiServer]:
    server = OaiServer(records)
    thread = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
    )
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: OaiServer

    def do_GET(self) -> None:
        question = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
        self.server.asked.append(question)
        if self.server.busy > 0:
            self.server.busy -= 1
            self.send_response(503)
            if self.server.retry_after is not None:
                self.send_header("Retry-After", self.server.retry_after)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        body = self.server.replace if self.server.replace is not None else self._answer(question)
        self.send_response(200)
        self.send_header("Content-Type", self.server.content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _answer(self, question: dict[str, str]) -> bytes:
        if question.get("verb") == "GetRecord":
            return self._one(question)
        if question.get("verb") == "ListRecords":
            return self._page(question)
        return _error("badVerb", "Value of the verb argument is not a legal OAI-PMH verb.")

    def _one(self, question: dict[str, str]) -> bytes:
        if question.get("metadataPrefix") != "arXivRaw":
            return _error("cannotDisseminateFormat", "The metadata format is not supported.")
        record = self.server.records.get(
            question.get("identifier", "").removeprefix("oai:arXiv.org:")
        )
        if record is None:
            return _error(
                "idDoesNotExist",
                "The value of the identifier argument is unknown in this repository.",
            )
        return oai_answer(raw_element(record))

    def _page(self, question: dict[str, str]) -> bytes:
        start = 0
        if "resumptionToken" in question:
            if "metadataPrefix" in question:
                return _error("badArgument", "resumptionToken is an exclusive argument.")
            if not question["resumptionToken"].isdigit():
                return _error(
                    "badResumptionToken",
                    "The value of the resumptionToken argument is invalid or expired.",
                )
            start = int(question["resumptionToken"])
        elif question.get("from", "") > "2026-01-01":
            return _error("noRecordsMatch", "The arguments result in an empty list.")
        names = list(self.server.records)
        page = names[start : start + PAGE]
        following = (
            "2" if self.server.loop else str(start + PAGE) if start + PAGE < len(names) else ""
        )
        return oai_answer(
            *(raw_element(self.server.records[name]) for name in page),
            verb="ListRecords",
            token=following,
        )

    def log_message(self, *_: object) -> None:
        pass


def _error(code: str, text: str) -> bytes:
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2026-07-06T12:00:00Z</responseDate>
<request>http://oaipmh.arxiv.org/oai</request><error code='{code}'>{text}</error></OAI-PMH>""".encode()
