"""Differences between two texts, word by word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

__all__ = ["word_diff"]

_Change = tuple[str, int, int, int, int]

# Unchanged words shown on each side of a change.
_CONTEXT = 4
# More than any abstract has.
_MOST_WORDS = 3000
# Pairs of equal words, times the words of the shorter text, which bounds the steps of a comparison:
# words that come again and again make it grow with the cube. Two abstracts of 300 words have about
# half a million.
_MOST_STEPS = 50_000_000


def word_diff(old: str, new: str) -> str:
    """The changes between two texts, as one line: ``… Training to [-Less-] {+More+} Than …``.

    Letter case and white space are passed over, since the hashes don't see them. Long unchanged
    stretches are left out.
    """
    before, after = old.split()[:_MOST_WORDS], new.split()[:_MOST_WORDS]
    shown: list[str] = []
    changes = _changes([word.lower() for word in before], [word.lower() for word in after])
    for index, (kind, i1, i2, j1, j2) in enumerate(changes):
        if kind == "equal":
            shown += _context(before[i1:i2], first=index == 0, last=index == len(changes) - 1)
            continue
        if i2 > i1:
            shown.append(f"[-{' '.join(before[i1:i2])}-]")
        if j2 > j1:
            shown.append(f"{{+{' '.join(after[j1:j2])}+}}")
    return " ".join(shown)


def _changes(old: list[str], new: list[str]) -> Sequence[_Change]:
    """The changes as `SequenceMatcher` gives them; for texts that would take it long, all between
    their common beginning and end as one."""
    counts, others = Counter(old), Counter(new)
    pairs = sum(count * others[word] for word, count in counts.items())
    if pairs * min(len(old), len(new)) <= _MOST_STEPS:
        return SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    old_end, new_end = len(old) - end, len(new) - end
    return [
        change
        for change in (
            ("equal", 0, start, 0, start),
            ("replace", start, old_end, start, new_end),
            ("equal", old_end, len(old), new_end, len(new)),
        )
        if change[1] < change[2] or change[3] < change[4]
    ]


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    """How many words are the same from the beginning."""
    count = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        count += 1
    return count


def _context(words: list[str], *, first: bool, last: bool) -> list[str]:
    head = [] if first else words[:_CONTEXT]
    tail = [] if last else words[-_CONTEXT:]
    # An ellipsis in place of a word or two would save nothing.
    if len(words) <= len(head) + len(tail) + 2:
        return words
    return [*head, "…", *tail]
