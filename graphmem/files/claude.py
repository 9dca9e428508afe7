"""An export of Claude: its conversations, and the documents of its projects."""

from collections.abc import Iterator
from functools import partial

from graphmem.files.content import role_of, text_of
from graphmem.files.source import Object, Source
from graphmem.files.times import time_of
from graphmem.files.turns import FileTurn
from graphmem.model.episode import EpisodeRole

NAME = "Claude export"
PROJECTS = "Claude projects"


def recognises(source: Source) -> bool:
    return not {"item.chat_messages", "chat_messages"}.isdisjoint(source.keys)


def read(source: Source) -> Iterator[FileTurn]:
    return source.turns(partial(_conversation, source), source.values(), "conversation")


def _conversation(source: Source, _: int, conversation: Object) -> Iterator[FileTurn]:
    messages = conversation["chat_messages"]
    began = None if any(message.get("created_at") for message in messages) else conversation.get("created_at")
    for message in messages:
        if files := len(message.get("attachments") or []) + len(message.get("files") or []):
            source.leave_out("attachments", files)
        yield FileTurn(
            content=text_of(message.get("content"), source) or text_of(message.get("text"), source),
            time=time_of(message.get("created_at") or began),
            source="claude",
            role=role_of(message["sender"]),
            session=f"claude/{conversation['uuid']}",
            id=f"claude/{message['uuid']}",
            more={"metadata": {"title": conversation["name"]}} if conversation.get("name") else {},
        )


def recognises_projects(source: Source) -> bool:
    return {"item.prompt_template", "item.docs"} <= source.keys or {"prompt_template", "docs"} <= source.keys


def read_projects(source: Source) -> Iterator[FileTurn]:
    return source.turns(_project, source.values(), "project")


def _project(_: int, project: Object) -> Iterator[FileTurn]:
    documents: list[Object] = project.get("docs") or []
    for document in documents:
        named = {"project": project.get("name") or "", "file": document.get("filename") or ""}
        yield FileTurn(
            content=document.get("content") or "",
            time=time_of(document.get("created_at") or project.get("created_at")),
            source="claude",
            role=EpisodeRole.PARTICIPANT,
            id=f"claude/{document['uuid']}",
            more={"content_type": "document", "metadata": named},
        )
