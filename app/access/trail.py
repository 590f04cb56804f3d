"""Writes the audit trail: who, by which proof, from where, did what to what, and what was there before and after."""

from dataclasses import dataclass
from datetime import datetime

from app.domain.person import Principal
from app.state.audit import AuditEntry, build_context


@dataclass(frozen=True, slots=True)
class Deed:
    """What was done, or refused; `before` and `after` are hashes or single words, never content."""

    action: str
    subject: str
    detail: str = ""
    scope: str = ""
    before: str = ""
    after: str = ""
    outcome: str = ""


def build_entry(principal: Principal, deed: Deed, now: datetime) -> AuditEntry:
    """Build a row of the trail."""
    context = build_context(
        token=principal.token_id,
        web_session=principal.web_session_id,
        address=principal.address,
        request=principal.request_id,
        scope=deed.scope,
        before=deed.before,
        after=deed.after,
        outcome=deed.outcome,
    )
    return AuditEntry(now, principal.person, deed.action, deed.subject, deed.detail, context)
