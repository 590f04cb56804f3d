"""Pages that were indexed under other rules are examined again, a few at a time, and only then."""

from functools import partial

from app.domain.limits_upkeep import SECRETS_RENEWED_AT_ONCE
from app.domain.page import PagePath
from app.index import flaws
from app.upkeep.secret_renewal import SecretRenewal
from app.wiki import reconcile
from app.wiki.pages import Wiki
from tests.wiki.conftest import HERE, put_file

KEY = "ghp_" + "a1B2" * 9


def list_secrets(wiki: Wiki) -> list[tuple[PagePath, str]]:
    return wiki.index.read(partial(flaws.list_secrets, scope=HERE, limit=1000))


def forget_rules(wiki: Wiki) -> None:
    """Leave the index as a release with other rules would have, which saw secrets where none are, and not ours."""
    wiki.index.write(lambda index: index.execute("UPDATE meta SET value = 1 WHERE name = 'rules'"))
    wiki.index.write(lambda index: index.execute("UPDATE pages SET secrets = 'other' WHERE path = 'notes/plain.md'"))
    wiki.index.write(lambda index: index.execute("UPDATE pages SET secrets = '' WHERE path <> 'notes/plain.md'"))


def put_pages(wiki: Wiki) -> None:
    put_file(wiki, "main/app/notes/key.md", f"Use {KEY} there.\n")
    put_file(wiki, "main/app/notes/plain.md", "Nothing here.\n")
    put_file(wiki, "main/app/notes/made.md", f"---\ngenerated: true\n---\n{KEY}\n")
    reconcile.reconcile(wiki)


def test_what_other_rules_found_is_found_again_by_these(wiki: Wiki) -> None:
    put_pages(wiki)
    before = list_secrets(wiki)
    forget_rules(wiki)

    examined = SecretRenewal(wiki).renew(lambda: True)

    assert before == list_secrets(wiki) == [("notes/key.md", "github-token")]
    assert examined == 2


def test_what_these_rules_found_is_not_looked_at_again(wiki: Wiki) -> None:
    put_pages(wiki)
    renewal = SecretRenewal(wiki)

    first = renewal.renew(lambda: True)
    forget_rules(wiki)
    renewal.renew(lambda: True)

    assert (first, renewal.renew(lambda: True)) == (0, 0)


def test_an_index_that_never_noted_its_rules_is_renewed(wiki: Wiki) -> None:
    put_pages(wiki)
    forget_rules(wiki)
    wiki.index.write(lambda index: index.execute("DELETE FROM meta WHERE name = 'rules'"))

    assert SecretRenewal(wiki).renew(lambda: True) == 2


def test_one_batch_is_done_where_it_may_not_go_on_and_the_rest_later(wiki: Wiki) -> None:
    for number in range(SECRETS_RENEWED_AT_ONCE + 1):
        put_file(wiki, f"main/app/notes/{number:03}.md", f"{KEY}\n")
    reconcile.reconcile(wiki)
    forget_rules(wiki)
    renewal = SecretRenewal(wiki)

    steps = [renewal.renew(lambda: False) for _ in range(4)]

    assert steps == [SECRETS_RENEWED_AT_ONCE, 1, 0, 0]
    assert len(list_secrets(wiki)) == SECRETS_RENEWED_AT_ONCE + 1


def test_a_page_that_changed_meanwhile_or_went_is_left_to_its_own_indexing(wiki: Wiki) -> None:
    put_pages(wiki)
    forget_rules(wiki)
    (wiki.tree.root / "main" / "app" / "notes" / "key.md").unlink()

    SecretRenewal(wiki).renew(lambda: True)

    assert list_secrets(wiki) == []
