"""Building the index: what was cut short goes on where it stopped, and tells how far it is."""

import os
from functools import partial

from app.index import build
from app.index.database import IndexDatabase, Progress
from app.wiki import reconcile
from app.wiki.pages import Wiki
from tests.wiki.conftest import HERE, put_file


def test_a_building_that_was_cut_short_goes_on_where_it_stopped(wiki: Wiki) -> None:
    for number in range(30):
        put_file(wiki, f"main/app/{number:02d}.md", f"apple {number}")
    half = [(HERE, file.path) for file in list(wiki.tree.list_files())[:20]]
    reconcile.reconcile_pages(wiki, half)
    wiki.index.close()

    must_go_on = wiki.index.open()
    wiki.index.progress = Progress(0, 0)
    report = reconcile.reconcile(wiki)

    assert must_go_on
    assert len(report.added) == 10
    assert len(wiki.index.read(partial(build.list_stamps, scope=None))) == 30
    assert wiki.index.progress is None


def test_a_building_that_came_to_its_end_is_not_done_again(wiki: Wiki) -> None:
    put_file(wiki, "main/app/a.md", "apple")
    wiki.index.progress = Progress(0, 0)
    reconcile.reconcile(wiki)
    wiki.index.close()

    again = IndexDatabase(wiki.index.path.parent)

    assert not again.open()
    again.close()


def test_what_the_index_had_counts_as_done_and_the_rest_is_estimated(wiki: Wiki) -> None:
    seen: list[Progress | None] = []
    for number in range(450):
        # Written long ago: a file of this very moment is looked at twice.
        os.utime(put_file(wiki, f"main/app/{number:03d}.md", "apple"), (1e9, 1e9))
    reconcile.reconcile_pages(wiki, [(HERE, file.path) for file in list(wiki.tree.list_files())[:10]])
    read = wiki.tree.read_page
    wiki.index.progress = Progress(0, 0)

    def watch(*place: object) -> bytes | None:
        seen.append(wiki.index.progress)
        return read(*place)  # type: ignore[arg-type]

    wiki.tree.read_page = watch  # type: ignore[method-assign]
    reconcile.reconcile(wiki)

    told = list(dict.fromkeys((each.done, each.total) for each in seen if each))
    assert told == [(10, 450), (210, 450), (410, 450)]
