"""Under which heading each call is listed: those that most programs need come first, administration last."""

from collections.abc import Mapping
from typing import Any

CORE = (
    "POST /v1/groups/{group}/episodes",
    "POST /v1/groups/{group}/facts",
    "POST /v1/groups/{group}/search",
    "POST /v1/groups/{group}/context",
    "GET /v1/groups/{group}/answer",
    "GET /v1/groups/{group}/graph",
    "GET /v1/groups/{group}/diff",
    "GET /v1/groups/{group}/entities",
    "GET /v1/groups/{group}/entities/{entity_id}/profile",
    "GET /v1/groups/{group}/entities/{entity_id}/history",
    "GET /v1/groups/{group}/beliefs/{belief_id}/evidence",
    "GET /v1/groups/{group}/facts",
    "POST /v1/groups/{group}/facts/{belief_id}/correct",
    "GET /v1/groups/{group}/episodes",
    "POST /v1/groups/{group}/forget",
)
"""Method and path, in the order in which they are shown."""

HEADINGS: Mapping[str, str] = {
    "core": "What most programs need: remember, recall, fill a prompt, ask as of a day, correct, forget.",
    "episodes": "What was said or happened, word for word: what was kept of it, and reading it anew.",
    "sessions": "Conversations, their summaries, and reflections on weeks.",
    "facts": "Beliefs that users own: confirm, share, say that one was never so, settle conflicts.",
    "beliefs": "What was believed to be true, one by one and page by page.",
    "claims": "Evidence that a program has already: hand it in, withdraw it, correct it.",
    "entities": "Who and what there is, and what is believed of them.",
    "merges": "Who is who: decide, review, and take back.",
    "forgetting": "What was forgotten and what is taken in no more, how long things are kept, and who opted out.",
    "reading": "How texts of a group are read: types, predicates, and the order of day and month.",
    "groups": "Memories as wholes: make, rename, archive, export and import them.",
    "jobs": "What runs in the background: how far it is, and asking for it.",
    "keys": "Who may call: make, replace, revoke.",
    "audit": "Who changed what, and when, and whether the record is whole.",
    "service": "Whether the service runs, and its numbers.",
}
"""What each heading has, in the order in which they are shown."""


def put_under_headings(document: dict[str, Any]) -> None:
    """Give each call of an OpenAPI document exactly one tag, its heading, and describe the tags in their order."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if f"{method.upper()} {path}" in CORE:
                operation["tags"] = ["core"]
    document["tags"] = [{"name": name, "description": text} for name, text in HEADINGS.items()]
