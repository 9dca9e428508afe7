"""Reflections written by a language model: one call for a week, of which it is shown statements."""

import json

from graphmem.extract.llm.prompts import week_prompt
from graphmem.extract.llm.summing_up import Models, Summary, filled_in, most_words
from graphmem.model.cited_writing import Spent, WrittenText
from graphmem.model.reflection_writing import ReflectionTask


class LanguageModelReflectionWriter:
    """A ``ReflectionWriter`` that asks a chain of models."""

    def __init__(self, models: Models) -> None:
        self._models = models

    async def write(self, task: ReflectionTask, spent: Spent) -> WrittenText:
        """What a model wrote; ``spent`` is told what that took, also in vain.

        Raises:
            ModelUnavailable: no model answers.
            UnusableAnswer: a model refused, or did not fill in the form, though asked again.
            ConfigurationError: a model refuses the request as such.
        """
        version, _ = prompt = week_prompt()
        filled, model = await filled_in(
            self._models, Summary, prompt, _document(task), spent, "reflection.asked", sources=len(task.sources)
        )
        return WrittenText(sentences=filled.written, model=model, prompt=version)

    async def aclose(self) -> None:
        await self._models.aclose()


def _document(task: ReflectionTask) -> str:
    """JSON, in which no text can end its own string."""
    document: dict[str, object] = {
        "most_words": most_words(task.most_tokens),
        "from": task.week.since.date().isoformat(),
        "to": task.week.day.isoformat(),
        "statements": [{"number": number, "text": one.text} for number, one in enumerate(task.sources, 1)],
    }
    if task.refused:
        document["refused"] = list(task.refused)
    return json.dumps(document, ensure_ascii=False)
