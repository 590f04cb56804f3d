"""Bounds of the spans that are told to a collector of traces."""

from typing import Final

# What a collector that is away costs at most; further spans are lost.
SPANS_WAITING_MAX: Final = 4096
SPANS_PER_SEND: Final = 512
SPAN_SECONDS_BETWEEN_SENDS: Final = 2
SPANS_SEND_SECONDS_MAX: Final = 5
SPANS_STOP_SECONDS_MAX: Final = 2.0
