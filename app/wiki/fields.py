"""The YAML block at the head of a page: finds it, reads it, writes it, and changes single fields in place."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

import yaml
from frontmatter.default_handlers import YAMLHandler

from app.domain import limits
from app.domain.errors import FieldsUnreadable
from app.domain.limits import FIELDS_BYTES_MAX, FIELDS_DEPTH_MAX, FIELDS_NODES_MAX

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_OPEN = re.compile(rb"(?:\xef\xbb\xbf)?---[ \t]*(\r\n|\n|\r)")
_CLOSE = re.compile(rb"^---[ \t]*(?:\r\n|\n|\r|\Z)", re.MULTILINE)
_YAML = YAMLHandler()
_STRING = "tag:yaml.org,2002:str"
_NULL = "tag:yaml.org,2002:null"
# Readers of YAML 1.1 and 1.2 disagree about many bare words and numbers (`yes`, `0o7`, `1e3`, `1:30`); they agree
# about what begins with a letter, has nothing but word characters inside, and is none of these.
_PLAIN = re.compile(r"[^\W\d_](?:[\w /.\-]*\w)?")
_BARE_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})
_FAULTS = (yaml.YAMLError, ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError)
_TRAILING_COMMENT = re.compile(r"[ \t]+#[^\r\n]*$")


class _Loader(yaml.CSafeLoader):
    """Keeps dates as written and unknown tags as their plain value, so that one odd value costs nothing else."""


class _Dumper(yaml.SafeDumper):
    """Writes every text so that readers of both YAML versions get the same text back, on one line."""

    def ignore_aliases(self, _: object) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class FieldBlock:
    """Where the block lies in the file's bytes: its text, and where the body begins behind its closing line."""

    start: int
    end: int
    body: int
    line_end: str

    def read_text(self, raw: bytes) -> str:
        """Decode the block, with replacement."""
        return raw[self.start : self.end].decode("utf-8", "replace").replace("\x00", "\ufffd")


def find_block(raw: bytes) -> FieldBlock | None:
    """Find the block between a `---` on line one and the next one; None where either is missing."""
    opening = _OPEN.match(raw)
    if opening is None:
        return None
    closing = _CLOSE.search(raw, opening.end(), opening.end() + FIELDS_BYTES_MAX)
    if closing is None:
        return None
    return FieldBlock(opening.end(), closing.start(), closing.end(), opening[1].decode("ascii"))


def is_opened(raw: bytes) -> bool:
    """Tell whether line one is `---`, whatever follows."""
    return raw.removeprefix(BYTE_ORDER_MARK).rstrip(b"\r\n \t") == b"---" or _OPEN.match(raw) is not None


def parse_fields(text: str) -> dict[str, object]:
    """Read a block's values: texts, numbers, booleans, None, lists and mappings; dates as they are written.

    Raises:
        FieldsUnreadable: it is no YAML, no mapping, or too deep.
    """
    return _to_plain_mapping(_load(text))


def parse_source_texts(text: str) -> dict[str, str]:
    """Read the top level's single values as they are written, so `1458` and `yes` stay what their author typed."""
    root = _compose(text)
    pairs = root.value if isinstance(root, yaml.MappingNode) else []
    return {
        key.value: value.value
        for key, value in pairs
        if isinstance(key, yaml.ScalarNode) and isinstance(value, yaml.ScalarNode) and value.tag != _NULL
    }


def render_fields(fields: Mapping[str, object]) -> str:
    """Write values as YAML that every reader understands alike, in the order given, without the `---` lines."""
    if not fields:
        return ""
    written: str = yaml.dump(
        _to_plain(fields),
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=False,
        width=limits.YAML_LINE_CHARS_MAX,
    )
    return written


def update_fields(raw: bytes, changes: Mapping[str, object]) -> bytes:
    """Set top-level fields (None removes one); every byte outside their lines stays.

    Raises:
        FieldsUnreadable: the page has a block that cannot be read, so it must not be rewritten.
    """
    block = find_block(raw)
    if block is None:
        return _prepend_block(raw, changes)
    try:
        text = raw[block.start : block.end].decode("utf-8")
    except UnicodeDecodeError as error:
        raise FieldsUnreadable("it is not UTF-8") from error
    wanted = parse_fields(text)
    new_text = text
    for name, value in changes.items():
        plain = _to_plain(value)
        if name in wanted and wanted[name] == plain and type(wanted[name]) is type(plain) and plain is not None:
            continue
        new_text = _set_field(new_text, name, plain, block.line_end)
        wanted.pop(name, None)
        if plain is not None:
            wanted[name] = plain
    if parse_fields(new_text) != wanted:
        raise FieldsUnreadable("it is written in a way that cannot be changed field by field")
    return raw[: block.start] + new_text.encode("utf-8") + raw[block.end :]


def _set_field(text: str, name: str, value: object, line_end: str) -> str:
    root = _compose(text)
    pairs = root.value if isinstance(root, yaml.MappingNode) else []
    if isinstance(root, yaml.MappingNode) and root.flow_style:
        raise FieldsUnreadable("it is written in one pair of braces")
    places = [at for at, (key, _) in enumerate(pairs) if key.value == name]
    new = "" if value is None else render_fields({name: value}).replace("\n", line_end)
    if not places:
        return _append_lines(text, new, line_end)
    if len(places) > 1:
        raise FieldsUnreadable(f"it has the field {name[:80]!r} more than once")
    key, node = pairs[places[0]]
    start = key.start_mark.index
    if new and new.count(line_end) == 1 and node.start_mark.line == node.end_mark.line == key.start_mark.line:
        rest = text[node.end_mark.index :].split(line_end, 1)[0]
        if not rest.strip() or _TRAILING_COMMENT.fullmatch(rest):
            return text[:start] + new.removesuffix(line_end) + text[node.end_mark.index :]
    following = pairs[places[0] + 1][0].start_mark.index if places[0] + 1 < len(pairs) else len(text)
    return text[:start] + new + _keep_comments(text[start:following]) + text[following:]


def _keep_comments(lines: str) -> str:
    """Keep the blank and comment lines that stand between a field and the next one."""
    kept: list[str] = []
    for line in reversed(lines.splitlines(keepends=True)[1:]):
        if line.strip() and not line.startswith("#"):
            break
        kept.append(line)
    return "".join(reversed(kept))


def _append_lines(text: str, new: str, line_end: str) -> str:
    if new and text and not text.endswith(("\n", "\r")):
        text += line_end
    return text + new


def _prepend_block(raw: bytes, changes: Mapping[str, object]) -> bytes:
    if is_opened(raw):
        raise FieldsUnreadable("its first line is --- and no other such line closes it")
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FieldsUnreadable("it is not UTF-8")
    kept = {name: value for name, value in changes.items() if value is not None}
    if not kept:
        return raw
    line_end = "\r\n" if b"\r\n" in raw[:FIELDS_BYTES_MAX] else "\n"
    mark = BYTE_ORDER_MARK if raw.startswith(BYTE_ORDER_MARK) else b""
    block = f"---\n{render_fields(kept)}---\n\n".replace("\n", line_end)
    return mark + block.encode("utf-8") + raw[len(mark) :]


def _compose(text: str) -> yaml.Node | None:
    try:
        return yaml.compose(text, Loader=_Loader)
    except _FAULTS as error:
        raise FieldsUnreadable(_explain(error)) from error


def _load(text: str) -> Mapping[object, object]:
    try:
        loaded = _YAML.load(text, Loader=_Loader)
    except _FAULTS as error:
        raise FieldsUnreadable(_explain(error)) from error
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        raise FieldsUnreadable("it holds no fields, so it is text between two lines")
    return loaded


def _explain(error: Exception) -> str:
    problem = getattr(error, "problem", None) or type(error).__name__
    mark = getattr(error, "problem_mark", None)
    # The block begins on the file's second line, and marks count from zero.
    return f"{problem}, line {mark.line + 2}" if mark else str(problem)


def _to_plain_mapping(loaded: Mapping[object, object]) -> dict[str, object]:
    budget = [FIELDS_NODES_MAX]
    return {_to_key(key): _to_plain(value, budget) for key, value in loaded.items()}


def _to_plain(value: object, budget: list[int] | None = None, depth: int = 0) -> object:
    """Copy a value without its aliases; the budget stops a few lines of aliases from becoming gigabytes."""
    budget = [FIELDS_NODES_MAX] if budget is None else budget
    budget[0] -= 1
    if budget[0] < 0 or depth > FIELDS_DEPTH_MAX:
        raise FieldsUnreadable("it is too deep or repeats itself too often")
    if isinstance(value, Mapping):
        return {_to_key(key): _to_plain(item, budget, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_to_plain(item, budget, depth + 1) for item in value]
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return str(value) if isinstance(value, StrEnum) else value


def _to_key(key: object) -> str:
    if isinstance(key, str):
        return key
    if key is None or isinstance(key, bool):
        return str(key).lower().replace("none", "null")
    return str(key)


def _construct_as_written(loader: yaml.CSafeLoader, node: yaml.Node) -> object:
    if isinstance(node, yaml.ScalarNode):
        return loader.construct_scalar(node)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    assert isinstance(node, yaml.MappingNode)
    return loader.construct_mapping(node, deep=True)


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    clean = str(text).encode("utf-8", "replace").decode("utf-8")
    if _PLAIN.fullmatch(clean) and clean.lower() not in _BARE_WORDS:
        return dumper.represent_scalar(_STRING, clean)
    return dumper.represent_scalar(_STRING, clean, style="'" if clean.isprintable() else '"')


for _tag in ("tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:value", "tag:yaml.org,2002:binary", None):
    _Loader.add_constructor(_tag, _construct_as_written)
_Dumper.add_representer(str, _represent_text)
