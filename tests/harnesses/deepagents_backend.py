"""Puts `apply-patch` in the place of the edit of a DeepAgents backend, and runs an agent whose model is a script.

Needs the package `deepagents`; the command is in APPLY_PATCH, or on the path.
"""
import json
import os
import pathlib
import subprocess
import tempfile

from deepagents import create_deep_agent
from deepagents.backends import FilesystemBackend
from deepagents.backends.protocol import EditResult
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, ToolMessage

COMMAND = os.environ.get("APPLY_PATCH", "apply-patch")


# What an author writes, as docs/harnesses.md shows it.
class Backend(FilesystemBackend):
    def edit(self, file_path, old_string, new_string, replace_all=False):
        call = {"file_path": str(self._resolve_path(file_path)), "old_string": old_string}
        call |= {"new_string": new_string, "replace_all": replace_all}
        command = [COMMAND, "--json", "-C", str(self.cwd)]
        answer = subprocess.run(command, input=json.dumps(call), capture_output=True, text=True)
        report = json.loads(answer.stdout)
        if answer.returncode == 0:
            chunks = [chunk for hunk in report["hunks"] for chunk in hunk["chunks"]]
            return EditResult(path=file_path, occurrences=len(chunks))
        reasons = report["failures"] + report["errors"] or [report]
        return EditResult(error="; ".join(f"{reason['message']} ({report['next']})" for reason in reasons))


class Script(GenericFakeChatModel):
    def bind_tools(self, tools, **options):
        return self


def call(nth, old, new):
    arguments = {"file_path": "/greet.py", "old_string": old, "new_string": new}
    return AIMessage("", tool_calls=[{"name": "edit_file", "args": arguments, "id": f"call_{nth}"}])


def main():
    with tempfile.TemporaryDirectory() as root:
        file = pathlib.Path(root, "greet.py")
        file.write_text("def greet():\n    name = 'you'\n    print('helo', name)\n")
        messages = [
            # Quoted without its indentation.
            call(0, "name = 'you'\nprint('helo', name)", "name = 'you'\nprint('hello', name)"),
            call(1, "print('nowhere')", "print('x')"),
            AIMessage("done"),
        ]
        agent = create_deep_agent(
            model=Script(messages=iter(messages)), backend=Backend(root_dir=root, virtual_mode=True)
        )
        state = agent.invoke({"messages": [{"role": "user", "content": "fix it"}]})
        answers = [message for message in state["messages"] if isinstance(message, ToolMessage)]
        assert [answer.tool_call_id for answer in answers] == ["call_0", "call_1"], answers
        assert "not in the file" in answers[1].content, answers[1].content
        assert file.read_text() == "def greet():\n    name = 'you'\n    print('hello', name)\n", file.read_text()
    print("deepagents: 2 calls answered, 1 of them refused.")


main()
