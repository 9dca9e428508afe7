"""Counting tokens with a tokenizer from a file: that of the embedding model, or one of your own.

A tokenizer of words takes a word that it cannot spell for one unknown token, however long the word is. Here such a word
counts as one token for every four bytes, so that no text is smaller to us than it is to a language model.
"""

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from graphmem.embed.packaged import DEFAULT, PACKAGED
from graphmem.errors import ModelUnavailable
from graphmem.settings.recall import EmbeddingSettings

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_FILE = "tokenizer.json"
_BYTES_OF_A_TOKEN = 4


class FileTokenizer:
    """Counts by a ``tokenizer.json``, which is read when it is first needed.

    ``path`` is that file. Without it, it is the one of the embedding model, or of the default model where the
    embedding model has none.
    """

    def __init__(self, path: Path | None, embedding: EmbeddingSettings) -> None:
        self._path = path
        self._embedding = embedding

    @property
    def name(self) -> str:
        """The path of the file, or the name of the packaged model."""
        return str(self._path or self._of_embedding or self._packaged)

    def count(self, text: str) -> int:
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        unknown = [place for place, token in enumerate(encoding.tokens) if token == self._unknown]
        beyond_one = (_tokens_of(text, encoding.offsets[place]) - 1 for place in unknown)
        return len(encoding.ids) + sum(beyond_one)

    @cached_property
    def _tokenizer(self) -> "Tokenizer":
        from tokenizers import Tokenizer  # noqa: PLC0415 - only when needed

        path = self._find()
        try:
            tokenizer = Tokenizer.from_str(path.read_text(encoding="utf-8"))
        except Exception as error:  # tokenizers raises a bare one
            raise ModelUnavailable(
                f"The tokenizer {path} cannot be read: {error}. Set context.tokenizer to a tokenizer.json."
            ) from error
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer

    @cached_property
    def _unknown(self) -> str | None:
        """The token of a word that cannot be spelled; tokenizers of bytes have none."""
        return getattr(self._tokenizer.model, "unk_token", None)

    @property
    def _of_embedding(self) -> Path | None:
        """The file in the folder of an embedding model that is not packaged, if it has one."""
        file = self._embedding.path / _FILE if self._embedding.path else None
        return file if file and file.is_file() else None

    @property
    def _packaged(self) -> str:
        return self._embedding.model if self._embedding.model in PACKAGED else DEFAULT

    def _find(self) -> Path:
        return self._path or self._of_embedding or PACKAGED[self._packaged].find().tokenizer


def _tokens_of(text: str, span: tuple[int, int]) -> int:
    """How many tokens an unknown word has; at least one."""
    return max(1, -(-len(text[span[0] : span[1]].encode("utf-8", "replace")) // _BYTES_OF_A_TOKEN))
