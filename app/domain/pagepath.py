"""The grammar of page paths: what is refused without touching the disk, and the names that we make ourselves."""

import hashlib
import re
import unicodedata
from datetime import date
from urllib.parse import unquote

from app.domain.errors import UnsafePath
from app.domain.limits import PATH_CHARS_MAX, PATH_PART_BYTES_MAX, SLUG_CHARS_MAX
from app.domain.page import PageKind, PagePath

PAGE_SUFFIX = ".md"
PROJECT_PATH = PagePath("project.md")
INDEX_PATH = PagePath("index.md")

KIND_FOLDERS: dict[PageKind, str] = {
    PageKind.SESSION: "sessions",
    PageKind.CONCEPT: "concepts",
    PageKind.DECISION: "decisions",
    PageKind.GOTCHA: "gotchas",
    PageKind.PROCEDURE: "procedures",
    PageKind.RULE: "rules",
    PageKind.NOTE: "notes",
    PageKind.SLOT: "slots",
}
_FOLDER_KINDS = {folder: kind for kind, folder in KIND_FOLDERS.items()}

# Windows opens a device under these names, whatever the extension.
_RESERVED = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$"}
    | {f"{device}{digit}" for device in ("com", "lpt") for digit in "0123456789¹²³"}
)
# C0 and C1 controls, line and paragraph separators, and halves of surrogate pairs.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_DRIVE = re.compile(r"^[A-Za-z]:")
_APOSTROPHES = str.maketrans("", "", "'\u2019`")
# A dot stays where it joins two words or numbers, as in `v1.2`.
_LOOSE_DOT = re.compile(r"(?<!\w)\.|\.(?!\w)")
_SLUG_BYTES_MAX = PATH_PART_BYTES_MAX - 40
_UNQUOTE_ROUNDS = 3


def parse_page_path(text: str) -> PagePath:
    """Check a path and bring it to its one spelling: NFC, `/` between parts, `.md` at the end.

    Raises:
        UnsafePath: it leaves the project's folder, is hidden, or cannot exist on every file system.
    """
    path = unicodedata.normalize("NFC", text)
    if not path.endswith(PAGE_SUFFIX):
        path += PAGE_SUFFIX
    if len(path) > PATH_CHARS_MAX:
        raise UnsafePath(text, f"it is longer than {PATH_CHARS_MAX} characters")
    if _CONTROL.search(path):
        raise UnsafePath(text, "it has a control character")
    if "\\" in path:
        raise UnsafePath(text, "it has a backslash")
    if path.startswith("/") or _DRIVE.match(path):
        raise UnsafePath(text, "it is not relative to its project")
    for part in path.split("/"):
        reason = _explain_bad_part(part)
        if reason:
            raise UnsafePath(text, reason)
    return PagePath(path)


def portable_name(text: str) -> str:
    """Make one path part, without suffix, that every file system takes; the same text always gives the same name."""
    clean = unicodedata.normalize("NFC", text).lower().translate(_APOSTROPHES)
    kept = "".join(char if _stays(char) else " " for char in clean)
    words = _LOOSE_DOT.sub(" ", kept).split()
    name = _cut_slug("-".join(words))
    if not name:
        digest = hashlib.sha256(unicodedata.normalize("NFC", text).encode("utf-8", "replace")).hexdigest()
        return f"untitled-{digest[:8]}"
    return f"{name}-page" if _device_name(name) in _RESERVED else name


def build_page_path(kind: PageKind, title: str, *, on: date | None = None, mark: str = "") -> PagePath:
    """Name a new page after its title; `on` shards sessions by month, `mark` tells same-named ones apart."""
    if kind is PageKind.PROJECT:
        return PROJECT_PATH
    if kind is PageKind.INDEX:
        return INDEX_PATH
    name = portable_name(title)
    if mark:
        name = f"{name}-{portable_name(mark)}"
    folder = KIND_FOLDERS[kind]
    if on is not None:
        folder, name = f"{folder}/{on:%Y-%m}", f"{on:%d}-{name}"
    return PagePath(f"{folder}/{name}{PAGE_SUFFIX}")


def number_page_path(path: PagePath, number: int) -> PagePath:
    """Name the same page with a number behind it, for when its own name is taken."""
    return PagePath(f"{path.removesuffix(PAGE_SUFFIX)}-{number}{PAGE_SUFFIX}")


def fold_path(path: str) -> str:
    """Bring a path to the form in which two names that some file system cannot tell apart are equal."""
    if path.isascii():
        return path.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def kind_of_path(path: PagePath) -> PageKind:
    """Tell a page's kind by where it lies."""
    if path == PROJECT_PATH:
        return PageKind.PROJECT
    if path == INDEX_PATH:
        return PageKind.INDEX
    return _FOLDER_KINDS.get(path.split("/", 1)[0], PageKind.NOTE)


def is_portable(path: PagePath) -> bool:
    """Tell whether a file of this name can be checked out on Windows too."""
    return not any(char in '<>:"|?*' for char in path)


def _explain_bad_part(part: str) -> str:
    decoded = part
    for _ in range(_UNQUOTE_ROUNDS if "%" in part else 0):
        decoded = unquote(decoded)
    if not part or decoded.startswith("."):
        return "a part is empty, hidden or leads upwards"
    if "/" in decoded or "\\" in decoded or "\x00" in decoded:
        return "it has an encoded separator"
    if part != part.strip() or part.endswith("."):
        return "a part begins or ends in a blank, or ends in a dot"
    if _device_name(part) in _RESERVED:
        return "a part is a reserved name on Windows"
    if len(part.encode("utf-8")) > PATH_PART_BYTES_MAX:
        return f"a part is longer than {PATH_PART_BYTES_MAX} bytes"
    return ""


def _device_name(part: str) -> str:
    return part.partition(".")[0].rstrip().lower()


def _stays(char: str) -> bool:
    return char in "._" or unicodedata.category(char)[0] in "LNM"


def _cut_slug(slug: str) -> str:
    cut = slug[:SLUG_CHARS_MAX]
    if len(slug) > SLUG_CHARS_MAX and slug[SLUG_CHARS_MAX] != "-" and "-" in cut[SLUG_CHARS_MAX // 2 :]:
        cut = cut[: cut.rindex("-")]
    while len(cut.encode("utf-8")) > _SLUG_BYTES_MAX:
        cut = cut[:-1]
    return unicodedata.normalize("NFC", cut).strip("-._ ")
