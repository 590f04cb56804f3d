"""How answers of the server look to a person: tables and short texts by rich."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from rich import filesize
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from app.system import SystemClock

Answer = Mapping[str, Any]

_LINE_CHARS = 160
_MINUTE, _HOUR, _DAY = 60, 3600, 86400
_KIBI = 1024


def draw_status(console: Console, answer: Answer) -> None:
    """Draw the answer to "is my work being recorded?" first, then how each store is."""
    console.print(f"[bold]memwiki[/] {answer['version']} at {answer['url']}, up since {_age(answer['started_at'])}")
    for line in answer["problems"]:
        console.print(f"  [bold red]problem[/] {escape(line)}")
    _draw_here(console, answer["here"])
    if answer["capture"]:
        _draw_agents(console, answer["capture"])
    else:
        console.print("  nothing has been captured yet; wire an agent with: memwiki install claude-code --apply")
    index, git, counts = answer["index"], answer["git"], answer["counts"]
    console.print(
        f"  {counts['projects']} projects, {counts['sessions']} sessions, {counts['observations']} observations, "
        f"{counts['handoffs_open']} open handoffs"
    )
    console.print(f"  index    {index['state']}: {_describe_index(index)}")
    console.print(f"  git      {git['pending']} changes wait to be committed{_suffix(git['last_error'])}")
    console.print(f"  jobs     {_describe_jobs(answer['jobs'])}")
    console.print(f"  backup   {_describe_backup(answer['backup'])}")
    console.print(f"  upkeep   {describe_maintenance(answer['maintenance'])}")
    if answer.get("reader", {}).get("is_running"):
        console.print("  reading  much arrives: a second process reads events")
    if "sizes" in answer:
        _draw_sizes(console, answer["sizes"])


def draw_hits(console: Console, answer: Answer, *, with_why: bool) -> None:
    """Draw hits with their snippets, and which streams could not answer; a budget leaves out what is empty."""
    for name in answer["degraded"]:
        console.print(f"[yellow]degraded[/] {escape(name)}")
    if not answer["hits"]:
        console.print("nothing fits the budget" if answer["omitted"] else "nothing found")
    for number, hit in enumerate(answer["hits"], start=1):
        console.print(f"[bold]{number}. {escape(hit['title'])}[/]  [dim]{hit['kind']}, {_age(hit['updated_at'])}[/]")
        console.print(f"   [cyan]{escape(hit['project'])}:{escape(hit['path'])}[/]")
        if hit.get("superseded_by"):
            console.print(f"   [yellow]superseded by {escape(hit['superseded_by'])}[/]")
        if hit.get("contradicts"):
            console.print(f"   [yellow]contradicts {escape(', '.join(hit['contradicts']))}, not settled[/]")
        if hit.get("snippet"):
            console.print(f"   {escape(hit['snippet'])}")
        for heard in hit.get("observations", ()):
            told = f"{heard['shows']}, {_age(heard['at'])}, session {heard['session_id']} {heard['stretch']}"
            said = f"> {escape(heard['snippet'])}  " if heard.get("snippet") else ""
            console.print(f"   {said}[dim]{escape(told)}[/]")
        if with_why:
            console.print(f"   [dim]{escape('; '.join(hit.get('why', ())))}[/]")
    _draw_rest(console, answer)


def draw_pages(console: Console, rows: Sequence[Answer]) -> None:
    """Draw a list of pages."""
    table = Table("changed", "page", "title", box=None, pad_edge=False)
    for row in rows:
        table.add_row(_age(row["updated_at"]), f"{row['project']}:{row['path']}", escape(row["title"]))
    console.print(table if rows else "no pages yet")


def draw_projects(console: Console, rows: Sequence[Answer]) -> None:
    """Draw the projects and what leads to them."""
    table = Table("project", "known by", box=None, pad_edge=False)
    for row in rows:
        table.add_row(row["name"], escape(", ".join(row["identities"])))
    console.print(table if rows else "no projects yet; one appears with the first captured session")


def draw_sessions(console: Console, rows: Sequence[Answer]) -> None:
    """Draw a list of sessions, two lines each, so that ids can be copied."""
    for row in rows:
        facts = f"{row['agent']} in {row['project']}, {row['state']}, {_age(row['last_event_at'])}"
        console.print(f"[bold]{row['id']}[/] {facts}")
        console.print(f"   {row['page_path'] or ('no page yet' if row['has_work'] else 'nothing was done')}")
    if not rows:
        console.print("no sessions yet")


def draw_session(console: Console, answer: Answer, limit: int) -> None:
    """Draw one session as the list of what was observed, and how to go on where there may be more."""
    console.print(f"[bold]{answer['id']}[/] {answer['agent']} in {answer['project']}, {answer['state']}")
    for row in answer["observations"]:
        console.print(f"[dim]o{row['id']}[/] [cyan]{row['kind']}[/] {escape(row['summary'])}")
    if len(answer["observations"]) == limit:
        console.print(f"… of {answer['total']} in all; go on with: --after {answer['observations'][-1]['id']}")


def draw_handoffs(console: Console, rows: Sequence[Answer]) -> None:
    """Draw a list of handoffs, two lines each, so that ids can be copied."""
    for row in rows:
        state = f"held by {row['holder']}" if row["state"] == "claimed" else row["state"]
        state += f" (its holder went silent: {row['holder']})" if row["state"] == "released" else ""
        maker = " of ".join(part for part in (row["from_agent"], row["owner"]) if part)
        source = f"from {maker}, {row['project']}, {_age(row['created_at'])}"
        console.print(f"[bold]{row['id']}[/] {state}  [dim]{source}[/]")
        console.print(f"   {escape(' '.join(row['content']['summary'].split())[:_LINE_CHARS])}")
    if not rows:
        console.print("no handoffs")


_HANDOFF_PARTS = (
    "goal", "next_steps", "open_questions", "failing_commands", "dirty", "carried", "rejected", "decisions", "done",
    "files", "looked_at", "branch", "revision", "page",
)  # fmt: skip


def draw_handoff(console: Console, answer: Answer) -> None:
    """Draw one handoff whole."""
    content = answer["content"]
    console.print(f"[bold]{answer['id']}[/] {answer['state']} ({answer['origin']}) in {answer['project']}")
    if answer["state"] == "claimed":
        kind = "until it shows that it works, " if answer["is_provisional"] else ""
        console.print(f"held by {answer['holder']}, {kind}until {answer['lease_until']}")
    console.print(escape(content["summary"]))
    if answer.get("claim_token"):
        console.print(f"claim token {answer['claim_token']}")
    for name in _HANDOFF_PARTS:
        value = content[name]
        if value and not isinstance(value, str):
            console.print(f"[bold]{name.replace('_', ' ')}[/]")
            for line in value:
                console.print(f"  - {escape(line)}")
        elif value:
            console.print(f"[bold]{name}[/] {escape(value)}")


def _draw_rest(console: Console, answer: Answer) -> None:
    told = _tell_understood(answer.get("understood", {}))
    if told:
        console.print(f"[dim]{escape(told)}[/]")
    if answer["omitted"]:
        going_on = f"; go on with --cursor {answer['next_cursor']}" if answer["next_cursor"] else ""
        console.print(f"[dim]{answer['omitted']} more{escape(going_on)}[/]", soft_wrap=True)


def _tell_understood(understood: Answer) -> str:
    """Tell what of a question was no plain word to look for."""
    told = [f"only {' '.join(understood['filters'])}"] if understood.get("filters") else []
    told += [f"without {', '.join(understood['without'])}"] if understood.get("without") else []
    if period := understood.get("period"):
        told.append(f'"{period["words"]}" ({period["since"][:10]} to before {period["until"][:10]}) stands higher')
    told += ["the newest change first"] if understood.get("order") == "newest" else []
    return "; ".join(told)


def _draw_sizes(console: Console, sizes: Answer) -> None:
    about = "about " if sizes["is_estimate"] else ""
    table = Table("table", "rows", f"{about}size", box=None, pad_edge=False)
    for row in sizes["tables"]:
        table.add_row(row["name"], str(row["rows"]), _describe_bytes(row["bytes"]))
    console.print(table)
    console.print(f"  {_describe_bytes(sizes['empty_bytes'])} of the database stand empty and will be used again")
    if sizes.get("copies"):
        copies = escape(", ".join(sizes["copies"]))
        console.print(f"  {_describe_bytes(sizes['copies_bytes'])} are copies by past upgrades: {copies}")
    folders = Table("folder", "files", "size", box=None, pad_edge=False)
    for row in sizes["folders"]:
        more = "at least " if row["is_cut"] else ""
        folders.add_row(f"{row['name']}/", f"{more}{row['files']}", f"{more}{_describe_bytes(row['bytes'])}")
    console.print(folders)


def _describe_bytes(count: float) -> str:
    for unit in ("B", "KiB", "MiB"):
        if count < _KIBI:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= _KIBI
    return f"{count:.1f} GiB"


def _draw_here(console: Console, here: Answer) -> None:
    for fault in here["faults"]:
        console.print(f"  [bold red]problem here[/] {escape(fault['text'])}: {escape(fault['advice'])}")
    if here["spooled"] or here["lost"]:
        waiting = f"{here['spooled']} events wait, the first for {here['spooled_oldest_seconds']} s"
        console.print(f"  spool of this machine: {waiting}; {here['lost']} were lost ({escape(here['spool'])})")
    sealing = here["sealing"]
    if sealing["file"]:
        shown = f"under key {sealing['key_id']}" if sealing["key_id"] else escape(sealing["fault"])
        console.print(f"  encryption of what waits here: {shown} ({escape(sealing['file'])})")
    if sealing["unsealed"]:
        console.print(
            f"  [bold red]problem here[/] {sealing['unsealed']} events were kept in clear; see memwiki doctor"
        )


def _draw_agents(console: Console, rows: Sequence[Answer]) -> None:
    names = ("agent", "machine", "last event", "today", "events", "refused", "spooled", "lost", "unknown")
    table = Table(*names, box=None, pad_edge=False)
    for row in rows:
        unknown = row["unknown_kinds"] + row["unknown_fields"]
        counts = (row["events_today"], row["events"], row["refused"], row["spooled"], row["lost"], unknown)
        place = escape(row["machine"]) or "?"
        table.add_row(row["agent"], place, _age(row["last_event_at"]), *(str(count) for count in counts))
    console.print(table)
    for row in rows:
        if row["last_error"]:
            console.print(f"  [dim]last error of {row['agent']}:[/] {escape(row['last_error'])}")


def _describe_index(index: Answer) -> str:
    if index["state"] == "rebuilding":
        left = "" if index["seconds_left"] is None else f", about {index['seconds_left']} s left"
        return f"{index['done']} of {index['total']} pages done{left}"
    return f"{index['pages']} pages{_describe_vectors(index['vectors'])}"


def _describe_vectors(vectors: Answer) -> str:
    if vectors["state"] == "off":
        return ""
    done = f"{vectors['done']} of {vectors['total']} texts embedded by {vectors['model']}"
    return f", {done}{_suffix(vectors['last_error'])}"


def _describe_backup(made: Answer) -> str:
    last = (
        f"{_age(made['last_at'])}, {filesize.decimal(made['bytes'])}" if made["last_at"] else "none yet: memwiki backup"
    )
    drill = "never tried"
    if made["drill_at"]:
        drill = f"{'works' if made['drill_passed'] else '[red]FAILED[/]'} as of {_age(made['drill_at'])}"
    return f"{last}; restore {drill}{_suffix(made['last_error'] or made['drill_error'])}"


def describe_maintenance(done: Answer) -> str:
    """Say when the stores were last looked after, and what that freed."""
    if not done["last_at"]:
        return f"none yet, it waits for a quiet moment: memwiki maintain{_suffix(done['last_error'])}"
    freed = ", ".join(f"{filesize.decimal(size)} of {store}" for store, size in done["freed_bytes"].items() if size)
    return f"{_age(done['last_at'])}; freed {freed or 'nothing'}{_suffix(done['last_error'])}"


def _describe_jobs(jobs: Mapping[str, int]) -> str:
    waiting = ", ".join(f"{count} {state}" for state, count in jobs.items() if count)
    return waiting or "none waiting"


def _suffix(error: str) -> str:
    return f" ([red]{escape(error)}[/])" if error else ""


def _age(moment: str | None) -> str:
    """Say how long ago something was; the largest unit only."""
    if not moment:
        return "never"
    seconds = (SystemClock().now() - datetime.fromisoformat(moment).astimezone(UTC)).total_seconds()
    for unit, name in ((_DAY, "d"), (_HOUR, "h"), (_MINUTE, "min")):
        if seconds >= unit:
            return f"{int(seconds // unit)} {name} ago"
    return "just now"
