"""Decides which commits a batch of page changes becomes, and writes them as one stream for `git fast-import`."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from app.domain.limits import NAME_CHARS_MAX, TITLE_CHARS_MAX

IMPORT_REF = "refs/memwiki/next"
OUTSIDE_AUTHOR = "outside edit"

_OWN_NAME = "memwiki"
_NOT_IN_NAMES = re.compile(r"[<>\x00-\x1f\x7f]+")
_NOT_IN_ADDRESSES = re.compile(r"[^\w.+\-]+")
_NOT_IN_TRAILERS = re.compile(r"[^\w.:/\-]+")


@dataclass(frozen=True, slots=True)
class CommitRequest:
    """One change of pages that history should show, by places relative to the wiki's root.

    `before` and `after` hold the bytes that the change replaced and installed (None for a deletion), so that a text
    which another one followed before it could be committed still gets its own commit; without them it is what is on
    disk then. `needs_staging` asks to renew git's staging entries even where nothing is left to commit.
    """

    places: tuple[str, ...]
    message: str
    author: str
    at: datetime
    session_id: str = ""
    before: Mapping[str, bytes] = field(default_factory=dict)
    after: Mapping[str, bytes | None] = field(default_factory=dict)
    needs_staging: bool = False
    trailers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlannedCommit:
    """One commit to make; None as content deletes the file, and `session_id` is empty but for a session's own."""

    message: str
    author: str
    at: datetime
    contents: Mapping[str, bytes | None]
    session_id: str = ""


def plan_commits(
    requests: Sequence[CommitRequest],
    committed: Mapping[str, str],
    on_disk: Mapping[str, bytes | None],
    *,
    algorithm: str = "sha1",
) -> tuple[PlannedCommit, ...]:
    """Turn requests, in order, into commits; what git has already is left out, and so is an empty commit.

    What one session changed, its page and the project's entry page, becomes one commit, also where other changes
    came between.

    `committed` maps a place to the id of git's copy ("" for none). A place that is missing in `on_disk` cannot be
    read now, so git's copy stays.
    """
    known = dict(committed)
    left_behind = _list_contents(requests, on_disk)
    planned: list[PlannedCommit] = []

    def find_changed(contents: Mapping[str, bytes | None]) -> dict[str, bytes | None]:
        hashed = {place: hash_blob(content, algorithm) for place, content in sorted(contents.items())}
        changed = {place: contents[place] for place, blob in hashed.items() if blob != known.get(place, "")}
        known.update({place: hashed[place] for place in changed})
        return changed

    for request, contents in zip(requests, left_behind, strict=True):
        # Where git has a request's outcome already, its beginning is history and not a lost edit.
        new = {place for place, content in contents.items() if hash_blob(content, algorithm) != known.get(place, "")}
        outside = find_changed({place: text for place, text in request.before.items() if place in new})
        if outside:
            planned.append(_build_outside(outside, request.at))
        changed = find_changed(contents)
        if changed:
            message = render_message(request.message, request.session_id, request.trailers)
            _add(planned, PlannedCommit(message, request.author, request.at, changed, request.session_id))
    return tuple(planned)


def _build_outside(contents: Mapping[str, bytes | None], at: datetime) -> PlannedCommit:
    return PlannedCommit(describe_outside(contents), OUTSIDE_AUTHOR, at, contents)


def _add(planned: list[PlannedCommit], commit: PlannedCommit) -> None:
    """Add a commit, or join it to its session's last one, also past others', where no page's order changes by it."""
    last = (at for at in range(len(planned) - 1, -1, -1) if planned[at].session_id == commit.session_id)
    at = next(last, None) if commit.session_id else None
    if at is None or _share_a_page(planned[at : at + 1], commit):
        planned.append(commit)
        return
    earlier, between = planned[at], planned[at + 1 :]
    joined = replace(earlier, contents={**earlier.contents, **commit.contents})
    if not _share_a_page(between, commit):
        planned[at] = joined
    elif not _share_a_page(between, earlier):
        del planned[at]
        planned.append(replace(joined, at=commit.at))
    else:
        planned.append(commit)


def _share_a_page(commits: Sequence[PlannedCommit], commit: PlannedCommit) -> bool:
    return any(not other.contents.keys().isdisjoint(commit.contents) for other in commits)


def describe_outside(places: Iterable[str]) -> str:
    """Write the message for changes that did not come through memwiki."""
    listed = sorted(places)
    what = listed[0] if len(listed) == 1 else f"{len(listed)} pages"
    return render_message(f"Edit {what} outside memwiki", "")


def render_message(subject: str, session_id: str, trailers: Mapping[str, str] | None = None) -> str:
    """Write a message of one line, with the session and what else programs should know as trailers."""
    line = " ".join(subject.split())[:TITLE_CHARS_MAX] or "Change pages"
    given = {"Session": session_id, **(trailers or {})}
    clean = {name: _NOT_IN_TRAILERS.sub("", value)[:TITLE_CHARS_MAX] for name, value in given.items()}
    told = "".join(f"Memwiki-{name}: {value}\n" for name, value in clean.items() if value)
    return f"{line}\n\n{told}" if told else f"{line}\n"


def render_stream(commits: Sequence[PlannedCommit], parent: str) -> bytes:
    """Write the commits as one chain upon `parent` ("" for a first commit), for `git fast-import`."""
    parts: list[bytes] = []
    for number, commit in enumerate(commits):
        when = f"{int(commit.at.timestamp())} +0000"
        message = commit.message.encode("utf-8", "replace")
        parts.append(
            f"commit {IMPORT_REF}\n"
            f"author {render_person(commit.author)} {when}\n"
            f"committer {render_person(_OWN_NAME)} {when}\n"
            f"data {len(message)}\n".encode()
        )
        parts.append(message + b"\n")
        if number == 0 and parent:
            parts.append(f"from {parent}\n".encode())
        # Deletions go first, so that a folder may take the place of a file.
        for place, content in sorted(commit.contents.items(), key=lambda item: item[1] is not None):
            name = _quote(place)
            if content is None:
                parts.append(f"D {name}\n".encode())
            else:
                parts.extend((f"M 100644 inline {name}\ndata {len(content)}\n".encode(), content, b"\n"))
        parts.append(b"\n")
    parts.append(b"done\n")
    return b"".join(parts)


def render_person(name: str) -> str:
    """Write a name the way git wants it; the address is made up, so no personal one is published."""
    clean = " ".join(_NOT_IN_NAMES.sub(" ", name).split())[:NAME_CHARS_MAX] or _OWN_NAME
    address = _NOT_IN_ADDRESSES.sub("-", clean).strip("-.").lower() or _OWN_NAME
    clean, address = (text.encode("utf-8", "replace").decode("utf-8") for text in (clean, address))
    return f"{clean} <{address}@memwiki>"


def hash_blob(content: bytes | None, algorithm: str) -> str:
    """Tell the id that git gives a file's content; the empty text for no file."""
    if content is None:
        return ""
    return hashlib.new(algorithm, b"blob %d\x00" % len(content) + content, usedforsecurity=False).hexdigest()


def _list_contents(
    requests: Sequence[CommitRequest], on_disk: Mapping[str, bytes | None]
) -> list[dict[str, bytes | None]]:
    """Find what each request left behind: what it says, else what the next one replaced, else what is on disk."""
    latest = dict(on_disk)
    found: list[dict[str, bytes | None]] = []
    for request in reversed(requests):
        found.append({place: request.after.get(place, latest[place]) for place in request.places if place in latest})
        latest.update({place: content for place, content in request.before.items() if place in latest})
    return found[::-1]


def _quote(place: str) -> str:
    if not place.startswith('"'):
        return place
    escaped = place.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
