"""The bundled font: its files and tables, what a text measures in it, and its letters for Pillow
and as outlines."""

__all__: list[str] = []
