"""What came of a digest, as it stands on its episode."""

import json
from collections.abc import Mapping
from dataclasses import asdict

from pydantic import TypeAdapter

from graphmem.model.evidence import ALL, ChangeOutcome, Digested

_OUTCOME: TypeAdapter[ChangeOutcome] = TypeAdapter(ChangeOutcome)


def outcome_json(outcome: ChangeOutcome, digested: Digested) -> str:
    """What stands on the episode afterwards, as JSON."""
    return json.dumps(
        {
            "entities": outcome.entities,
            "new_entities": outcome.new_entities,
            "mentions": outcome.mentions,
            "claims": outcome.claims,
            "recorded": outcome.recorded,
            "superseded": outcome.superseded,
            "dropped": dict(outcome.dropped),
            "milliseconds": outcome.milliseconds,
            "extractor": digested.extractor,
            "extractor_version": digested.extractor_version,
            "provisional": digested.provisional,
            "chars_read": None if digested.end == ALL else digested.end,
            "usage": asdict(outcome.usage) if outcome.usage else None,
        }
    )


def read_outcome(stored: Mapping[str, object] | None) -> ChangeOutcome:
    """The counts, times and usage that stand on an episode; nothing where it has none."""
    return ChangeOutcome() if stored is None else _OUTCOME.validate_python(stored)
