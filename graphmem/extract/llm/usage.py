"""What calls of language models took, added up until a fragment carries it."""

from dataclasses import replace

from graphmem.model.fragment import Usage, usage_of


class UsageTotal:
    """What models took for a prompt since the last ``take``, whether or not it led to an answer."""

    def __init__(self, prompt: str) -> None:
        self.prompt = prompt
        self._usages: list[Usage] = []

    def add(self, usage: Usage) -> None:
        if usage.calls:
            self._usages.append(usage)

    def take(self, fallback: str = "") -> Usage:
        """The total so far, which starts anew. ``model`` is the one that answered last; "" with a ``fallback``."""
        usages, self._usages = self._usages, []
        usage = usage_of(usages) or Usage(model="", prompt=self.prompt)
        return replace(usage, model="" if fallback else usage.model, fallback=fallback)
