"""Prompts as versioned text: a change of words is a new file, and fragments say which they were read with."""

from collections.abc import Mapping
from importlib.resources import files

from graphmem.model.ontology import Ontology

VERSION = "read-1"


def system_prompt(ontology: Ontology) -> str:
    """What stays the same from call to call of one group, so that providers can cache it."""
    text = files(__name__).joinpath(f"{VERSION}.txt").read_text("utf-8")
    return text.format(
        entity_types=_listed(ontology.entity_types) or "any; lower case",
        relation_types=_listed({name: _ends(ontology, name) for name in ontology.relation_types}) or "any verb phrase",
        open_types="Use another word where none fits." if ontology.open_types else "Leave out what fits none of them.",
        instructions=ontology.instructions.strip() or "None.",
    )


def _ends(ontology: Ontology, name: str) -> str:
    relation = ontology.relation_types[name]
    subjects, objects = "|".join(relation.subjects) or "any", "|".join(relation.objects) or "any"
    return f"{relation.description} ({subjects} → {objects})"


def _listed(described: Mapping[str, str]) -> str:
    return "\n".join(f"- {name}: {text}" for name, text in described.items())
