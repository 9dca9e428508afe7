"""What a context takes from the graph: profiles without open claims, who is the same, the rest without a model."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graphmem.embed.tokens import FileTokenizer
from graphmem.errors import ModelUnavailable, NotFound
from graphmem.memory import Memory
from graphmem.model.belief import BeliefRow
from graphmem.model.composed import Because, Composed, ContextQuery, LineKind
from graphmem.model.embedding import Embedder, Vector
from graphmem.model.episode import Episode
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.scope import Scope
from graphmem.recall.context import Contexts
from graphmem.recall.search import Searcher
from graphmem.recall.vectors import Questions
from graphmem.settings.recall import EmbeddingSettings
from graphmem.store.driver import Database
from tests.fakes import HashEmbedder
from tests.models import digest, embedder, extractor, memory_on
from tests.store.test_matching import compare

MAY = datetime(2025, 5, 3, 10, tzinfo=UTC)
LATER = datetime(2025, 6, 1, tzinfo=UTC)


class Away(HashEmbedder):
    """Embeds no question."""

    async def embed_query(self, text: str) -> Vector:
        raise ModelUnavailable(f"It does not answer {len(text)} characters.")


def contexts(memory: Memory, embeds: Embedder) -> Contexts:
    searcher = Searcher(memory.store, memory.reader, Questions(memory.store, embeds), memory.uses)
    return Contexts(memory.store, memory.reader, searcher, memory.uses, FileTokenizer(None, EmbeddingSettings()))


def statements(context: Composed, kind: LineKind) -> list[str]:
    lines = [line for part in context.parts for line in part.lines if line.kind is kind]
    return [line.thing.statement for line in lines if isinstance(line.thing, BeliefRow)]


async def said(memory: Memory, group: str, *contents: str, days: int = 0) -> None:
    for place, content in enumerate(contents):
        at = MAY + timedelta(days=days)
        turn = Episode(
            group_id=group, session="s", content=content, occurred_at=at, sequence=place, speaker="Ines Costa"
        )
        (remembered,) = await memory.intake.remember(group, [turn])
        await digest(memory, group, remembered.id)


async def test_whom_a_short_name_means_in_the_session_has_the_profile(database: Database, group: str) -> None:
    memory = memory_on(database)
    told = [
        ("s", "Tom_Baker knows Ann"),
        ("s", "Tom lives_in Oslo"),
        ("t", "Tom_Okafor knows Ann"),
        ("t", "Tom lives_in Rome"),
    ]
    for minute, (session, content) in enumerate(told):
        turn = Episode(
            group_id=group,
            session=session,
            content=content,
            occurred_at=MAY + timedelta(minutes=minute),
            speaker="Tom",
        )
        (remembered,) = await memory.intake.remember(group, [turn])
        await digest(memory, group, remembered.id)

    await compare(memory, group)

    async def profile(session: str) -> list[str]:
        asked = ContextQuery(query="Where do I live?", session=session, least_importance=0)
        found = await contexts(memory, HashEmbedder()).context(Scope(group, LATER), asked)
        return [line for line in statements(found, LineKind.PROFILE) if "lives_in" in line]

    assert await profile("s") == ["Tom lives_in Oslo"]
    assert await profile("t") == ["Tom lives_in Rome"]


async def test_open_claims_are_relevant_and_marked_and_in_no_profile(database: Database, group: str) -> None:
    memory = memory_on(database, extracts=extractor(), embeds=embedder())
    await said(memory, group, "I moved to Vienna in March.", "I repaired my bike yesterday.", "I can play the harp.")
    asked = ContextQuery(query="What did Ines Costa repair, and what can she do?", least_importance=0)
    context = await contexts(memory, embedder()).context(Scope(group, LATER), asked)
    assert statements(context, LineKind.PROFILE) == ["Ines Costa lives in Vienna."]
    assert set(statements(context, LineKind.BELIEF)) == {
        "Ines Costa repaired their bike on 2 May 2025.",
        "Ines Costa can play the harp.",
    }
    assert "(open, on 2025-05-02)" in context.markdown
    assert "(open, able, said 2025-05-03)" in context.markdown


async def test_a_plan_comes_with_what_was_done_of_it(database: Database, group: str) -> None:
    memory = memory_on(database, extracts=extractor(), embeds=embedder())
    await said(memory, group, "I hope to repair my bike.")
    await said(memory, group, "I repaired my bike yesterday.", days=7)
    context = await contexts(memory, embedder()).context(Scope(group, LATER), ContextQuery(query="the bike of Ines"))
    (plan,) = (line for part in context.parts for line in part.lines if "has the goal" in line.written)
    assert ', later: "Ines Costa repaired their bike on 9 May 2025." (open, on 2025-05-09)' in plan.written
    assert [deed.statement for deed in plan.carried_out] == ["Ines Costa repaired their bike on 9 May 2025."]


async def test_a_profile_is_of_all_that_is_the_same(database: Database, group: str) -> None:
    memory = memory_on(database, extracts=extractor())
    names = [ThingName("Ines", "person"), ThingName("Ines Costa", "person")]
    claims = [
        StructuredClaim(subject=name, predicate="likes", value=value, valid_from=MAY, occurred_at=MAY, importance=0.8)
        for name, value in zip(names, ("tea", "rice"), strict=True)
    ]
    await memory.intake.assert_claims(group, claims)
    scope = Scope(group, LATER)
    entities = {entity.name: entity.id for entity in await memory.reader.entities(scope)}
    await memory.merging.merge(group, entities["Ines"], entities["Ines Costa"], reason="She says so.")
    context = await contexts(memory, HashEmbedder()).context(scope, ContextQuery(query="Ines Costa, Ines"))
    assert [part.heading for part in context.parts if part.entity] == ["What is known about Ines Costa"]
    assert len(statements(context, LineKind.PROFILE)) == 2


async def test_a_session_is_left_out_with_all_that_only_it_says(database: Database, group: str) -> None:
    memory = memory_on(database)
    told = [("s", "Tom lives_in Oslo"), ("s", "Tom likes tea"), ("t", "Tom likes tea"), ("t", "Tom likes rice")]
    for minute, (session, content) in enumerate(told):
        at = MAY + timedelta(minutes=minute)
        turn = Episode(group_id=group, session=session, content=content, occurred_at=at, speaker="Tom")
        (remembered,) = await memory.intake.remember(group, [turn])
        await digest(memory, group, remembered.id)

    async def asked(session: str | None, left_out: str | None) -> Composed:
        query = ContextQuery(query="Tom", session=session, exclude_session=left_out, least_importance=0, least_score=0)
        return await contexts(memory, HashEmbedder()).context(Scope(group, LATER), query)

    for session in (None, "s", "t"):
        found = await asked(session, "s")
        shown = {*statements(found, LineKind.PROFILE), *statements(found, LineKind.BELIEF)}
        assert shown == {"Tom likes tea", "Tom likes rice"}
        assert "Oslo" not in found.markdown
        lost = {(one.kind, one.because): one.count for one in found.left_out}
        assert lost[LineKind.PROFILE, Because.EXCLUDED] == 1
        assert lost.get((LineKind.TURN, Because.EXCLUDED), 0) == (2 if session == "s" else 0)
        assert lost.get((LineKind.PASSAGE, Because.EXCLUDED), 0) == (0 if session == "s" else 2)
        assert (LineKind.BELIEF, Because.EXCLUDED) not in lost
    assert "Oslo" in (await asked("t", None)).markdown


async def test_what_must_be_known_is_there_and_then_what_is_near_to_the_query(database: Database, group: str) -> None:
    memory = memory_on(database, embeds=embedder())
    ines = ThingName("Ines", "person")

    def fact(value: str, importance: float, category: str = "hobby") -> StructuredClaim:
        return StructuredClaim(
            subject=ines,
            predicate="told",
            value=value,
            statement=value,
            category=category,
            importance=importance,
            valid_from=MAY,
            occurred_at=MAY,
        )

    colours = [
        f"Ines likes the colour {colour}." for colour in ["blue", "red", "green", "teal", "ochre", "white", "black"]
    ]
    told = [*(fact(colour, 0.6) for colour in colours), fact("Ines loves to eat Thai food.", 0.6)]
    await memory.intake.assert_claims(group, [*told, fact("Ines is allergic to nuts.", 0.1, "constraint")])
    asked = ContextQuery(query="Order something for lunch.", about="Ines", facts=2, beliefs=0)
    context = await contexts(memory, embedder()).context(Scope(group, LATER), asked)
    assert statements(context, LineKind.PROFILE)[:2] == ["Ines is allergic to nuts.", "Ines loves to eat Thai food."]


async def test_more_than_is_read_of_what_must_be_known_is_named(
    database: Database, group: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphmem.recall.context.MOST_GUARANTEED", 2)
    memory = memory_on(database)
    told = [
        StructuredClaim(
            subject=ThingName("Ines", "person"),
            predicate="told",
            value=f"Ines takes no. {number}",
            category="constraint",
            importance=number / 100,
            valid_from=MAY,
            occurred_at=MAY,
        )
        for number in range(20)
    ]
    await memory.intake.assert_claims(group, told)

    async def asked(max_tokens: int) -> Composed:
        query = ContextQuery(query="lunch", about="Ines", max_tokens=max_tokens)
        return await contexts(memory, HashEmbedder()).context(Scope(group, LATER), query)

    whole, small = await asked(2_000), await asked(60)
    assert (len(statements(whole, LineKind.PROFILE)), whole.left_out) == (20, ())
    first = [line.key for part in whole.parts for line in part.lines]
    shown = [line.key for part in small.parts for line in part.lines]
    (left_out,) = small.left_out
    assert (shown, left_out.because, list(left_out.guaranteed)) == (
        first[: len(shown)],
        Because.MAX_TOKENS,
        first[len(shown) :],
    )
    assert left_out.guaranteed[-1] in small.warnings[0]


async def test_without_the_embedding_model_there_is_the_rest_and_a_word_about_it(
    database: Database, group: str
) -> None:
    memory = memory_on(database, extracts=extractor())
    await said(memory, group, "I moved to Vienna in March.")
    asked = ContextQuery(query="Where does Ines Costa live?", session="s", least_importance=0)
    context = await contexts(memory, Away()).context(Scope(group, LATER), asked)
    assert statements(context, LineKind.PROFILE) == ["Ines Costa lives in Vienna."]
    assert "I moved to Vienna in March." in context.markdown
    (warning,) = context.warnings
    assert warning.startswith("The search went without its channel “vector”: It does not answer")


async def test_a_long_session_is_read_from_its_end(database: Database, group: str) -> None:
    memory = memory_on(database, extracts=extractor())
    turns: Sequence[Episode] = [
        Episode(group_id=group, session="s", content=f"Turn {place}.", occurred_at=MAY, sequence=place)
        for place in range(50)
    ]
    await memory.intake.remember(group, turns)
    found = await memory.store.turns_of_session(Scope(group, LATER), "s", 3)
    assert (found.total, [turn.chars for turn in found.turns], found.subjects) == (50, [8, 8, 8], ())
    context = await contexts(memory, HashEmbedder()).context(Scope(group, LATER), ContextQuery(session="s", passages=0))
    shown = [line.written.split('"')[1] for line in context.parts[-1].lines]
    assert shown == [f"Turn {place}." for place in range(10, 50)]


async def test_whom_sessions_are_about_and_with_which_agent_is_of_those_that_the_reader_sees(
    database: Database, group: str
) -> None:
    memory = memory_on(database)
    told = [("ann", "Ivo", "desk"), ("bo", "Pia", "phone"), ("ann", "Ivo", None), ("", None, None)]
    for minute, (user, subject, agent) in enumerate(told):
        at = MAY + timedelta(minutes=minute)
        turn = Episode(
            group_id=group, session="s", content="Hello.", occurred_at=at, user=user, subject=subject, agent=agent
        )
        await memory.intake.remember(group, [turn])

    async def known(limit: int, at: datetime = LATER, user: str | None = None) -> tuple[tuple[str, ...], str | None]:
        scope = Scope(group, at, user=user)
        found = await memory.store.turns_of_session(scope, "s", limit)
        return found.subjects, await memory.store.agent_of_conversation(scope, "s")

    assert await known(10) == (("Ivo", "Pia"), None)
    assert await known(0) == ((), None)
    assert await known(10, MAY + timedelta(minutes=2)) == (("Ivo", "Pia"), "desk")
    assert await known(0, MAY + timedelta(minutes=1)) == (("Pia",), "phone")
    assert await known(10, MAY + timedelta(minutes=1), user="ann") == (("Ivo",), "desk")
    assert await known(10, MAY - timedelta(minutes=1)) == ((), None)

    told_last = Episode(
        group_id=group,
        session="s",
        content="Hello.",
        occurred_at=MAY + timedelta(minutes=9),
        user="zoe",
        agent="web",
        external_id="1",
    )
    await memory.intake.put(told_last)
    assert (await known(10))[1] == "web"
    await memory.intake.put(replace(told_last, session="t"))
    assert (await known(10))[1] is None


async def test_a_group_that_is_not_there_is_said(database: Database, group: str) -> None:
    memory = memory_on(database, extracts=extractor())
    with pytest.raises(NotFound, match="no group"):
        await contexts(memory, HashEmbedder()).context(Scope(group, LATER), ContextQuery(query="x"))
