"""Differences between two texts, word by word."""

from __future__ import annotations

from difflib import SequenceMatcher

__all__ = ["word_diff"]

# Unchanged words shown on each side of a change.
_CONTEXT = 4
# More than any abstract has; bounds the time that a hostile text takes, which grows quadratically.
_MOST_WORDS = 3000


def word_diff(old: str, new: str) -> str:
    """The changes between two texts, as one line: ``… Training to [-Less-] {+More+} Than …``.

    Letter case and white space are passed over, since the hashes don't see them. Long unchanged
    stretches are left out.
    """
    before, after = old.split()[:_MOST_WORDS], new.split()[:_MOST_WORDS]
    matcher = SequenceMatcher(
        None, [word.lower() for word in before], [word.lower() for word in after], autojunk=False
    )
    shown: list[str] = []
    changes = matcher.get_opcodes()
    for index, (kind, i1, i2, j1, j2) in enumerate(changes):
        if kind == "equal":
            shown += _context(before[i1:i2], first=index == 0, last=index == len(changes) - 1)
            continue
        if i2 > i1:
            shown.append(f"[-{' '.join(before[i1:i2])}-]")
        if j2 > j1:
            shown.append(f"{{+{' '.join(after[j1:j2])}+}}")
    return " ".join(shown)


def _context(words: list[str], *, first: bool, last: bool) -> list[str]:
    head = [] if first else words[:_CONTEXT]
    tail = [] if last else words[-_CONTEXT:]
    # An ellipsis in place of a word or two would save nothing.
    if len(words) <= len(head) + len(tail) + 2:
        return words
    return [*head, "…", *tail]
