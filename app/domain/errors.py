"""The tree of errors; each edge maps it to its own answers by family.

AppError                    never raised itself
├── InvalidInput            InvalidName, InvalidValue, MalformedPayload, UnsupportedBody, UnsafePath,
│                           UnknownKind, UnknownAgent, PlanRefused, PersonsWordMissing, BundleRefused, AddressOpen, …
├── LimitExceeded           BodyTooLarge, BatchTooLong, InboxFull
├── Unauthenticated         TokenRejected, AccountDisabled, SignInRefused, SetupRefused, ProofRejected, SignInOver
├── Forbidden               HostRefused, OriginRefused, ClaimTokenRejected, ActDenied, HandoffOfAnother, NotAdmitted, …
├── NotFound                PageNotFound, ProjectNotFound, SessionNotFound, HandoffNotFound, EventPurged,
│                           MessageNotFound, ProposalNotFound, PersonNotFound, GroupNotFound, GrantNotFound, …
├── Conflict                PageChanged, PageExists, FieldsUnreadable, HandoffClaimed, HandoffClosed,
│                           MessageClosed, ProposalDecided, DirectoryInUse, ForeignEntry, PersonExists, MoveConflicts, …
├── Busy                    QueueFull, RateLimited, StoreLocked, SignInsThrottled, ServerStopping, IndexRebuilding, …
├── UpstreamFailed          ServerUnreachable, RemoteRejected, ProviderUnavailable, ReleaseUnknown
└── Corrupt                 SchemaTooNew, StoreUnreadable, WikiUnreadable, DiskRefused,
                            SegmentUnreadable, SegmentLocked (in segment.py)
"""

from typing import ClassVar


class AppError(Exception):
    """The root; `code` is stable and part of the interface."""

    code: ClassVar[str] = "error"


class InvalidInput(AppError):
    """What was sent cannot be understood or is not allowed."""


class LimitExceeded(AppError):
    """What was sent is larger than a bound in `domain/limits.py`."""


class Unauthenticated(AppError):
    """The caller did not prove who it is."""


class Forbidden(AppError):
    """The caller may not do this."""


class NotFound(AppError):
    """What was named does not exist, or the caller may not know that it does."""


class Conflict(AppError):
    """The world moved on since the caller looked."""


class Busy(AppError):
    """Try again later; `retry_after_ms` says when."""

    retry_after_ms: int = 1000


class UpstreamFailed(AppError):
    """Another program that was asked did not do its part."""


class Corrupt(AppError):
    """What is stored cannot be used as it is."""


class InvalidName(InvalidInput):
    """A workspace or project name breaks the grammar."""

    code = "invalid_name"

    def __init__(self, what: str, text: str) -> None:
        self.what, self.text = what, text
        super().__init__(
            f"{what} {text[:80]!r} is not a name: use letters, digits, '.', '-', '_' after a letter or digit"
        )


class InvalidValue(InvalidInput):
    """A field has a value outside its domain."""

    code = "invalid_value"

    def __init__(self, field: str, reason: str) -> None:
        self.field, self.reason = field, reason
        super().__init__(f"{field}: {reason}")


class MalformedPayload(InvalidInput):
    """A body is not JSON of the expected shape."""

    code = "malformed_payload"

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"the body cannot be read: {reason}")


class UnsupportedBody(InvalidInput):
    """A body is not sent as JSON; forms and plain text are what a foreign web page can send without asking."""

    code = "unsupported_body"

    def __init__(self, given: str) -> None:
        self.given = given
        super().__init__(f"the body must be sent as application/json, not {given[:80] or 'without a type'}")


class UnsafePath(InvalidInput):
    """A page path leaves the tree or does not travel between file systems."""

    code = "unsafe_path"

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(f"path {path[:120]!r} is refused: {reason}")


class UnknownKind(InvalidInput):
    """A closed set does not have the given member."""

    code = "unknown_kind"

    def __init__(self, what: str, given: str, known: tuple[str, ...]) -> None:
        self.what, self.given, self.known = what, given, known
        super().__init__(f"{what} {given[:80]!r} is unknown; known are {', '.join(known)}")


class UnknownAgent(InvalidInput):
    """No module is registered for the agent that was named."""

    code = "unknown_agent"

    def __init__(self, given: str, known: tuple[str, ...]) -> None:
        self.given, self.known = given, known
        super().__init__(f"agent {given[:80]!r} is unknown; known are {', '.join(known)}")


class BodyTooLarge(LimitExceeded):
    """A request body is over its bound; the client should drop it, not retry."""

    code = "body_too_large"

    def __init__(self, bytes_max: int) -> None:
        self.bytes_max = bytes_max
        super().__init__(f"the body is larger than {bytes_max} bytes")


class BatchTooLong(LimitExceeded):
    """A batch has too many items."""

    code = "batch_too_long"

    def __init__(self, items: int, items_max: int) -> None:
        self.items, self.items_max = items, items_max
        super().__init__(f"the batch has {items} items; at most {items_max} are taken")


class TokenRejected(Unauthenticated):
    """The access token is missing, not this server's, or no longer good; `reason` says which, empty for missing."""

    code = "token_rejected"

    def __init__(self, reason: str = "") -> None:
        self.reason = reason
        told = f"the access token is refused: {reason}; send" if reason else "this server needs an access token: send"
        super().__init__(
            f"{told} one as 'Authorization: Bearer …' (the command line and hooks read MEMWIKI_ACCESS_TOKEN)"
        )


class HostRefused(Forbidden):
    """The Host header names no address that this server answers for."""

    code = "host_refused"

    def __init__(self, host: str) -> None:
        self.host = host
        super().__init__(f"host {host[:120]!r} is not served here; add it to the setting allowed_hosts")


class OriginRefused(Forbidden):
    """A web page of another origin sent the request."""

    code = "origin_refused"

    def __init__(self, origin: str) -> None:
        self.origin = origin
        super().__init__(f"requests from the web page {origin[:120]!r} are refused")


class PageNotFound(NotFound):
    """No page has this path."""

    code = "page_not_found"

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(f"no page {path[:200]!r}")


class ProjectNotFound(NotFound):
    """No project has this name."""

    code = "project_not_found"

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"no project {name[:160]!r}; a project appears with the first captured session")


class SessionNotFound(NotFound):
    """No session has this id."""

    code = "session_not_found"

    def __init__(self, session_id: str) -> None:
        self.session_id = session_id
        super().__init__(f"no session {session_id[:120]!r}")


class HandoffNotFound(NotFound):
    """No handoff has this id."""

    code = "handoff_not_found"

    def __init__(self, handoff_id: str) -> None:
        self.handoff_id = handoff_id
        super().__init__(f"no handoff {handoff_id[:80]!r}")


class PageChanged(Conflict):
    """The page is not what the writer based its text on."""

    code = "page_changed"

    def __init__(self, path: str, expected: str, actual: str) -> None:
        self.path, self.expected, self.actual = path, expected, actual
        super().__init__(f"page {path!r} changed: expected {expected or 'no page'}, found {actual or 'no page'}")


class PageExists(Conflict):
    """A new page would take the place of another."""

    code = "page_exists"

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(f"page {path!r} exists; state the hash of the text that you mean to replace")


class FieldsUnreadable(Conflict):
    """A page's frontmatter cannot be understood, so the page must not be rewritten."""

    code = "fields_unreadable"

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(
            f"the page's frontmatter cannot be read ({reason}); nothing was written: correct it in an editor first"
        )


class HandoffClaimed(Conflict):
    """Another session holds the handoff."""

    code = "handoff_claimed"

    def __init__(self, handoff_id: str, holder: str, until: str) -> None:
        self.handoff_id, self.holder, self.until = handoff_id, holder, until
        super().__init__(f"handoff {handoff_id} is held by {holder} until {until}")


class HandoffClosed(Conflict):
    """The handoff is done, cancelled, expired or superseded, so it cannot be taken or changed."""

    code = "handoff_closed"

    def __init__(self, handoff_id: str, state: str) -> None:
        self.handoff_id, self.state = handoff_id, state
        super().__init__(f"handoff {handoff_id} is {state}")


class DirectoryInUse(Conflict):
    """Another server holds the data directory."""

    code = "directory_in_use"

    def __init__(self, directory: str, holder: str) -> None:
        self.directory, self.holder = directory, holder
        super().__init__(f"data directory {directory} is in use by {holder}")


class ForeignEntry(Conflict):
    """A configuration file has something of another's where our entry would go."""

    code = "foreign_entry"

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(f"{path}: {reason}; nothing was written")


class QueueFull(Busy):
    """The writer of state has as much waiting as it may hold."""

    code = "queue_full"

    def __init__(self, retry_after_ms: int) -> None:
        self.retry_after_ms = retry_after_ms
        super().__init__(f"the server is saving as fast as it can; try again in {retry_after_ms} ms")


class StoreLocked(Busy):
    """Another program holds the database, or all its connections are in use."""

    code = "store_locked"

    def __init__(self, store: str, retry_after_ms: int) -> None:
        self.store, self.retry_after_ms = store, retry_after_ms
        super().__init__(f"{store} is in use; try again in {retry_after_ms} ms")


class ServerStopping(Busy):
    """The server takes no more writes; what it took before is being saved."""

    code = "server_stopping"

    def __init__(self, retry_after_ms: int) -> None:
        self.retry_after_ms = retry_after_ms
        super().__init__(f"the server is stopping; try again in {retry_after_ms} ms")


class IndexRebuilding(Busy):
    """The index is being built and cannot answer yet."""

    code = "index_rebuilding"

    def __init__(self, done: int, total: int) -> None:
        self.done, self.total = done, total
        super().__init__(f"the index is being rebuilt: {done} of {total} pages")


class ServerUnreachable(UpstreamFailed):
    """No memwiki server answers at the address."""

    code = "server_unreachable"

    def __init__(self, url: str, reason: str) -> None:
        self.url, self.reason = url, reason
        super().__init__(f"no server answers at {url} ({reason}); start one with: memwiki serve")


class RemoteRejected(UpstreamFailed):
    """The server answered with an error that is not one of ours."""

    code = "remote_rejected"

    def __init__(self, url: str, status: int, detail: str) -> None:
        self.url, self.status, self.detail = url, status, detail
        super().__init__(f"{url} answered {status}: {detail[:300]}")


class SchemaTooNew(Corrupt):
    """The state was written by a newer release."""

    code = "schema_too_new"

    def __init__(self, found: str, known: str) -> None:
        self.found, self.known = found, known
        super().__init__(f"the state has schema {found}, this release knows up to {known}: run a newer memwiki")


class StoreUnreadable(Corrupt):
    """A database file cannot be opened or read."""

    code = "store_unreadable"

    def __init__(self, store: str, reason: str) -> None:
        self.store, self.reason = store, reason
        super().__init__(f"{store} cannot be used: {reason}")


class WikiUnreadable(Corrupt):
    """The wiki's tree or repository cannot be used."""

    code = "wiki_unreadable"

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"the wiki cannot be used: {reason}")


class DiskRefused(Corrupt):
    """The disk is full, read-only or owned by somebody else."""

    code = "disk_refused"

    def __init__(self, what: str, reason: str) -> None:
        self.what, self.reason = what, reason
        super().__init__(f"{what} could not be written: {reason}")
