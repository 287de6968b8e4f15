"""A local server that speaks OAI-PMH as arXiv's does: pages with resumption tokens, 503 with
Retry-After, errors."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from tests.support.arxiv_papers import oai_answer, raw_element
from tests.support.http_server import Request, Server, answer

__all__ = ["OaiServer", "oai_error"]

PAGE = 2


class OaiServer(Server):
    """Serves some real records.

    Attributes:
        base: the base URL of its OAI-PMH interface.
        records: id -> real record.
        busy: how often to answer 503 before the next answer.
        retry_after: the header that goes with it; None for none.
        queries: what it was asked, in order.
        replace: a body to send instead of any answer.
        loop: send the same resumption token for ever.
        bad: bodies to send in place of some answers, by the number of the question, from 1.
    """

    def __init__(self, records: dict[str, dict[str, object]]) -> None:
        super().__init__({"*": self._reply})
        self.base = f"{self.url}/oai"
        self.records = records
        self.busy = 0
        self.retry_after: str | None = "0"
        self.queries: list[dict[str, str]] = []
        self.replace: bytes | None = None
        self.content_type = "text/xml; charset=UTF-8"
        self.loop = False
        self.bad: dict[int, bytes] = {}

    def _reply(self, request: Request) -> None:
        query = parse_qs(urlsplit(request.path).query)
        question = {name: values[0] for name, values in query.items()}
        self.queries.append(question)
        if self.busy > 0:
            self.busy -= 1
            headers = {} if self.retry_after is None else {"Retry-After": self.retry_after}
            answer(b"", status=503, headers=headers)(request)
            return
        body = self.replace if self.replace is not None else self._answer(question)
        body = self.bad.get(len(self.queries), body)
        answer(body, content_type=self.content_type)(request)

    def _answer(self, question: dict[str, str]) -> bytes:
        if question.get("verb") == "GetRecord":
            return self._one(question)
        if question.get("verb") == "ListRecords":
            return self._page(question)
        return oai_error("badVerb", "Value of the verb argument is not a legal OAI-PMH verb.")

    def _one(self, question: dict[str, str]) -> bytes:
        if question.get("metadataPrefix") != "arXivRaw":
            return oai_error("cannotDisseminateFormat", "The metadata format is not supported.")
        record = self.records.get(question.get("identifier", "").removeprefix("oai:arXiv.org:"))
        if record is None:
            return oai_error(
                "idDoesNotExist",
                "The value of the identifier argument is unknown in this repository.",
            )
        return oai_answer(raw_element(record))

    def _page(self, question: dict[str, str]) -> bytes:
        start = 0
        if "resumptionToken" in question:
            if "metadataPrefix" in question:
                return oai_error("badArgument", "resumptionToken is an exclusive argument.")
            if not question["resumptionToken"].isdigit():
                return oai_error(
                    "badResumptionToken",
                    "The value of the resumptionToken argument is invalid or expired.",
                )
            start = int(question["resumptionToken"])
        elif question.get("from", "") > "2026-01-01":
            return oai_error("noRecordsMatch", "The arguments result in an empty list.")
        names = list(self.records)
        page = names[start : start + PAGE]
        following = ""
        if self.loop:
            following = "2"
        elif start + PAGE < len(names):
            following = str(start + PAGE)
        return oai_answer(
            *(raw_element(self.records[name]) for name in page),
            verb="ListRecords",
            token=following,
        )


def oai_error(code: str, text: str = "Says why.") -> bytes:
    """An answer that is nothing but an error."""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">
<responseDate>2026-07-06T12:00:00Z</responseDate>
<request>http://oaipmh.arxiv.org/oai</request>
<error code='{code}'>{text}</error></OAI-PMH>""".encode()
