"""Which files a command line plainly writes, moves or removes."""

import pytest

from app.agents import shell_command
from app.domain.event import FileChange

A, M, D = FileChange.ADDED, FileChange.MODIFIED, FileChange.DELETED


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cat > a.py <<'EOF'\nopen('no.py')\nEOF", [("a.py", M)]),
        ("python3 - <<'EOF'\nopen('a.py', 'w').write('x')\nEOF", [("a.py", M)]),
        ("cd lib && python3 -c \"open('a.py','a').write('x')\"", [("lib/a.py", M)]),
        ("python3 -c \"from pathlib import Path; Path('a.md').write_text('x')\"", [("a.md", M)]),
        ("python3 -c \"print(open('a.py', 'r').read())\"", []),
        ("python3 -c \"open(name, 'w')\"", []),
        ("node -e \"require('fs').writeFileSync('a.json', '{}')\"", [("a.json", M)]),
        ("grep -n \"open('a.py', 'w')\" src", []),
        ("perl -pi -e 's/a/b/' a.py b.py", [("a.py", M), ("b.py", M)]),
        ("perl -ne 'print' a.py", []),
        ("cp a.py b.py", [("b.py", A)]),
        ("cp a.py b.py lib/", [("lib/a.py", A), ("lib/b.py", A)]),
        ("cp -r lib core", []),
        ("ln -s a.py b.py", [("b.py", A)]),
        ("dd if=/dev/zero of=disk.img bs=1M count=1", [("disk.img", M)]),
        ("curl -sSL -o tool.sh https://example.org/tool.sh", [("tool.sh", A)]),
        ("wget -O - https://example.org", []),
        ("truncate -s 0 app.log", [("app.log", M)]),
        ("mv a.py b.py", [("a.py", D), ("b.py", A)]),
        ("echo x | tee -a notes.md", [("notes.md", M)]),
        ("sed -i '' 's/a/b/' a.py", [("a.py", M)]),
    ],
)
def test_what_a_command_plainly_writes(command: str, expected: list[tuple[str, FileChange]]) -> None:
    assert [(touch.path, touch.change) for touch in shell_command.list_changed_files(command)] == expected
