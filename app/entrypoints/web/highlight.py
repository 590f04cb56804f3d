"""Colours code by the classes of `static/code.css`; an unknown language is plain text."""

import html
from functools import lru_cache

from pygments import lex
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import STANDARD_TYPES, _TokenType
from pygments.util import ClassNotFound

from app.domain.limits_web import HIGHLIGHTED_CHARS_MAX

CLASSES = frozenset(name for name in STANDARD_TYPES.values() if name)


def mark_up(code: str, language: str) -> str:
    """Write code as HTML spans; long code and unknown languages stay uncoloured."""
    lexer = _find_lexer(language.lower()[:40]) if language and len(code) <= HIGHLIGHTED_CHARS_MAX else None
    if lexer is None:
        return html.escape(code, quote=False)
    return "".join(_wrap(kind, text) for kind, text in lex(code, lexer))


def _wrap(kind: _TokenType, text: str) -> str:
    mark = _find_class(kind)
    escaped = html.escape(text, quote=False)
    return f'<span class="{mark}">{escaped}</span>' if mark else escaped


@lru_cache(maxsize=256)
def _find_class(kind: _TokenType) -> str:
    at = kind
    while at not in STANDARD_TYPES:
        parent = at.parent
        if parent is None:
            return ""
        at = parent
    return STANDARD_TYPES[at]


@lru_cache(maxsize=64)
def _find_lexer(language: str) -> Lexer | None:
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None
