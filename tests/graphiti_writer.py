# pyright: basic, reportMissingImports=false
# ruff: noqa: ANN001, ANN002, ANN003, ANN201, ANN202, ANN204, ARG002 -- types and signatures are of Graphiti
"""Has Graphiti 0.31 write a graph into a Neo4j: arguments are its URI and user, standard input has the password.

Graphiti's language model is a table: of each episode it reads the facts that stand there, and of one who works
elsewhere, that the work before is over. Prints when each episode was done. An environment that has ``graphiti-core``
runs it, and not that of the tests.
"""

import ast
import asyncio
import hashlib
import json
import os
import re
import sys
from datetime import UTC, datetime

os.environ["GRAPHITI_TELEMETRY_ENABLED"] = "false"  # noqa: TID251 -- before it is imported

from graphiti_core import Graphiti
from graphiti_core.cross_encoder.client import CrossEncoderClient
from graphiti_core.embedder.client import EmbedderClient
from graphiti_core.llm_client.client import LLMClient
from graphiti_core.llm_client.config import LLMConfig
from graphiti_core.nodes import EpisodeType

DIMENSIONS = 64
FACTS = {
    0: [("Alice Moreno", "WORKS_AT", "Vexel Labs", None), ("Alice Moreno", "USES", "Atlas Planner", None)],
    1: [("Bruno Sato", "WORKS_AT", "Norda Foods", None)],
    2: [("Alice Moreno", "WORKS_AT", "Norda Foods", None), ("Alice Moreno", "USES", "Glyph Scanner", None)],
    3: [
        ("Bruno Sato", "WORKS_AT", "Corvid Media", None),
        ("Bruno Sato", "RENTED", "Kite Studio", "2023-06-01T00:00:00Z"),
    ],
}
"""Source, name, target, and until when, by episode."""


def sentence(source, name, target):
    return f"{source} {name.lower().replace('_', ' ')} {target}"


BY_SENTENCE = {sentence(*fact[:3]): fact for facts in FACTS.values() for fact in facts}


def section(text, *tags):
    found = (re.findall(rf"<{tag}>\n(.*?)\n</{tag}>", text, re.DOTALL) for tag in tags)
    return next((texts[-1] for texts in found if texts), "")


def facts_of(text):
    current = section(text, "CURRENT MESSAGE", "CURRENT_MESSAGE", "CURRENT MESSAGES", "TEXT")
    return FACTS[int(re.findall(r"\[(\d+)\]", current)[-1])]


def extracted(text):
    facts = facts_of(text)
    names = sorted({end for fact in facts for end in (fact[0], fact[2])})
    return {
        "extracted_entities": [{"name": name, "entity_type_id": 0, "episode_indices": [0]} for name in names],
        "edges": [
            {
                "source_entity_name": source,
                "target_entity_name": target,
                "relation_type": name,
                "fact": sentence(source, name, target),
                "episode_indices": [0],
            }
            for source, name, target, _ in facts
        ],
    }


def same_names(text):
    known = {one["name"]: one["candidate_id"] for one in json.loads(section(text, "EXISTING ENTITIES"))}
    new = json.loads(section(text, "ENTITIES"))
    return {
        "entity_resolutions": [
            {"id": one["id"], "name": one["name"], "duplicate_candidate_id": known.get(one["name"], -1)} for one in new
        ]
    }


def contradicted(text):
    fact = section(text, "NEW FACT")
    source, name, _, _ = BY_SENTENCE[fact]
    known = ast.literal_eval(section(text, "EXISTING FACTS") or "[]")
    others = [*known, *ast.literal_eval(section(text, "FACT INVALIDATION CANDIDATES") or "[]")]
    works = [one["idx"] for one in others if name == "WORKS_AT" and BY_SENTENCE[one["fact"]][:2] == (source, name)]
    same = [one["idx"] for one in known if one["fact"] == fact]
    return {"duplicate_facts": same, "contradicted_facts": [index for index in works if index not in same]}


def times(fact, said_at):
    until = BY_SENTENCE[fact][3]
    since = "2023-01-01T00:00:00Z" if until else said_at.strip().replace("+00:00", "Z")
    return {"valid_at": since, "invalid_at": until}


def answer(name, text):
    match name.rpartition(".")[2]:
        case "extract_message" | "extract_text" | "edge":
            return extracted(text)
        case "nodes":
            return same_names(text)
        case "resolve_edge":
            return contradicted(text)
        case "extract_timestamps":
            return times(section(text, "FACT").strip() or _fact_in(text), section(text, "REFERENCE TIME"))
        case "extract_timestamps_batch":
            facts = json.loads(section(text, "FACTS"))
            return {"timestamps": [times(one["fact"], one["reference_time"]) for one in facts]}
        case "extract_summaries_batch":
            return {
                "summaries": [
                    {"name": one["name"], "summary": one["name"]} for one in json.loads(section(text, "ENTITIES"))
                ]
            }
    raise NotImplementedError(name)


def _fact_in(text):
    return next(fact for fact in BY_SENTENCE if fact in text)


class Table(LLMClient):
    def __init__(self):
        super().__init__(LLMConfig(model="table", small_model="table"), cache=False)

    async def generate_response(self, messages, *_, prompt_name=None, **__):
        return answer(prompt_name or "", messages[-1].content)

    async def _generate_response(self, *_, **__):
        raise NotImplementedError


class Words(EmbedderClient):
    async def create(self, input_data):
        text = input_data if isinstance(input_data, str) else input_data[0]
        vector = [0.01] * DIMENSIONS
        for word in text.lower().split():
            vector[hashlib.sha256(word.encode()).digest()[0] % DIMENSIONS] += 1.0
        return vector

    async def create_batch(self, input_data_list):
        return [await self.create(text) for text in input_data_list]


class AsTheyCome(CrossEncoderClient):
    async def rank(self, query, passages):
        return [(passage, 1.0 / (1 + place)) for place, passage in enumerate(passages)]


async def main(uri, user, password):
    graph = Graphiti(uri, user, password, llm_client=Table(), embedder=Words(), cross_encoder=AsTheyCome())
    if task := getattr(graph.driver, "_init_task", None):
        await task
    else:
        await graph.build_indices_and_constraints()
    await graph.driver.execute_query("CALL db.awaitIndexes(120)")
    for number, facts in FACTS.items():
        text = f"[{number}] " + ". ".join(sentence(*fact[:3]) for fact in facts)
        at = datetime(2024, number + 1, 1, tzinfo=UTC)
        await graph.add_episode(f"e{number}", text, "chat", at, source=EpisodeType.message, group_id="team")
        sys.stdout.write(f"{datetime.now(UTC).isoformat()}\n")  # noqa: TID251 -- graphmem is not there
    await graph.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], sys.stdin.read()))
