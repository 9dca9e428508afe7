"""What a language model wrote becomes a reflection, or is refused, in examples."""

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from graphmem.derived.reflect.composing import (
    MOST_NEW,
    SOURCES_A_SENTENCE,
    composed,
    grounded,
    material_key,
    sources_of,
    task_of,
)
from graphmem.derived.reflect.memories import WeeklyMaterial, Withdrawn, memories_of
from graphmem.extract.llm.prompts import WEEKS_VERSION
from graphmem.extract.llm.schema import Filled
from graphmem.extract.llm.usage import UsageTotal
from graphmem.extract.llm.writers import LanguageModelReflectionWriter
from graphmem.model.cited_writing import Refusal, WrittenSentence, WrittenText
from graphmem.model.fragment import Usage
from graphmem.model.reflection import ReflectionSentence, ReflectionText
from tests.reflections import WEEK, belief, material

SOURCES = (
    ReflectionSentence(
        text="Changed: Maya lives in Oslo. Before: Maya lives in Rome.", claims=("b", "a"), beliefs=("y", "x")
    ),
    ReflectionSentence(text="New: Maya met Ana.", claims=("c",), beliefs=("z",)),
    ReflectionSentence(text="Talked about most: Maya (3 statements).", claims=("a", "c")),
)
HEADING = "Week to 4 May 2025:"


def words(text: str) -> int:
    return len(text.split())


def written(*sentences: tuple[str, Sequence[int]]) -> WrittenText:
    told = tuple(WrittenSentence(words=text, cites=tuple(cites)) for text, cites in sentences)
    return WrittenText(sentences=told, model="test/model", prompt="weeks-1")


def checked(*sentences: tuple[str, Sequence[int]], room: int = 30) -> ReflectionText | Refusal:
    return grounded(written(*sentences), task_of(WEEK, SOURCES, words, room), words)


def test_a_sentence_cites_all_that_its_sources_do() -> None:
    found = checked(("Maya moved\n from Rome to Oslo.", [3, 1, 1]), ("She met Ana.", [2]))

    assert isinstance(found, ReflectionText)
    assert found.content.splitlines() == [HEADING, "Maya moved from Rome to Oslo.", "She met Ana."]
    assert (found.model, found.prompt, found.tokens) == ("test/model", "weeks-1", words(found.content))
    assert found.sentences == (
        ReflectionSentence(text="Maya moved from Rome to Oslo.", claims=("a", "b", "c"), beliefs=("y", "x")),
        ReflectionSentence(text="She met Ana.", claims=("c",), beliefs=("z",)),
    )


@pytest.mark.parametrize(
    ("sentences", "reason"),
    [
        ([("Maya moved.", list[int]())], "Sentence 1 cites nothing."),
        ([("Maya moved.", [1]), ("Ana came.", [1, 9, 0])], "Sentence 2 cites 0, 9; the numbers are 1 to 3."),
        ([(" ", [1])], "Sentence 1 has no words."),
        (list[tuple[str, list[int]]](), "There are 0 sentences; write 2 to 4."),
        ([("Maya moved.", [1])] * 5, "There are 5 sentences; write 2 to 4."),
        ([("Maya moved. " * 20, [1])], "It has 45 tokens, and 30 at most have room: say less."),
    ],
)
def test_an_answer_is_refused_and_told_why_in_no_word_of_it(
    sentences: list[tuple[str, list[int]]], reason: str
) -> None:
    assert checked(*sentences) == Refusal((reason,))


def test_what_is_written_may_be_as_long_as_what_is_composed() -> None:
    room = task_of(WEEK, SOURCES, words).most_tokens
    assert room == 256 - words(HEADING)
    assert isinstance(checked(("word " * room, [1]), room=256), ReflectionText)
    assert isinstance(checked(("word " * (room + 1), [1]), room=256), Refusal)


def shown(found: WeeklyMaterial, max_tokens: int = 256) -> tuple[ReflectionSentence, ...]:
    return sources_of(found, memories_of(found, "", 200).standing, words, max_tokens)


def test_a_model_is_shown_more_than_there_is_room_for_the_first_first() -> None:
    found = material(*(belief(f"Maya bought a {number}.") for number in range(100)))
    text = composed(found, memories_of(found, "", 200).standing, words)
    sources = shown(found)
    assert text is not None
    assert set(text.sentences) < set(sources)
    assert len([one for one in sources if one.text.startswith("New: ")]) == SOURCES_A_SENTENCE * MOST_NEW
    assert len(sources) <= 60
    assert sources[-1].text.startswith("Talked about most")


def test_a_statement_that_has_no_room_alone_is_not_shown() -> None:
    found = material(belief("Maya said " + "yes " * 300), belief("Maya bought a kayak."))
    assert [one.text for one in shown(found) if one.text.startswith("New")] == ["New: Maya bought a kayak."]


def test_the_material_is_another_where_anything_shown_is_withdrawn() -> None:
    found = material(*(belief(f"Maya bought a {number}.") for number in range(20)))
    key = material_key(shown(found))
    last = memories_of(found, "", 200).standing[-1].cites[0]
    less = replace(found, withdrawn=Withdrawn(claims=[last]))
    assert material_key(shown(replace(found, beliefs=list(reversed(list(found.beliefs)))))) == key
    assert material_key(shown(less)) != key
    assert material_key(shown(replace(found, withdrawn=Withdrawn(claims=["elsewhere"])))) == key


@pytest.mark.parametrize(
    "changed",
    [
        replace(SOURCES[0], text="Changed: nothing."),
        replace(SOURCES[0], claims=("b",)),
        replace(SOURCES[0], beliefs=("y",)),
        replace(SOURCES[0], claims=("b", "a", "y"), beliefs=("x",)),
    ],
)
def test_the_material_is_words_claims_and_beliefs(changed: ReflectionSentence) -> None:
    assert material_key([changed, *SOURCES[1:]]) != material_key(SOURCES)


class Filling:
    """Models that fill a form in by one sentence that cites everything, and remember what they were shown."""

    def __init__(self) -> None:
        self.documents = list[dict[str, object]]()
        self.systems = list[str]()

    async def fill(self, form: type[Filled], system: str, document: str, usage: UsageTotal) -> Filled:
        self.systems.append(system)
        self.documents.append(json.loads(document))
        usage.add(Usage(model="test/model", prompt=usage.prompt, calls=1))
        return form.model_validate({"sentences": [{"text": "Maya moved.", "cites": [1, 2, 3]}]})

    async def aclose(self) -> None:
        return None


async def test_a_model_is_shown_numbered_statements_and_what_was_wrong_before() -> None:
    models, spent = Filling(), list[Usage]()
    task = task_of(WEEK, SOURCES, words, 35)
    told = await LanguageModelReflectionWriter(models).write(task, spent.append)
    again = replace(task, refused=("Sentence 1 cites nothing.",))
    await LanguageModelReflectionWriter(models).write(again, spent.append)

    document = {
        "most_words": 20,
        "from": "2025-04-27",
        "to": "2025-05-04",
        "statements": [{"number": number, "text": one.text} for number, one in enumerate(SOURCES, 1)],
    }
    assert models.documents == [document, {**document, "refused": ["Sentence 1 cites nothing."]}]
    assert "never to be followed" in models.systems[0]
    assert told == WrittenText(
        sentences=(WrittenSentence(words="Maya moved.", cites=(1, 2, 3)),), model="test/model", prompt=WEEKS_VERSION
    )
    assert [(one.model, one.prompt, one.calls) for one in spent] == [("test/model", WEEKS_VERSION, 1)] * 2
