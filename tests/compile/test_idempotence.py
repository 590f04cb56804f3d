"""Whatever a session holds, compiling it and learning from it once more changes no byte and makes no commit."""

from datetime import timedelta
from pathlib import Path

from hypothesis import HealthCheck, given, settings

from app.compile import learning, session_end
from app.wiki.pages import Wiki
from tests.compile import builders
from tests.compile.builders import START, WAIT_SECONDS, House
from tests.unit.compile.test_page_properties import SESSION, write

Steps = list[tuple[object, ...]]


def read_tree(wiki: Wiki) -> dict[Path, bytes]:
    assert wiki.committer.flush(WAIT_SECONDS)
    return {path: path.read_bytes() for path in wiki.tree.root.rglob("*.md")}


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None, max_examples=12
)
@given(steps=SESSION)
def test_compiling_and_learning_again_change_nothing(house: House, steps: Steps) -> None:
    # One house for all examples: each is one more session of the same project.
    number = int(house.parts.ids.new_id().removeprefix("id"))
    moment = START + timedelta(hours=number)
    session = house.add_session(builders.session(number, started_at=moment, last_event_at=moment))
    house.observe(session, [builders.replace(event, occurred_at=moment) for event in write(steps).events])
    first = session_end.compile_session(house.parts, session.id)
    learning.learn_session(house.parts, session.id)
    before, commits = read_tree(house.parts.wiki), house.parts.wiki.committer.stats.commits

    second = session_end.compile_session(house.parts, session.id)
    learning.learn_session(house.parts, session.id)

    assert read_tree(house.parts.wiki) == before
    assert house.parts.wiki.committer.stats.commits == commits
    assert second.path == first.path
