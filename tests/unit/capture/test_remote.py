"""One spelling for each remote repository."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.capture import remote

SPELLINGS = [
    "https://github.com/Example/Shop.git",
    "https://github.com/example/shop",
    "https://github.com/example/shop/",
    "https://github.com:443/example/shop.git",
    "https://user:secret@github.com/example/shop.git",
    "git@github.com:example/shop.git",
    "git@github.com:/example/shop.git",
    "[git@github.com:22]:example/shop.git",
    "github.com:example/shop",
    "ssh://git@github.com:22/example/shop.git",
    "ssh://git@ssh.github.com:443/example/shop.git",
    "git+ssh://git@github.com/example/shop",
    "git://github.com/EXAMPLE/shop.git",
    "https://www.github.com//example/shop.git/",
    "https://github.com./example/%73hop",
    "  https://github.com/example/shop.git\n",
]
PARTS = st.text(st.sampled_from("abcxyz019-_."), min_size=1, max_size=8).filter(
    lambda text: text.strip(".") == text and not text.endswith(".git") and text != "git"
)


@pytest.mark.parametrize("url", SPELLINGS)
def test_all_spellings_of_a_remote_are_one_repository(url: str) -> None:
    assert remote.normalise_remote(url) == "github.com/example/shop"


@pytest.mark.parametrize(
    "url",
    [
        "", "/srv/git/shop.git", "../shop", "file:///srv/shop", "C:\\git\\shop", "c:/git/shop", "~/shop", "http://[bad",
        "https://github.com", "https://github.com/", "https://h:port/a", "\\\\server\\share\\shop",
    ],
)  # fmt: skip
def test_a_remote_that_names_no_host_is_no_identity(url: str) -> None:
    assert remote.normalise_remote(url) == ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://github.com/anna/api", "https://github.com/bert/api"),
        ("https://github.com/anna/api", "https://gitlab.com/anna/api"),
        ("https://github.com/anna/api", "https://github.com/anna/api2"),
        ("https://git.example.org/a/b/api", "https://git.example.org/b/api"),
        ("http://localhost:3000/anna/api", "http://localhost:3001/anna/api"),
    ],
    ids=["owner", "host", "longer name", "group", "ports of this machine"],
)
def test_different_repositories_stay_different(one: str, other: str) -> None:
    assert remote.normalise_remote(one) != remote.normalise_remote(other)


@pytest.mark.parametrize("url", ["http://localhost:3000/anna/api", "ssh://git@127.0.0.1/anna/api", "git@[::1]:a/api"])
def test_a_server_on_this_machine_is_another_one_on_the_next(url: str) -> None:
    assert remote.normalise_remote(url, "one") != remote.normalise_remote(url, "two")
    assert remote.normalise_remote(url, "One") == remote.normalise_remote(url, "one")


@pytest.mark.parametrize(
    "url",
    [
        "https://anna@dev.azure.com/team/billing/_git/api",
        "git@ssh.dev.azure.com:v3/team/billing/api",
        "https://dev.azure.com/team/billing/_git/api",
    ],
)
def test_the_two_forms_of_an_azure_repository_are_one(url: str) -> None:
    assert remote.normalise_remote(url) == "dev.azure.com/team/billing/api"


@given(st.lists(PARTS, min_size=1, max_size=4), st.integers(1, 65535))
def test_protocol_port_user_and_ending_never_matter(parts: list[str], port: int) -> None:
    path = "/".join(parts)
    urls = [
        f"https://h.org/{path}",
        f"https://h.org:{port}/{path}.git",
        f"ssh://git@h.org:{port}/{path}",
        f"git@h.org:{path}.git",
        f"HTTP://H.ORG/{path.upper()}/",
    ]

    assert len({remote.normalise_remote(url) for url in urls}) == 1


@given(st.text(max_size=60))
def test_any_text_gives_a_remote_or_none(text: str) -> None:
    once = remote.normalise_remote(text)

    assert once == "" or "/" in once


def test_a_remote_is_split_into_host_and_names() -> None:
    assert remote.find_path("m@localhost:3000/anna/api") == ["localhost:3000", "anna", "api"]
    assert remote.find_path("") == []
