"""What is worth showing first of a group."""

from graphmem.model.overview import Example, NamedEntity, Overview
from graphmem.store.instants import Instant
from graphmem.store.rows import Row
from graphmem.store.rows.group import GroupSizeRow


class NamedEntityRow(Row):
    id: str
    name: str
    type: str


class ExampleRow(Row):
    subject: str
    predicate: str
    object: str
    valid_from: Instant
    valid_to: Instant
    superseded_at: Instant


class OverviewRow(Row):
    known: list[NamedEntityRow]
    types: list[str]
    episodes: int
    first_at: Instant | None
    last_at: Instant | None
    merges: int
    ended: list[ExampleRow]
    superseded: list[ExampleRow]

    def to_domain(self, group: str, size: GroupSizeRow) -> Overview:
        return Overview(
            group=group,
            **size.model_dump(),
            episodes=self.episodes,
            merges=self.merges,
            known=tuple(NamedEntity(**entity.model_dump()) for entity in self.known),
            types=tuple(self.types),
            first_at=self.first_at,
            last_at=self.last_at,
            ended=_first(self.ended),
            superseded=_first(self.superseded),
        )


def _first(examples: list[ExampleRow]) -> Example | None:
    return Example(**examples[0].model_dump()) if examples else None
