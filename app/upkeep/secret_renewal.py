"""Looks for secrets again in pages that were indexed under other rules, a few pages at a time."""

from collections.abc import Callable
from functools import partial

from app.domain.errors import BodyTooLarge, WikiUnreadable
from app.domain.limits import INDEXED_TEXT_CHARS_MAX
from app.domain.limits_upkeep import SECRETS_RENEWED_AT_ONCE
from app.domain.redact import RULES_MARK
from app.index import secrets
from app.index.secrets import Examined
from app.wiki.pages import Wiki, find_secrets


class SecretRenewal:
    """Where it has come to; what a stopped server had not reached is begun again by the next one."""

    def __init__(self, wiki: Wiki) -> None:
        self._wiki = wiki
        self._after = 0

    def renew(self, goes_on: Callable[[], bool]) -> int:
        """Examine one batch, and more for as long as it may go on; tells how many pages that were.

        Raises:
            StoreUnreadable: the index cannot be asked.
            DiskRefused: it cannot be written.
        """
        index, examined = self._wiki.index, 0
        if index.progress is not None or index.read(secrets.find_rules) == RULES_MARK:
            return 0
        while True:
            pages = index.read(partial(secrets.list_examined, after=self._after, limit=SECRETS_RENEWED_AT_ONCE))
            if not pages:
                self._after = 0
                index.write_beside(partial(secrets.put_rules, mark=RULES_MARK))
                return examined
            found = [(page, classes) for page in pages if (classes := self._examine(page)) != page.classes]
            if found:
                index.write(partial(secrets.put_classes, found=found))
            examined, self._after = examined + len(pages), pages[-1].row_id
            if not goes_on():
                return examined

    def _examine(self, page: Examined) -> str:
        """Name what the file of a page holds; what has changed or gone meanwhile is left to whoever indexes it."""
        place, tree = (page.scope, page.path), self._wiki.tree
        try:
            content = tree.read_page(*place)
        except BodyTooLarge:
            content = tree.read_head(*place, INDEXED_TEXT_CHARS_MAX)
        except WikiUnreadable:
            return page.classes
        return page.classes if content is None else ", ".join(find_secrets(content))
