"""The corpus that redaction is measured on: texts with a planted secret each, and texts that only look like it."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from app.bench.redaction_carriers import KEY_CARRIERS, NAMED_CARRIERS
from app.bench.redaction_fakes import VENDOR_KEYS, Fake, wrap_base64
from app.bench.redaction_lookalikes import LOOKALIKES
from app.bench.redaction_values import SHAPED, VALUES

PLACEHOLDER: Final = re.compile(r"\[redacted:([a-z-]+)\]")

_CARRIERS_PER_KEY: Final = 3
_VALUES_PER_CARRIER: Final = 3
_FRAGMENT_CHARS: Final = 8
# No token and no key is that short, or has blanks.
_PASSWORDS_ONLY: Final = frozenset({"short", "blanks"})
_HIDDEN: Final = re.compile("\x1b\\[[0-9;]*m|[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")


@dataclass(frozen=True, slots=True)
class Planted:
    """A text with a secret between `before` and `after`; `secret` is how it stands there, broken or wrapped or not."""

    kind: str
    carrier: str
    before: str
    secret: str
    after: str

    @property
    def text(self) -> str:
        """The whole text."""
        return f"{self.before}{self.secret}{self.after}"

    def is_found(self, redacted: str) -> bool:
        """Tell whether nothing of the secret is left, not even a part of it, in one place or around a placeholder."""
        shown = _HIDDEN.sub("", redacted)
        shown = f"{PLACEHOLDER.sub(chr(0), shown)}\0{PLACEHOLDER.sub('', shown)}"
        kept = f"{self.before}\0{self.after}\0{self.before}{self.after}"
        parts = [part for part in _HIDDEN.sub("", self.secret).split() if len(part) >= _FRAGMENT_CHARS // 2]
        return not any(piece in shown and piece not in kept for part in parts for piece in _list_pieces(part))

    def is_exact(self, redacted: str) -> bool:
        """Tell whether the secret and nothing else was replaced."""
        if not redacted.startswith(self.before) or not redacted.endswith(self.after):
            return False
        middle = redacted[len(self.before) : len(redacted) - len(self.after)]
        return bool(middle) and not PLACEHOLDER.sub("", middle).strip(", ")


@dataclass(frozen=True, slots=True)
class Lookalike:
    """A text without a secret, which has to stay as it is."""

    group: str
    text: str


def list_planted() -> tuple[Planted, ...]:
    """List every text with a secret: keys, values behind names, secrets of a shape, and keys that something breaks."""
    return (*_plant_keys(), *_plant_values(), *_plant_shaped(), *_plant_broken())


def list_lookalikes() -> tuple[Lookalike, ...]:
    """List every text that has to stay."""
    return tuple(Lookalike(group, text) for group, texts in LOOKALIKES.items() for text in texts)


def _list_pieces(part: str) -> Iterator[str]:
    width = min(_FRAGMENT_CHARS, len(part))
    yield from (part[start : start + width] for start in range(len(part) - width + 1))


def _plant_keys() -> Iterator[Planted]:
    carriers = list(KEY_CARRIERS.items())
    for rank, fake in enumerate(VENDOR_KEYS):
        for turn in range(_CARRIERS_PER_KEY):
            name, form = carriers[(rank * _CARRIERS_PER_KEY + turn) % len(carriers)]
            before, _, after = form.partition("{}")
            yield Planted(fake.kind, name, before, fake.secret, after)


def _plant_values() -> Iterator[Planted]:
    for rank, (key, form) in enumerate(NAMED_CARRIERS.items()):
        name, _, barred = key.partition("|")
        before, _, after = form.partition("{}")
        fitting = [
            (kind, value)
            for kind, needs, value in VALUES
            if not set(needs) & set(barred) and (kind not in _PASSWORDS_ONLY or "pass" in form.lower())
        ]
        for turn in range(min(_VALUES_PER_CARRIER, len(fitting))):
            kind, value = fitting[(rank + turn * 2) % len(fitting)]
            yield Planted(f"named: {kind}", name, before, value, after)


def _plant_shaped() -> Iterator[Planted]:
    for each in SHAPED:
        yield Planted(each.kind, each.name, each.before, each.secret, each.after)


def _plant_broken() -> Iterator[Planted]:
    for rank, (name, write) in enumerate(_BREAKS.items()):
        for fake in VENDOR_KEYS[rank % 4 :: 20]:
            before, secret, after = write(fake)
            yield Planted(fake.kind, name, before, secret, after)


def _break_by(mark: str) -> Callable[[Fake], tuple[str, str, str]]:
    def write(fake: Fake) -> tuple[str, str, str]:
        third = len(fake.secret) // 3
        parts = (fake.secret[:third], fake.secret[third : third * 2], fake.secret[third * 2 :])
        return "got ", mark.join(parts), " back\n"

    return write


def _fold_at(column: int, indent: str = "") -> Callable[[Fake], tuple[str, str, str]]:
    """Fold the line as a terminal or a mail program does, so that the key's first part ends a line."""

    def write(fake: Fake) -> tuple[str, str, str]:
        before = "the key that this deployment uses now is ".rjust(column - len(fake.secret) * 2 // 3)
        room = column - len(before)
        return before, f"{fake.secret[:room]}\n{indent}{fake.secret[room:]}", "\nand it works\n"

    return write


def _wrap_in_base64(before: str, ahead: str, after: str) -> Callable[[Fake], tuple[str, str, str]]:
    def write(fake: Fake) -> tuple[str, str, str]:
        return before, wrap_base64(f"{ahead}{fake.secret}"), after

    return write


_BREAKS: Final[dict[str, Callable[[Fake], tuple[str, str, str]]]] = {
    "zero-width spaces": _break_by("\u200b"),
    "bidi marks": _break_by("\u202e"),
    "soft hyphens": _break_by("\u00ad"),
    "byte order marks": _break_by("\ufeff"),
    "colours inside": _break_by("\x1b[1;31m"),
    "escaped colours inside": _break_by("\\u001b[0m"),
    "line continuations": _break_by("\\\n"),
    "folded line": _fold_at(80),
    "folded line, indented": _fold_at(100, "    "),
    "folded line, quoted": _fold_at(76, "> "),
    "base64": _wrap_in_base64("data = ", "", "\n"),
    "base64 in JSON": _wrap_in_base64('{"blob": "', "x=", '"}'),
    "base64 in a Secret": _wrap_in_base64("data:\n  value: ", "ab ", "\nkind: Secret\n"),
}
