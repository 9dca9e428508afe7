"""Questions whose answers are known, in a file of JSON Lines.

A line is an object: ``question``, ``group``, and the episodes that answer it, as ``ids``, ``external_ids`` or both;
optionally ``valid_at`` (RFC 3339) and ``user``, as a search takes them.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from graphmem.answers.episodes import EpisodeOut
from graphmem.errors import InvalidInput

Json = Mapping[str, Any]

LEAST = 20
"""With fewer questions than this, what looks like a gain is chance."""
_KEYS = ("question", "group", "ids", "external_ids", "valid_at", "user")


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A question with the episodes that answer it; ``asked`` is what else a search takes, ``where`` a line."""

    where: str
    question: str
    group: str
    ids: frozenset[str]
    external_ids: frozenset[str]
    asked: Json

    def is_answered_by(self, episode: EpisodeOut) -> bool:
        """Whether an episode is one of those."""
        return episode.id in self.ids or episode.external_id in self.external_ids

    @property
    def wanted(self) -> int:
        """How many episodes answer it."""
        return len(self.ids) + len(self.external_ids)


def read_questions(path: Path) -> list[Labelled]:
    """The questions of a file.

    Raises:
        InvalidInput: the file or a line of it cannot be read, which is named, or there are fewer than ``LEAST``.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read: {error}.") from error
    lines = enumerate(text.split("\n"), start=1)
    found = [_labelled(f"{path}:{number}", line) for number, line in lines if line.strip()]
    if len(found) < LEAST:
        raise InvalidInput(
            f"{path} has {len(found)} questions, and it takes at least {LEAST}. Label more; some hundreds, of several "
            f"groups, tell more."
        )
    return found


def _labelled(where: str, line: str) -> Labelled:
    try:
        parsed: object = json.loads(line)
    except ValueError as error:
        raise InvalidInput(f"{where}: not JSON: {error}.") from error
    told: Json = cast("Json", parsed) if isinstance(parsed, dict) else {}
    if unknown := sorted(told.keys() - set(_KEYS)):
        raise InvalidInput(f"{where}: unknown keys {unknown}; known are {list(_KEYS)}.")
    if not all(isinstance(told.get(key), str) and told[key] for key in ("question", "group")):
        raise InvalidInput(
            f"{where}: a question is an object with at least `question`, `group`, and `ids` or `external_ids`."
        )
    ids, external_ids = _names(where, told, "ids"), _names(where, told, "external_ids")
    if not ids | external_ids:
        raise InvalidInput(f"{where}: name the episodes that answer it, by `ids` or `external_ids`.")
    return Labelled(
        where=where,
        question=told["question"],
        group=told["group"],
        ids=ids,
        external_ids=external_ids,
        asked={key: told[key] for key in ("valid_at", "user") if told.get(key) is not None},
    )


def _names(where: str, told: Json, key: str) -> frozenset[str]:
    names: object = told.get(key) or []
    if not isinstance(names, list) or not all(isinstance(one, str) for one in cast("list[object]", names)):
        raise InvalidInput(f"{where}: `{key}` is a list of strings.")
    return frozenset(cast("list[str]", names))
