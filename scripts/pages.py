"""What the site (``mkdocs.yml``) has beside ``docs``: pages made from code, README, and what links lead to.

Files stay where they are, and links are written for GitHub. A file outside ``docs`` to which a page links stands in the
site under ``repository/``.
"""

import posixpath
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import typer
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from typer.cli import get_docs_for_click
from typer.main import get_command

from graphmem import errors
from graphmem.api.app import create_app
from graphmem.api.documentation import in_markdown, sections
from graphmem.api.openapi import Operation
from graphmem.client.cli import app
from graphmem.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
_LINK = re.compile(r"(?<=\]\()[^)\s:#]+(?=[)#])")
_REPOSITORY = "repository/"
_PYTHON = {
    "client": (
        "# The client\n\n`GraphmemClient` has the same methods, without `await` ([more](../../clients.md)).",
        "graphmem.client.asynchronous.AsyncGraphmemClient",
        "graphmem.client.problems.Retries",
        "graphmem.client.problems.ServiceUnavailable",
        "graphmem.client.problems.UnknownAnswer",
    ),
    "integrations": (
        "# Integrations\n\n[Frameworks](../../integrations.md) has an example of each.",
        "graphmem.integrations.langgraph.GraphmemStore",
        "graphmem.integrations.claude_memory.GraphmemMemoryTool",
        "graphmem.integrations.claude_memory.AsyncGraphmemMemoryTool",
        "graphmem.integrations.openai_agents.GraphmemSession",
        "graphmem.integrations.pydantic_ai.memory_toolset",
    ),
    "notebook": ("# Notebooks", "graphmem.notebook"),
    "errors": ("# Errors", "graphmem.errors"),
}
"""By page, how it begins, and the names that it describes."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add pages made from code, and what pages link to outside ``docs``, and what that links to."""
    for uri, text in pages_from_code():
        files.append(File.generated(config, uri, content=text))
    files.append(File.generated(config, "index.md", abs_src_path=str(ROOT / "README.md")))
    unread = [*files.documentation_pages()]
    while unread:
        page = unread.pop()
        for uri in dict.fromkeys(in_site(path) for _, path in linked(page.src_uri, page.content_string)):
            if uri.startswith(_REPOSITORY) and uri not in files.src_uris:
                file = File.generated(config, uri, abs_src_path=str(ROOT / uri.removeprefix(_REPOSITORY)))
                files.append(file)
                unread += [file] if file.is_documentation_page() else []
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001 - mkdocs gives them
    """Have links lead to where their files stand in the site."""
    uri = page.file.src_uri
    places = {link: posixpath.relpath(in_site(path), posixpath.dirname(uri)) for link, path in linked(uri, markdown)}
    return _LINK.sub(lambda found: places.get(found[0], found[0]), markdown)


def linked(uri: str, markdown: str) -> Iterator[tuple[str, str]]:
    """Links of a page to files of the repository, each with the path of its file there."""
    here = posixpath.dirname(in_repository(uri))
    for link in _LINK.findall(markdown):
        path = posixpath.normpath(posixpath.join(here, link))
        for file in (path, f"{path}/README.md"):
            if (ROOT / file).is_file():
                yield link, file


def in_site(path: str) -> str:
    """Where a file of the repository stands in the site."""
    if path == "README.md":
        return "index.md"
    return path.removeprefix("docs/") if path.startswith("docs/") else f"{_REPOSITORY}{path}"


def in_repository(uri: str) -> str:
    """Where a page of the site stands in the repository."""
    if uri == "index.md":
        return "README.md"
    return uri.removeprefix(_REPOSITORY) if uri.startswith(_REPOSITORY) else f"docs/{uri}"


def pages_from_code() -> Iterator[tuple[str, str]]:
    """Where each page made from code stands, and its Markdown."""
    yield "reference/problems.md", problems()
    yield "reference/commands.md", commands()
    for name, (begin, *described) in _PYTHON.items():
        yield f"reference/python/{name}.md", "\n\n".join([begin, *(f"::: {one}" for one in described)])
    with TemporaryDirectory() as folder:
        document = create_app(Settings(data_dir=Path(folder))).openapi()
    for section in sections(document):
        begin = f"# {section.name.capitalize()}\n\n{section.description}"
        calls = (_described(call, document) for call in section.calls)
        yield f"reference/http/{section.name}.md", "\n\n".join([begin, *calls])


def _described(call: Operation, document: dict[str, Any]) -> str:
    return f"## `{call.method} {call.path}`\n\n{call.description['summary']}.\n\n{in_markdown(call, document)}"


def problems() -> str:
    rows = sorted({(kind.status, kind.slug, kind.title()) for kind in problem_kinds((errors.GraphmemError,))})
    table = "\n".join(f"| {status} | `urn:graphmem:problem:{slug}` | {title} |" for status, slug, title in rows)
    return f"""# Problems

Errors over HTTP are problem documents (RFC 9457), and each has one of these types. The client raises them as
[errors](python/errors.md).

| status | type | what it is |
|---|---|---|
{table}
"""


def problem_kinds(kinds: Iterable[type[errors.GraphmemError]]) -> Iterator[type[errors.GraphmemError]]:
    """Errors that name a type of their own, of the model and of the API."""
    for kind in kinds:
        if "slug" in vars(kind) and kind.__module__.startswith(("graphmem.errors", "graphmem.api")):
            yield kind
        yield from problem_kinds(kind.__subclasses__())


def commands() -> str:
    """Every command with its arguments and options, as ``--help`` says it."""
    command = get_command(app)
    return get_docs_for_click(obj=command, ctx=typer.Context(command), name="graphmem", title="Commands")
