"""What calls of language models took, added up until a fragment carries it."""

from graphmem.model.fragment import Usage


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
        costs = [usage.cost for usage in usages if usage.cost is not None]
        return Usage(
            model="" if fallback or not usages else usages[-1].model,
            prompt=self.prompt,
            calls=sum(usage.calls for usage in usages),
            input_tokens=sum(usage.input_tokens for usage in usages),
            cached_tokens=sum(usage.cached_tokens for usage in usages),
            output_tokens=sum(usage.output_tokens for usage in usages),
            cost=round(sum(costs), 6) if costs and len(costs) == len(usages) else None,
            milliseconds=round(sum(usage.milliseconds for usage in usages), 1),
            fallback=fallback,
        )
