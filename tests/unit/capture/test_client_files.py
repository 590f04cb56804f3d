"""Where the hook client keeps what has to wait, on every kind of system."""

import os
import pathlib

import pytest

from app.capture import client_files


@pytest.mark.parametrize(
    ("environ", "folder"),
    [
        ({"MEMWIKI_SPOOL_DIR": "/srv/spool", "XDG_STATE_HOME": "/state"}, "/srv/spool"),
        ({"XDG_STATE_HOME": "/state", "LOCALAPPDATA": "/elsewhere"}, "/state/memwiki/spool"),
        ({"XDG_STATE_HOME": "relative"}, f"/tmp/memwiki-{os.getuid()}/memwiki/spool"),
    ],
)
def test_the_spool_is_in_the_users_state(environ: dict[str, str], folder: str) -> None:
    assert client_files.find_spool_folder(environ) == folder


def test_windows_has_a_place_of_its_own_for_state(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(client_files.os, "name", "nt")
        folder = client_files.find_spool_folder({"LOCALAPPDATA": "/users/x/local", "XDG_STATE_HOME": "/state"})

    assert folder == "/users/x/local/memwiki/spool"


def test_a_token_that_no_header_can_carry_counts_as_none(tmp_path: pathlib.Path) -> None:
    (tmp_path / "token").write_text("mw_one\nmore\n", encoding="utf-8")

    assert client_files.find_token({"MEMWIKI_ACCESS_TOKEN": " mw_two \n"}) == "mw_two"
    assert client_files.find_token({"MEMWIKI_ACCESS_TOKEN_FILE": str(tmp_path / "token")}) == "mw_one"
    assert client_files.find_token({"MEMWIKI_ACCESS_TOKEN": "a\nb: c"}) == ""
