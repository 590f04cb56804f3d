"""How much a text costs a language model, estimated without any model's own tokenizer, and never on the low side."""

import re

# Longer words are several tokens, digits are cut into threes, and hashes and ids are in no vocabulary at all.
_PIECE = re.compile(r"[A-Za-z0-9]+|[^\x00-\x7f]|[^A-Za-z0-9\s]|\n")
_LETTERS_PER_TOKEN = 6
_DIGITS_PER_TOKEN = 3
_MIXED_PER_TWO_TOKENS = 3


def estimate_tokens(text: str) -> int:
    """Estimate how many tokens a text takes; usually some more than it does."""
    return sum(map(_count_piece, _PIECE.findall(text)))


def _count_piece(piece: str) -> int:
    if piece.isascii() and piece.isalpha():
        return -(-len(piece) // _LETTERS_PER_TOKEN)
    if piece.isascii() and piece.isdigit():
        return -(-len(piece) // _DIGITS_PER_TOKEN)
    if piece.isascii() and piece.isalnum():
        return -(-2 * len(piece) // _MIXED_PER_TWO_TOKENS)
    return 1
