"""What must not be kept: what a folder's policy or the server's settings keep out, and words between private marks."""

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

from app.capture import policy, policy_facts
from app.capture.policy import Decision, EventFacts, Policy, PolicyUnreadable
from app.domain import redact
from app.domain.checkout import Checkout
from app.domain.errors import InvalidValue
from app.domain.event import Actor, Event
from app.domain.scope import Scope

NO_POLICY: Final = Policy()
UNREADABLE_POLICY: Final = Policy(is_stated=True, is_readable=False)
NOTHING_STATED: Final = policy.decide(NO_POLICY, EventFacts(kind=""))

# A closing mark without an opening one: the passage began in another part, which an agent sends as a text of its own.
_LEFT_OPEN = re.compile(r"\A.*</\s*private\s*>", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class ServerRules:
    """What the server's settings keep out: projects by globs of their names, and folders."""

    exclude_projects: tuple[str, ...] = ()
    exclude_folders: Policy = NO_POLICY


def build_rules(exclude_projects: Collection[str], exclude_folders: Collection[str]) -> ServerRules:
    """Build the server's rules from its settings.

    Raises:
        InvalidValue: a glob is not one that is understood.
    """
    if any(glob.startswith("~") for glob in exclude_folders):
        raise InvalidValue("setting exclude_folders", "whose home ~ is differs by machine; write the whole path")
    try:
        globs = [_anchor(glob) for glob in exclude_folders]
        folders = policy.parse_header(json.dumps({"deny": globs})) if globs else NO_POLICY
    except PolicyUnreadable as error:
        raise InvalidValue("setting exclude_folders", str(error)) from error
    return ServerRules(tuple(exclude_projects), folders)


def decide_event(
    event: Event, payload: Mapping[str, object], stated: Policy, rules: ServerRules, checkout: Checkout
) -> Decision:
    """Decide about one event by the server's excluded folders and by the policy that came with it."""
    if rules.exclude_folders.is_stated:
        folders = tuple(filter(None, dict.fromkeys((event.cwd, checkout.cwd, checkout.root))))
        excluded = policy.decide(rules.exclude_folders, EventFacts(kind=event.kind.value, paths=folders))
        if excluded.action == policy.DROP:
            return Decision(policy.DROP, f"this server excludes the folder (exclude_folders): {excluded.reason}")
    if not stated.is_stated:
        return NOTHING_STATED
    facts = policy_facts.read_facts(event.kind.value, payload, event.cwd or checkout.cwd)
    return policy.decide(stated, facts._replace(is_subagent=facts.is_subagent or event.actor is Actor.SUBAGENT))


def is_excluded(rules: ServerRules, scope: Scope) -> bool:
    """Tell whether the server's settings exclude a project, by `name` or `workspace/name`."""
    return any(fnmatchcase(str(scope) if "/" in glob else scope.project, glob) for glob in rules.exclude_projects)


def _anchor(glob: str) -> str:
    """Let a glob of several names that begins nowhere begin anywhere, since the server has no folder of its own."""
    names = glob.replace("\\", "/")
    is_whole = names.startswith("/") or names[1:3] == ":/"
    return glob if is_whole or "/" not in names.strip("/") else f"/**/{names}"


def may_have_private(body: bytes) -> bool:
    """Tell cheaply whether a JSON text may hold a private mark, in any case."""
    # Looking for the sign before it, also as JSON may spell it, costs a tenth of looking for the word.
    return (b"<" in body or b"\\u003" in body) and b"private" in body.lower()


def drop_private(value: object) -> object:
    """Replace every private passage in a JSON value by a mark that says that something was there.

    This comes before an adapter cuts long texts, since a cut could take one mark and leave the words.
    """
    if isinstance(value, str):
        return _LEFT_OPEN.sub("[private]", redact.strip_private(value))
    if isinstance(value, dict):
        return {drop_private(name): drop_private(item) for name, item in value.items()}
    if isinstance(value, list):
        return [drop_private(item) for item in value]
    return value
