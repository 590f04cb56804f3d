"""Reads PromQL as far as our dashboard and alert rules use it, and lists what an expression asks for."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_TOKEN = re.compile(
    r"""\s*(?:(?P<duration>\d+[smhdwy])|(?P<number>\d+(?:\.\d+)?(?:e\d+)?)|(?P<text>"(?:[^"\\]|\\.)*")
    |(?P<name>[a-zA-Z_:][a-zA-Z0-9_:]*)|(?P<sign>=~|!~|!=|==|>=|<=|[-+*/%^><=(){}\[\],]))""",
    re.VERBOSE,
)
_AGGREGATIONS = frozenset({"sum", "avg", "min", "max", "count", "topk", "bottomk"})
_FUNCTIONS = frozenset({"rate", "increase", "histogram_quantile", "absent", "time", "clamp_min", "deriv"})
_OPERATORS = frozenset({"+", "-", "*", "/", "%", "^", "==", "!=", ">", "<", ">=", "<=", "and", "or", "unless"})


@dataclass(slots=True)
class Selector:
    """One metric that is asked for: its matchers, the labels that are kept of it, and what is done with it."""

    name: str
    matchers: list[tuple[str, str, str]] = field(default_factory=list)
    has_range: bool = False
    kept: list[str] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)


class _Parser:
    def __init__(self, text: str) -> None:
        self._tokens = list(_split(text))
        self._place = 0

    def parse(self) -> list[Selector]:
        found = self._parse_expression()
        assert self._place == len(self._tokens), f"left over: {self._tokens[self._place :]}"
        return found

    def _parse_expression(self) -> list[Selector]:
        found = self._parse_part()
        while self._peek() in _OPERATORS:
            self._take()
            found += self._parse_part()
        return found

    def _parse_part(self) -> list[Selector]:
        token = self._take()
        if token == "(":
            found = self._parse_expression()
            self._expect(")")
            return found
        if token == "-":
            return self._parse_part()
        if re.fullmatch(r"[\d.e]+", token):
            return []
        if token in _AGGREGATIONS and self._peek() in {"(", "by", "without"}:
            return self._parse_aggregation()
        if self._peek() == "(":
            assert token in _FUNCTIONS, f"no function that is used here: {token}"
            found = self._parse_arguments()
            for selector in found:
                selector.functions.append(token)
            return found
        return [self._parse_selector(token)]

    def _parse_aggregation(self) -> list[Selector]:
        labels = self._parse_grouping()
        found = self._parse_arguments()
        labels = labels or self._parse_grouping()
        for selector in found:
            selector.kept += labels
        return found

    def _parse_grouping(self) -> list[str]:
        if self._peek() not in {"by", "without"}:
            return []
        self._take()
        self._expect("(")
        labels = [self._take()]
        while self._peek() == ",":
            self._take()
            labels.append(self._take())
        self._expect(")")
        return labels

    def _parse_arguments(self) -> list[Selector]:
        self._expect("(")
        found = self._parse_expression() if self._peek() != ")" else []
        while self._peek() == ",":
            self._take()
            found += self._parse_expression()
        self._expect(")")
        return found

    def _parse_selector(self, name: str) -> Selector:
        selector = Selector(name)
        if self._peek() == "{":
            self._take()
            while self._peek() != "}":
                label, sign, value = self._take(), self._take(), self._take()
                assert sign in {"=", "!=", "=~", "!~"}, sign
                selector.matchers.append((label, sign, value.strip('"')))
                if self._peek() == ",":
                    self._take()
            self._expect("}")
        if self._peek() == "[":
            self._take()
            assert re.fullmatch(r"\d+[smhdwy]", self._take()), "a range is a duration"
            self._expect("]")
            selector.has_range = True
        return selector

    def _peek(self) -> str:
        return self._tokens[self._place] if self._place < len(self._tokens) else ""

    def _take(self) -> str:
        token = self._peek()
        assert token, "it ends too early"
        self._place += 1
        return token

    def _expect(self, wanted: str) -> None:
        token = self._take()
        assert token == wanted, f"{token!r} where {wanted!r} belongs"


def parse(text: str) -> list[Selector]:
    """List what an expression asks for; an expression that is none is refused."""
    return _Parser(text).parse()


def _split(text: str) -> Iterator[str]:
    place = 0
    while text[place:].strip():
        match = _TOKEN.match(text, place)
        assert match, f"no PromQL: {text[place:]!r}"
        place = match.end()
        yield match.group().strip()
