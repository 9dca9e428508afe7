"""graphmem's own tools: few, each worth its tokens; and tools by the names that other memories use."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from typing import Annotated, Any, Literal

from mcp.types import CallToolResult
from pydantic import Field, PlainValidator, WithJsonSchema

from graphmem.answers.beliefs import DiffOut
from graphmem.answers.claims import GroundsOut
from graphmem.answers.entities import EntityProfile
from graphmem.answers.episodes import AcceptedEpisode, EpisodeOut
from graphmem.answers.search import ContextOut, HitKind
from graphmem.client.calls import TimeOptions, given
from graphmem.errors import InvalidInput, NotFound, as_value_errors
from graphmem.mcp.budget import PagePosition, fitting, page_of
from graphmem.mcp.expected import says
from graphmem.mcp.memory import AgentMemory, Rest, as_answer, as_page
from graphmem.mcp.shown import (
    EntityBelief,
    NotRecalled,
    Presenter,
    Recalled,
    ShownAct,
    ShownBeliefs,
    ShownChange,
    ShownChanges,
    ShownEntity,
    ShownGrounds,
    ShownHits,
    ShownReceipt,
    ShownStats,
    acted,
    said_by,
    stats_of,
)
from graphmem.model.claim import Scalar
from graphmem.model.composed import Because
from graphmem.model.entity import normalise_name
from graphmem.model.episode import EpisodeRole
from graphmem.model.hits import Lost
from graphmem.model.interval import instant_of, moment_of

_MOST = 5_000
"""Beliefs that the service gives in one answer."""
_STEP = 200
"""Claims about a belief in one answer, however large the budget."""
_MOST_HITS = 100
_SAYING: Sequence[HitKind] = ("relationship", "fact", "episode")
_NO_SESSION = "This server has no session, so nothing was left out with it: start it with --session."

Query = Annotated[str, Field(min_length=1, max_length=10_000, description="A question, or a topic, in words.")]


def _instant(written: object) -> datetime:
    with as_value_errors():
        return instant_of(written)


def _moment(written: object) -> datetime:
    with as_value_errors():
        return moment_of(written, days=True)


Instant = Annotated[datetime, PlainValidator(_instant), WithJsonSchema({"type": "string"})]
"""RFC 3339 with an offset, or a day, which is its first instant in UTC; so answers show midnight."""
Moment = Annotated[datetime, PlainValidator(_moment), WithJsonSchema({"type": "string"})]
"""As ``Instant``, with the offset that was written: “yesterday” is counted from it."""
ValidAt = Annotated[
    Instant | None, Field(description="What was true then: 2025-03-01, or 2025-03-01T10:00:00Z. Default: now.")
]
KnownAt = Annotated[Instant | None, Field(description="What was believed then, likewise. Default: now.")]
CursorOption = Annotated[str | None, Field(description="next_cursor of the last answer to the same call.")]
Id = Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
BeliefId = Annotated[Id, Field(description="A belief's id, as tools show it.")]
OccurredAt = Annotated[
    Moment | None, Field(description="When, as valid_at; “yesterday” is counted from it. Default: now.")
]
Speaker = Annotated[str | None, Field(description="Who says 'I' in it, where that is not the user.")]
NewValue = Annotated[Scalar, Field(description="What is so instead: a name, another text, a number, true or false.")]
Read = Annotated[str, Field(description="Its `statement` as you read it; another by now stays.")]
Statement = Annotated[str | None, Field(description="The corrected fact as a sentence.")]
ChangedAt = Annotated[
    Instant | None, Field(description="Since when the new value holds, if the old one was right until then.")
]
EntityName = Annotated[str, Field(min_length=1, max_length=512, description="A name, or an id.")]


class Own:
    """graphmem's own tools, by their names. The settings say what no tool takes: the group and the user."""

    def __init__(self, memory: AgentMemory) -> None:
        self._memory = memory

    async def remember(
        self,
        content: Annotated[str, Field(min_length=1, description="What was said or happened, in its own words.")],
        occurred_at: OccurredAt = None,
        speaker: Speaker = None,
        session: Annotated[str | None, Field(description="The conversation that it belongs to.")] = None,
    ) -> Annotated[CallToolResult, ShownReceipt]:
        """Keep what somebody said or what happened, as soon as you learn it, in its own words; claims are read from it.

        Example: {"content": "I moved to Porto yesterday.", "occurred_at": "2025-06-03"}
        """
        memory, settings = self._memory, self._memory.settings
        episode = given(
            content=content,
            remember=True,
            occurred_at=occurred_at,
            speaker=speaker or settings.speaker,
            role=EpisodeRole.PARTICIPANT if self._is_another(speaker) else None,
            session=session or settings.session,
            user=memory.user,
            agent=settings.agent,
        )
        accepted = await memory.client.post_episodes(memory.group, episode, wait=settings.wait_seconds)
        return as_answer(_remembered(accepted.episodes[0], memory.show, memory.budget))

    def _is_another(self, speaker: str | None) -> bool:
        """Whether a speaker is somebody else than the user of this server."""
        own = {normalise_name(name) for name in (self._memory.settings.speaker, self._memory.user) if name}
        return self._memory.user is not None and speaker is not None and normalise_name(speaker) not in own

    async def recall(
        self,
        query: Query,
        valid_at: ValidAt = None,
        known_at: KnownAt = None,
        max_tokens: Annotated[int | None, Field(ge=500, description="Tokens at most; the server has a limit.")] = None,
        *,
        exclude_session: Annotated[
            bool, Field(description="Without this session's own turns and summaries, and what only they say.")
        ] = False,
        cursor: CursorOption = None,
    ) -> Annotated[CallToolResult, Recalled]:
        """What is known and was said about a question: call this first, before you answer from memory.

        Example: {"query": "Where does Maya live?"}
        """
        memory, page = self._memory, page_of(cursor, "recall", query, valid_at, known_at, str(exclude_session))
        budget = min(max_tokens or memory.budget, memory.budget)
        show = Presenter(budget)
        context = await self._context(
            query,
            memory.as_of(page, valid_at, known_at),
            exclude_session=memory.settings.session if exclude_session else None,
        )
        lines = [show.line(part, line) for part in context.parts for line in part.lines]
        missing = sum(len(left.guaranteed) for left in context.left_out)
        counts = [(left, left.count - len(left.guaranteed)) for left in context.left_out]
        dropped = show.text(
            ", ".join(
                f"{count} {left.kind.value} ({left.because})"
                for left, count in counts
                if count and left.because is not Because.EXCLUDED
            )
        )
        excluded = show.text(
            ", ".join(f"{count} {left.kind.value}" for left, count in counts if left.because is Because.EXCLUDED)
        )
        sure = f"{missing} facts that must be known do not fit: ask with more max_tokens." if missing else ""
        others = f"Not in this list: {dropped}. Ask a narrower question, or with more max_tokens." if dropped else ""
        of_session = f"Left out with this session: {excluded}." if excluded else ""
        beyond = " ".join(filter(None, (sure, others, of_session)))
        nothing = [_NO_SESSION] if exclude_session and memory.settings.session is None else []
        whole = Recalled(lines=lines, warnings=show.names([*nothing, *context.warnings]))
        return as_page(whole, "lines", page, context, budget, beyond=beyond)

    async def _context(self, query: str, at: TimeOptions, *, exclude_session: str | None = None) -> ContextOut:
        memory, settings = self._memory, self._memory.settings
        return await memory.client.context(
            memory.group,
            query,
            session=settings.session,
            exclude_session=exclude_session,
            max_tokens=memory.budget,
            agent=settings.agent,
            **at,
        )

    async def facts(
        self,
        entity: Annotated[str | None, Field(description="Only about this one, by name or id.")] = None,
        predicate: Annotated[str | None, Field(description="Only this predicate, such as lives_in.")] = None,
        valid_at: ValidAt = None,
        known_at: KnownAt = None,
        cursor: CursorOption = None,
    ) -> Annotated[CallToolResult, ShownBeliefs]:
        """What is believed, as a list, of one entity or of all: call this for what held at a time, or to find an id.

        Example: {"entity": "Maya", "predicate": "lives_in", "valid_at": "2025-03-01"}
        """
        memory = self._memory
        page = page_of(cursor, "facts", entity, predicate, valid_at, known_at)
        predicates, at = [predicate] if predicate else (), memory.as_of(page, valid_at, known_at)
        if entity and predicate:
            state = await memory.client.answer(memory.group, entity, predicate, **at)
            held = [memory.show.held(value) for value in state.values]
            unknown = memory.show.text(state.unknown) if state.unknown else None
            beyond = "" if state.complete else "There were more versions than are looked at: ask `facts` of the entity."
            whole = ShownBeliefs(beliefs=held, unknown=unknown)
            return as_page(whole, "beliefs", page, state, memory.budget, beyond=beyond)
        graph = await memory.client.graph(memory.group, entity=entity, depth=1, predicate=predicates, limit=_MOST, **at)
        beliefs = list(map(memory.show.belief, graph.beliefs))
        beyond = "" if graph.complete else f"There are more than {len(beliefs)}: name an entity or a predicate."
        whole = ShownBeliefs(beliefs=beliefs)
        return as_page(whole, "beliefs", page, graph, memory.budget, beyond=beyond)

    async def diff(
        self,
        since: Annotated[Instant, Field(alias="from", description="2025-03-01, or 2025-03-01T10:00:00Z.")],
        to: Annotated[Instant, Field(description="Later than `from`.")],
        axis: Annotated[
            Literal["valid", "known"],
            Field(description="valid: what changed in the world; known: what came to be believed."),
        ] = "valid",
        cursor: CursorOption = None,
    ) -> Annotated[CallToolResult, ShownChanges]:
        """What began, ended or changed between two instants: call this for “what is new since”.

        Example: {"from": "2025-03-01", "to": "2025-06-01"}
        """
        memory, page = self._memory, page_of(cursor, "diff", since, to, axis)
        diff = await memory.client.diff(memory.group, axis, since, to, limit=_MOST, **memory.as_of(page))
        beyond = "" if diff.complete else f"More than {_MOST} beliefs differ: ask for a shorter time."
        whole = ShownChanges(changes=_changes(memory.show, diff))
        return as_page(whole, "changes", page, diff, memory.budget, beyond=beyond)

    async def why(
        self,
        id: Annotated[  # noqa: A002 - the name of the argument
            Id | None, Field(description="The id of a belief or an episode; or say it in `expected`.")
        ] = None,
        query: Annotated[Query | None, Field(description="A question that did not bring it.")] = None,
        expected: Annotated[
            str | None, Field(min_length=1, max_length=10_000, description="What you looked for, in words.")
        ] = None,
        valid_at: ValidAt = None,
        cursor: CursorOption = None,
    ) -> Annotated[CallToolResult, ShownGrounds]:
        """Why something is believed: the sentences that it rests on. Or, with a `query`, why that did not recall it.

        Example: {"query": "Where does Maya live?", "expected": "Maya lives in Porto"}
        """
        memory, page = self._memory, page_of(cursor, "why", id, query, expected, valid_at)
        if id is None and expected is None:
            raise InvalidInput("Give the `id` of a belief or an episode, or say in `expected` what it says.")
        found = id or await self._find(expected or "")
        if isinstance(found, NotRecalled):
            return as_answer(ShownGrounds(not_recalled=found))
        lost = await self._lost(found, query, memory.as_of(page, valid_at)) if query else None
        try:
            grounds = await memory.client.evidence(
                memory.group, found, cursor=page.within, limit=_STEP, user=memory.user, known_at=page.known_at
            )
        except NotFound:
            episode = await memory.client.episode(memory.group, found, user=memory.user)
            return as_answer(self._part_of(episode, page, lost))
        episodes = {episode.id: episode for episode in grounds.episodes}
        claims = [memory.show.claim(claim, episodes.get(claim.episode_id)) for claim in grounds.claims]
        belief = memory.show.belief(grounds.belief) if page.is_first else None

        def build(count: int) -> ShownGrounds:
            part, more = claims[page.start : page.start + count], _more_evidence(page, count, grounds)
            return ShownGrounds(belief=belief, evidence=part, not_recalled=lost, **more)

        return as_answer(fitting(len(claims) - page.start, memory.budget, build))

    async def _find(self, expected: str) -> str | NotRecalled:
        """The id of what says this, of any time, among what the user may see; or that nothing does."""
        memory = self._memory
        answer = await memory.client.search(
            memory.group, expected, limit=_MOST_HITS, kinds=_SAYING, include_history=True, user=memory.user
        )
        hits = sorted(answer.hits, key=lambda hit: hit.kind == "episode")
        known = [said for said in map(said_by, hits) if said is not None and says(said.text, expected)]
        return known[0].id if known else memory.show.not_known(next(iter(answer.hits), None))

    async def _lost(self, id_: str, query: str, at: TimeOptions) -> NotRecalled:
        """Where the search of a query lost a belief or an episode; of what it found, whether a context has it."""
        memory = self._memory
        answer = await memory.client.search(memory.group, query, why_not=[id_], **at)
        (missed,) = answer.why_not
        context = await self._context(query, at) if missed.lost in (None, Lost.RANK) else None
        return memory.show.not_recalled(missed, context)

    def _part_of(self, episode: EpisodeOut, page: PagePosition, lost: NotRecalled | None) -> ShownGrounds:
        """The part of an episode from ``page.start`` on, with as many characters as fit."""
        shown, text = self._memory.show.episode(episode), episode.content

        def build(count: int) -> ShownGrounds:
            end = page.start + count
            part = {"content": text[page.start : end], "start": page.start, "end": end}
            left_out = f"Characters {page.start} to {end} of {len(text)}. Call again with cursor=next_cursor for more."
            more: Rest = {"left_out": left_out, "next_cursor": page.cursor(end, None, None)} if end < len(text) else {}
            return ShownGrounds(episode=shown.model_copy(update=part), not_recalled=lost, **more)

        return fitting(max(0, len(text) - page.start), self._memory.budget, build)

    async def correct(
        self,
        id: BeliefId,  # noqa: A002 - the name of the argument
        value: NewValue = None,
        statement: Statement = None,
        valid_from: Annotated[Instant | None, Field(description="Since when, if that was wrong.")] = None,
        valid_to: Annotated[Instant | None, Field(description="Until when, if it has ended.")] = None,
        changed_at: ChangedAt = None,
        read: Read = "",
    ) -> Annotated[CallToolResult, ShownAct]:
        """Say what is so instead of a belief that was wrong all along: it counts as never said.

        Of one that was right and has changed, as by a move, give `changed_at`: it was so until then, and stays known.

        Example: {"id": "…", "value": "Porto", "changed_at": "2025-06-03"}
        """
        memory = self._memory
        instead: dict[str, Any] = {
            "value": value,
            "statement": statement,
            "valid_from": valid_from,
            "valid_to": valid_to,
            "changed_at": changed_at,
            "content_sha256": await self._content_read(id, read),
        }
        return as_answer(acted(await memory.client.correct_fact(memory.group, id, user=memory.user, **instead)))

    async def _content_read(self, id_: str, read: str) -> str | None:
        """The hash of what a belief says, which an agent has read, as a tool may have cut it; None without that."""
        if not read:
            return None
        memory = self._memory
        statement = (await memory.client.belief(memory.group, id_, user=memory.user)).statement
        whole = statement if read == memory.show.text(statement) else read
        return sha256(whole.encode()).hexdigest()

    async def confirm(
        self,
        id: BeliefId,  # noqa: A002 - the name of the argument
    ) -> Annotated[CallToolResult, ShownAct]:
        """Say that a belief is right, when the user has said so: it is sure from now on, and never fades.

        Example: {"id": "…"}
        """
        memory = self._memory
        return as_answer(acted(await memory.client.confirm_fact(memory.group, id, user=memory.user)))

    async def stats(self) -> Annotated[CallToolResult, ShownStats]:
        """How much is remembered, by layer and category: call this to see whether there is anything.

        Example: {}
        """
        memory = self._memory
        return as_answer(stats_of(await memory.client.memory_stats(memory.group, user=memory.user)))

    async def entity(
        self, name: EntityName, valid_at: ValidAt = None, known_at: KnownAt = None, cursor: CursorOption = None
    ) -> Annotated[CallToolResult, ShownEntity]:
        """Who or what a name means: other names, a summary, what is believed now and what was before.

        Example: {"name": "Maya"}
        """
        memory, show, page = self._memory, self._memory.show, page_of(cursor, "entity", name, valid_at, known_at)
        at = memory.as_of(page, valid_at, known_at)
        meant = await memory.client.meant(memory.group, name, **at)
        profile = await memory.client.profile(memory.group, meant.id, **at)
        entity, summary = profile.entity, profile.summary if page.start == 0 else None
        whole = ShownEntity(
            id=entity.id,
            name=show.name(entity.name),
            type=entity.type,
            aliases=show.names(alias for alias in entity.aliases if alias != entity.name),
            summary=show.text(summary.content) if summary else None,
            mentions=entity.mentions,
            beliefs=_of_entity(show, profile),
        )
        beyond = "" if profile.complete else "There is more: ask `facts` for this entity."
        return as_page(whole, "beliefs", page, profile, memory.budget, beyond=beyond, taken_for=meant.taken_for)


class Common(Own):
    """Tools by the names that other memories use, so that prompts written for those work.

    All but the search are graphmem's own by another name.
    """

    memory_stats = Own.stats
    get_entity_info = Own.entity

    async def search_memory(
        self,
        query: Query,
        limit: Annotated[int, Field(ge=1, le=100, description="Hits at most.")] = 10,
        valid_at: ValidAt = None,
        known_at: KnownAt = None,
        cursor: CursorOption = None,
    ) -> Annotated[CallToolResult, ShownHits]:
        """Search what is believed and what was said: call this first, before you answer from memory.

        Example: {"query": "Where does Maya live?"}
        """
        memory, page = self._memory, page_of(cursor, "search_memory", query, limit, valid_at, known_at)
        at = memory.as_of(page, valid_at, known_at)
        answer = await memory.client.search(memory.group, query, limit=limit, **at)
        hits = [hit for hit in map(memory.show.hit, answer.hits) if hit is not None]
        doubts = [answer.answerable_because] if answer.answerable == "unlikely" else []
        warnings = memory.show.names([*doubts, *(channel.detail for channel in answer.degraded)])
        whole = ShownHits(hits=hits, warnings=warnings)
        return as_page(whole, "hits", page, answer, memory.budget)

    async def remember_fact(
        self,
        statement: Annotated[
            str, Field(min_length=1, description="A fact in a sentence, in the words it was said in.")
        ],
        occurred_at: OccurredAt = None,
        speaker: Speaker = None,
    ) -> Annotated[CallToolResult, ShownReceipt]:
        """Keep a fact that the user states, as soon as you learn it.

        Example: {"statement": "I moved to Porto yesterday.", "occurred_at": "2025-06-03"}
        """
        return await self.remember(statement, occurred_at, speaker)

    async def correct_fact(
        self,
        fact_id: BeliefId,
        value: NewValue = None,
        statement: Statement = None,
        changed_at: ChangedAt = None,
        read: Read = "",
    ) -> Annotated[CallToolResult, ShownAct]:
        """Say what is so instead of a fact that was wrong all along: it counts as never said.

        Of one that was right and has changed, as by a move, give `changed_at`: it was so until then, and stays known.

        Example: {"fact_id": "…", "value": "Porto", "changed_at": "2025-06-03"}
        """
        return await self.correct(fact_id, value, statement, changed_at=changed_at, read=read)

    async def confirm_fact(self, fact_id: BeliefId) -> Annotated[CallToolResult, ShownAct]:
        """Say that a fact is right, when the user has said so: it is sure from now on, and never fades.

        Example: {"fact_id": "…"}
        """
        return await self.confirm(fact_id)


def _remembered(episode: AcceptedEpisode, show: Presenter, budget: int) -> ShownReceipt:
    """What became of an episode, with as many of the claims that were kept as fit into the budget."""
    outcome, kept = episode.outcome, list(map(show.kept, episode.kept))
    remarks = {
        "pending": "It is stored, and will be read within moments; recall finds what it says then.",
        "failed": f"It is stored, but could not be read: {episode.error}",
    }
    not_kept = show.text(" ".join(episode.not_kept)) if episode.not_kept else None

    def build(count: int) -> ShownReceipt:
        more = len(kept) - count + episode.kept_beyond
        return ShownReceipt(
            episode_id=episode.id,
            new=episode.new,
            status=str(episode.status),
            claims=outcome.claims if outcome else None,
            beliefs_recorded=outcome.recorded if outcome else None,
            beliefs_superseded=outcome.superseded if outcome else None,
            kept=kept[:count] or None,
            left_out=f"{more} more claims were kept; a search finds them." if more else None,
            not_kept=not_kept,
            remark=remarks.get(str(episode.status)),
        )

    return fitting(len(kept), budget, build)


def _more_evidence(page: PagePosition, count: int, grounds: GroundsOut) -> Rest:
    """The cursor of the claims that follow, be they in this answer of the service or in its next one."""
    end = page.start + count
    if end < len(grounds.claims):
        cursor = page.cursor(end, None, grounds.known_at)
    elif grounds.next_cursor is not None:
        cursor = replace(page, within=grounds.next_cursor).cursor(0, None, grounds.known_at)
    else:
        return {}
    return {"left_out": "There is more evidence. Call again with cursor=next_cursor for it.", "next_cursor": cursor}


def _changes(show: Presenter, diff: DiffOut) -> list[ShownChange]:
    changed = [
        ShownChange(
            change="changed", belief=show.belief(change.after), before=show.belief(change.before), fields=change.fields
        )
        for change in diff.changed
    ]
    return [
        *(ShownChange(change="began", belief=show.belief(belief)) for belief in diff.began),
        *(ShownChange(change="ended", belief=show.belief(belief)) for belief in diff.ended),
        *changed,
    ]


def _of_entity(show: Presenter, profile: EntityProfile) -> list[EntityBelief]:
    """What holds, and of the timeline what does not, each once: a relationship with a category is among the facts."""
    held = {belief.id: belief for belief in (*profile.facts, *profile.relationships, *profile.values)}
    each = held | {belief.id: belief for belief in profile.timeline if belief.id not in held}
    return [EntityBelief(**dict(show.belief(belief)), now=id_ in held) for id_, belief in each.items()]
