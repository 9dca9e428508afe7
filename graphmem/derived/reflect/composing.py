"""What a reflection says: who is new, what changed, began and ended, what is contested, what was talked about most."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from graphmem.derived.reflect.memories import WeeklyMaterial, WeeklyMemory
from graphmem.model.belief import when_of
from graphmem.model.cited_writing import ReflectionTask, Refusal, WrittenSentence, WrittenText, faults_of, too_long
from graphmem.model.dates import written_day
from graphmem.model.ids import digest
from graphmem.model.recall import KnownEntity
from graphmem.model.reflection import ReflectionSentence, ReflectionText, Week

MOST_TOKENS = 256
MOST_CHANGED, MOST_NEW, MOST_ENDED, MOST_CONTESTED = 3, 6, 3, 2
"""Sentences of each kind; there is one of each other kind."""
SOURCES_A_SENTENCE = 4
"""A language model is shown so many times as many sentences of each of these kinds, as it puts several into one."""
MOST_NAMES = 5
"""Names in a sentence."""
LEAST_TALKED = 2
"""So many claims of a week make something talked about."""

Count = Callable[[str], int]
"""How many tokens a text has."""


@dataclass(frozen=True, slots=True)
class _Proposed:
    """A sentence, at what place it stands in the text, and which one goes first where there is no room for all."""

    place: int
    worth: int
    sentence: ReflectionSentence


def composed(
    material: WeeklyMaterial, standing: Sequence[WeeklyMemory], count: Count, max_tokens: int = MOST_TOKENS
) -> ReflectionText | None:
    """A reflection of at most ``max_tokens`` tokens on memories that stand; None if there is nothing to say.

    Equal input gives an equal text.
    """
    heading = heading_of(material.week)
    kept = list[_Proposed]()
    for candidate in _by_worth(_candidates(material, standing)):
        if count(_content(heading, [*kept, candidate])) <= max_tokens:
            kept.append(candidate)
    if not kept:
        return None
    content = _content(heading, kept)
    return ReflectionText(content=content, tokens=count(content), sentences=_in_order(kept))


def sources_of(
    material: WeeklyMaterial, standing: Sequence[WeeklyMemory], count: Count, max_tokens: int = MOST_TOKENS
) -> tuple[ReflectionSentence, ...]:
    """What a language model may tell of a week: all that ``composed`` chooses from, and more of it; first goes first.

    A sentence that has no room alone is left out.
    """
    heading = heading_of(material.week)
    candidates = _by_worth(_candidates(material, standing, SOURCES_A_SENTENCE))
    return tuple(candidate.sentence for candidate in candidates if count(_content(heading, [candidate])) <= max_tokens)


def heading_of(week: Week) -> str:
    return f"Week to {written_day(week.day)}:"


def _by_worth(candidates: Iterable[_Proposed]) -> list[_Proposed]:
    return sorted(candidates, key=lambda candidate: (candidate.worth, candidate.place))


def _candidates(material: WeeklyMaterial, standing: Sequence[WeeklyMemory], times: int = 1) -> Iterator[_Proposed]:
    """Sentences of each kind, ``times`` as many as a text without a model has at most."""
    changed, ended, new = _changes_of(standing)
    kinds: Sequence[tuple[int, Iterable[ReflectionSentence]]] = (
        (3, _names(material, standing)),
        (0, [_changed(before, after) for before, after in changed][: times * MOST_CHANGED]),
        (1, [_new(memory) for memory in new][: times * MOST_NEW]),
        (2, [_ended(memory) for memory in ended][: times * MOST_ENDED]),
        (2, [_contested(memory) for memory in standing if memory.against][: times * MOST_CONTESTED]),
        (4, _talked_about(material.entities, standing)),
    )
    worded = ((worth, sentence) for worth, sentences in kinds for sentence in sentences)
    for place, (worth, sentence) in enumerate(worded):
        yield _Proposed(place, worth, sentence)


def _changes_of(
    standing: Sequence[WeeklyMemory],
) -> tuple[list[tuple[WeeklyMemory, WeeklyMemory]], list[WeeklyMemory], list[WeeklyMemory]]:
    """What took the place of what, what ended, and what is new; each memory in one of them at most.

    What ended is told only where something says so that stands: its own claims, one that ends it, or what took its
    place.
    """
    changed = list[tuple[WeeklyMemory, WeeklyMemory]]()
    for memory in standing:
        after = _successor(memory, standing) if memory.over else None
        if after is not None and after.belief.id not in {two.belief.id for _, two in changed}:
            changed.append((memory, after))
    changed_ids = {memory.belief.id for pair in changed for memory in pair}
    rest = [memory for memory in standing if memory.belief.id not in changed_ids]
    ended = [memory for memory in rest if memory.over and (memory.ending or memory.belief.to_stated)]
    new = [memory for memory in rest if memory.new and (not memory.over or memory in ended)]
    return changed, [memory for memory in ended if not memory.new], new


def _successor(memory: WeeklyMemory, standing: Iterable[WeeklyMemory]) -> WeeklyMemory | None:
    """What began where a belief ended that no claim ends: of the same subject and predicate, to the same people."""
    before = memory.belief
    if memory.ending:
        return None
    for other in standing:
        after = other.belief
        if (
            after.valid_from == before.valid_to
            and (after.user, after.subject_id, after.predicate) == (before.user, before.subject_id, before.predicate)
            and after.target != before.target
            and not (after.open or before.open)
        ):
            return other
    return None


def _changed(before: WeeklyMemory, after: WeeklyMemory) -> ReflectionSentence:
    text = f"Changed: {_stated(after)}. Before: {_plain(before.belief.statement)}."
    return _sentence(text, [before, after])


def _new(memory: WeeklyMemory) -> ReflectionSentence:
    return _sentence(f"New: {_stated(memory)}.", [memory], memory.ending if memory.over else ())


def _ended(memory: WeeklyMemory) -> ReflectionSentence:
    return _sentence(f"No longer: {_stated(memory)}.", [memory], memory.ending)


def _contested(memory: WeeklyMemory) -> ReflectionSentence:
    against = list(dict.fromkeys(_plain(claim.statement) for claim in memory.against))
    text = f"Contested: {_plain(memory.belief.statement)}. Against it: {against[0]}."
    cited = (claim.id for claim in memory.against if _plain(claim.statement) == against[0])
    return _sentence(text, [memory], cited)


def _names(material: WeeklyMaterial, standing: Iterable[WeeklyMemory]) -> Iterator[ReflectionSentence]:
    """Who and what was first heard of in the week: people first."""
    naming = _by_entity(standing)
    new = [
        entity for id_, entity in material.entities.items() if id_ in naming and material.week.has(entity.recorded_at)
    ]
    new.sort(key=lambda entity: (entity.type != "person", entity.name, entity.id))
    if shown := new[:MOST_NAMES]:
        more = f" and {len(new) - len(shown)} more" if len(new) > len(shown) else ""
        text = f"First heard of: {', '.join(_plain(entity.name) for entity in shown)}{more}."
        yield _sentence(text, [naming[entity.id][0] for entity in (new if more else shown)])


def _talked_about(
    entities: Mapping[str, KnownEntity], standing: Iterable[WeeklyMemory]
) -> Iterator[ReflectionSentence]:
    naming = _by_entity(standing)
    claims = {
        id_: {claim for memory in some for claim in memory.weekly} for id_, some in naming.items() if id_ in entities
    }
    counts = Counter({id_: len(some) for id_, some in claims.items() if len(some) >= LEAST_TALKED})
    most = sorted(counts, key=lambda id_: (-counts[id_], entities[id_].name, id_))[:MOST_CHANGED]
    if most:
        topics = ", ".join(f"{_plain(entities[id_].name)} ({counts[id_]} statements)" for id_ in most)
        cited = sorted(claim for id_ in most for claim in claims[id_])
        yield _sentence(f"Talked about most: {topics}.", [], cited)


def _by_entity(standing: Iterable[WeeklyMemory]) -> Mapping[str, Sequence[WeeklyMemory]]:
    """The memories at which an entity is an end, by its id, in order of importance."""
    naming = defaultdict[str, list[WeeklyMemory]](list)
    for memory in standing:
        for id_ in {memory.belief.subject_id, memory.belief.object_id} - {None}:
            naming[str(id_)].append(memory)
    return naming


def _sentence(text: str, memories: Collection[WeeklyMemory], claims: Iterable[str] = ()) -> ReflectionSentence:
    cited = {claim for memory in memories for claim in memory.cites} | set(claims)
    beliefs = dict.fromkeys(memory.belief.belief_id for memory in memories)
    return ReflectionSentence(text=text, claims=tuple(sorted(cited)), beliefs=tuple(beliefs))


def _stated(memory: WeeklyMemory) -> str:
    """A statement, and when it was so."""
    when = when_of(memory.belief)
    return f"{_plain(memory.belief.statement)} ({when})" if when else _plain(memory.belief.statement)


def _plain(text: str) -> str:
    """A text in one line, without the full stop at its end."""
    return " ".join(text.split()).removesuffix(".")


def _content(heading: str, kept: Iterable[_Proposed]) -> str:
    return "\n".join([heading, *(sentence.text for sentence in _in_order(kept))])


def _in_order(kept: Iterable[_Proposed]) -> tuple[ReflectionSentence, ...]:
    return tuple(candidate.sentence for candidate in sorted(kept, key=lambda candidate: candidate.place))


def task_of(
    week: Week, sources: Sequence[ReflectionSentence], count: Count, max_tokens: int = MOST_TOKENS
) -> ReflectionTask:
    """What a language model is asked to write, so that with the heading it has at most ``max_tokens`` tokens."""
    return ReflectionTask(week=week, sources=sources, most_tokens=max_tokens - count(heading_of(week)))


def grounded(written: WrittenText, task: ReflectionTask, count: Count) -> ReflectionText | Refusal:
    """The reflection, each of whose sentences cites what its sources do; or why it is refused.

    A text is refused where a sentence cites nothing, or a number that no source has, and where there are more sentences
    or tokens than the task allows.
    """
    faults = faults_of(written, len(task.sources))
    if faults:
        return Refusal(faults)
    heading = heading_of(task.week)
    content = "\n".join([heading, *(sentence.line for sentence in written.sentences)])
    tokens, most = count(content), task.most_tokens + count(heading)
    if tokens > most:
        return too_long(tokens, most)
    sentences = tuple(_resting(sentence, task.sources) for sentence in written.sentences)
    return ReflectionText(
        content=content, tokens=tokens, sentences=sentences, model=written.model, prompt=written.prompt
    )


def material_key(sources: Iterable[ReflectionSentence]) -> str:
    """Identifies what a reflection may say: of two with one key, the text made offline is the same."""
    return digest(
        "material of a reflection",
        *(digest(source.text, *source.claims, "beliefs", *source.beliefs) for source in sources),
    )


def _resting(sentence: WrittenSentence, sources: Sequence[ReflectionSentence]) -> ReflectionSentence:
    """A sentence with everything that those cite which it cites."""
    cited = [sources[number - 1] for number in sorted(set(sentence.cites))]
    return ReflectionSentence(
        text=sentence.line,
        claims=tuple(sorted({claim for source in cited for claim in source.claims})),
        beliefs=tuple(dict.fromkeys(belief for source in cited for belief in source.beliefs)),
    )
