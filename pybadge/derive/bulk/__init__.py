"""All of arXiv: the numbers of the whole bulk metadata, and looking one up among them.

``run`` derives range after range on any executor, ``checkpoints`` keeps each finished range on disk
and merges them, ``search`` looks numbers up in what a run wrote.
"""

__all__: list[str] = []
