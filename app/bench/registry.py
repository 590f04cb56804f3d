"""The families of figures; a new one is a module and a line here."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from app.bench import (
    compile_pages,
    contradiction,
    handoff,
    hooks,
    ingest,
    machine,
    redaction,
    retrieval,
    rights,
    search,
    soak,
    web,
)
from app.bench.figure import Figure, Report
from app.bench.scale import Note, Scale
from app.domain.errors import UnknownKind


@dataclass(frozen=True, slots=True)
class Family:
    """A set of figures that one run measures."""

    name: str
    measure: Callable[[Scale, Note], tuple[Figure, ...]]


FAMILIES: Final = (
    Family("ingest", ingest.measure),
    Family("search", search.measure),
    Family("retrieval", retrieval.measure),
    Family("contradiction", contradiction.measure),
    Family("redaction", redaction.measure),
    Family("hooks", hooks.measure),
    Family("handoff", handoff.measure),
    Family("compile", compile_pages.measure),
    Family("web", web.measure),
    Family("rights", rights.measure),
    Family("soak", soak.measure),
)


def run_family(name: str, scale: Scale, note: Note) -> Report:
    """Measure one family.

    Raises:
        UnknownKind: there is no family of that name.
    """
    family = next((each for each in FAMILIES if each.name == name), None)
    if family is None:
        raise UnknownKind("family", name, tuple(each.name for each in FAMILIES))
    described = machine.describe_machine(machine.choose_folder())
    begun = time.perf_counter()
    figures = family.measure(scale, note)
    return Report(name, figures, described, time.perf_counter() - begun)
