"""Values of which many are made behave as frozen dataclasses do, but for the guard that only the type checker keeps."""

from dataclasses import replace

from app.domain.event import FileChange, FileTouch


def test_equal_values_are_one_in_a_set() -> None:
    one, other = FileTouch("a.py", FileChange.READ), FileTouch("a.py", FileChange.READ)

    assert {one, other} == {one}


def test_a_changed_copy_leaves_its_original_alone() -> None:
    one = FileTouch("a.py", FileChange.READ)

    other = replace(one, path="b.py")

    assert (one.path, other.path, other.change) == ("a.py", "b.py", FileChange.READ)
