"""`memwiki bootstrap`: makes a project's first pages from its repository, or shows which ones it would make."""

import os
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from app.capture import client_checkout
from app.capture.policy import PolicyUnreadable
from app.compile import bootstrap as pages
from app.domain.errors import InvalidValue
from app.entrypoints.cli import output, repository
from app.entrypoints.cli.remote import Remote


def run(folder: Path | None, *, project: str | None, url: str | None, apply: bool, as_json: bool) -> None:
    """Read the repository, hand it to the server, and tell what became of it.

    Raises:
        InvalidValue: there is no such folder, or its policy forbids reading it or cannot be read.
    """
    place = (folder or Path()).absolute()
    if not place.is_dir():
        raise InvalidValue("folder", f"{place} is no folder")
    remote = Remote(url, cwd=str(place))
    root = str(client_checkout.read_checkout(str(place), os.environ).get("root") or place)
    with output.Countdown("reading the repository") as countdown:
        countdown.tell_left(2)
        try:
            known = repository.read_repository(root)
        except PolicyUnreadable as error:
            raise InvalidValue("capture", str(error)) from error
        countdown.tell_left(1)
        # The server cleans again; what is secret need not travel.
        body = asdict(replace(pages.redact_facts(known), left_out=known.left_out))
        answer = remote.post("/api/v1/bootstrap", {"facts": body, "apply": apply}, project=project)
        countdown.tell_left(0)
    facts = {**answer, "folder": root, "documents": len(known.documents), "documents_left_out": known.left_out}
    facts["commits"] = known.history.commits
    output.emit(facts, as_json=as_json, render=lambda console: _draw(console, facts, apply=apply))


def _draw(console: Console, facts: dict[str, Any], *, apply: bool) -> None:
    console.print(
        f"{escape(facts['folder'])}: {facts['documents']} documents and {facts['commits']} commits read,"
        f" for the project {escape(facts['project'])}"
    )
    if facts["documents_left_out"]:
        console.print(f"[yellow]left out[/] {facts['documents_left_out']} documents that are empty or too many")
    _draw_pages(console, facts["pages"])
    if not apply:
        console.print("Nothing was written. To write it: memwiki bootstrap --apply")


def _draw_pages(console: Console, rows: Sequence[dict[str, Any]]) -> None:
    for row in rows:
        console.print(f"  {row['effect']:<9} {escape(row['path'])}  [dim]{escape(row['title'])}[/]")
    if any(row["effect"] == "proposed" for row in rows):
        console.print("A person changed these pages: what is new waits as a proposal; see: memwiki review")
