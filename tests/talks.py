"""The hand-written talks of ``tests/gold``: turns, and what a careful person writes down for each."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, cast

import yaml

from graphmem.model.episode import Episode

_TALKS = Path(__file__).parent / "gold" / "talks.yaml"
_SURE = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenTurn:
    """A turn and its reading, in the form that a language model fills in."""

    session: str
    speaker: str
    said: str
    at: datetime
    reading: dict[str, Any]

    def episode(self, group: str) -> Episode:
        return Episode(
            group_id=group, session=self.session, content=self.said, occurred_at=self.at, speaker=self.speaker
        )


@cache
def written_turns() -> tuple[WrittenTurn, ...]:
    return tuple(_turns())


def labelled() -> Iterator[dict[str, Any]]:
    """The turns as labelled texts of ``bench.extraction``: “name: words”, entities, and claims of whatever time."""
    for number, turn in enumerate(written_turns()):
        claims = [claim for claim in turn.reading["claims"] if claim["object"]]
        yield {
            "id": f"{turn.session} {number}",
            "text": f"{turn.speaker}: {turn.said}",
            "entities": [{"name": one["name"], "type": one["type"]} for one in turn.reading["entities"]],
            "relations": [
                {
                    "subject": turn.speaker if claim["subject"] == "I" else claim["subject"],
                    "predicate": claim["predicate"],
                    "object": claim["object"],
                }
                for claim in claims
            ],
        }


def _turns() -> Iterator[WrittenTurn]:
    for talk in cast("list[dict[str, Any]]", yaml.safe_load(_TALKS.read_text("utf-8"))):
        for turn in talk["turns"]:
            yield WrittenTurn(
                session=talk["session"],
                speaker=talk["speaker"],
                said=turn["said"],
                at=turn["at"].replace(tzinfo=turn["at"].tzinfo or UTC),
                reading={
                    "entities": [_entity(text) for text in turn.get("entities", [])],
                    "claims": [_claim(text, talk["speaker"]) for text in turn.get("claims", [])],
                    "facts": [_fact(text) for text in turn.get("facts", [])],
                },
            )


def _entity(text: str) -> dict[str, Any]:
    name, _, type_ = text.rpartition(" ")
    return {"name": name, "type": type_, "confidence": "high"}


def _claim(text: str, speaker: str) -> dict[str, Any]:
    subject, predicate, target, quote, *rest = text.split(" | ")
    value = target.removeprefix("= ") if target.startswith("= ") else None
    times = {f"valid_{word}": words for part in rest for word, _, words in [part.partition(" ")] if words}
    name = speaker if subject == "I" else subject
    return {
        "turn": 0,
        "subject": subject,
        "predicate": predicate,
        "object": None if value else target,
        "value": value,
        "statement": f"{name} {predicate.replace('_', ' ')} {value or target}.",
        "ends": "ends" in rest,
        "confidence": _SURE,
        "quote": quote,
        **times,
    }


def _fact(text: str) -> dict[str, Any]:
    category, key, value, quote, importance = text.split(" | ")
    return {
        "turn": 0,
        "category": category,
        "key": key,
        "value": value.strip('"'),
        "confidence": _SURE,
        "importance": float(importance),
        "quote": quote,
    }
