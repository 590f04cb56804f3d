"""Lists of wanted values in few fixed lengths, so that each query is compiled once and not once per length."""

from collections.abc import Collection, Iterator, Sequence

from app.domain.limits import KEYS_PER_QUERY_MAX

_LENGTHS = (1, 8, 32, 128, KEYS_PER_QUERY_MAX)


def list_padded(values: Collection[str]) -> Iterator[Sequence[str]]:
    """List `values` in chunks; a short chunk repeats its last value, which finds nothing new."""
    remaining = list(values)
    for start in range(0, len(remaining), KEYS_PER_QUERY_MAX):
        chunk = remaining[start : start + KEYS_PER_QUERY_MAX]
        length = next(length for length in _LENGTHS if length >= len(chunk))
        yield chunk + chunk[-1:] * (length - len(chunk))
