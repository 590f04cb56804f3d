"""What makes a folder of markdown files a valid Open Knowledge Format bundle, and what a page becomes in one."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from app.domain import pagepath
from app.domain.errors import FieldsUnreadable, UnsafePath
from app.domain.limits_knowledge import BUNDLE_BYTES_MAX, BUNDLE_FILES_MAX
from app.domain.page import PagePath
from app.wiki import fields as yaml_fields

OKF_VERSION: Final = "0.2"
# Pages whose frontmatter cannot be read are no part of the format; they travel beside it, byte for byte.
ASIDE_FOLDER: Final = "unreadable/"
ASIDE_SUFFIX: Final = ".txt"
RESERVED: Final = frozenset({"index.md", "log.md"})


@dataclass(frozen=True, slots=True)
class BundleFile:
    """One file of a bundle; `is_changed` if it is not the page's own bytes."""

    path: str
    content: bytes
    is_changed: bool = False


def build_file(path: PagePath, raw: bytes) -> BundleFile:
    """Make a page a file of a bundle: as it is where that is valid, with a type where it has none, else set aside."""
    try:
        raw.decode("utf-8")
        told = read_type(raw)
    except (FieldsUnreadable, UnicodeDecodeError):
        return BundleFile(f"{ASIDE_FOLDER}{path}{ASIDE_SUFFIX}", raw)
    if told or path.rpartition("/")[2] in RESERVED:
        return BundleFile(path, raw)
    try:
        typed = yaml_fields.update_fields(raw, {"type": pagepath.kind_of_path(path).value})
    except FieldsUnreadable:
        return BundleFile(f"{ASIDE_FOLDER}{path}{ASIDE_SUFFIX}", raw)
    return BundleFile(path, typed, is_changed=True)


def find_page_path(path: str) -> PagePath | None:
    """Find which page a file of a bundle is; None for what is no page.

    Raises:
        UnsafePath: it would lie outside the project, or cannot exist on every file system.
    """
    inner = path
    if path.startswith(ASIDE_FOLDER) and path.endswith(f".md{ASIDE_SUFFIX}"):
        inner = path[len(ASIDE_FOLDER) : -len(ASIDE_SUFFIX)]
    return pagepath.parse_page_path(inner) if inner.endswith(pagepath.PAGE_SUFFIX) else None


def list_problems(files: Mapping[str, bytes]) -> Iterator[str]:
    """List what keeps files from being a bundle that can be taken, each in one line."""
    if len(files) > BUNDLE_FILES_MAX:
        yield f"it has more than {BUNDLE_FILES_MAX:,} files"
    if sum(map(len, files.values())) > BUNDLE_BYTES_MAX:
        yield f"it has more than {BUNDLE_BYTES_MAX:,} bytes"
    seen: dict[str, str] = {}
    for path, content in sorted(files.items()):
        try:
            page = find_page_path(path)
        except UnsafePath as error:
            yield str(error)
            continue
        if page is None:
            continue
        twin = seen.setdefault(pagepath.fold_path(page), path)
        if twin != path:
            yield f"{path}: {twin} has the same name on some file systems"
        yield from _list_file_problems(path, content)


def read_type(raw: bytes) -> str:
    """Read a page's type; empty where it says none.

    Raises:
        FieldsUnreadable: its frontmatter cannot be read.
    """
    block = yaml_fields.find_block(raw)
    if block is None:
        if yaml_fields.is_opened(raw):
            raise FieldsUnreadable("its first line is --- and no other such line closes it")
        return ""
    told = yaml_fields.parse_fields(block.read_text(raw)).get("type")
    return told.strip() if isinstance(told, str) else ""


def _list_file_problems(path: str, content: bytes) -> Iterator[str]:
    if path.rpartition("/")[2] in RESERVED or path.startswith(ASIDE_FOLDER):
        return
    try:
        content.decode("utf-8")
        if not read_type(content):
            yield f"{path}: its frontmatter has no type"
    except UnicodeDecodeError:
        yield f"{path}: it is not UTF-8"
    except FieldsUnreadable as error:
        yield f"{path}: its frontmatter cannot be read: {error.reason}"
