"""Which commits a person made, and who else worked on a page; a name counts only whole."""

import re
from collections.abc import Iterator
from datetime import datetime

from app.domain.limits import REVISIONS_MAX
from app.domain.page import Revision
from app.wiki.commit_plan import render_person
from app.wiki.repository import Repository

_FORMAT = "%x1e%H%x1f%aI%x1f%an%x1f%s"
_FACTS = 4


def list_commits(repository: Repository, name: str) -> Iterator[tuple[Revision, list[str]]]:
    """Walk the commits of a person, the newest first, with the places that each touched."""
    if not repository.read_head(()).revision:
        return
    author, skipped = find_author(name), 0
    while True:
        # Git's own search is a beginning only: it finds a name inside others too.
        listed = repository.run(
            "log", f"--max-count={REVISIONS_MAX}", f"--skip={skipped}", "--fixed-strings", f"--author={author} <",
            f"--format={_FORMAT}", "--name-only", "HEAD",
        )  # fmt: skip
        entries = [entry for entry in listed.decode("utf-8", "replace").split("\x1e") if entry]
        if not entries:
            return
        skipped += len(entries)
        for entry in entries:
            head, *places = entry.split("\n")
            facts = head.split("\x1f")
            if len(facts) == _FACTS and facts[2] == author:
                revision = Revision(facts[0], datetime.fromisoformat(facts[1]), facts[2], facts[3])
                yield revision, [place for place in places if place]


def list_authors(repository: Repository, place: str) -> frozenset[str]:
    """List whoever made a commit that touched a place."""
    if not repository.read_head(()).revision:
        return frozenset()
    listed = repository.run("log", "--format=%an", "HEAD", "--", place)
    return frozenset(listed.decode("utf-8", "replace").splitlines())


def find_author(name: str) -> str:
    """Tell how a person is called as the author of commits."""
    return render_person(name).rpartition(" <")[0]


def build_ident_pattern(name: str) -> re.Pattern[bytes]:
    """Build what finds a person in the lines of a commit or tag that say who made it."""
    return re.compile(rb"(?m)^((?:author|committer|tagger) )" + re.escape(render_person(name).encode()) + rb"(?= )")


def build_word_pattern(name: str) -> re.Pattern[bytes]:
    """Build what finds a name as a word of its own in what commits say."""
    return re.compile(rb"(?<![\w.\-])" + re.escape(name.encode()) + rb"(?![\w\-])")


def build_field_pattern(name: str) -> bytes:
    """Build what finds a name as the whole value of a field at the beginning of a page's line."""
    return rb"(?m:^[\w]+: ['\"]?" + re.escape(name.encode()) + rb"(?: \(agent\))?['\"]?\r?$)"
