"""Puts `apply-patch` in the place of the editor of the OpenAI Agents SDK, and runs an agent whose model is a script.

Needs the package `openai-agents`; the command is in APPLY_PATCH, or on the path.
"""
import asyncio
import json
import os
import pathlib
import subprocess
import tempfile

from agents import Agent, ApplyPatchTool, Model, ModelResponse, Runner, Usage, set_tracing_disabled
from agents.editor import ApplyPatchResult
from openai.types.responses import ResponseApplyPatchToolCall, ResponseOutputMessage, ResponseOutputText

COMMAND = os.environ.get("APPLY_PATCH", "apply-patch")


# What an author writes, as docs/harnesses.md shows it.
class Editor:
    def __init__(self, root):
        self.root = root

    def apply(self, operation):
        call = {key: getattr(operation, key) for key in ("type", "path", "diff", "move_to")}
        command = [COMMAND, "--reply", "openai", "-C", self.root]
        answer = subprocess.run(command, input=json.dumps(call), capture_output=True, text=True)
        return ApplyPatchResult(**json.loads(answer.stdout))

    create_file = update_file = delete_file = apply


class Script(Model):
    """A model that makes one call a turn, and keeps what it is answered."""

    def __init__(self, operations):
        self.operations = list(operations)
        self.answers = []

    async def get_response(self, system_instructions, input, *rest, **options):
        if isinstance(input, list):
            self.answers = [item for item in input if item.get("type") == "apply_patch_call_output"]
        turn = len(self.answers)
        if turn < len(self.operations):
            call = {"id": f"apc_{turn}", "call_id": f"call_{turn}", "status": "completed"}
            call["operation"] = self.operations[turn]
            output = ResponseApplyPatchToolCall(type="apply_patch_call", **call)
        else:
            text = ResponseOutputText(type="output_text", text="done", annotations=[])
            output = ResponseOutputMessage(
                id="msg", type="message", role="assistant", status="completed", content=[text]
            )
        return ModelResponse(output=[output], usage=Usage(), response_id=None)

    def stream_response(self, *rest, **options):
        raise NotImplementedError


def main():
    set_tracing_disabled(True)
    with tempfile.TemporaryDirectory() as root:
        file = pathlib.Path(root, "greet.py")
        file.write_text("def greet():\n    print('helo')\n")
        update = "@@ def greet():\n-print('helo')\n+print('hello')\n"
        model = Script([
            # Quoted without its indentation.
            {"type": "update_file", "path": "greet.py", "diff": update},
            {"type": "create_file", "path": "notes.md", "diff": "+# Notes\n+first"},
            {"type": "update_file", "path": "greet.py", "diff": "@@\n-nowhere\n+x\n"},
            {"type": "delete_file", "path": "notes.md"},
        ])
        agent = Agent(name="editor", model=model, tools=[ApplyPatchTool(editor=Editor(root))])
        result = asyncio.run(Runner.run(agent, "fix it"))
        assert result.final_output == "done", result.final_output
        statuses = [answer["status"] for answer in model.answers]
        assert statuses == ["completed", "completed", "failed", "completed"], statuses
        ids = [answer["call_id"] for answer in model.answers]
        assert ids == ["call_0", "call_1", "call_2", "call_3"], ids
        assert "not-found" in model.answers[2]["output"], model.answers[2]["output"]
        assert file.read_text() == "def greet():\n    print('hello')\n", file.read_text()
        assert not pathlib.Path(root, "notes.md").exists()
    print("openai-agents: 4 calls answered, 1 of them refused.")


main()
