"""The family `redaction`: what is found of planted secrets, what else goes with them, and how long it takes."""

import statistics
import sysconfig
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from app.bench import figure, payloads, redaction_corpus, redaction_hostile, redaction_libraries
from app.bench.figure import Figure
from app.bench.redaction_corpus import PLACEHOLDER, Lookalike, Planted
from app.bench.redaction_hostile import Hostile
from app.bench.scale import Note, Scale
from app.domain.redact import redact_text

_SEED: Final = 68
_TEXT_CHARS: Final = 1500
_TEXTS: Final = 200
_VARIED_TEXTS: Final = 2000
_TIMES: Final = 20
_SIZES: Final = (16, 64)
_NAMES_SHOWN_MAX: Final = 12

_Redact = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class _Tally:
    """What a redactor made of the corpus."""

    found: Counter[str]
    exact: Counter[str]
    missed: tuple[Planted, ...]
    lost: tuple[Lookalike, ...]

    @property
    def precision(self) -> float:
        """The share of replacements that took a secret and nothing else; a look-alike that is lost counts as one."""
        replaced = self.found.total() + len(self.lost)
        return self.exact.total() / replaced if replaced else 0.0


def measure(scale: Scale, note: Note) -> tuple[Figure, ...]:
    """Measure the whole family; the corpus is small and always measured whole."""
    return tuple(_measure(scale, note))


def _measure(scale: Scale, note: Note) -> Iterator[Figure]:
    planted, lookalikes = redaction_corpus.list_planted(), redaction_corpus.list_lookalikes()
    note(f"{len(planted)} planted secrets and {len(lookalikes)} look-alikes")
    yield from _measure_finding(planted, lookalikes)
    note("what redacting twice changes")
    yield _measure_idempotence([*(each.text for each in planted), *(each.text for each in lookalikes)], scale)
    clean = _draw_clean_texts(scale.repeats(_TEXTS, least=5))
    yield from _measure_times(clean, planted, lookalikes, scale, note)
    for kib in _SIZES:
        note(f"hostile texts of {kib} KB")
        yield _measure_hostile(kib, scale)
    for name, redact in redaction_libraries.list_libraries(note):
        note(f"the same corpus by {name}")
        yield from _measure_library(name, redact, planted, lookalikes, clean)


def _measure_finding(planted: Sequence[Planted], lookalikes: Sequence[Lookalike]) -> Iterator[Figure]:
    tally = _tally(redact_text, planted, lookalikes)
    kinds = Counter(each.kind for each in planted)
    carriers = {each.carrier for each in planted}
    yield Figure(
        "recall",
        tally.found.total() / len(planted),
        "of 1",
        bar=figure.at_least(0.99),
        detail=f"{len(planted)} planted, {len(kinds)} classes, {len(carriers)} carriers; missed: "
        f"{_list_names(f'{each.kind} ({each.carrier})' for each in tally.missed)}",
    )
    yield Figure(
        "precision",
        tally.precision,
        "of 1",
        bar=figure.at_least(0.99),
        detail=f"{len(lookalikes)} look-alikes, lost: {_list_names(each.text for each in tally.lost)}; "
        f"{tally.found.total() - tally.exact.total()} secrets that took something with them",
    )
    for kind, count in sorted(kinds.items()):
        exact = tally.exact[kind] / tally.found[kind] if tally.found[kind] else 0.0
        recall = tally.found[kind] / count
        yield Figure(f"recall of {kind}", recall, "of 1", detail=f"{count} planted, precision {exact:.3g}")
    lost = Counter(each.group for each in tally.lost)
    for group, count in Counter(each.group for each in lookalikes).items():
        yield Figure(f"kept of {group}", 1 - lost[group] / count, "of 1", detail=f"{count} look-alikes")


def _measure_idempotence(texts: Sequence[str], scale: Scale) -> Figure:
    hostile = redaction_hostile.list_hostile(2048, step=1 + round(3 / scale.effort))
    texts = [*texts, *(each.text for each in hostile)]
    changed = 0
    for text in texts:
        once = redact_text(text)
        changed += redact_text(once) != once
    return Figure(
        "idempotence_violations", changed, "texts", bar=figure.at_most(0), detail=f"of {len(texts):,}", faults=changed
    )


def _measure_times(
    clean: Sequence[str], planted: Sequence[Planted], lookalikes: Sequence[Lookalike], scale: Scale, note: Note
) -> Iterator[Figure]:
    note("texts of 1.5 KB")
    repeats = scale.repeats(_TIMES, least=3)
    yield Figure("clean_text", _time_us(redact_text, clean, repeats), "µs", bar=figure.at_most(100), detail="1.5 KB")
    dirty = [
        f"{text[:700]}\n{each.text}\n{text[700:]}"[:_TEXT_CHARS] for text, each in zip(clean, planted, strict=False)
    ]
    yield Figure("text_with_a_secret", _time_us(redact_text, dirty, repeats), "µs", detail="1.5 KB")
    joined = "\n".join(each.text for each in lookalikes)
    harder = [joined[start : start + _TEXT_CHARS] for start in range(0, len(joined), _TEXT_CHARS)]
    yield Figure("text_of_lookalikes", _time_us(redact_text, harder, repeats), "µs", detail="1.5 KB of nothing else")
    yield _measure_varied(_cut_library(scale.repeats(_VARIED_TEXTS, least=50)))


def _measure_varied(texts: Sequence[str]) -> Figure:
    """Measure texts that do not resemble each other, each once: a matcher that learns its texts is slow on them."""
    begun = time.process_time()
    for text in texts:
        redact_text(text)
    spent_us = (time.process_time() - begun) * 1e6 / len(texts)
    detail = f"1.5 KB, {len(texts):,} texts of Python's own library, each looked at once; mean processor time"
    return Figure("varied_text", spent_us, "µs", bar=figure.at_most(100), detail=detail)


def _measure_hostile(kib: int, scale: Scale) -> Figure:
    worst, worst_ms, count = Hostile("", ""), 0.0, 0
    for each in redaction_hostile.list_hostile(kib * 1024, step=max(1, round(0.2 / scale.effort))):
        begun = time.process_time()
        redact_text(each.text)
        spent_ms = (time.process_time() - begun) * 1000
        count += 1
        if spent_ms > worst_ms:
            worst, worst_ms = each, spent_ms
    bar = figure.at_most(250) if kib == max(_SIZES) else None
    return Figure(f"hostile_{kib}_kb", worst_ms, "ms", bar=bar, detail=f"worst of {count:,}: {worst.name}")


def _measure_library(
    name: str, redact: _Redact, planted: Sequence[Planted], lookalikes: Sequence[Lookalike], clean: Sequence[str]
) -> Iterator[Figure]:
    tally = _tally(redact, planted, lookalikes)
    yield Figure(f"{name}_recall", tally.found.total() / len(planted), "of 1")
    yield Figure(f"{name}_precision", tally.precision, "of 1", detail=f"{len(tally.lost)} look-alikes lost")
    yield Figure(f"{name}_clean_text", _time_us(redact, clean[:20], 1), "µs", detail="1.5 KB")


def _tally(redact: _Redact, planted: Sequence[Planted], lookalikes: Sequence[Lookalike]) -> _Tally:
    found, exact, missed = Counter[str](), Counter[str](), []
    for each in planted:
        redacted = redact(each.text)
        if each.is_found(redacted):
            found[each.kind] += 1
            exact[each.kind] += each.is_exact(redacted)
        else:
            missed.append(each)
    return _Tally(found, exact, tuple(missed), tuple(each for each in lookalikes if redact(each.text) != each.text))


def _time_us(redact: _Redact, texts: Sequence[str], repeats: int) -> float:
    """Take the median over the texts of each one's best time."""
    return statistics.median(min(_time_once(redact, text) for _ in range(repeats)) for text in texts) * 1e6


def _time_once(redact: _Redact, text: str) -> float:
    begun = time.perf_counter()
    redact(text)
    return time.perf_counter() - begun


def _draw_clean_texts(count: int) -> list[str]:
    """Draw the bodies of hooks that hold no secret, as JSON text of 1.5 KB."""
    bodies = (msgspec.json.encode(event.payload).decode() for event in payloads.draw_tool_events(_SEED, count * 2))
    return [body for body in bodies if not PLACEHOLDER.search(redact_text(body))][:count]


def _cut_library(count: int) -> list[str]:
    """Cut texts out of the source of Python's library, from all over it."""
    texts: list[str] = []
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        source = path.read_text(encoding="utf-8", errors="replace")
        texts += [source[start : start + _TEXT_CHARS] for start in range(0, len(source), _TEXT_CHARS)]
    return texts[:: max(1, len(texts) // count)][:count]


def _list_names(names: Iterable[str]) -> str:
    listed = [" ".join(name.split())[:60] for name in names]
    more = f" and {len(listed) - _NAMES_SHOWN_MAX} more" if len(listed) > _NAMES_SHOWN_MAX else ""
    return f"{', '.join(listed[:_NAMES_SHOWN_MAX])}{more}" if listed else "none"
