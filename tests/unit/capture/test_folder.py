"""One spelling for each folder of a machine."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.capture import folder

ON_WINDOWS = ["C:\\Users\\Dev\\Shop", "c:/users/dev/shop", "C:\\Users\\Dev\\Shop\\", "\\\\?\\C:\\Users\\dev\\Shop"]
INSIDE_WSL = ["/mnt/c/Users/dev/Shop", "/mnt/C/users/dev//shop/"]


@pytest.mark.parametrize("path", ON_WINDOWS)
def test_all_spellings_of_a_windows_folder_are_one(path: str) -> None:
    assert folder.spell_folder(path, "desk") == "desk@c:/users/dev/shop"


@pytest.mark.parametrize("path", INSIDE_WSL)
def test_a_drive_seen_from_wsl_is_the_drive_of_windows(path: str) -> None:
    assert folder.spell_folder(path, "desk+Ubuntu") == "desk@c:/users/dev/shop"


@pytest.mark.parametrize(
    "path",
    [
        "\\\\wsl$\\Ubuntu\\home\\dev\\x",
        "//wsl$/ubuntu/home/dev/x/",
        "\\\\wsl.localhost\\Ubuntu\\home\\dev\\x",
        "\\\\?\\UNC\\wsl.localhost\\Ubuntu\\home\\dev\\x",
    ],
)
def test_a_folder_inside_wsl_is_one_seen_from_both_sides(path: str) -> None:
    assert folder.spell_folder(path, "desk") == folder.spell_folder("/home/dev/x", "desk+Ubuntu")


def test_a_drive_seen_through_the_share_of_wsl_is_the_drive() -> None:
    assert folder.spell_folder("\\\\wsl$\\Ubuntu\\mnt\\c\\x", "desk") == folder.spell_folder("C:\\x", "desk")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("/home/dev/x", "desk+ubuntu"), ("/home/dev/x", "desk+debian")),
        (("/home/dev/x", "desk"), ("/home/dev/x", "lap")),
        (("/home/dev/X", "desk"), ("/home/dev/x", "desk")),
        (("C:\\x", "desk"), ("D:\\x", "desk")),
        (("\\\\a\\share\\x", "desk"), ("\\\\b\\share\\x", "desk")),
        (("C:\\x", "desk"), ("/x", "desk")),
        (("/x", "c:"), ("C:/x", "")),
    ],
    ids=["distributions", "machines", "letters", "drives", "servers", "drive and root", "a machine like a drive"],
)
def test_different_folders_stay_different(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert folder.spell_folder(*one) != folder.spell_folder(*other)


@pytest.mark.parametrize("path", ["\\\\Server\\Share\\x", "//server/share/x/", "\\\\?\\UNC\\server\\share\\x"])
def test_a_share_is_one_in_all_its_spellings(path: str) -> None:
    assert folder.spell_folder(path, "desk") == "desk@//server/share/x"


@pytest.mark.parametrize(
    ("path", "expected"),
    [("", "/"), ("/", "/"), ("C:\\", "c:/"), ("C:", "c:/"), ("/a/./b//c/../", "/a/b"), ("/x/", "/x")],
)
def test_a_path_is_tidied(path: str, expected: str) -> None:
    assert folder.spell_folder(path) == expected


@pytest.mark.parametrize(
    "path",
    ["/w/shop/.git", "/w/shop/.git/", "/w/shop/.git/worktrees/fix", "/w/shop/.git/modules/lib/deep", "\\w\\shop\\.git"],
)
def test_worktrees_and_submodules_are_parts_of_the_repository_around_them(path: str) -> None:
    assert folder.spell_repository(path) == "/w/shop/.git"


@given(st.text(max_size=40))
def test_spelling_a_spelt_path_changes_nothing(path: str) -> None:
    spelt = folder.spell_folder(path)

    assert folder.spell_folder(spelt) == spelt
