"""Prompts as versioned text: a change of words is a new file, and fragments say which they were read with."""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

from graphmem.errors import InvalidInput
from graphmem.extract.llm.folds import canonical_predicates, curated_predicates
from graphmem.model.ontology import Ontology

_NAME, _SUFFIX = "read-", ".txt"


def _versions() -> Iterable[str]:
    names = [path.name.removesuffix(_SUFFIX) for path in files(__name__).iterdir() if path.name.startswith(_NAME)]
    return sorted(names, key=lambda name: int(name.removeprefix(_NAME)))


VERSIONS = tuple(_versions())
"""Those that there are, the newest last."""
VERSION = VERSIONS[-1]
PAIRS_VERSION = "pairs-1"
TURNS_VERSION = "turns-2"
SUMMARIES_VERSION = "summaries-1"
WEEKS_VERSION = "weeks-1"
_OTHERS = (PAIRS_VERSION, TURNS_VERSION, SUMMARIES_VERSION, WEEKS_VERSION)


def pairs_prompt() -> str:
    """How pairs of entities are compared."""
    return _text(PAIRS_VERSION)


def summary_prompt(tier: int) -> tuple[str, str]:
    """How turns (tier 1) or summaries are summed up: the version, and the words."""
    version = TURNS_VERSION if tier == 1 else SUMMARIES_VERSION
    return version, _text(version)


def week_prompt() -> tuple[str, str]:
    """How a week is told: the version, and the words."""
    return WEEKS_VERSION, _text(WEEKS_VERSION)


def system_prompt(ontology: Ontology, version: str = VERSION) -> str:
    """What stays the same, byte for byte, from call to call of one group, so that providers can cache it.

    Raises:
        InvalidInput: there is no such version.
    """
    return _text(version).format(
        entity_types=_listed({name: entity.description for name, entity in ontology.entity_types.items()})
        or "any; lower case",
        relation_types=_listed({name: _ends(ontology, name) for name in ontology.relation_types}) or "any verb phrase",
        entities=_described(
            {name: (entity.description, entity.attributes) for name, entity in ontology.entity_types.items()}
        ),
        relations=_described(_relations(ontology)) or "any verb phrase",
        predicates=_predicates(ontology),
        open_types="Use another word where none fits." if ontology.open_types else "Leave out what fits none of them.",
        instructions=ontology.instructions.strip() or "None.",
    )


def _predicates(ontology: Ontology) -> str:
    """The predicates to use, the ontology's own first; only those where it has some and its types are not open."""
    own = _relations(ontology)
    if own and not ontology.open_types:
        return _described(own)
    known, opened = (" ".join(names) for names in (curated_predicates(), canonical_predicates(ontology)))
    first = f"{_described(own)}\nWhere none of them fits, one of these:" if own else "One of these:"
    return f"{first}\n{known}\nElse one of these:\n{opened}\nElse a plain verb."


@cache
def _text(version: str) -> str:
    if version not in (*VERSIONS, *_OTHERS):
        raise InvalidInput(f"There is no prompt {version!r}; there are {', '.join(VERSIONS)}.")
    return files(__name__).joinpath(f"{version}{_SUFFIX}").read_text("utf-8")


def _relations(ontology: Ontology) -> Mapping[str, tuple[str, Mapping[str, str]]]:
    return {name: (_ends(ontology, name), relation.attributes) for name, relation in ontology.relation_types.items()}


def _ends(ontology: Ontology, name: str) -> str:
    relation = ontology.relation_types[name]
    subjects, objects = "|".join(relation.subjects) or "any", "|".join(relation.objects) or "any"
    return f"{relation.description} ({subjects} → {objects})"


def _described(types: Mapping[str, tuple[str, Mapping[str, str]]]) -> str:
    """Types with their descriptions, and an attribute a line."""
    lines = [
        [_line("- ", name, text), *(_line("  - ", *attribute) for attribute in more.items())]
        for name, (text, more) in types.items()
    ]
    return "\n".join(line for block in lines for line in block)


def _line(bullet: str, name: str, text: str) -> str:
    return f"{bullet}{name}: {text}" if text else f"{bullet}{name}"


def _listed(described: Mapping[str, str]) -> str:
    return "\n".join(f"- {name}: {text}" for name, text in described.items())
