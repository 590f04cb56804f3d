"""A save or a commit that is stopped after any of its steps is healed by the next start."""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from app.wiki import reconcile
from app.wiki.pages import Wiki
from tests.wiki.conftest import (
    BYLINE,
    HERE,
    assert_git_agrees,
    commit_all,
    draft,
    dump_index,
    log_lines,
    open_wiki,
    page,
)

NOTE = page("notes/a.md")
_SAVE_STEPS = frozenset({"mkdir", "write", "fsync", "replace", "rename", "unlink", "queue", "put_documents"})
_COMMIT_STEPS = frozenset({"import_commits", "move_head", "stage"})
_STOPPED = 9
_STEPS_MAX = 200


def run_and_stop(folder: Path, work: Callable[[Wiki], object], steps: frozenset[str], stop_before: int) -> bool:
    """Do some work in a child process that dies before its n-th step; False once there are no more steps."""
    child = os.fork()
    if child == 0:
        wiki = open_wiki(folder)
        left = [stop_before]

        def count(frame: FrameType, event: str, argument: object) -> None:
            name = getattr(argument, "__name__", "") if event == "c_call" else frame.f_code.co_name
            if event in {"c_call", "call"} and name in steps:
                left[0] -= 1
                if left[0] < 0:
                    os._exit(_STOPPED)

        sys.setprofile(count)
        try:
            work(wiki)
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == _STOPPED


def heal(folder: Path) -> Wiki:
    wiki = open_wiki(folder)
    reconcile.reconcile(wiki)
    wiki.committer.queue_differences()
    commit_all(wiki)
    return wiki


def assert_healed(wiki: Wiki) -> None:
    followed = dump_index(wiki)
    reconcile.rebuild(wiki)
    assert dump_index(wiki) == followed
    assert_git_agrees(wiki)
    wiki.committer.stop(10)
    wiki.index.close()


def prepare(folder: Path) -> str:
    wiki = open_wiki(folder)
    saved = wiki.save_page(HERE, NOTE, draft("old\n"), BYLINE)
    commit_all(wiki)
    wiki.committer.stop(10)
    wiki.index.close()
    return saved.content_hash


def save(wiki: Wiki) -> None:
    seen = wiki.read_page(HERE, NOTE)
    wiki.save_page(HERE, NOTE, draft("new\n", seen.content_hash), BYLINE)


def create(wiki: Wiki) -> None:
    wiki.save_page(HERE, page("fresh/deep/b.md"), draft("new\n"), BYLINE)


def move(wiki: Wiki) -> None:
    seen = wiki.read_page(HERE, NOTE)
    wiki.move_page(HERE, NOTE, page("concepts/c.md"), seen.content_hash, BYLINE)


def delete(wiki: Wiki) -> None:
    wiki.delete_page(HERE, NOTE, wiki.read_page(HERE, NOTE).content_hash, BYLINE)


@pytest.mark.parametrize("work", [save, create, move, delete], ids=lambda work: work.__name__)
def test_change_stopped_before_any_step_leaves_whole_pages_and_heals(
    tmp_path: Path, work: Callable[[Wiki], None]
) -> None:
    prepare(tmp_path / "before")
    for step in range(_STEPS_MAX):
        folder = shutil.copytree(tmp_path / "before", tmp_path / str(step))

        was_stopped = run_and_stop(folder, work, _SAVE_STEPS, step)

        wiki = heal(folder)
        bodies = sorted(
            page_body for stamp in wiki.tree.list_files() if (page_body := wiki.read_page(stamp.scope, stamp.path).body)
        )
        assert bodies in (["old\n"], ["new\n"], ["new\n", "old\n"], [])
        assert_healed(wiki)
        if not was_stopped:
            break
    assert step >= 4
    assert not was_stopped


def test_commit_stopped_before_any_step_is_made_at_the_next_start(tmp_path: Path) -> None:
    def save_and_commit(wiki: Wiki) -> None:
        save(wiki)
        wiki.committer.commit_batch(list(wiki.committer._waiting))

    prepare(tmp_path / "before")
    for step in range(_STEPS_MAX):
        folder = shutil.copytree(tmp_path / "before", tmp_path / str(step))

        was_stopped = run_and_stop(folder, save_and_commit, _COMMIT_STEPS, step)

        wiki = heal(folder)
        assert len(log_lines(wiki)) == 2
        assert_healed(wiki)
        if not was_stopped:
            break
    assert step == len(_COMMIT_STEPS)
