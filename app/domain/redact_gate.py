"""Tell which redaction rules can match a text, at a cost that does not depend on what the text is about.

One set of all rules has more states than any memory holds, so that texts which differ keep making new ones, each as
dear as thousands of characters. The words that rules need have few states together. So one look finds these, and only
the rules whose words are there look for themselves, in small sets of those that share them.
"""

from collections.abc import Sequence
from typing import NamedTuple

import re2

from app.domain import limits, redact_engine
from app.domain.redact_patterns import Rule

# In so many texts that looking for the rule itself at once costs less.
_EVERYDAY_HINTS = frozenset({".", ":", "$", "sk", "pat", "sess", '"d'})


class Sight(NamedTuple):
    """What can be in a text: ranks of rules in order, what hides others' words, and lines that may go on.

    The rank behind those of the rules stands for what may be base64.
    """

    ranks: Sequence[int] = ()
    has_marks: bool = False
    has_folds: bool = False


_NOTHING = Sight()


class Gate:
    """Looks at texts by sets of linear matchers; safe on any thread."""

    def __init__(self, rules: Sequence[Rule], marks: str) -> None:
        self._rules = rules
        self._first = _open_set()
        # What each member of the first set stands for: a rule found by itself, or groups that have a word in common.
        self._sure: dict[int, int] = {}
        self._groups_by_member: dict[int, list[int]] = {}
        self._groups: list[list[int]] = []
        self._sets: dict[int, re2.Set] = {}
        self._fill()
        self._encoded = self._first.Add(redact_engine.ENCODED_HINT)
        self._mark = self._first.Add(marks)
        self._fold = self._first.Add(redact_engine.FOLD_HINT)
        self._first.Compile()

    def look(self, text: str) -> Sight:
        """Tell what can be in a text."""
        # A lone surrogate has no UTF-8 form; no rule asks for one. A vertical tab is a blank to rules, and none here.
        encoded = text.encode("utf-8", "replace").replace(b"\v", b"\f")
        found = self._first.Match(encoded)
        return self._sort_out(found, encoded) if found else _NOTHING

    def _sort_out(self, found: Sequence[int], encoded: bytes) -> Sight:
        ranks: set[int] = set()
        groups: set[int] = set()
        for member in found:
            if member in self._sure:
                ranks.add(self._sure[member])
            else:
                groups.update(self._groups_by_member.get(member, ()))
        for group in groups:
            members = self._groups[group]
            ranks.update(members[at] for at in self._find_set(group).Match(encoded) or ())
        if self._encoded in found:
            ranks.add(len(self._rules))
        return Sight(sorted(ranks), self._mark in found, self._fold in found)

    def _fill(self) -> None:
        """Add the words of all rules to the first set, each once, and the rules whose words are everywhere."""
        by_hints: dict[Sequence[str], list[int]] = {}
        by_word: dict[str, list[int]] = {}
        for rank, rule in enumerate(self._rules):
            if not _EVERYDAY_HINTS.isdisjoint(rule.hints):
                self._sure[self._first.Add(rule.pattern)] = rank
            else:
                by_hints.setdefault(rule.hints, []).append(rank)
        for hints, ranks in by_hints.items():
            self._groups.append(ranks)
            for hint in hints:
                by_word.setdefault(hint, []).append(len(self._groups) - 1)
        for word, groups in by_word.items():
            self._groups_by_member[self._first.Add(f"(?i:{re2.escape(word)})")] = groups

    def _find_set(self, group: int) -> re2.Set:
        """Take a group's set, which is compiled when first needed; twice on two threads does no harm."""
        found = self._sets.get(group)
        if found is None:
            found = _open_set()
            for rank in self._groups[group]:
                found.Add(self._rules[rank].pattern)
            found.Compile()
            self._sets[group] = found
        return found


def _open_set() -> re2.Set:
    options = re2.Options()
    options.max_mem = limits.REDACTION_GATE_BYTES_MAX
    options.log_errors = False
    return re2.Set.SearchSet(options)
