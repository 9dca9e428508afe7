"""What writers of summaries and reflections share: the form that a language model fills in, and a call for it."""

from typing import Annotated, Protocol

import structlog
from pydantic import BaseModel, ConfigDict, Field

from graphmem.extract.llm.schema import Filled
from graphmem.extract.llm.usage import UsageTotal
from graphmem.model.cited_writing import MOST_SENTENCES, Spent, WrittenSentence

log = structlog.get_logger(__name__)

_LONGEST = 2_000
"""Characters of a sentence."""
_MOST_CITED = 200
_WORDS_OF_TOKENS = 2 / 3
"""So many words have room in a token, as a rule: models do not count tokens, and less those of another model."""


class SummedUp(BaseModel):
    """One sentence of the summary."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    text: str = Field(min_length=1, max_length=_LONGEST, description="One plain sentence that can be read alone.")
    cites: list[Annotated[int, Field(ge=1)]] = Field(
        min_length=1, max_length=_MOST_CITED, description="The numbers of everything that the sentence rests on."
    )


class Summary(BaseModel):
    """What is worth remembering of the document, in 2 to 4 sentences."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    sentences: list[SummedUp] = Field(min_length=1, max_length=MOST_SENTENCES)

    @property
    def written(self) -> tuple[WrittenSentence, ...]:
        return tuple(WrittenSentence(words=one.text, cites=tuple(one.cites)) for one in self.sentences)


class Models(Protocol):
    """One or more language models that fill in a form (``graphmem.extract.llm.models.Chain``)."""

    async def fill(self, form: type[Filled], system: str, document: str, usage: UsageTotal) -> Filled: ...

    async def aclose(self) -> None: ...


async def filled_in(
    models: Models, form: type[Filled], prompt: tuple[str, str], document: str, spent: Spent, event: str, **told: int
) -> tuple[Filled, str]:
    """The form, and the model that filled it in by a ``prompt``, given as its version and its words.

    ``spent`` is told what that took, also in vain; the log has it as the ``event``, with what else is ``told``.

    Raises:
        ModelUnavailable: no model answers.
        UnusableAnswer: a model refused, or did not fill in the form, though asked again.
        ConfigurationError: a model refuses the request as such.
    """
    version, system = prompt
    usage = UsageTotal(version)
    try:
        filled = await models.fill(form, system, document, usage)
    finally:
        took = usage.take()
        if took.calls:
            spent(took)
            log.info(
                event,
                **told,
                model=took.model,
                prompt=took.prompt,
                calls=took.calls,
                input_tokens=took.input_tokens + took.cached_tokens,
                output_tokens=took.output_tokens,
                cost=took.cost,
            )
    return filled, took.model


def most_words(tokens: int) -> int:
    """How many words a model is told that there is room for."""
    return int(tokens * _WORDS_OF_TOKENS)
