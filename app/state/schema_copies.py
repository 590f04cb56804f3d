"""The copies of the database that upgrades left beside it: which there are, and which are no longer needed."""

import re
from pathlib import Path
from typing import Final

from app.domain.limits_upkeep import STATE_COPIES_KEPT_MAX

_NAME: Final = re.compile(r".+\.before-(\d{4})")


def list_copies(folder: Path) -> list[Path]:
    """List the copies in the folder of state, that of the latest upgrade first."""
    found = ((match[1], path) for path in folder.glob("*.before-*") if (match := _NAME.fullmatch(path.name)))
    return [path for _, path in sorted(found, reverse=True)]


def list_surplus(folder: Path) -> list[Path]:
    """List those of upgrades so long ago that nobody goes back behind them."""
    return list_copies(folder)[STATE_COPIES_KEPT_MAX:]


def remove_surplus(folder: Path) -> int:
    """Delete those, once a backup holds what they became; tells how many there were."""
    surplus = list_surplus(folder)
    for path in surplus:
        path.unlink(missing_ok=True)
    return len(surplus)
