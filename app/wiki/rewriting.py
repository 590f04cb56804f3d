"""Takes pages out of the wiki's whole history: commits are made anew without them, and the old ones are destroyed.

What is to go is written down in git's folder first, so that a run that was killed is finished at the next start.
"""

import os
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from app.domain.errors import DiskRefused
from app.wiki import authorship, commit_plan
from app.wiki.repository import Repository

REMOVED: Final = "Removed from history"
_REF: Final = b"refs/memwiki/rewritten"
_ORDER_NAME: Final = "memwiki-removal.json"
_CHANGE = re.compile(rb"M (\d+) ([0-9a-f]+) (.+)")
_DELETED = re.compile(rb"D (.+)")
_LEFT_BEHIND = ("ORIG_HEAD", "FETCH_HEAD", "AUTO_MERGE", "COMMIT_EDITMSG", "logs")


class Removal(msgspec.Struct, frozen=True):
    """What goes: folders (ending in `/`) and files by their places, and earlier texts that hold one of the marks.

    A file that held a mark earlier has its present text in the commits of then; so has one that named a person of
    `names` in its fields, who is called by the pseudonym there in what commits say.
    """

    places: list[str]
    marks: list[str]
    names: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class Rewritten:
    """What a rewriting did; `remotes` still have what was removed."""

    commits: int
    removed_commits: int
    replaced_texts: int
    remotes: tuple[str, ...]


def remove_from_history(repository: Repository, removal: Removal) -> Rewritten:
    """Make all commits anew without what is to go, then destroy what nothing leads to; nobody else may commit.

    Raises:
        WikiUnreadable: git failed; the history is as it was, or as it is to be, and the next start finishes.
        DiskRefused: the order cannot be written down.
    """
    remotes = tuple(repository.run("remote").decode("utf-8", "replace").split())
    if not repository.read_head(()).revision:
        return Rewritten(0, 0, 0, remotes)
    install_order(repository, removal)
    scrubbed = _list_marked(repository, _build_signs(removal))
    stream = repository.run(
        "fast-export", "--all", "--no-data", "--reencode=no", "--signed-tags=strip", "--tag-of-filtered-object=drop"
    )
    rewriter = _Rewriter(removal, scrubbed, _list_present(repository))
    content = b"".join(rewriter.rewrite(stream))
    repository.run("fast-import", "--quiet", "--force", "--done", stdin=content + b"done\n")
    for ref in rewriter.list_gone_refs():
        repository.run("update-ref", "-d", ref)
    _destroy(repository)
    remove_order(repository)
    return Rewritten(rewriter.kept, rewriter.dropped, len(scrubbed), remotes)


def find_order(repository: Repository) -> Removal | None:
    """Find what a run that was killed had begun to remove."""
    try:
        return msgspec.json.decode((repository.git_dir / _ORDER_NAME).read_bytes(), type=Removal)
    except (OSError, msgspec.DecodeError):
        return None


def install_order(repository: Repository, removal: Removal) -> None:
    """Write down what is to go, so that the next start removes it if this run does not.

    Raises:
        DiskRefused: it cannot be written down.
    """
    path = repository.git_dir / _ORDER_NAME
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(msgspec.json.encode(removal))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise DiskRefused(str(path.name), error.strerror or str(error)) from error


def remove_order(repository: Repository) -> None:
    """Forget what was to go, because it has gone, or is to stay."""
    (repository.git_dir / _ORDER_NAME).unlink(missing_ok=True)


class _Rewriter:
    """Goes through a stream of `git fast-export --no-data` and leaves out what is to go."""

    def __init__(self, removal: Removal, scrubbed: Collection[bytes], present: dict[bytes, bytes]) -> None:
        self._folders = tuple(place.encode() for place in removal.places if place.endswith("/"))
        self._files = frozenset(place.encode() for place in removal.places if not place.endswith("/"))
        self._marks = [mark.encode() for mark in removal.marks]
        self._idents = [(authorship.build_ident_pattern(name), new) for name, new in removal.names.items()]
        self._words = [(authorship.build_word_pattern(name), new.encode()) for name, new in removal.names.items()]
        self._scrubbed, self._present = scrubbed, present
        self._heirs: dict[bytes, bytes | None] = {}
        self._tips: dict[bytes, bytes | None] = {}
        self.kept = self.dropped = 0

    def rewrite(self, stream: bytes) -> Iterator[bytes]:
        """Give the stream anew; refs come last, since a commit that one led to may be gone."""
        reader = _StreamReader(stream)
        while (line := reader.read_line()) is not None:
            if line.startswith(b"commit "):
                yield self._rewrite_commit(line[7:], reader)
            elif line.startswith(b"reset "):
                self._note_reset(line[6:], reader)
            elif line.startswith(b"tag "):
                yield self._rewrite_tag(line, reader)
        for ref, mark in self._tips.items():
            if mark is not None:
                yield b"reset " + ref + b"\nfrom " + mark + b"\n\n"

    def list_gone_refs(self) -> list[str]:
        """List the refs that lead to nothing any more."""
        return [ref.decode() for ref, mark in self._tips.items() if mark is None]

    def _rewrite_commit(self, ref: bytes, reader: "_StreamReader") -> bytes:
        mark, head, parents, message = b"", [], [], b""
        while (line := reader.peek_line()) is not None and not _is_change(line) and line:
            reader.read_line()
            if line.startswith(b"mark "):
                mark = line[5:]
            elif line.startswith(b"data "):
                message = reader.read_bytes(int(line[5:]))
            elif line.startswith((b"from ", b"merge ")):
                parents.append(self._find_heir(line.partition(b" ")[2]))
            else:
                head.append(self._rename_ident(line))
        given = list(reader.read_changes())
        kept, is_touched = self._filter(given)
        living = [parent for parent in dict.fromkeys(parents) if parent is not None]
        if given and not kept and is_touched and len(living) <= 1:
            self.dropped += 1
            self._heirs[mark] = self._tips[ref] = living[0] if living else None
            return b""
        self.kept += 1
        self._heirs[mark] = self._tips[ref] = mark
        if is_touched or any(each in message for each in self._marks):
            message = REMOVED.encode()
        for words, new in self._words:
            message = words.sub(new, message)
        # Emptied first, a ref gives a commit without a parent none.
        lines = [] if living else [b"reset " + _REF, b""]
        lines += [b"commit " + _REF, b"mark " + mark, *head]
        lines.append(b"data %d\n%b" % (len(message), message))
        lines += [(b"merge " if number else b"from ") + parent for number, parent in enumerate(living)]
        return b"\n".join([*lines, *kept]) + b"\n\n"

    def _rename_ident(self, line: bytes) -> bytes:
        for ident, new in self._idents:
            line = ident.sub(lambda match, new=new: match[1] + commit_plan.render_person(new).encode(), line)  # type: ignore[misc]
        return line

    def _filter(self, changes: Sequence[bytes]) -> tuple[list[bytes], bool]:
        kept, is_touched = [], False
        for line in changes:
            change, deleted = _CHANGE.fullmatch(line), _DELETED.fullmatch(line)
            quoted = change[3] if change else deleted[1] if deleted else b""
            path = _unquote(quoted)
            if path.startswith(self._folders) or path in self._files:
                is_touched = True
            elif change and change[2] in self._scrubbed:
                present = self._present.get(path)
                is_touched = is_touched or present is None
                if present:
                    kept.append(b"M %b %b %b" % (change[1], present, quoted))
            else:
                kept.append(line)
        return kept, is_touched

    def _rewrite_tag(self, first: bytes, reader: "_StreamReader") -> bytes:
        lines, is_kept = [first], True
        while (line := reader.peek_line()) is not None and line and not line.startswith(b"data "):
            reader.read_line()
            if line.startswith(b"from "):
                heir = self._find_heir(line[5:])
                is_kept = heir is not None
                line = b"from " + (heir or b"")
            if not line.startswith(b"mark "):
                lines.append(self._rename_ident(line))
        size = int((reader.read_line() or b"data 0")[5:])
        message = reader.read_bytes(size)
        return b"\n".join([*lines, b"data %d\n%b" % (size, message)]) + b"\n" if is_kept else b""

    def _note_reset(self, ref: bytes, reader: "_StreamReader") -> None:
        line = reader.peek_line()
        if line is not None and line.startswith(b"from "):
            reader.read_line()
            self._tips[ref] = self._find_heir(line[5:])

    def _find_heir(self, mark: bytes) -> bytes | None:
        return self._heirs.get(mark, mark)


class _StreamReader:
    """Reads lines and counted bytes off a stream."""

    def __init__(self, stream: bytes) -> None:
        self._stream, self._at = stream, 0

    def peek_line(self) -> bytes | None:
        end = self._stream.find(b"\n", self._at)
        return None if end < 0 else self._stream[self._at : end]

    def read_line(self) -> bytes | None:
        line = self.peek_line()
        if line is not None:
            self._at += len(line) + 1
        return line

    def read_bytes(self, size: int) -> bytes:
        content = self._stream[self._at : self._at + size]
        self._at += size
        if self._stream[self._at : self._at + 1] == b"\n":
            self._at += 1
        return content

    def read_changes(self) -> Iterator[bytes]:
        while (line := self.peek_line()) is not None and _is_change(line):
            self.read_line()
            yield line


def _is_change(line: bytes) -> bool:
    return line.startswith((b"M ", b"D ")) or line == b"deleteall"


def _unquote(path: bytes) -> bytes:
    """Take git's quotes off a path that has characters of its grammar."""
    if not path.startswith(b'"'):
        return path
    known = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b'"': b'"', b"\\": b"\\", b"a": b"\a", b"b": b"\b", b"f": b"\f"}
    return re.sub(
        rb"\\([0-7]{3}|.)",
        lambda match: known.get(match[1], bytes([int(match[1], 8)]) if match[1].isdigit() else match[1]),
        path[1:-1],
    )


def _build_signs(removal: Removal) -> re.Pattern[bytes] | None:
    """Build what finds an earlier text that has to go; None if nothing does."""
    signs = [re.escape(mark.encode()) for mark in removal.marks]
    signs += [authorship.build_field_pattern(name) for name in removal.names]
    return re.compile(b"|".join(signs)) if signs else None


def _list_marked(repository: Repository, signs: re.Pattern[bytes] | None) -> frozenset[bytes]:
    """List the blobs in which one of the signs is, also those that nothing leads to."""
    if signs is None:
        return frozenset()
    listed = repository.run(
        "cat-file", "--batch-all-objects", "--unordered", "--batch-check=%(objecttype) %(objectname)"
    )
    blobs = [line[5:] for line in listed.splitlines() if line.startswith(b"blob ")]
    found = set()
    for start in range(0, len(blobs), 500):
        content = repository.run("cat-file", "--batch", stdin=b"\n".join(blobs[start : start + 500]) + b"\n")
        reader = _StreamReader(content)
        while (line := reader.read_line()) is not None:
            name, _, size = line.split(b" ")
            if signs.search(reader.read_bytes(int(size))):
                found.add(name)
    return frozenset(found)


def _list_present(repository: Repository) -> dict[bytes, bytes]:
    """List the blobs of HEAD by their paths: what stands there now is not taken back."""
    listed = repository.run("ls-tree", "-r", "-z", "HEAD")
    entries = (entry.partition(b"\t") for entry in listed.split(b"\0") if entry)
    return {path: facts.split(b" ")[2] for facts, _, path in entries}


def _destroy(repository: Repository) -> None:
    """Leave nothing of what no ref leads to: staging, reflogs, remembered heads, loose and packed objects."""
    temporary = repository.run("for-each-ref", "--format=delete %(refname)", _REF.decode())
    if temporary.strip():
        repository.run("update-ref", "--stdin", stdin=temporary)
    repository.run("read-tree", *(["HEAD"] if repository.read_head(()).revision else ["--empty"]))
    repository.run("reflog", "expire", "--expire=all", "--expire-unreachable=all", "--all")
    for name in _LEFT_BEHIND:
        _remove(repository.git_dir / name)
    _remove(repository.git_dir / "objects" / "info" / "commit-graphs")
    _remove(repository.git_dir / "objects" / "info" / "commit-graph")
    # A run that was killed leaves a file with its number, which another process may have by now.
    repository.run("gc", "--quiet", "--prune=now", "--force")
    repository.run("commit-graph", "write", "--reachable", "--changed-paths", "--no-progress")


def _remove(path: Path) -> None:
    if path.is_dir():
        for below in path.iterdir():
            _remove(below)
        path.rmdir()
    else:
        path.unlink(missing_ok=True)
