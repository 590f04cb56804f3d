"""How state stores an event: as JSON, which the sealed files hold as well."""

import msgspec

from app.domain import redact
from app.domain.event import Event
from app.domain.redact import RedactedEvent

_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Event)


def write_event(event: RedactedEvent) -> str:
    """Write an event as it is stored; whoever reads what hooks send does so, to spare the writer's thread."""
    return _ENCODER.encode(event).decode()


def read_event(stored: bytes | str | msgspec.Raw) -> RedactedEvent:
    """Take back what was redacted before it was stored or sealed."""
    return redact.restore_event(_DECODER.decode(stored))
