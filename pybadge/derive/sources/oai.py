"""arXiv's OAI-PMH answers: records in the ``arXivRaw`` and ``arXiv`` formats, read as a stream.

XML from anywhere is hostile: a document type (and with it every entity) is refused at its first
character, and size, depth, the text of one record and the length of one tag or comment are capped.
Memory does not grow with the number of records.

Formats: http://arxiv.org/OAI/arXivRaw.xsd, http://arxiv.org/OAI/arXiv.xsd; protocol: OAI-PMH 2.0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO
from xml.parsers import expat

from pybadge.derive.arxiv_lists import MOST_CATEGORIES
from pybadge.derive.metadata import Metadata
from pybadge.errors import MetadataError, NotFoundError, PybadgeError

__all__ = ["MAX_XML_BYTES", "OaiParser", "read_oai", "read_oai_page"]

MAX_XML_BYTES = 64 << 20
MAX_RECORD_CHARACTERS = 1 << 20
MAX_DEPTH = 32
# Of a tag, comment or the like, far more than an answer has. Expat begins anew with each piece that
# it is fed as long as one is not at its end, so that its time would grow with the square of the
# length.
MAX_TOKEN_BYTES = 1 << 17
_READ_BYTES = 1 << 16
# Characters that a version counts for, beside those of its texts; bounds their number.
_VERSION_COST = 64

_OAI = "http://www.openarchives.org/OAI/2.0/"
_FORMATS = {"arXivRaw": "http://arxiv.org/OAI/arXivRaw/", "arXiv": "http://arxiv.org/OAI/arXiv/"}
_POOR_FORMATS = {"dc": "oai_dc", "arXivOld": "arXivOld"}
_FIELDS = ("id", "title", "abstract", "categories", "license", "created")
_VERSION = re.compile(r"v([1-9][0-9]{0,3})")
# Error codes of OAI-PMH that report an empty result, not a wrong request.
_NOTHING = ("idDoesNotExist", "noRecordsMatch")


class OaiParser:
    """Reads one OAI-PMH answer, in as many steps as its bytes come in.

    Args:
        origin: what is read, for messages.

    Attributes:
        resumption_token: the token of the answer's end; None where the list is complete.
    """

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.resumption_token: str | None = None
        # The encoding is fixed, since OAI-PMH answers are UTF-8: a document that declares another
        # one is refused.
        self._parser = expat.ParserCreate("UTF-8", " ")
        self._parser.buffer_text = True
        self._parser.XmlDeclHandler = self._declaration
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._path: list[str] = []
        self._found: list[Metadata | PybadgeError] = []
        self._any = False
        self._size = 0
        self._format: str | None = None
        self._record: dict[str, list[str]] = {}
        self._record_line = 0
        self._trouble: MetadataError | None = None
        self._characters = 0
        self._versions: list[tuple[str, list[str]]] = []
        self._target: list[str] | None = None
        self._header: list[str] = []
        self._code = ""

    def feed(self, data: bytes, *, final: bool = False) -> list[Metadata | PybadgeError]:
        """The records that ended in these bytes, and what was wrong with those that could not be
        read.

        Raises:
            MetadataError: the answer as a whole can't be read any further; records before that were
                returned.
        """
        if self._size == 0 and data.startswith((b"\xfe\xff", b"\xff\xfe")):
            # The parser would take these bytes' word over the encoding that it was told.
            raise MetadataError(
                f"{self.origin}:1: is UTF-16; OAI-PMH answers are UTF-8", code="xml.encoding"
            )
        self._size += len(data)
        if self._size > MAX_XML_BYTES:
            raise self._fault(
                f"larger than {MAX_XML_BYTES >> 20} MiB; "
                "save it as several files, or take the bulk metadata",
                "xml.size",
            )
        try:
            self._parser.Parse(data, final)
        except expat.ExpatError as error:
            raise MetadataError(
                f"{self.origin}:{error.lineno}: not XML in UTF-8: "
                f"{expat.ErrorString(error.code)}, column {error.offset + 1}",
                code="xml.syntax",
            ) from None
        if not final and self._size - self._parser.CurrentByteIndex > MAX_TOKEN_BYTES:
            raise self._fault(
                f"a tag or comment of more than {MAX_TOKEN_BYTES >> 10} KiB, "
                "which no OAI-PMH answer has",
                "xml.size",
            )
        if final and not self._any and not self._found:
            raise self._fault("holds no record", "oai.empty")
        found, self._found = self._found, []
        return found

    def _fault(self, message: str, code: str) -> MetadataError:
        return MetadataError(
            f"{self.origin}:{self._parser.CurrentLineNumber}: {message}", code=code
        )

    def _declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        if encoding is not None and encoding.lower() not in ("utf-8", "us-ascii"):
            raise self._fault(
                f"declares the encoding {encoding[:20]}; OAI-PMH answers are UTF-8", "xml.encoding"
            )

    def _doctype(self, *_: object) -> None:
        raise self._fault(
            "has a document type, which may define entities; OAI-PMH answers have none",
            "xml.doctype",
        )

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._path) >= MAX_DEPTH:
            raise self._fault(f"nested deeper than {MAX_DEPTH} levels", "xml.depth")
        namespace, _, local = name.rpartition(" ")
        if not self._path:
            self._check_root(namespace, local)
        self._path.append(local)
        self._target = None
        if self._format is not None:
            self._start_field(local, attributes)
        elif local in _FORMATS:
            self._start_record(namespace, local)
        elif local in _POOR_FORMATS and self._path[-2:-1] == ["metadata"]:
            form = _POOR_FORMATS[local]
            message = (
                f"the {form} format lacks what a number is made of; ask for metadataPrefix=arXivRaw"
            )
            self._report(self._fault(message, "oai.format"))
        elif namespace == _OAI:
            self._start_envelope(local, attributes)

    def _check_root(self, namespace: str, local: str) -> None:
        if local == "feed":
            raise self._fault(
                "this is an Atom feed, which carries no licence; ask OAI-PMH for arXivRaw",
                "oai.format",
            )
        if local not in ("OAI-PMH", "record", *_FORMATS):
            raise self._fault(
                f"<{local[:40]}> is neither an OAI-PMH answer nor an arXivRaw record", "oai.format"
            )
        if local in ("OAI-PMH", "record") and namespace != _OAI:
            raise self._fault(
                f"<{local}> lacks its namespace {_OAI}; save the answer unchanged", "xml.namespace"
            )

    def _start_record(self, namespace: str, local: str) -> None:
        if namespace != _FORMATS[local]:
            raise self._fault(
                f"<{local}> lacks its namespace {_FORMATS[local]}; save the answer unchanged",
                "xml.namespace",
            )
        self._format = local
        self._record, self._versions, self._characters, self._trouble = {}, [], 0, None
        self._record_line = self._parser.CurrentLineNumber

    def _start_field(self, local: str, attributes: dict[str, str]) -> None:
        parent = self._path[-2]
        if parent == self._format and local in _FIELDS:
            if local in self._record:
                self._trouble = self._trouble or self._fault(
                    f"a second <{local}> in one record", "oai.duplicate"
                )
            self._target = self._record[local] = []
        elif parent == self._format and local == "version":
            label = attributes.get("version", "")
            self._count(len(label) + _VERSION_COST)
            self._versions.append((label, []))
        elif parent == "version" and local == "date" and self._versions:
            self._target = self._versions[-1][1]

    def _start_envelope(self, local: str, attributes: dict[str, str]) -> None:
        if local == "error":
            self._code, self._target = attributes.get("code", ""), []
            self._header = self._target
        elif local == "header":
            self._header = []
            if attributes.get("status") == "deleted":
                self._code = "deleted"
        elif local == "identifier" and self._path[-2:-1] == ["header"]:
            self._target = self._header
        elif local == "resumptionToken":
            self._target = self._header = []

    def _text(self, text: str) -> None:
        if self._target is not None:
            self._count(len(text))
            self._target.append(text)

    def _count(self, characters: int) -> None:
        self._characters += characters
        if self._characters > MAX_RECORD_CHARACTERS:
            raise self._fault("a record of more than 1 MiB of text, which no paper has", "xml.size")

    def _end(self, name: str) -> None:
        local = self._path.pop()
        self._target = None
        if self._format is not None:
            if local == self._format:
                self._end_record(local)
        elif local == "error" and name.startswith(_OAI):
            self._end_error()
        elif local == "header" and self._code == "deleted":
            self._end_deleted()
        elif local == "resumptionToken":
            self.resumption_token = "".join(self._header).strip() or None
            self._characters = 0

    def _end_record(self, form: str) -> None:
        self._format = None
        if self._trouble is not None:
            self._report(self._trouble)
            return
        try:
            self._report(self._finished(form))
        except MetadataError as error:
            self._report(error)

    def _end_error(self) -> None:
        kind = NotFoundError if self._code in _NOTHING else MetadataError
        code = self._code[:40]
        text = "".join(self._header).strip()[:200]
        self._report(kind(f"{self.origin}: OAI-PMH error {code}: {text}", code=f"oai.{code}"))

    def _end_deleted(self) -> None:
        self._code = ""
        name = "".join(self._header).strip()[:80]
        self._report(self._fault(f"{name}: deleted at arXiv", "oai.deleted"))

    def _report(self, item: Metadata | PybadgeError) -> None:
        self._any = True
        self._characters = 0
        self._found.append(item)

    def _finished(self, form: str) -> Metadata:
        """The record that has just ended.

        Raises:
            MetadataError: it has no id, or its versions can't be told.
        """
        origin = f"{self.origin}:{self._record_line}"
        fields = {name: "".join(texts) for name, texts in self._record.items()}
        source_id = fields.get("id", "").strip()
        if not source_id:
            raise MetadataError(f"{origin}: a record without an <id>", code="metadata.id")
        named = f"{origin}: {source_id[:40]}"
        versions = sorted(_version(label, texts, named) for label, texts in self._versions)
        if form == "arXivRaw" and not _each_once(versions):
            raise MetadataError(
                f"{named}: needs every version once, has {len(versions)}", code="metadata.version"
            )
        return Metadata(
            source_id,
            fields.get("title"),
            fields.get("abstract"),
            tuple(fields.get("categories", "").split(None, MOST_CATEGORIES)) or None,
            fields.get("license", "").strip(),
            tuple(versions),
            versions[-1][0] if versions else None,
            fields["created"].strip() if "created" in fields else None,
            form,
            origin,
        )


def _version(label: str, texts: list[str], where: str) -> tuple[int, str]:
    match = _VERSION.fullmatch(label)
    if match is None:
        raise MetadataError(
            f"{where}: the version {ascii(label)[:20]} is not of the form v1",
            code="metadata.version",
        )
    return int(match[1]), "".join(texts).strip()


def _each_once(versions: list[tuple[int, str]]) -> bool:
    """Whether there are versions and none has the number of another."""
    return bool(versions) and len({number for number, _ in versions}) == len(versions)


def read_oai(stream: BinaryIO, origin: str) -> Iterator[Metadata | PybadgeError]:
    """The records of an OAI-PMH answer or a single ``arXivRaw`` element, one at a time.

    Args:
        stream: the bytes.
        origin: the file's name or the address, for messages.

    Yields:
        A paper's metadata, or the error that stands in its place. An error of the whole answer is
        the last item.
    """
    parser = OaiParser(origin)
    try:
        while True:
            data = stream.read(_READ_BYTES)
            yield from parser.feed(data, final=not data)
            if not data:
                return
    except MetadataError as error:
        yield error


def read_oai_page(data: bytes, origin: str) -> tuple[list[Metadata | PybadgeError], str | None]:
    """The records of a whole answer, and the token of the next one.

    Args:
        data: the answer.
        origin: its address, for messages.

    Raises:
        MetadataError: the answer as a whole can't be read.
    """
    parser = OaiParser(origin)
    found = []
    for start in range(0, len(data), _READ_BYTES):
        found += parser.feed(data[start : start + _READ_BYTES])
    found += parser.feed(b"", final=True)
    return found, parser.resumption_token
