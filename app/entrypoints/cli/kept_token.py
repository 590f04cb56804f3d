"""Finds the access token of this machine's person: in the environment, or in the file that is kept for the hooks."""

import os
from pathlib import Path

import platformdirs

from app.capture import client_files
from app.entrypoints.cli import hook_client


def find_token() -> str:
    """Find the token in a variable, in the file that one names, else in the installer's; empty where there is none."""
    kept = hook_client.locate_token(Path(platformdirs.user_data_dir("memwiki", appauthor=False)))
    named = os.environ.get("MEMWIKI_ACCESS_TOKEN_FILE") or str(kept)
    return client_files.find_token({**os.environ, "MEMWIKI_ACCESS_TOKEN_FILE": named})
