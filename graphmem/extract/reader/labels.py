"""What the reader tells apart: predicates, effects on what is believed, and how something is said."""

from typing import Literal, get_args

Predicate = Literal[
    "address", "age", "allergic_to", "appointment", "birthday", "boss", "child", "deadline", "diet", "dislikes",
    "drives", "email", "event", "friend", "goal", "habit", "health", "hobby", "instruction", "likes", "lives_in",
    "located_at", "medication", "member_of", "named", "owns", "parent", "partner", "pet", "phone", "plan",
    "prefers", "price", "project", "quantity", "sibling", "speaks", "status", "studies_at", "subscription",
    "traveled_to", "works_as", "works_at",
]  # fmt: skip
Effect = Literal["holds", "starts", "ends", "denies", "corrects"]
Status = Literal["asserted", "planned", "wished", "reported"]
Role = Literal["user", "participant", "assistant"]

PREDICATES: tuple[Predicate, ...] = get_args(Predicate)
EFFECTS: tuple[Effect, ...] = get_args(Effect)
STATUSES: tuple[Status, ...] = get_args(Status)
