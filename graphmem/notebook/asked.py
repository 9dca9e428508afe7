"""What is asked of the service to be shown."""

from collections.abc import Iterable
from datetime import UTC, datetime

from graphmem.answers.beliefs import BeliefOut
from graphmem.client.calls import When
from graphmem.client.synchronous import GraphmemClient

_ALWAYS = datetime.min.replace(tzinfo=UTC)


def beliefs_over(
    client: GraphmemClient, group: str, valid_at: Iterable[When], *, known_at: When = None, entity: str | None = None
) -> list[BeliefOut]:
    """What was believed at ``known_at`` to be true at any of these instants, what began first coming first."""
    answers = [client.graph(group, entity=entity, valid_at=instant, known_at=known_at) for instant in valid_at]
    found = {belief.id: belief for answer in answers for belief in answer.beliefs}
    return sorted(found.values(), key=lambda belief: (belief.valid_from or _ALWAYS, belief.statement))
