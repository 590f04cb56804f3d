"""What tests of sealing and releasing do again and again."""

from datetime import timedelta

from app.compile.retention import KeepingTimes
from app.compile.worker import Worker
from app.domain.segment import Segment
from app.domain.session import Observation
from app.state import segments, verbatim
from app.state.raw_keys import KeyRing, build_key
from tests.compile import builders
from tests.compile.builders import House, Script

OLD_KEY, NEW_KEY = build_key(b"o" * 32), build_key(b"n" * 32)
DAY = 24 * 60 * 60
TIMES = KeepingTimes(timedelta(days=1), timedelta(days=90), timedelta(days=365))


def make_worker(house: House, times: KeepingTimes = TIMES) -> Worker:
    return Worker(house.parts, times=times)


def keep(house: House, *, days: float = 0, times: KeepingTimes = TIMES) -> None:
    """Let so many days pass, and have the worker do what is due then."""
    house.parts.clock.advance(days * DAY)
    worker = make_worker(house, times)
    worker.keep()
    worker.run_due_jobs()


def add_finished(house: House, number: int = 1, script: Script | None = None, prompts: int = 3) -> str:
    """Store a session that has ended, and compile it."""
    moment = house.parts.clock.now()
    session = builders.session(number, started_at=moment, last_event_at=moment)
    house.add_session(session)
    add_more(house, number, script or talk(prompts))
    return session.id


def add_more(house: House, number: int, script: Script) -> None:
    """Store what a session did now, ending it again, and compile it."""
    moment = house.parts.clock.now()
    events = [builders.replace(event, occurred_at=moment) for event in script.events]
    house.observe(builders.session(number), events)
    make_worker(house).run_due_jobs()


def talk(prompts: int) -> Script:
    script = Script().start()
    for number in range(prompts):
        script.ask(f"Request number {number}: größer, 漢字, \u2028 and \\ too.").edit(f"part{number}.py")
    return script.end()


def list_segments(house: House, session_id: str) -> list[Segment]:
    return house.read(lambda conn: segments.list_segments(conn, session_id))


def read_all(house: House, session_id: str, *, after_id: int = 0, limit: int = 100_000) -> list[Observation]:
    return verbatim.read_session_observations(house.parts.archive.verbatim, session_id, after_id=after_id, limit=limit)


def list_files(house: House) -> list[str]:
    root = house.parts.raw.root
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())


def under(house: House, *, current: object = None, older: tuple[object, ...] = ()) -> None:
    """Give the house other keys, as a restart with other settings does."""
    house.parts.raw.keys = KeyRing(current, older)  # type: ignore[arg-type]
