"""Lint on a wiki with every fault: what each page says is in the index, so that no file is read to tell."""

from datetime import UTC, datetime

import pytest

from app.domain.limits import LIST_LIMIT_MAX
from app.domain.limits_knowledge import PAGE_BYTES_ADVISED
from app.domain.page import Finding, PagePath
from app.domain.scope import Scope
from app.upkeep import linting
from app.wiki import reconcile
from app.wiki.pages import Wiki
from tests.fakes import FakeClock
from tests.wiki.conftest import BYLINE, HERE, draft, page, put_file

KEY = "ghp_" + "a1B2" * 9
NOW = FakeClock(datetime(2026, 12, 1, tzinfo=UTC))
FILES = {
    "project.md": "---\nkind: project\naliases: [was]\n---\n",
    "index.md": "---\nkind: index\n---\n- [[notes/alone]]\n- [[notes/nowhere]]\n",
    "notes/links.md": "[[notes/none]] [[b]] [[other:notes/there]] [[other:notes/none]]\n"
    "[[was:notes/b]] [[was:notes/gone]]\n",
    "notes/b.md": "[[links]] [x](missing.md) [[notes/links|again]]\n",
    "notes/related.md": "---\nrelations: {depends_on: notes/none2, contradicts: [notes/b, notes/old]}\n---\n[[secret]]",
    "notes/old.md": "---\nsuperseded_by: notes/b\ntitle: Same\nid: same\n---\n[[related]] [[alone-too]]\n",
    "notes/alone.md": "Nothing leads here but the entry page.\n",
    "notes/alone-too.md": "[[alone-too]] [[generated]]\n",
    "notes/pinned.md": "---\npinned: true\n---\nNothing leads here.\n",
    "notes/generated.md": f"---\ngenerated: true\n---\n{KEY}\n",
    "notes/unlinked.md": "---\ngenerated: {by: memwiki}\n---\n",
    "notes/secret.md": f'---\nkey: {KEY}\n---\n[[notes/large]] [[notes/spelled]] password = "h0rse-b4ttery"\n',
    "notes/spelled.md": '---\n"gener\\u0061ted": true\n---\n[[same1]] [[same2]] [[same3]] [[expired]] [[today]]\n',
    "notes/large.md": "x" * PAGE_BYTES_ADVISED + "x [[marked]] [[broken]] [[conflict]] [[open]] [[latin]] [[day]]\n",
    "notes/same1.md": "---\ntitle: Same\nid: same\n---\n[[crlf]]\n",
    "notes/same2.md": "---\ntitle: Same\n---\n",
    "notes/same3.md": "---\ntitle: Other\nid: same\n---\n",
    "notes/expired.md": "---\nstale_after: '2026-11-30'\n---\n",
    "notes/day.md": "---\nstale_after: 2026-11-29T10:00:00Z\n---\n",
    "notes/today.md": "---\nstale_after: '2026-12-01'\n---\n",
    "notes/crlf.md": "one\r\ntwo\r\n",
    "notes/marked.md": "\ufeffone\n",
    "notes/broken.md": f"---\ntitle: *x\ngenerated: true\n---\n{KEY}\n",
    "notes/conflict.md": "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n",
    "notes/open.md": "---\ntitle: never closed\n",
    "notes/latin.md": b"caf\xe9\n",
    "gotchas/seen.md": "---\nverified_at: 2026-01-02\n---\n[[gotchas/changed]] [[gotchas/new]]\n",
    "gotchas/changed.md": "---\nupdated: 2026-01-03\n---\n[[seen]]\n",
    "gotchas/new.md": "---\nupdated: 2026-11-03\nverified_at: 2026-11-04\n---\n",
    "gotchas/gone.md": "---\nupdated: 2026-01-03\nsuperseded_by: gotchas/new\n---\n[[gotchas/gone]] [[gone2]]\n",
    "rules/kept.md": "---\nupdated: 2026-01-04\n---\nBe kind.\n",
    "sessions/2026-11/one.md": "---\ntitle: Same\nkind: session\n---\n[[gotchas/gone]]\n",
    "sessions/2026-11/two.md": "---\ntitle: Same\nkind: session\n---\n",
}
FOUND = """
error frontmatter_unreadable notes/broken.md: found undefined alias, line 2
error secret notes/broken.md: it holds what looks like github-token
error merge_conflict notes/conflict.md: it holds both sides of an unresolved merge
error frontmatter_unclosed notes/open.md: line one is --- and no other such line closes it
error duplicate notes/same1.md: notes/same3.md has the same id
error secret notes/secret.md: it holds what looks like github-token, password
warning broken_link gotchas/gone.md: it links to gone2, which is no page
warning broken_link index.md: it links to notes/nowhere, which is no page
warning broken_link notes/b.md: it links to missing.md, which is no page
warning stale notes/day.md: its stale_after was 2026-11-29
warning stale notes/expired.md: its stale_after was 2026-11-30
warning oversize notes/large.md: 65,600 bytes; 65,536 are enough
warning not_utf8 notes/latin.md: byte 3 is not UTF-8
warning broken_link notes/links.md: it links to notes/none, which is no page
warning broken_link notes/links.md: it links to other:notes/none, which is no page
warning broken_link notes/links.md: it links to was:notes/gone, which is no page
warning broken_link notes/related.md: it depends on notes/none2, which is no page
warning contradiction notes/related.md: it says the opposite of notes/b.md
warning duplicate notes/same1.md: notes/same2.md has the same title
info stale gotchas/changed.md: last changed on 2026-01-03
info stale gotchas/seen.md: last verified on 2026-01-02
info orphan notes/alone.md: no page leads here
info line_ends notes/crlf.md: lines end in CR LF
info byte_order_mark notes/marked.md: the file begins with a byte order mark
info stale rules/kept.md: last changed on 2026-01-04
"""


@pytest.fixture
def faulty(wiki: Wiki) -> Wiki:
    for path, content in FILES.items():
        put_file(wiki, f"main/app/{path}", content)
    put_file(wiki, "main/other/notes/there.md", f"[[notes/none]] {KEY}\n")
    reconcile.reconcile(wiki)
    return wiki


def look(wiki: Wiki, *said: tuple[PagePath, Finding], scope: Scope = HERE) -> list[str]:
    found = linting.lint_project(wiki, scope, NOW, said)
    return [f"{each.severity} {each.code} {each.path}: {each.detail}" for each in found]


def test_every_fault_of_a_project_is_found_the_gravest_first(faulty: Wiki) -> None:
    assert look(faulty) == FOUND.strip().splitlines()


def test_a_fault_that_is_mended_is_told_no_more_and_a_new_one_at_once(faulty: Wiki) -> None:
    shown = faulty.read_page(HERE, page("notes/secret.md"))

    faulty.save_page(HERE, shown.path, draft("[[notes/none3]]", shown.content_hash, key=None), BYLINE)
    faulty.save_page(HERE, page("notes/none.md"), draft("[[a-new-one]]"), BYLINE)

    told = look(faulty)
    assert [line for line in told if "secret" in line.split()[1]] == [FOUND.strip().splitlines()[1]]
    assert "warning broken_link notes/secret.md: it links to notes/none3, which is no page" in told
    assert "warning broken_link notes/none.md: it links to a-new-one, which is no page" in told
    assert "warning broken_link notes/links.md: it links to notes/none, which is no page" not in told


def test_what_is_stale_is_told_by_the_day_though_nothing_changed(faulty: Wiki) -> None:
    told = linting.lint_project(faulty, HERE, FakeClock(datetime(2026, 12, 2, tzinfo=UTC)))

    assert "notes/today.md" in {each.path for each in told if each.code == "stale"}
    assert "notes/today.md" not in {each.path for each in linting.lint_project(faulty, HERE, NOW)}


def test_what_readers_said_stands_among_the_rest(faulty: Wiki) -> None:
    doubt = Finding("doubted", "Ann calls it wrong")

    assert "warning doubted notes/b.md: Ann calls it wrong" in look(faulty, (page("notes/b.md"), doubt))


def test_a_name_that_becomes_a_project_of_its_own_has_its_own_faults(faulty: Wiki) -> None:
    put_file(faulty, "main/was/notes/else.md", "text\n")
    reconcile.reconcile(faulty)

    assert "warning broken_link notes/links.md: it links to was:notes/b, which is no page" in look(faulty)
    assert look(faulty, scope=Scope("main", "other")) == [
        "error secret notes/there.md: it holds what looks like github-token",
        "warning broken_link notes/there.md: it links to notes/none, which is no page",
    ]


def test_many_slight_faults_hide_no_grave_one(wiki: Wiki) -> None:
    for number in range(LIST_LIMIT_MAX + 1):
        put_file(wiki, f"main/app/notes/{number // 500}/{number}.md", "[[0]]\r\n")
    put_file(wiki, "main/app/notes/z.md", FILES["notes/conflict.md"])
    reconcile.reconcile(wiki)

    assert look(wiki)[0].startswith("error merge_conflict notes/z.md")
