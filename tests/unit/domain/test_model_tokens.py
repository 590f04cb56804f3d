"""The estimate of what a text costs a model: never below what a real vocabulary says, and not far above."""

import bpe_openai
import pytest

from app.domain import model_tokens

ENGLISH = "The session fixed the rounding of the tax table and left two tests failing, see sessions/2026-11/30-tax.md. "
CODE = 'def parse(text: str) -> Policy:\n    if not text:\n        return Policy()\n    return decode(text["a"])\n'
HASHES = "revision 3203dee4025a5a5f6df7 and 01m8pwpy2vqz0p2fqzd072aagc, 2026-11-30T18:51:35Z\n"
CHINESE = "这个会话修复了税表的舍入还有两个测试失败"
GERMAN = "Die Sitzung hat die Rundung der Steuertabelle berichtigt; zwei Prüfungen schlagen noch fehl.\n"


@pytest.mark.parametrize(
    "text", [ENGLISH, CODE, HASHES, CHINESE, GERMAN], ids=["english", "code", "hashes", "chinese", "german"]
)
def test_an_estimate_is_not_below_the_count_and_at_most_twice_it(text: str) -> None:
    counted = len(bpe_openai.get_encoding("o200k_base").encode(text * 20))

    estimate = model_tokens.estimate_tokens(text * 20)

    assert 0.95 * counted <= estimate <= 2 * counted


def test_nothing_costs_nothing() -> None:
    assert model_tokens.estimate_tokens("") == 0
