"""The directive ``.. pith:: NUMBER`` for docutils and Sphinx (extra ``sphinx``).

In Sphinx: ``extensions = ["pybadge.embed.sphinx_directive"]``; in plain docutils: call `register`.

::

    .. pith:: pith:2024:XR2UHLWNHHFSD4ZJJXWRU6R6QP
       :record: records/XR2UHLWNHHFSD4ZJJXWRU6R6QP.json
       :style: flat

The record is verified when the document is built, offline. Without ``:record:`` it is looked for as
``<26 characters>.json`` in the folder that ``pith_records`` in conf.py names, from the source
folder; where there is none, the badge says that nothing was checked.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive, directives

from pybadge._version import __version__
from pybadge.embed.placement import Placement, placement_of
from pybadge.embed.snippets import write
from pybadge.errors import PybadgeError
from pybadge.escape import markup as escape
from pybadge.verification import report_from_folder

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata


__all__ = ["PithDirective", "register", "setup"]


class PithDirective(Directive):
    """``.. pith:: NUMBER``: the badge, linked to the record."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, Callable[[str], Any]] | None] = {
        "record": directives.unchanged_required,
        "style": directives.unchanged_required,
        "size": directives.nonnegative_int,
        "label": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        """Nodes for each kind of writer.

        Raises:
            DirectiveError: one line of what is wrong with the number, the record or an option.
        """
        looks = {
            name: self.options[name] for name in ("style", "label", "size") if name in self.options
        }
        try:
            report = report_from_folder(
                self.arguments[0], folder=self._folder(), record=self._record()
            )
            place = placement_of(report, **looks)
        except PybadgeError as error:
            raise self.error(f"pith: {error}") from None
        return self._nodes(place)

    def _environment(self) -> Any:
        return getattr(self.state.document.settings, "env", None)

    def _folder(self) -> str | None:
        environment = self._environment()
        if environment is None or not environment.config.pith_records:
            return None
        return os.path.join(str(environment.srcdir), environment.config.pith_records)

    def _record(self) -> str | None:
        name = self.options.get("record")
        if name is None:
            return None
        environment = self._environment()
        if environment is not None:
            relative, path = environment.relfn2path(name)
            environment.note_dependency(relative)
            return str(path)
        source = self.state.document.current_source or ""
        return os.path.join(os.path.dirname(source), name)

    def _nodes(self, place: Placement) -> list[nodes.Node]:
        """HTML gets the SVG in the page, so that no file is to be copied; LaTeX and the rest get
        linked words."""
        # A data: image rather than the SVG element, since themes restyle what stands in the page.
        html = nodes.raw(
            "", f'<p class="pith-badge">{write(place, "html-data-uri").strip()}</p>', format="html"
        )
        latex = nodes.raw(
            "", f"\\href{{{place.link}}}{{{escape.latex(place.alt)}}}\n", format="latex"
        )
        if self._environment() is None:
            return [html, latex]
        from sphinx.addnodes import only

        words = nodes.paragraph("", "", nodes.reference("", place.alt, refuri=place.link))
        return [html, latex, only("", words, expr="not (html or latex)")]


def register() -> None:
    """Make the directive known to docutils, for use without Sphinx.

    HTML and LaTeX writers of docutils then show the badge; other writers show nothing in its place.
    """
    directives.register_directive("pith", PithDirective)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Sphinx's entry."""
    app.add_config_value("pith_records", "", "env", types=[str])
    app.add_directive("pith", PithDirective)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}
