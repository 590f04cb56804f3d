"""Reads public retrieval sets into one form: corpora of conversations or pages, and questions with their gold."""

import gzip
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from app.domain.errors import InvalidValue

# Of summaries and orderings there are more gold messages than ten hits can show.
_BEAM_WIDE: Final = frozenset({"summarization", "event_ordering"})
_BEAM_TIMES: Final = ("%B-%d-%Y", "%b-%d-%Y")
_TEAM_FOLDER: Final = "team-sessions"
_XQUAD_LANGUAGES: Final = ("en", "de", "es", "ru", "zh")


@dataclass(frozen=True, slots=True)
class Said:
    """One turn of a conversation; `tools` are (name, argument) of what was used in it."""

    id: str
    is_person: bool
    text: str
    tools: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Conversation:
    """What one session holds."""

    id: str
    begun_at: datetime | None
    turns: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Text:
    """One document of a set that is no conversation."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of a corpus; `gold` are ids of turns, sessions or texts, as the set labels them."""

    id: str
    text: str
    gold: frozenset[str]
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Corpus:
    """One body of memory, asked alone: either conversations or texts."""

    name: str
    questions: tuple[Question, ...]
    conversations: tuple[Conversation, ...] = ()
    texts: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class RetrievalSet:
    """A set by its name; `has_turn_gold` if its gold are turns, from which that of sessions follows.

    `beside` is another set's folder whose texts are in the same wiki; then each question is asked of all that is there.
    """

    name: str
    folder: str
    has_turn_gold: bool
    read: Callable[[Path], Iterator[Corpus]]
    beside: str = ""


def list_files(folder: Path) -> list[Path]:
    """List the files of a set by name.

    Raises:
        InvalidValue: the set is not there.
    """
    found = sorted(folder.glob("*.gz")) + sorted(folder.glob("*.jsonl"))
    if not found:
        raise InvalidValue("data", f"a folder without the set {folder.name}")
    return found


def _read_json(path: Path) -> Any:  # noqa: ANN401 - what stands in foreign files
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return json.load(file)


def _read_lines(path: Path) -> Iterator[dict[str, Any]]:
    raw = path.read_bytes()
    text = gzip.decompress(raw) if path.suffix == ".gz" else raw
    return map(json.loads, text.splitlines())


def _read_locomo(folder: Path) -> Iterator[Corpus]:
    for path in list_files(folder):
        held = _read_json(path)
        first = held["speakers"][0]
        conversations = [
            Conversation(
                found["session_id"],
                datetime.strptime(found["date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC),
                tuple(_read_spoken(turn, first) for turn in found["turns"]),
            )
            for found in held["sessions"]
        ]
        questions = [
            Question(
                found["id"],
                found["question"],
                frozenset(found["evidence"]),
                (f"category {found['category']}", "multi-hop" if found["category"] == 1 else ""),
            )
            for found in held["qa"]
        ]
        yield Corpus(held["sample_id"], _keep_answerable(questions), tuple(conversations))


def _read_spoken(turn: Mapping[str, Any], first_speaker: str) -> Said:
    caption = turn.get("image_caption")
    shown = f" [shares a picture: {caption}]" if caption else ""
    return Said(turn["id"], turn["speaker"] == first_speaker, f"{turn['speaker']}: {turn['text']}{shown}")


def _read_beam(folder: Path) -> Iterator[Corpus]:
    for path in list_files(folder):
        if not path.name.startswith("100K"):
            continue
        held = _read_json(path)
        batches: dict[int, list[dict[str, Any]]] = {}
        for message in held["messages"]:
            batches.setdefault(message["batch"], []).append(message)
        conversations = [
            Conversation(
                f"b{batch}",
                _read_beam_time(messages[0].get("time")),
                tuple(Said(str(each["id"]), each["role"] == "user", each["text"]) for each in messages),
            )
            for batch, messages in batches.items()
        ]
        questions = [
            Question(
                found["id"],
                found["question"],
                frozenset(map(str, found["gold"])),
                (found["type"], "wide" if found["type"] in _BEAM_WIDE else "narrow"),
            )
            for found in held["questions"]
        ]
        yield Corpus(path.name.partition(".")[0].lower(), _keep_answerable(questions), tuple(conversations))


def _read_beam_time(text: str | None) -> datetime | None:
    for form in _BEAM_TIMES:
        try:
            return datetime.strptime(text or "", form).replace(tzinfo=UTC)
        except ValueError:
            continue
    return None


def _read_team(folder: Path) -> Iterator[Corpus]:
    conversations = [
        Conversation(
            found["session_id"],
            datetime.fromisoformat(found["started"]).replace(tzinfo=UTC),
            tuple(
                Said(
                    str(turn["i"]),
                    turn["role"] == "user" and not turn.get("side") and not turn.get("compact"),
                    turn["text"],
                    tuple((tool[0], tool[1] or "") for tool in turn.get("tools", ())),
                )
                for turn in found["turns"]
            ),
        )
        for found in _read_lines(folder / "sessions.jsonl.gz")
    ]
    questions = [
        Question(found["id"], found["query"], frozenset(found["gold"]))
        for found in _read_lines(folder / "queries.jsonl")
        # Where the question stands word for word in its answer, finding it proves little.
        if not found.get("verbatim_in_gold")
    ]
    yield Corpus("team", tuple(questions), tuple(conversations))


def _read_date(text: str) -> datetime:
    """Read a moment in either of the forms in which the set has them."""
    if "(" not in text:
        return datetime.fromisoformat(text).replace(tzinfo=UTC)
    return datetime.strptime(text, "%Y/%m/%d (%a) %H:%M").replace(tzinfo=UTC)


def _read_longmemeval(folder: Path) -> Iterator[Corpus]:
    held = _read_json(folder / "longmemeval_mini.json.gz")
    conversations = [
        Conversation(
            found["session_id"],
            _read_date(found["date"]) if found["date"] else None,
            tuple(
                Said(f"{found['session_id']}_{number}", turn["role"] == "user", turn["content"])
                for number, turn in enumerate(found["turns"])
            ),
        )
        for found in held["sessions"]
    ]
    questions = [
        Question(found["question_id"], found["question"], frozenset(found["answer_session_ids"]))
        for found in held["questions"]
        if not found["question_id"].endswith("_abs")
    ]
    yield Corpus("pooled", _keep_answerable(questions), tuple(conversations))


def _read_longmemeval_time(text: str | None) -> datetime | None:
    return datetime.strptime(text, "%Y/%m/%d (%a) %H:%M").replace(tzinfo=UTC) if text else None


def _read_texts(corpus: str, queries: str) -> Callable[[Path], Iterator[Corpus]]:
    def read(folder: Path) -> Iterator[Corpus]:
        texts = tuple(Text(each["id"], each.get("title", ""), each["text"]) for each in _read_lines(folder / corpus))
        asked = [Question(each["id"], each["query"], frozenset(each["gold"])) for each in _read_lines(folder / queries)]
        yield Corpus("texts", _keep_answerable(asked), texts=texts)

    return read


def _read_mixed(folder: Path) -> Iterator[Corpus]:
    """Read pages of code and sessions of coding, which are to stand in one wiki."""
    yield from _read_texts("corpus.jsonl.gz", "queries-test.jsonl.gz")(folder)
    yield from _read_team(folder.parent / _TEAM_FOLDER)


def _keep_answerable(questions: Iterable[Question]) -> tuple[Question, ...]:
    return tuple(question for question in questions if question.gold)


_PLAIN: Final = _read_texts("corpus.jsonl.gz", "queries.jsonl.gz")

SETS: Final = (
    RetrievalSet("team-sessions", _TEAM_FOLDER, has_turn_gold=False, read=_read_team),
    RetrievalSet("locomo", "locomo", has_turn_gold=True, read=_read_locomo),
    RetrievalSet("beam", "beam", has_turn_gold=True, read=_read_beam),
    RetrievalSet("longmemeval-mini", "longmemeval-mini", has_turn_gold=False, read=_read_longmemeval),
    RetrievalSet("scifact", "scifact", has_turn_gold=False, read=_PLAIN),
    RetrievalSet("cosqa", "cosqa", has_turn_gold=False, read=_read_texts("corpus.jsonl.gz", "queries-test.jsonl.gz")),
    RetrievalSet(
        "cosqa-dev", "cosqa", has_turn_gold=False, read=_read_texts("corpus.jsonl.gz", "queries-dev.jsonl.gz")
    ),
    RetrievalSet("mixed", "cosqa", has_turn_gold=False, read=_read_mixed, beside=_TEAM_FOLDER),
    RetrievalSet("jsquad", "jsquad-ja", has_turn_gold=False, read=_PLAIN),
    RetrievalSet("cmrc", "cmrc2018-zh", has_turn_gold=False, read=_PLAIN),
    *(
        RetrievalSet(
            f"xquad-{language}",
            "xquad-retrieval",
            has_turn_gold=False,
            read=_read_texts(f"corpus.{language}.jsonl.gz", f"queries.{language}.jsonl.gz"),
        )
        for language in _XQUAD_LANGUAGES
    ),
)
