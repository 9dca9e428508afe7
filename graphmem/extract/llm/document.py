"""What a language model is asked about: the turns to read and what it is to know of them, as one JSON document."""

import json
from collections.abc import Sequence

from graphmem.extract.llm.proposing import SourceTurn
from graphmem.extract.pieces import last_part
from graphmem.model.fragment import Context, ContextTurn, ThingName


def document(turns: Sequence[SourceTurn], context: Context, most: int, most_of_turn: int) -> str:
    """The user message: JSON, in which no text can end its own string.

    Of the turns before it shows ``most`` code points, and of each ``most_of_turn``.
    """
    return json.dumps(
        {
            "now": turns[0].episode.local_time.isoformat(),
            "known": [_known(name, context) for name in context.known],
            "earlier": earlier(context.turns, most, most_of_turn),
            "turns": [_turn_to_read(number, turn) for number, turn in enumerate(turns)],
        },
        ensure_ascii=False,
    )


def _known(name: ThingName, context: Context) -> dict[str, object]:
    known: dict[str, object] = {"name": name.name, "type": name.type}
    others = [other for other in context.aliases.get(name, ()) if other != name.name]
    return {**known, "aliases": others} if others else known


def _turn_to_read(number: int, turn: SourceTurn) -> dict[str, object]:
    episode = turn.episode
    written: dict[str, object] = {
        "turn": number,
        "speaker": turn.speaker.name if turn.speaker else None,
        "kind": episode.content_type,
        "text": episode.content,
    }
    if number:
        written["now"] = episode.local_time.isoformat()
    return written if turn.claims else {**written, "context": True}


def earlier(turns: Sequence[ContextTurn], most: int, most_of_turn: int) -> list[dict[str, str | None]]:
    """The last turns that have room in ``most`` code points, oldest first; of a long one the end."""
    shown = list[dict[str, str | None]]()
    for turn in reversed(turns):
        text = last_part(turn.content, min(most, most_of_turn))
        if not text:
            break
        most -= len(text)
        shown.append({"speaker": turn.speaker or turn.role.value, "text": text})
    return shown[::-1]
