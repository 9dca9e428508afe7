"""Models of agents' frameworks that answer from a script, for the examples of docs/integrations.md."""

import json
from collections.abc import Sequence
from typing import Any

import httpx2
from agents import Agent, Model, ModelResponse, Usage, set_tracing_disabled
from anthropic import Anthropic, DefaultHttpxClient
from openai.types.responses import ResponseOutputMessage, ResponseOutputText
from pydantic_ai.messages import ModelMessage, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.messages import ModelResponse as Answer
from pydantic_ai.models.function import AgentInfo, FunctionModel


def claude() -> Anthropic:
    """One that writes a file, and then says so."""
    writes = {"command": "create", "path": "/memories/tea.md", "file_text": "Ines drinks green tea only.\n"}
    script: list[Any] = [
        [{"type": "tool_use", "id": "toolu_1", "name": "memory", "input": writes}],
        [{"type": "text", "text": "I noted that you drink green tea only."}],
    ]

    def answer(request: httpx2.Request) -> httpx2.Response:
        *_, last = json.loads(request.content)["messages"]
        content = script[isinstance(last["content"], list)]  # results of tools come in a list
        stop = "tool_use" if content[0]["type"] == "tool_use" else "end_turn"
        whole = {"id": "msg_1", "type": "message", "role": "assistant", "model": "scripted", "content": content}
        used = {"stop_reason": stop, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
        return httpx2.Response(200, json=whole | used)

    return Anthropic(api_key="none", http_client=DefaultHttpxClient(transport=httpx2.MockTransport(answer)))


class _Scripted(Model):
    async def get_response(self, *_: Any, **__: Any) -> ModelResponse:
        text = ResponseOutputText(text="Noted: no peanuts.", type="output_text", annotations=[])
        said = ResponseOutputMessage(id="m", content=[text], role="assistant", status="completed", type="message")
        return ModelResponse(output=[said], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError


def agent() -> Agent[Any]:
    """One of OpenAI's SDK that notes an allergy."""
    set_tracing_disabled(disabled=True)  # it would call home
    return Agent(name="Assistant", model=_Scripted())


def model() -> FunctionModel:
    """One of pydantic-ai that remembers, recalls, and says what it recalled."""

    def answer(messages: Sequence[ModelMessage], info: AgentInfo) -> Answer:
        del info
        returned = [part for message in messages for part in message.parts if isinstance(part, ToolReturnPart)]
        if not returned:
            return Answer(parts=[ToolCallPart("remember", {"content": "I moved to Vienna in March."})])
        if len(returned) == 1:
            return Answer(parts=[ToolCallPart("recall", {"question": "When did I move to Vienna?"})])
        return Answer(parts=[TextPart(str(returned[-1].content))])

    return FunctionModel(answer)
