"""Code on a page: what it defines is known by name and summary, and its language by fence or form."""

import pytest

from app.domain.limits_search import DEFINITIONS_PER_PAGE_MAX
from app.index import code

PYTHON = '''
    async def get_user(self, number: int = 3,
            named="x") -> User:
        """Find a user.

        And more."""

def bare():
    return 1
'''


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(PYTHON, ("get_user Find a user.", "bare"), id="python"),
        pytest.param(
            "// Open opens it.\n// Slowly.\nfunc (s *Server) Open(a int) {\n", ("Open Open opens it.",), id="go"
        ),
        pytest.param("/**\n * Adds up.\n * @param a\n */\nexport function addUp(a) {\n", ("addUp Adds up.",), id="js"),
        pytest.param("/// Runs.\npub fn run_all<T>(x: T) -> T {\n", ("run_all Runs.",), id="rust"),
        pytest.param("class Lexer extends Reader {\n", ("Lexer",), id="class"),
        pytest.param("class sizes are small\ntype of thing\nfunction calls cost time\n", (), id="prose"),
        pytest.param("a comment # def f(\n", (), id="in-a-line"),
    ],
)
def test_what_code_defines_is_listed_with_what_is_said_of_it(text: str, found: tuple[str, ...]) -> None:
    assert code.list_definitions(text) == found


def test_definitions_are_bounded() -> None:
    text = "".join(f"def f{number}():\n" for number in range(DEFINITIONS_PER_PAGE_MAX + 1))

    assert len(code.list_definitions(text)) == DEFINITIONS_PER_PAGE_MAX


@pytest.mark.parametrize(
    ("text", "languages"),
    [
        pytest.param("```py\nx = 1\n```\n", ("py", "python"), id="short-name"),
        pytest.param("~~~ c++\nint x;\n~~~\n", ("c++",), id="signs"),
        pytest.param("def f(a, b):\n    return a\n", ("python",), id="by-its-form"),
        pytest.param("We define f(a) below.\n```\nplain\n```\n", (), id="none"),
    ],
)
def test_languages_of_code_are_known(text: str, languages: tuple[str, ...]) -> None:
    assert code.list_languages(text) == languages
