"""The painters: a badge's drawing as SVG, as PNG by two renderers, and the badge for shields.io."""

__all__: list[str] = []
