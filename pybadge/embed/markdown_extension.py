"""``[pith:NUMBER]`` in Python-Markdown and MkDocs (extra ``markdown``).

MkDocs: ``markdown_extensions: [{pith: {records: records}}]``. A full number in the brackets becomes
the badge, linked to the record. It is verified when the page is built, offline: its record is
looked for as ``<26 characters>.json`` in the folder ``records``; where there is none, the badge
says that nothing was checked. All but a full number stays as it is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import Element

from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor

from pybadge.badge import DEFAULTS
from pybadge.embed.markup import data_uri
from pybadge.embed.placement import placement_of
from pybadge.verification import report_from_folder

if TYPE_CHECKING:
    from markdown import Markdown

__all__ = ["PithExtension", "makeExtension"]

# Before Python-Markdown's own references (priority 170), and after code and backslashes (190 and
# 180).
_PRIORITY = 175
_PATTERN = r"\[(pith:(?:[0-9]{4}:)?[A-Z2-7a-z]{26})\](?![(\[:])"


class _Badge(InlineProcessor):
    def __init__(self, pattern: str, md: Markdown, config: dict[str, Any]) -> None:
        super().__init__(pattern, md)
        self.config = config

    def handleMatch(  # type: ignore[override]
        self, match: re.Match[str], _data: str
    ) -> tuple[Element | None, int | None, int | None]:
        report = report_from_folder(match[1], folder=self.config["records"] or None)
        place = placement_of(report, label=self.config["label"] or None, style=self.config["style"])
        link = Element("a", {"href": place.link, "class": "pith-badge"})
        size = {"width": str(place.width), "height": str(place.height)}
        link.append(Element("img", {"src": data_uri(place), "alt": place.alt, **size}))
        return link, match.start(0), match.end(0)


class PithExtension(Extension):
    """The extension; its options are ``records`` (a folder), ``style`` and ``label``."""

    def __init__(self, **options: Any) -> None:
        self.config = {
            "records": ["", "the folder of the records, <26 characters>.json"],
            "style": [DEFAULTS.style, "the badge's style"],
            "label": ["", "the badge's label"],
        }
        super().__init__(**options)

    def extendMarkdown(self, md: Markdown) -> None:
        """Python-Markdown's entry."""
        md.inlinePatterns.register(_Badge(_PATTERN, md, self.getConfigs()), "pith", _PRIORITY)


def makeExtension(**options: Any) -> PithExtension:
    """What Python-Markdown calls."""
    return PithExtension(**options)
