"""What counts tokens, for answers that have to fit into a prompt."""

from typing import Protocol


class TokenCounter(Protocol):
    """A tokenizer, as far as it counts. It may be called by several threads at once."""

    @property
    def name(self) -> str: ...

    def count(self, text: str) -> int:
        """How many tokens a text has, without those that mark its beginning and its end.

        Raises:
            ModelUnavailable: the tokenizer cannot be loaded.
        """
        ...
