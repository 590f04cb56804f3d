"""The grammar of workspace and project names."""

import pytest

from app.domain import scope
from app.domain.errors import InvalidName
from app.domain.limits import NAME_CHARS_MAX
from app.domain.scope import Scope


@pytest.mark.parametrize("text", ["shop", "main/shop"])
def test_a_project_alone_is_in_the_default_workspace(text: str) -> None:
    assert scope.parse_scope(text) == Scope("main", "shop")


def test_a_project_alone_is_in_the_workspace_that_is_asked() -> None:
    assert scope.parse_scope("shop", "team") == Scope("team", "shop")
    assert scope.parse_scope("main/shop", "team") == Scope("main", "shop")


@pytest.mark.parametrize("name", ["太郎", "Jānis", "v1.2", "a" * NAME_CHARS_MAX])
def test_names_of_any_script_are_taken(name: str) -> None:
    assert scope.parse_name(name) == name


@pytest.mark.parametrize(
    "name", ["", ".git", "-x", "a/b/c", "a b", "x.", "..", "a\0", "a\n", "a" * (NAME_CHARS_MAX + 1), "a:b", "_x"]
)
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(InvalidName) as caught:
        scope.parse_scope(f"main/{name}")

    assert caught.value.code == "invalid_name"
