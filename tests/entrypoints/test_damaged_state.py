"""A damaged state is refused at the start by its name, and the directory is free for what is put in its place."""

import shutil
from pathlib import Path

import pytest

from app import config, wiring
from app.domain.errors import StoreUnreadable
from tests.entrypoints.serving import serve

PAGE = 4096


@pytest.mark.parametrize("pages", [range(1), range(3, 40)], ids=["head", "middle"])
def test_damage_is_named_at_the_start_and_a_sound_copy_is_taken(tmp_path: Path, template: Path, pages: range) -> None:
    folder = Path(shutil.copytree(template, tmp_path / "memwiki"))
    path = folder / "state" / "state.db"
    sound = path.read_bytes()
    damaged = bytearray(sound)
    damaged[pages.start * PAGE : pages.stop * PAGE] = b"\xff" * PAGE * len(pages)
    path.write_bytes(damaged)

    with pytest.raises(StoreUnreadable) as refused:
        wiring.build_runtime(config.load_settings(data_dir=folder))

    assert "state.db" in str(refused.value)
    path.write_bytes(sound)
    with serve(folder) as server:
        assert server.read("/status")["problems"] == []
