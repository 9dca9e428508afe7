"""LoCoMo: a JSON list of conversations with dated sessions, https://github.com/snap-research/locomo."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from graphmem.files.source import Object, Source
from graphmem.files.turns import FileTurn

NAME = "LoCoMo"
_SESSION = re.compile(r"session_(\d+)")


def recognises(source: Source) -> bool:
    return {"item.sample_id", "item.conversation"} <= source.keys


def read(source: Source) -> Iterator[FileTurn]:
    return source.turns(_conversation, source.values(), "conversation")


def _conversation(_: int, conversation: Object) -> Iterator[FileTurn]:
    """Turns of one conversation. All turns of a sitting bear its time; ``sequence`` is their order."""
    sample, sittings = conversation["sample_id"], conversation["conversation"]
    numbers = sorted(int(match[1]) for key in sittings if (match := _SESSION.fullmatch(key)))
    for number in numbers:
        time = locomo_time(sittings[f"session_{number}_date_time"])
        for sequence, turn in enumerate(sittings[f"session_{number}"]):
            yield FileTurn(
                content=turn["text"],
                time=time,
                source="locomo",
                speaker=turn["speaker"],
                session=f"{sample}/{number}",
                id=f"{sample}/{turn['dia_id']}",
                more={"sequence": sequence},
            )


def locomo_time(text: str) -> datetime:
    """“1:56 pm on 8 May, 2023”, which names no zone, as UTC."""
    return datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
