"""Puts the instructions and the skill where an agent reads them, and takes them out again to the byte."""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from app.agents import guidance, places
from app.agents.agent import Agent, Link
from app.agents.places import Site, WiringScope
from app.domain.errors import ForeignEntry
from app.entrypoints.cli import config_files
from app.entrypoints.cli.entries import Edited, Piece

INSTRUCTIONS, SKILL = "instructions", "skill"

_NOTHING_ELSE = frozenset({""})
_BLOCK = re.compile(
    rf"(?P<gap>\r?\n)?^(?:{re.escape(guidance.BLOCK_OPEN)}|{re.escape(guidance.BLOCK_OPEN_JOINED)})[ \t]*\r?\n"
    rf".*?^{re.escape(guidance.BLOCK_CLOSE)}[ \t]*(?:\r?\n|\Z)",
    re.MULTILINE | re.DOTALL,
)


def list_pieces(agent: Agent, site: Site, *, instructions: bool, skills: bool) -> Iterator[Piece]:
    """List the pieces of guidance that were asked for and that the agent reads at the site."""
    traits, project = agent.traits, places.find_project(site)
    if instructions and project is not None:
        yield _build_instructions(Path(project / traits.instructions))
    elif instructions and traits.user_instructions and traits.homes:
        yield _build_instructions(Path(places.find_home(site, traits.homes[0]) / traits.user_instructions))
    if skills:
        folder = _find_skills(agent, site)
        path = folder / "skills" / "memwiki" / "SKILL.md"
        yield Piece(path, SKILL, partial(_edit_skill, path), mode=0o644, blanks=_NOTHING_ELSE)


def _build_instructions(path: Path) -> Piece:
    return Piece(path, INSTRUCTIONS, partial(_edit_instructions, path), mode=None, blanks=_NOTHING_ELSE)


def _find_skills(agent: Agent, site: Site) -> Path:
    if site.scope is WiringScope.PROJECT:
        return Path(site.project, agent.traits.skills)
    home = next((home for home in agent.traits.homes if home.path == agent.traits.skills), None)
    return Path(places.find_home(site, home)) if home else Path(site.home, agent.traits.skills)


def _edit_instructions(path: Path, content: bytes | None, link: Link | None) -> Edited:
    """Put our block at the end, or in place of the one that is there; without a link it goes.

    Raises:
        ForeignEntry: the file is no text.
    """
    text = config_files.decode_text(path, content)
    found = _BLOCK.search(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    if link is None:
        return Edited(_cut_block(text, found).encode() if found else content, found is not None)
    inner = guidance.render_block().replace("\n", newline)
    if found:
        opening = found[0].strip().partition("\n")[0].strip()
        block = f"{found['gap'] or ''}{opening}{newline}{inner}{guidance.BLOCK_CLOSE}{newline}"
        return Edited(f"{text[: found.start()]}{block}{text[found.end() :]}".encode(), has_own=True)
    is_joined = bool(text) and not text.endswith("\n")
    opening = guidance.BLOCK_OPEN_JOINED if is_joined else guidance.BLOCK_OPEN
    gap = newline * 2 if is_joined else newline if text else ""
    return Edited(f"{text}{gap}{opening}{newline}{inner}{guidance.BLOCK_CLOSE}{newline}".encode(), has_own=False)


def _cut_block(text: str, found: re.Match[str]) -> str:
    before, after = text[: found.start()], text[found.end() :]
    if guidance.BLOCK_OPEN_JOINED in found[0] and not after:
        before = before.removesuffix("\n").removesuffix("\r")
    return before + after


def _edit_skill(path: Path, content: bytes | None, link: Link | None) -> Edited:
    """Write the skill; without a link it goes.

    Raises:
        ForeignEntry: another skill has our name.
    """
    has_own = guidance.SKILL_MARK.encode() in (content or b"").splitlines()
    if link is None:
        return Edited(None if has_own else content, has_own)
    if content is not None and not has_own:
        raise ForeignEntry(str(path), "a skill of another's is called memwiki")
    return Edited(guidance.render_skill().encode(), has_own)
