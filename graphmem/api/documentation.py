"""What documentation says of each call, made of the OpenAPI document: Markdown for the site, and the page ``/docs``.

The page loads nothing: its style and its one script, which filters calls as somebody types, stand in it.
"""

import base64
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any

from markdown_it import MarkdownIt

from graphmem.api.headings import CORE, HEADINGS
from graphmem.api.openapi import Operation, operations

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
_STYLE = """
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:62rem;margin:2rem auto;padding:0 1rem}
details{border:1px solid #8884;border-radius:.4rem;margin:.5rem 0;padding:.3rem .8rem}
summary{cursor:pointer}
code,pre{font:.85rem/1.45 ui-monospace,monospace}
pre{background:#8882;border-radius:.4rem;padding:.8rem;overflow:auto}
input{font:inherit;width:100%;box-sizing:border-box;padding:.3rem .8rem}
.m{display:inline-block;min-width:4rem;font-weight:600}
th{text-align:left}
td,th{padding:.1rem 1rem .1rem 0;vertical-align:top}
"""
_SCRIPT = """
const calls = [...document.querySelectorAll("details")];
const said = "summary, p, td";
const texts = calls.map(call => [...call.querySelectorAll(said)].map(part => part.textContent).join(" ").toLowerCase());
document.querySelector("input").addEventListener("input", event => {
  const asked = event.target.value.toLowerCase().split(/\\s+/);
  calls.forEach((call, place) => { call.hidden = !asked.every(word => texts[place].includes(word)); });
  for (const part of document.querySelectorAll("section")) part.hidden = !part.querySelector("details:not([hidden])");
});
"""
SECURITY = (
    "default-src 'none'; style-src 'unsafe-inline'; "
    f"script-src 'sha256-{base64.b64encode(hashlib.sha256(_SCRIPT.encode()).digest()).decode()}'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy of the page."""


@dataclass(frozen=True, slots=True)
class HeadedCalls:
    """A heading, and the calls under it."""

    name: str
    description: str
    calls: tuple[Operation, ...]


def sections(document: dict[str, Any]) -> Iterable[HeadedCalls]:
    """The calls of an OpenAPI document under its tags."""
    shown = sorted(operations(document), key=_place)
    for tag in document["tags"]:
        calls = tuple(call for call in shown if call.description["tags"] == [tag["name"]])
        yield HeadedCalls(tag["name"], tag["description"], calls)


def _place(call: Operation) -> int:
    """Core calls stand in their order, others in that of the document."""
    name = f"{call.method} {call.path}"
    return CORE.index(name) if name in CORE else len(CORE)


class DocumentationPage:
    """The page ``/docs`` of a service; what it says of calls is rendered once, for who asks first."""

    def __init__(self, openapi: Callable[[], dict[str, Any]]) -> None:
        self._openapi = openapi

    @cached_property
    def _calls(self) -> str:
        document = self._openapi()
        return "\n".join(_section(section, document) for section in sections(document))

    def at(self, base_url: str) -> str:
        """The page where the service is called at ``base_url``."""
        info = self._openapi()["info"]
        title = escape(f"{info['title']} {info['version']}")
        links = " · ".join(f'<a href="#{name}">{name.capitalize()}</a>' for name in HEADINGS)
        return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style></head>
<body><h1>{title}</h1>{_MARKDOWN.render(info["description"])}
<p>Errors are problem documents (RFC 9457). For programs: <a href="/openapi.json">openapi.json</a>. The examples take
the address and a key, or the token of <code>graphmem env</code>, from the environment:</p>
<pre>export GRAPHMEM_URL='{escape(base_url)}' GRAPHMEM_TOKEN=…</pre>
<input type="search" placeholder="Find a call: history, valid_at, PUT …" aria-label="Find a call">
<p>{links}</p>
{self._calls}
<script>{_SCRIPT}</script>
</body></html>
"""


def _section(section: HeadedCalls, document: dict[str, Any]) -> str:
    calls = "\n".join(
        f'<details><summary><span class="m">{call.method}</span> <code>{escape(call.path)}</code> '
        f"{_MARKDOWN.renderInline(call.description['summary'])}</summary>"
        f"{_MARKDOWN.render(in_markdown(call, document))}</details>"
        for call in section.calls
    )
    description = _MARKDOWN.render(section.description)
    return f'<section id="{section.name}"><h2>{section.name.capitalize()}</h2>{description}{calls}</section>'


def in_markdown(call: Operation, document: dict[str, Any]) -> str:
    """What a call takes and answers, with an example of each; its summary stands above it."""
    operation = call.description
    parts = [
        operation.get("description", ""),
        _table(("parameter", "in", "what it is"), map(_parameter, operation.get("parameters", ()))),
        _table(("in the body", "type", "what it is"), _fields(operation, document["components"]["schemas"])),
        f"```sh\n{_curl(call)}\n```",
        *(_answer(status, answer, operation["summary"]) for status, answer in operation["responses"].items()),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [" | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in row) for row in rows]
    return "\n".join(f"| {line} |" for line in (" | ".join(head), " | ".join("---" for _ in head), *lines)) * bool(
        lines
    )


def _parameter(item: Mapping[str, Any]) -> tuple[str, ...]:
    return f"`{item['name']}`", item["in"], item.get("description") or item.get("schema", {}).get("description", "")


def _fields(operation: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterable[tuple[str, ...]]:
    """The fields of what a body is, of one where it may be several."""
    for content in list(operation.get("requestBody", {}).get("content", {}).values())[:1]:
        schema = content["schema"]
        while "properties" not in schema and ("$ref" in schema or "anyOf" in schema):
            schema = schemas[_name(schema)] if "$ref" in schema else schema["anyOf"][0]
        for name, field in schema.get("properties", {}).items():
            needed = ", required" if name in schema.get("required", ()) else ""
            yield f"`{name}`", f"{_type(field)}{needed}", field.get("description", "")


def _type(schema: Mapping[str, Any]) -> str:
    kinds = [_type(kind) for kind in schema.get("anyOf", schema.get("oneOf", ()))]
    if kinds:
        return " or ".join(dict.fromkeys(kinds))
    return _name(schema) if "$ref" in schema else schema.get("format", schema.get("type", "anything"))


def _name(schema: Mapping[str, Any]) -> str:
    return schema["$ref"].rpartition("/")[2]


def _curl(call: Operation) -> str:
    """A call as somebody types it: parameters that it needs are as in their examples."""
    needed = {item["name"]: item for item in call.description.get("parameters", ()) if item["required"]}
    path = call.path.replace("{group}", "maya")
    for name, item in needed.items():
        path = path.replace(f"{{{name}}}", _example_of(item))
    asked = "&".join(f"{name}={_example_of(item)}" for name, item in needed.items() if item["in"] == "query")
    lines = [f'curl -X {call.method} "$GRAPHMEM_URL{path}{f"?{asked}" if asked else ""}"']
    if "security" in call.description:
        lines.append('-H "Authorization: Bearer $GRAPHMEM_TOKEN"')
    bodies = call.description.get("requestBody", {}).get("content", {})
    if body := bodies.get("application/json"):
        lines += ["-H 'Content-Type: application/json'", f"-d '{json.dumps(body['example'], ensure_ascii=False)}'"]
    elif bodies:
        file = _example_of(needed["name"]) if "name" in needed else "FILE"
        lines += [f"-H 'Content-Type: {next(iter(bodies))}'", f"--data-binary @{file}"]
    return " \\\n  ".join(lines)


def _example_of(parameter: Mapping[str, Any]) -> str:
    """An example of a parameter; its name in braces, where it has none."""
    return str(next(iter(parameter["schema"].get("examples", ())), f"{{{parameter['name']}}}"))


def _answer(status: str, answer: Mapping[str, Any], summary: str) -> str:
    said = answer.get("description", "")
    blocks = [
        _pretty(content["example"])
        for content in answer.get("content", {}).values()
        if "example" in content and int(status) < 400  # noqa: PLR2004 - success
    ]
    return "\n\n".join([f"**{status}** {'' if said == summary else said}".rstrip(), *blocks])


def _pretty(example: Any) -> str:
    if isinstance(example, str):
        return f"```\n{example}\n```"
    return f"```json\n{json.dumps(example, indent=2, ensure_ascii=False)}\n```"
