"""How a drill judges what it saw."""

from app.upkeep import drill

QUERIES = {"Lexer": "main/shop:notes/lexer.md", "Parser": "main/shop:notes/parser.md"}
FOUND = {"Lexer": ["main/shop:notes/lexer.md"], "Parser": ["main/shop:notes/parser.md", "main/shop:notes/lexer.md"]}


def test_equal_answers_are_no_fault() -> None:
    compared = drill.compare_answers(QUERIES, FOUND, FOUND, is_same_wiki=True)

    assert (compared.asked, compared.equal, compared.faults) == (2, 2, ())


def test_another_answer_is_a_fault_only_while_the_pages_are_the_same() -> None:
    other = FOUND | {"Parser": ["main/shop:notes/parser.md"]}

    assert len(drill.compare_answers(QUERIES, FOUND, other, is_same_wiki=True).faults) == 1
    assert drill.compare_answers(QUERIES, FOUND, other, is_same_wiki=False).faults == ()


def test_a_page_that_its_own_title_does_not_find_is_a_fault() -> None:
    lost = FOUND | {"Lexer": []}

    assert "notes/lexer.md" in drill.compare_answers(QUERIES, lost, None, is_same_wiki=False).faults[0]


def test_queries_are_spread_over_all_pages() -> None:
    titles = {f"main/shop:notes/{number:03d}.md": f"Title {number:03d}" for number in range(100)}

    chosen = drill.choose_queries(titles, 10)

    assert list(chosen) == [f"Title {number:03d}" for number in range(0, 100, 10)]


def test_a_table_with_other_rows_is_named() -> None:
    assert drill.compare_rows({"sessions": 3, "jobs": 1}, {"sessions": 2}) == ["sessions has 2 rows instead of 3"]
