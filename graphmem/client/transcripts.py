"""Conversations in files, as the bodies of ``POST episodes``.

Two formats: LoCoMo (a JSON list of conversations with dated sessions, https://github.com/snap-research/locomo) and
JSON Lines of chat messages with ``content`` and ``time``, and optionally ``role``, ``speaker``, ``session``, ``id``,
``user``, ``source``, ``tags``, ``metadata`` and ``time_zone``. Days are those of the zone, else of the time's offset.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from graphmem.errors import InvalidInput

Body = dict[str, Any]

_SESSION = re.compile(r"session_(\d+)")
_MESSAGE_KEYS = {
    "content": "content",
    "time": "occurred_at",
    "time_zone": "time_zone",
    "role": "role",
    "speaker": "speaker",
    "session": "session",
    "id": "external_id",
    "user": "user",
    "source": "source",
    "tags": "tags",
    "metadata": "metadata",
}

_TELLS_APART = ("content", "occurred_at", "role", "speaker", "session", "user", "sequence")
"""Messages that differ in none of these are equal, unless they have an id."""


def read_transcript(path: Path) -> list[Body]:
    """The episodes of a file, in its order, which they keep in whatever parts they are posted.

    Raises:
        InvalidInput: it cannot be read as either format, which names the line, or has no message.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read: {error}.") from error
    if text.lstrip().startswith("["):
        bodies = list(_locomo(path, text))
    else:
        # JSON leaves other separators of lines in its strings as they are.
        lines = enumerate(text.split("\n"), start=1)
        bodies = [_message(path, number, line) for number, line in lines if line.strip()]
    if not bodies:
        raise InvalidInput(f"{path} has no messages.")
    return list(_in_order(bodies))


def _in_order(bodies: Iterable[Body]) -> Iterator[Body]:
    """Each episode with its position in the file, and how many equal ones come before it there, unless none do."""
    equal = Counter[tuple[Any, ...]]()
    for position, body in enumerate(bodies):
        values = tuple(body.get(key) for key in _TELLS_APART)
        occurrence = 0
        if not body.get("external_id"):
            occurrence = equal[values]
            equal[values] += 1
        yield body | {"position": position} | ({"occurrence": occurrence} if occurrence else {})


def _message(path: Path, number: int, line: str) -> Body:
    try:
        parsed = json.loads(line)
    except ValueError as error:
        raise InvalidInput(f"{path}:{number}: not JSON: {error}.") from error
    message = cast("Body", parsed) if isinstance(parsed, dict) else {}
    if not {"content", "time"} <= message.keys():
        raise InvalidInput(f"{path}:{number}: a message is an object with at least `content` and `time`.")
    unknown = sorted(message.keys() - _MESSAGE_KEYS.keys())
    if unknown:
        raise InvalidInput(f"{path}:{number}: unknown keys {unknown}; known are {sorted(_MESSAGE_KEYS)}.")
    return {_MESSAGE_KEYS[key]: value for key, value in message.items()}


def _locomo(path: Path, text: str) -> Iterator[Body]:
    try:
        for conversation in json.loads(text):
            yield from _conversation(conversation)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(f"{path} begins with `[` but is not LoCoMo JSON: {error!r}.") from error


def _conversation(conversation: Mapping[str, Any]) -> Iterator[Body]:
    """Turns of one conversation. All turns of a sitting bear its time; ``sequence`` is their order."""
    sample, sittings = conversation["sample_id"], conversation["conversation"]
    numbers = sorted(int(match[1]) for key in sittings if (match := _SESSION.fullmatch(key)))
    for number in numbers:
        occurred_at = locomo_time(sittings[f"session_{number}_date_time"]).isoformat()
        for sequence, turn in enumerate(sittings[f"session_{number}"]):
            yield {
                "content": turn["text"],
                "occurred_at": occurred_at,
                "role": "user",
                "speaker": turn["speaker"],
                "session": f"{sample}/{number}",
                "sequence": sequence,
                "external_id": f"{sample}/{turn['dia_id']}",
                "source": "locomo",
            }


def locomo_time(text: str) -> datetime:
    """“1:56 pm on 8 May, 2023”, which names no zone, as UTC."""
    return datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
