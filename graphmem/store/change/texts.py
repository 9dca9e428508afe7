"""An episode that callers gave a name, and its later texts: one has the name, and the others had it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import uuid4

from graphmem.model.episode import Episode, PutReceipt, StoredText, edited, newest, text_already_there
from graphmem.model.evidence import ALL, NO_EVIDENCE, Change
from graphmem.model.interval import END
from graphmem.model.session import SessionPolicy
from graphmem.model.tombstone import Entrant
from graphmem.model.work import Lane
from graphmem.store.change.sessions import SessionWrites, follow_episodes
from graphmem.store.change.statements import Statements
from graphmem.store.change.writer import ChangeWriter


async def put_episode(
    do: Statements,
    writes: SessionWrites,
    episode: Episode,
    entrant_of: Callable[[Episode], Entrant],
    sessions: SessionPolicy,
    turns: int,
    *,
    undated: bool,
) -> PutReceipt:
    """Have an external id mean this text from now on; what was claimed from the one before is retracted then.

    An ``undated`` text was said when the first one of the name was. Up to ``turns`` turns that were said after either
    text are to be read again.

    Raises:
        Conflict: another text came first, at the same time.
        Barred: it was forgotten, or is of a user who opted out.
    """
    await do.admit([entrant_of(episode)])
    await do.lock_texts(episode.id)
    texts = await do.lock_texts(episode.id)  # what whoever held the locks before did
    if undated and texts:
        episode = replace(episode, occurred_at=texts[0].occurred_at)
    if there := text_already_there(episode, texts, {episode.fingerprint, entrant_of(episode).fingerprint}):
        for key in set(episode.put_keys).difference(there.put_keys):
            await do.keep_put_key(there.id, key)
        return PutReceipt(id=there.id, new=False, status=there.status, replaced_by=there.replaced_by)
    put, before = edited(episode, texts), newest(texts)
    claims, now = await _replace(do, before, put) if before else ((), None)
    request = uuid4().hex
    rows = await do.remember_episodes(request, [put], recorded_at=now)
    await follow_episodes(writes, [put], rows, sessions)
    if turns:
        outdating = [row.id for row in rows if row.new and row.late] + ([before.id] if before else [])
        await do.outdate_readings(outdating, request, turns)
        if outdating:
            await do.announce_work(Lane.BULK)
    await do.announce_work(Lane.LIVE)
    return PutReceipt(
        id=put.id,
        new=rows[0].new,
        status=rows[0].status,
        replaces=before and before.id,
        retracted=len(claims),
    )


async def _replace(do: Statements, before: StoredText, put: Episode) -> tuple[Sequence[str], datetime]:
    """Take a text's name away; returns the claims of it that stood, and since when they are retracted."""
    rows = await do.claims_of_episode(before.id, 0, ALL)
    claims = tuple(row.id for row in rows if row.retracted_at == END)
    change = Change(group_id=put.group_id, evidence=NO_EVIDENCE, digested=(), embedding_model="", retract=claims)
    (outcome,) = await ChangeWriter(do, [change]).write()
    await do.replace_episode(before.id, put.id, outcome.recorded_at)
    return claims, outcome.recorded_at
