"""arXiv's OAI-PMH answers: records in the ``arXivRaw`` and ``arXiv`` formats, read as a stream.

XML from anywhere is hostile: a document type (and with it every entity) is refused at its first
character, and size, depth and the text of one record are capped. Memory does not grow with the
number of records.

Formats: http://arxiv.org/OAI/arXivRaw.xsd, http://arxiv.org/OAI/arXiv.xsd; protocol: OAI-PMH 2.0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO
from xml.parsers import expat

from pybadge.derive.rules import Metadata
from pybadge.errors import MetadataError, NotFoundError, PybadgeError

__all__ = ["MAX_XML_BYTES", "OaiParser", "read_oai"]

MAX_XML_BYTES = 64 << 20
MAX_RECORD_CHARACTERS = 1 << 20
MAX_DEPTH = 32
_CHUNK = 1 << 16

_OAI = "http://www.openarchives.org/OAI/2.0/"
_FORMATS = {"arXivRaw": "http://arxiv.org/OAI/arXivRaw/", "arXiv": "http://arxiv.org/OAI/arXiv/"}
_POOR_FORMATS = {"dc": "oai_dc", "arXivOld": "arXivOld"}
_FIELDS = ("id", "title", "abstract", "categories", "license", "created")
_VERSION = re.compile(r"v([1-9][0-9]{0,3})")
# What these error codes of OAI-PMH say is that there is nothing, not that the request was wrong.
_NOTHING = ("idDoesNotExist", "noRecordsMatch")


class OaiParser:
    """Reads one OAI-PMH answer piece by piece.

    Args:
        origin: what is read, for messages.

    Attributes:
        resumption_token: the token of the answer's end; None where the list is complete.
    """

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.resumption_token: str | None = None
        self._error = expat.ExpatError
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
        """The records that ended in this piece, and what was wrong with those that could not be
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
                f"larger than {MAX_XML_BYTES >> 20} MiB; save it in parts, or take the snapshot",
                "xml.size",
            )
        try:
            self._parser.Parse(data, final)
        except self._error as error:
            from xml.parsers.expat import ErrorString

            raise MetadataError(
                f"{self.origin}:{error.lineno}: not XML in UTF-8: {ErrorString(error.code)}, column {error.offset + 1}",
                code="xml.syntax",
            ) from None
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
                f"<{local[:40]}> is no OAI-PMH answer and no arXivRaw record", "oai.format"
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
            self._versions.append((attributes.get("version", ""), []))
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
            self._characters += len(text)
            if self._characters > MAX_RECORD_CHARACTERS:
                raise self._fault(
                    "a record of more than 1 MiB of text, which no paper has", "xml.size"
                )
            self._target.append(text)

    def _end(self, name: str) -> None:
        local = self._path.pop()
        self._target = None
        if self._format is not None:
            if local == self._format:
                self._format = None
                self._report(self._trouble or self._finished(local))
        elif local == "error" and name.startswith(_OAI):
            kind = NotFoundError if self._code in _NOTHING else MetadataError
            text = "".join(self._header).strip()[:200]
            self._report(
                kind(
                    f"{self.origin}: OAI-PMH error {self._code[:40]}: {text}",
                    code=f"oai.{self._code[:40]}",
                )
            )
        elif local == "header" and self._code == "deleted":
            self._report(
                self._fault(
                    f"{''.join(self._header).strip()[:80]}: deleted at arXiv", "oai.deleted"
                )
            )
            self._code = ""
        elif local == "resumptionToken":
            self.resumption_token = "".join(self._header).strip() or None
            self._characters = 0

    def _report(self, item: Metadata | PybadgeError) -> None:
        self._any = True
        self._characters = 0
        self._found.append(item)

    def _finished(self, form: str) -> Metadata | MetadataError:
        origin = f"{self.origin}:{self._record_line}"
        fields = {name: "".join(pieces) for name, pieces in self._record.items()}
        source_id = fields.get("id", "").strip()
        if not source_id:
            return MetadataError(f"{origin}: a record without an <id>", code="metadata.id")
        versions = []
        for label, pieces in self._versions:
            match = _VERSION.fullmatch(label)
            if match is None:
                return MetadataError(
                    f"{origin}: {source_id[:40]}: the version {ascii(label)[:20]} is not of the form v1",
                    code="metadata.version",
                )
            versions.append((int(match[1]), "".join(pieces).strip()))
        versions.sort()
        if form == "arXivRaw" and (
            not versions or len({number for number, _ in versions}) != len(versions)
        ):
            return MetadataError(
                f"{origin}: {source_id[:40]}: needs every version once, has {len(versions)}",
                code="metadata.version",
            )
        categories = fields.get("categories", "").split()
        return Metadata(
            source_id,
            fields.get("title"),
            fields.get("abstract"),
            tuple(categories) or None,
            fields.get("license", "").strip(),
            tuple(versions),
            versions[-1][0] if versions else None,
            fields["created"].strip() if "created" in fields else None,
            form,
            origin,
        )


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
            piece = stream.read(_CHUNK)
            yield from parser.feed(piece, final=not piece)
            if not piece:
                return
    except MetadataError as error:
        yield error
