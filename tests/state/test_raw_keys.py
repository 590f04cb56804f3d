"""Key files: made once, for their owner only, and refused by name when they cannot be used."""

import base64
import stat
from pathlib import Path

import pytest

from app.domain.errors import DiskRefused, InvalidValue
from app.state import raw_keys
from app.state.raw_keys import KEY_BYTES, KeyRing

SECRET = bytes(range(KEY_BYTES))


def write(path: Path, content: bytes, mode: int = 0o600) -> Path:
    path.write_bytes(content)
    path.chmod(mode)
    return path


def test_a_key_is_read_back_as_it_was_made(tmp_path: Path) -> None:
    made = raw_keys.install_key(tmp_path / "key", SECRET)

    assert raw_keys.read_key(tmp_path / "key", setting="raw_key_file") == made
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600
    assert base64.b64decode((tmp_path / "key").read_bytes()) == SECRET


def test_a_key_file_is_never_replaced(tmp_path: Path) -> None:
    raw_keys.install_key(tmp_path / "key", SECRET)

    with pytest.raises(InvalidValue):
        raw_keys.install_key(tmp_path / "key", SECRET)
    with pytest.raises(DiskRefused):
        raw_keys.install_key(tmp_path / "nowhere" / "key", SECRET)


def test_nothing_tells_the_key_itself(tmp_path: Path) -> None:
    made = raw_keys.install_key(tmp_path / "key", SECRET)

    assert repr(SECRET) not in repr(made)
    assert SECRET.hex() not in made.id
    assert made.id != raw_keys.build_key(SECRET[::-1]).id


@pytest.mark.parametrize(
    "content",
    [b"", b"short", base64.b64encode(SECRET[:31]), base64.b64encode(SECRET * 2), b"\xff\xfe", SECRET],
    ids=["empty", "no base64", "a byte less", "twice as long", "no text", "not encoded"],
)
def test_a_file_without_a_key_is_refused_by_its_setting(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(InvalidValue) as caught:
        raw_keys.open_ring(None, [write(tmp_path / "key", content)])

    assert "raw_old_key_files" in caught.value.field
    assert str(tmp_path / "key") in caught.value.reason


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o620])
def test_a_key_that_others_can_read_or_change_is_refused(tmp_path: Path, mode: int) -> None:
    with pytest.raises(InvalidValue) as caught:
        raw_keys.open_ring(write(tmp_path / "key", base64.b64encode(SECRET), mode), [])

    assert "chmod 600" in caught.value.reason


def test_a_missing_key_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidValue):
        raw_keys.open_ring(tmp_path / "key", [])


def test_a_ring_finds_the_present_and_the_older_keys() -> None:
    new, old = raw_keys.build_key(SECRET), raw_keys.build_key(SECRET[::-1])
    ring = KeyRing(new, (old,))

    assert (ring.find_key(new.id), ring.find_key(old.id), ring.find_key("other")) == (new, old, None)
    assert ring.readable_ids == {"", new.id, old.id}
    assert KeyRing().current_id == ""
