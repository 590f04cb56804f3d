"""The command `demo`: finds or starts a server, has the recordings played, and shows what came of them."""

import os
import secrets
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import httpx2
from rich.console import Console
from rich.markdown import Markdown
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from app.domain import limits
from app.domain.errors import InvalidValue
from app.entrypoints.cli import output, own_server, replay
from app.entrypoints.cli.remote import Remote
from app.entrypoints.cli.replay import DemoFacts

_HITS_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Place:
    """The server that the demonstration runs on; `data_dir` is empty where the server is on another machine."""

    url: str
    data_dir: str
    is_temporary: bool = False
    is_kept: bool = True


def run_demo(*, data_dir: Path | None, url: str | None, keep: bool, as_json: bool) -> None:
    """Replay the recorded sessions and show what the server made of them.

    Raises:
        SystemExit: with code 1: something that was promised did not happen.
    """
    with open_place(data_dir, url, keep=keep) as place:
        with output.open_console(is_error=True).status("starting") as status:
            facts = replay.play(Remote(place.url), secrets.token_hex(4), lambda text: status.update(f"{text} …"))
        broken = replay.list_broken_promises(facts)
        document = _shape(place, facts, broken)
        output.emit(document, as_json=as_json, render=lambda console: draw(console, place, facts))
    for promise in broken:
        output.print_error(f"this did not happen: {promise}")
    if broken:
        sys.exit(1)


@contextmanager
def open_place(data_dir: Path | None, url: str | None, *, keep: bool) -> Iterator[Place]:
    """Use the server at an address, else start one on a data directory, else on a temporary one.

    Raises:
        InvalidValue: both an address and a directory are given.
        ServerUnreachable: no server could be started.
    """
    if url and data_dir:
        raise InvalidValue("--data-dir", "a server that is running has its own; give either --url or --data-dir")
    running = url or (_find_running() if data_dir is None else None)
    if running:
        its_folder = Remote(running).get("/api/v1/status").get("data_dir", "")
        yield Place(running, str(its_folder))
    elif data_dir:
        with own_server.run_own_server(data_dir) as own_url:
            yield Place(own_url, os.path.abspath(data_dir))  # noqa: PTH100 - resolve() would follow links
    else:
        folder = tempfile.mkdtemp(prefix="memwiki-demo-")
        try:
            with own_server.run_own_server(Path(folder)) as own_url:
                yield Place(own_url, folder, is_temporary=True, is_kept=keep)
        finally:
            if not keep:
                shutil.rmtree(folder, ignore_errors=True)


def draw(console: Console, place: Place, facts: DemoFacts) -> None:
    """Draw all facts in the order in which they happened."""
    _draw_captured(console, facts)
    _draw_page(console, place, facts)
    _draw_search(console, facts)
    _draw_handoff(console, facts)
    console.rule("[bold]where it was")
    console.print(f"server {place.url}")
    if place.is_temporary:
        console.print(
            f"its data was in {place.data_dir}, {'which is kept' if place.is_kept else 'which is removed now'}"
        )
        if not place.is_kept:
            console.print("run it with --keep or --data-dir to look at the wiki afterwards")
    elif place.data_dir:
        console.print(f"its data is in {place.data_dir}")


def _draw_captured(console: Console, facts: DemoFacts) -> None:
    console.rule("[bold]1. what was captured")
    table = Table("event", *(each.agent for each in facts.captured))
    for kind in dict.fromkeys(kind for each in facts.captured for kind in each.kinds):
        table.add_row(kind, *(str(each.kinds.get(kind, 0)) for each in facts.captured))
    table.add_section()
    table.add_row("stored of sent", *(f"{each.observations} of {each.events_sent}" for each in facts.captured))
    table.add_row("secrets redacted", *(str(each.redactions) for each in facts.captured))
    console.print(table)


def _draw_page(console: Console, place: Place, facts: DemoFacts) -> None:
    console.rule("[bold]2. the page that was compiled from the first session")
    console.print(f"[cyan]{escape(_find_file(place, facts))}[/]")
    _draw_panel(console, Markdown(_drop_footnotes(facts.page["body"])), facts.page["title"])


def _draw_search(console: Console, facts: DemoFacts) -> None:
    console.rule("[bold]3. a search that finds it")
    console.print(f"[bold]memwiki search[/] {escape(facts.query)}")
    for number, hit in enumerate(facts.hits[:_HITS_SHOWN], start=1):
        console.print(
            f"{number}. [bold]{escape(hit['title'])}[/]  [cyan]{escape(hit['project'])}:{escape(hit['path'])}[/]"
        )
        console.print(f"   {escape(hit['snippet'])}")


def _draw_handoff(console: Console, facts: DemoFacts) -> None:
    console.rule("[bold]4. the handoff, received once")
    handoff = facts.handoff
    console.print(f"{handoff['id']} from {handoff['from_agent']}: {handoff['state']} by {escape(handoff['holder'])}")
    _draw_panel(console, facts.brief, "what the second session was told at its start")
    title = "what the third session was told at its start, while the second was at work"
    _draw_panel(console, facts.third_brief, title)
    count = len(facts.handoffs_of_third)
    console.print(f"handoffs that the third session holds: [bold]{count or 'none'}[/]")


def _draw_panel(console: Console, content: Markdown | str, title: str) -> None:
    """Draw a frame that is wrapped at the screen's edge, which other lines are not."""
    inside = Text(content or "(nothing)") if isinstance(content, str) else content
    console.print(Panel(inside, title=escape(title)), soft_wrap=False)


def _drop_footnotes(body: str) -> str:
    """Leave out the lines that say which observation each mark stands for; the file has them."""
    return "\n".join(line for line in body.splitlines() if not line.startswith("[^"))


def _shape(place: Place, facts: DemoFacts, broken: list[str]) -> dict[str, object]:
    return {
        "server": asdict(place),
        "captured": facts.captured,
        "page": {"project": facts.project, "file": _find_file(place, facts), **_pick(facts.page)},
        "search": {"query": facts.query, "hits": facts.hits},
        "handoff": {**facts.handoff, "brief": facts.brief, "receiver_session_id": facts.receiver_session_id},
        "third_session": {
            "id": facts.third_session_id,
            "brief": facts.third_brief,
            "handoffs_held": facts.handoffs_of_third,
        },
        "broken_promises": broken,
    }


def _pick(page: replay.Answer) -> dict[str, object]:
    return {name: page[name] for name in ("path", "title", "content_hash", "text")}


def _find_file(place: Place, facts: DemoFacts) -> str:
    """Tell the page's file on disk, or its place in the wiki where the disk is another machine's."""
    parts = ("wiki", *facts.project.split("/"), *facts.page["path"].split("/"))
    return str(Path(place.data_dir, *parts)) if place.data_dir else "/".join(parts)


def _find_running() -> str | None:
    """Find a server that the environment names and that answers."""
    url = os.environ.get("MEMWIKI_URL", "").rstrip("/")
    if not url:
        return None
    try:
        answer = httpx2.get(f"{url}/healthz", timeout=limits.DEMO_PROBE_SECONDS_MAX, trust_env=False)
    except httpx2.HTTPError:
        return None
    return url if answer.is_success else None
