"""The examples against the real packages, without a model: its answers are scripted."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import CHANGED, FILE

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))


def test_an_agent_of_the_agents_sdk_edits_a_folder(folder: Path) -> None:
    pytest.importorskip("agents", reason="The OpenAI Agents SDK is not installed")
    from agents import Agent, ApplyPatchTool, Model, ModelResponse, RunConfig, Runner, Usage
    from agents_editor import Editor
    from openai.types.responses import ResponseApplyPatchToolCall, ResponseOutputMessage, ResponseOutputText

    operations = [
        {"type": "update_file", "path": "wait.py", "diff": "@@\n-    pause = 30\n+    pause = 40\n"},
        {"type": "update_file", "path": "wait.py", "diff": "@@\n-    pause = 20\n+    pause = 40\n"},
        {"type": "create_file", "path": "new.py", "diff": "+x = 1\n"},
        {"type": "delete_file", "path": "new.py"},
        {"type": "create_file", "path": "../out.py", "diff": "+x = 1\n"},
    ]

    class Scripted(Model):
        """Makes a call for each operation, then ends."""

        def __init__(self) -> None:
            self.turn = 0
            self.seen: list[Any] = []

        async def get_response(self, system_instructions: Any, input: Any, *args: Any, **kwargs: Any) -> ModelResponse:
            self.seen = list(input)
            turn, self.turn = self.turn, self.turn + 1
            output: Any
            if turn < len(operations):
                output = ResponseApplyPatchToolCall.model_validate(
                    {
                        "id": f"apc_{turn}",
                        "call_id": f"call_{turn}",
                        "type": "apply_patch_call",
                        "status": "completed",
                        "operation": operations[turn],
                    }
                )
            else:
                text = ResponseOutputText(type="output_text", text="done", annotations=[])
                output = ResponseOutputMessage(
                    id="m", type="message", role="assistant", status="completed", content=[text]
                )
            return ModelResponse(output=[output], usage=Usage(), response_id=None)

        def stream_response(self, *args: Any, **kwargs: Any) -> Any:
            raise NotImplementedError

    model = Scripted()
    agent = Agent(name="editor", model=model, tools=[ApplyPatchTool(editor=Editor(folder))])
    result = asyncio.run(Runner.run(agent, "edit", run_config=RunConfig(tracing_disabled=True)))
    assert result.final_output == "done"
    answers = [item for item in model.seen if item.get("type") == "apply_patch_call_output"]
    assert [answer["status"] for answer in answers] == ["failed", "completed", "completed", "completed", "failed"]
    assert answers[0]["output"].startswith("Nothing was changed: ")
    assert "pause = 20" in answers[0]["output"]
    assert answers[1]["output"].startswith("Done: 1 file changed.")
    assert (folder / "wait.py").read_text() == CHANGED
    assert not (folder / "new.py").exists() and not (folder.parent / "out.py").exists()


def test_the_editor_moves_a_file(folder: Path) -> None:
    pytest.importorskip("agents", reason="The OpenAI Agents SDK is not installed")
    from agents.editor import ApplyPatchOperation
    from agents_editor import Editor

    diff = "@@\n-    pause = 20\n+    pause = 40\n"
    moved = Editor(folder).update_file(ApplyPatchOperation("update_file", "wait.py", diff, move_to="pause.py"))
    assert moved.status == "completed"
    assert (folder / "pause.py").read_text() == CHANGED and not (folder / "wait.py").exists()
    back = Editor(folder).update_file(ApplyPatchOperation("update_file", "pause.py", None, move_to="wait.py"))
    assert back.status == "completed" and (folder / "wait.py").read_text() == CHANGED


def test_our_apply_diff_gives_what_that_of_the_agents_sdk_gives() -> None:
    agents = pytest.importorskip("agents", reason="The OpenAI Agents SDK is not installed")
    import apply_patch

    cases = [
        (FILE, "@@\n-    pause = 20\n+    pause = 40\n", "default"),
        (FILE, "@@ def wait(most):\n     pause = 20\n+    log(pause)\n     sleep(pause)\n", "default"),
        (FILE.replace("\n", "\r\n"), "@@\n-    pause = 20\n+    pause = 40\n", "default"),
        ("a\nb\nc\n", "@@\n-a\n+1\n@@\n-c\n+3\n", "default"),
    ]
    for text, diff, mode in cases:
        assert apply_patch.apply_diff(text, diff, mode) == agents.apply_diff(text, diff, mode)
    # Of a new file the lines are the same; ours ends with a line break, as every other new file does.
    assert apply_patch.apply_diff("", "+a\n+b", "create").rstrip("\n") == agents.apply_diff("", "+a\n+b", "create").rstrip("\n")
    for text, diff in [(FILE, "@@\n-nowhere\n+1\n"), ("", "no diff")]:
        for apply_diff in (apply_patch.apply_diff, agents.apply_diff):
            with pytest.raises(ValueError):
                apply_diff(text, diff)


def test_a_deep_agent_edits_a_folder(folder: Path) -> None:
    pytest.importorskip("deepagents", reason="DeepAgents is not installed")
    from deepagents import create_deep_agent
    from deepagents_backend import PatchBackend
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage

    (folder / "crlf.py").write_bytes(FILE.replace("\n", "\r\n").encode())

    def edit(number: int, path: str, old: str, new: str) -> AIMessage:
        args = {"file_path": path, "old_string": old, "new_string": new}
        return AIMessage("", tool_calls=[{"name": "edit_file", "args": args, "id": f"call_{number}"}])

    def answers() -> Iterator[AIMessage]:
        yield edit(1, "/wait.py", "pause = 30", "pause = 40")
        # The indentation is lost.
        yield edit(2, "/wait.py", "pause = 20\nsleep(pause)", "pause = 40\nsleep(pause)")
        yield edit(3, "/crlf.py", "    pause = 20\n", "    pause = 40\n")
        yield AIMessage("done")

    class Scripted(GenericFakeChatModel):
        def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
            return self

    agent = create_deep_agent(model=Scripted(messages=answers()), backend=PatchBackend(folder))
    state = agent.invoke({"messages": [{"role": "user", "content": "edit"}]})
    said = [message.content for message in state["messages"] if message.type == "tool"]
    assert said[0].startswith("Nothing was changed: ") and "pause = 20" in said[0]
    assert (folder / "wait.py").read_text() == CHANGED
    assert (folder / "crlf.py").read_bytes() == CHANGED.replace("\n", "\r\n").encode()


def test_the_backend_of_deep_agents_replaces_all_and_stays_inside(folder: Path) -> None:
    pytest.importorskip("deepagents", reason="DeepAgents is not installed")
    from deepagents_backend import PatchBackend

    backend = PatchBackend(folder)
    done = backend.edit("/wait.py", "pause", "rest", replace_all=True)
    assert (done.error, done.path, done.occurrences) == (None, "/wait.py", 2)
    assert (folder / "wait.py").read_text() == FILE.replace("pause", "rest")
    assert backend.edit("/wait.py", "rest", "pause").error is not None
    assert backend.edit("/../x.py", "a", "b").error is not None
