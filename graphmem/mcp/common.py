"""Tools by the names that other memories use, so that prompts written for those work."""

from typing import Annotated

from mcp.types import CallToolResult
from pydantic import Field

from graphmem.mcp.budget import fitting, name_of_list, page_of
from graphmem.mcp.memory import AgentMemory, as_answer, rest
from graphmem.mcp.own import BeliefId, CursorOption, EntityName, KnownAt, Moment, Own, Query, ValidAt
from graphmem.mcp.shown import ShownAct, ShownEntity, ShownHits, ShownReceipt, ShownStats, time_text
from graphmem.model.claim import Scalar


class Common:
    """The tools, by their names. All but the search are graphmem's own by another name."""

    def __init__(self, memory: AgentMemory) -> None:
        self._memory = memory
        self._own = Own(memory)

    async def search_memory(
        self,
        query: Query,
        limit: Annotated[int, Field(ge=1, le=100, description="Hits at most.")] = 10,
        valid_at: ValidAt = None,
        known_at: KnownAt = None,
        cursor: CursorOption = None,
    ) -> Annotated[CallToolResult, ShownHits]:
        """Search what is believed and what was said: call this before you answer from memory."""
        memory = self._memory
        page = page_of(cursor, "search_memory", query, limit, valid_at, known_at)
        found = await memory.client.search(
            memory.group,
            query,
            limit=limit,
            valid_at=page.valid_at or valid_at,
            known_at=page.known_at or known_at,
            user=memory.user,
        )
        hits = [hit for hit in map(memory.show.hit, found.hits) if hit is not None]
        listed = name_of_list(hit.id for hit in hits)

        def build(count: int) -> ShownHits:
            return ShownHits(
                valid_at=time_text(found.valid_at),
                known_at=time_text(found.known_at),
                hits=hits[page.start : page.start + count],
                warnings=memory.show.names(one.detail for one in found.degraded),
                **rest(page, count, len(hits), valid_at=found.valid_at, known_at=found.known_at, listed=listed),
            )

        return as_answer(fitting(len(hits) - page.start, memory.budget, build))

    async def remember_fact(
        self,
        fact: Annotated[str, Field(min_length=1, description="A fact in a sentence, in the words it was said in.")],
        occurred_at: Annotated[
            Moment | None, Field(description="When it was said, with an offset. Default: now.")
        ] = None,
        speaker: Annotated[str | None, Field(description="Who says “I” in it.")] = None,
    ) -> Annotated[CallToolResult, ShownReceipt]:
        """Remember a fact that the user states."""
        return await self._own.remember(fact, occurred_at, speaker)

    async def correct_fact(
        self,
        fact_id: BeliefId,
        value: Annotated[Scalar, Field(description="What is so instead: a text, a number, true or false.")] = None,
        object_name: Annotated[str | None, Field(description="Or the name of who or what it is instead …")] = None,
        object_type: Annotated[str | None, Field(description="… and its type, such as person or place.")] = None,
        statement: Annotated[str | None, Field(description="The corrected fact as a sentence.")] = None,
    ) -> Annotated[CallToolResult, ShownAct]:
        """Say what is so instead of a fact. The old one ends to be believed; the past keeps it."""
        return await self._own.correct(fact_id, value, object_name, object_type, statement)

    async def confirm_fact(self, fact_id: BeliefId) -> Annotated[CallToolResult, ShownAct]:
        """Say that a fact is right, because the user said so: it is sure from now on, and never fades."""
        return await self._own.confirm(fact_id)

    async def memory_stats(self) -> Annotated[CallToolResult, ShownStats]:
        """How much is remembered, by layer and category."""
        return await self._own.stats()

    async def get_entity_info(
        self, name: EntityName, valid_at: ValidAt = None, known_at: KnownAt = None, cursor: CursorOption = None
    ) -> Annotated[CallToolResult, ShownEntity]:
        """Who or what somebody or something is: other names, a summary, what is believed now and what was before."""
        return await self._own.entity(name, valid_at, known_at, cursor)
